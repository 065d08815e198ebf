import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../test/until.ts';
import type { Db, Statement } from '../db/connection.ts';
import { AskPrimaryError, createReads, MAX_STALE, type Outcome } from './replica.ts';
import { memoryWriteMarks } from './write-marks.ts';

/** Where reads go, with a primary and a replica that say what they are told to; test/replica.test.ts has real ones. */

function start(t: TestContext, marks = memoryWriteMarks()) {
  const primary = { server: 1, lsn: 100 };
  const replica = { standby: true, servers: [1], lsn: 100 as number | null, broken: false };
  const asked = { primary: 0 };
  const clock = { now: 0 };
  const outcomes: Outcome[] = [];
  const errors: Error[] = [];
  const answer = ({ values }: Statement) => ({
    standby: replica.standby,
    follows: replica.servers.includes(values![0] as number),
    lsn: replica.lsn,
  });
  const primaryDb = {
    first: async () => {
      asked.primary++;
      return { ...primary };
    },
    rows: async () => [],
  } as unknown as Db;
  const replicaDb = {
    rows: async (statement: Statement) => [answer(statement)],
    together: async ([position]: Statement[]) => {
      if (replica.broken) throw new Error('the connection broke');
      return [[answer(position!)], [{ from: 'replica' }]];
    },
    open: async () => ({ query: async (statement: Statement) => ({ rows: [answer(statement)] }) }),
    breakOff() {},
    shut() {},
    reopen() {},
    discard() {},
    close: async () => {},
  } as unknown as Db;
  const reads = createReads({
    primary: primaryDb,
    replica: replicaDb,
    marks,
    name: 'one',
    onState() {},
    onRead: (outcome) => outcomes.push(outcome),
    onError: (error) => errors.push(error),
    now: () => clock.now,
  });
  t.after(() => reads.close());
  const read = (key = 'key'): Promise<string> =>
    reads.read(key, async (db, isReplica) => {
      if (!isReplica) return 'primary';
      return (await db.first<{ from: string }>({ text: '' }))!.from;
    });
  const from = (where: string) => until(async () => (await read()) === where);
  const inStep = async (): Promise<void> => {
    await until(() => reads.state() === 'in step');
    clock.now = MAX_STALE;
  };
  return { primary, replica, reads, read, from, inStep, asked, clock, outcomes, errors };
}

test('a key that wrote reads from the primary until the replica has what it wrote', async (t) => {
  const { primary, replica, reads, read, clock, asked, outcomes } = start(t);
  await until(() => reads.state() === 'in step');
  assert.equal(await read(), 'primary');
  assert.equal(
    outcomes.at(-1),
    'unknown',
    'a process that has just started does not know what was written before',
  );
  clock.now = MAX_STALE;
  assert.equal(await read(), 'replica');
  const { mark } = reads.begin('key');
  assert.equal(await read(), 'replica', 'a write is under way, and the replica has what was committed');
  primary.lsn = 150;
  assert.equal(await read(), 'primary', 'the write may have ended');
  assert.equal(await read('another'), 'replica');
  primary.lsn = 200;
  reads.end('key', mark);
  assert.equal(await read(), 'primary');
  assert.equal(outcomes.at(-1), 'behind');
  assert.equal(await read('another'), 'replica', 'it wrote nothing');
  replica.lsn = 200;
  const before = asked.primary;
  for (let times = 0; times < 5; times++) assert.equal(await read(), 'replica');
  assert.ok(asked.primary - before <= 1, 'the position after a write is asked for once; one may be a sample');
});

test('a replica that does not follow the primary of now is not read, however far it is', async (t) => {
  const { primary, replica, from, inStep, reads } = start(t);
  await inStep();
  assert.equal(reads.lag(), 0);
  replica.lsn = 1_000;
  primary.server = 2;
  await from('primary');
  await until(() => reads.state() === 'behind');
  replica.servers.push(2);
  await from('replica');
  replica.standby = false;
  await from('primary');
  await until(() => reads.state() === 'promoted');
  replica.standby = true;
  replica.lsn = null;
  await until(() => reads.state() === 'behind');
});

test('a replica that says nothing new is not read longer than it may be behind', async (t) => {
  const { primary, clock, asked, from, inStep, reads } = start(t);
  const sampled = (): Promise<boolean> => {
    const before = asked.primary;
    return until(() => asked.primary > before);
  };
  await inStep();
  await sampled();
  primary.lsn = 200;
  clock.now += MAX_STALE / 2;
  await sampled();
  await from('replica');
  clock.now += MAX_STALE;
  await until(() => reads.state() === 'behind');
  assert.ok(reads.lag()! > MAX_STALE / 1_000);
  await from('primary');
});

test('what a replica answers that is no longer there is not believed, and its errors reach nobody', async (t) => {
  const { replica, reads, read, from, inStep, outcomes, errors } = start(t);
  await inStep();
  // Between the question whether it is there and the read it became another one, which knows less.
  replica.lsn = 50;
  assert.equal(await read(), 'primary');
  assert.equal(outcomes.at(-1), 'behind');
  replica.lsn = 100;
  await from('replica');
  replica.broken = true;
  assert.equal(await read(), 'primary');
  assert.deepEqual(
    [outcomes.at(-1), errors.map(({ message }) => message)],
    ['failed', ['the connection broke']],
  );
  replica.broken = false;
  const work = async (_db: unknown, isReplica: boolean) => {
    if (isReplica) throw new AskPrimaryError('not to be had there');
    return 'primary';
  };
  assert.equal(await reads.read('key', work), 'primary');
  assert.equal(errors.length, 1);
  await assert.rejects(
    reads.read('key', async () => {
      throw new Error('wrong everywhere');
    }),
    /wrong everywhere/,
  );
});

test('what others write is not known: the primary', async (t) => {
  const marks = memoryWriteMarks();
  let known = true;
  const { from, inStep, outcomes } = start(t, {
    ...marks,
    keys: 0,
    state: ((key: string) => (known ? marks.state(key) : null)) as typeof marks.state,
  });
  await inStep();
  await from('replica');
  known = false;
  await from('primary');
  assert.equal(outcomes.at(-1), 'unknown');
});

test('marks: open until the last write has ended, kept for a minute, and never forgotten silently', () => {
  let now = 0;
  const marks = memoryWriteMarks(2, () => now);
  assert.deepEqual(marks.state('a'), { open: false, version: null });
  marks.begin('a', '1');
  marks.begin('a', '2');
  marks.end('a', '1');
  assert.deepEqual(marks.state('a'), { open: true, version: '1' });
  marks.end('a', '2');
  assert.deepEqual(marks.state('a'), { open: false, version: '2' });
  marks.begin('a', 'of a process that died');
  now = 60_000;
  assert.deepEqual(marks.state('a'), { open: false, version: '2' });

  // There is room for two keys: the oldest goes, silently when it has been quiet for a minute.
  marks.begin('b', '3');
  marks.begin('c', '4');
  assert.equal(marks.keys, 2);
  assert.deepEqual(marks.state('a'), { open: false, version: null });
  marks.begin('d', '5');
  assert.deepEqual(marks.state('b'), { open: true, version: null }, 'it may be writing');
  assert.deepEqual(marks.state('e'), { open: true, version: null }, 'and so may others');
  now = 120_000;
  assert.deepEqual(marks.state('e'), { open: false, version: null });
});
