import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import { runJobs } from './jobs.ts';

test('jobs that fail for lack of the database are reported once, and once when all run again', async () => {
  const told: string[] = [];
  const runs = { a: 0, b: 0, c: 0 };
  const resumed = Promise.withResolvers<void>();
  const job = (name: keyof typeof runs, work: (run: number) => void) => ({
    name,
    everyMilliseconds: 1,
    run: async () => work(++runs[name]),
  });
  const away = (): never => {
    throw new DatabaseUnavailableError('away');
  };
  const { stop, overdue } = runJobs(
    [
      job('a', (run) => run <= 5 && away()),
      // As long as the other one waits, and longer.
      job('b', (run) => (run <= 5 || runs.a <= 6) && away()),
      job('c', (run) => {
        if (run === 2) throw new Error('a fault of ours');
      }),
    ],
    {
      onError: (name, error) => told.push(`${name}: ${error.message}`),
      onWaiting: (name) => told.push(`${name} waits`),
      onResumed: () => {
        told.push('resumed');
        resumed.resolve();
      },
    },
  );
  await resumed.promise;
  await stop();
  assert.deepEqual(Object.keys(overdue()), ['a', 'b', 'c']);
  assert.deepEqual(told.toSorted(), ['a waits', 'c: a fault of ours', 'resumed']);
  assert.equal(told.at(-1), 'resumed');
});

test('a job that hangs and one that fails each time are overdue, one that runs is not', async () => {
  const hang = Promise.withResolvers<void>();
  let failures = 0;
  const { stop, overdue } = runJobs(
    [
      { name: 'hangs', everyMilliseconds: 1, run: () => hang.promise },
      { name: 'fails', everyMilliseconds: 1, run: async () => Promise.reject(new Error('a fault of ours')) },
      { name: 'daily', everyMilliseconds: 86_400_000, run: async () => {} },
    ],
    { onError: () => failures++, onWaiting: assert.fail, onResumed: assert.fail },
  );
  while (failures < 20) await new Promise(setImmediate);
  const { hangs, fails, daily } = overdue();
  assert.ok(hangs! > 0.015 && fails! > 0.015, `${hangs} ${fails}`);
  assert.equal(daily, 0);
  hang.resolve();
  await stop();
});
