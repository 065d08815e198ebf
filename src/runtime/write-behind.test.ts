import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import { createWriteBehind } from './write-behind.ts';

/** A buffer with writes that wait for the test. */
function slowBuffer(t: TestContext, maxItems: number) {
  const written: string[][] = [];
  const dropped: [string, number][] = [];
  const errors: string[] = [];
  const gates: (() => void)[] = [];
  let failure: Error | null = null;
  const buffer = createWriteBehind<string>({
    write: async (items, done) => {
      await new Promise<void>((resolve) => gates.push(resolve));
      if (failure !== null) {
        done(1);
        throw failure;
      }
      written.push([...items]);
    },
    maxItems,
    maxBytes: 100,
    onDropped: (why, count) => dropped.push([why, count]),
    onError: ({ message }) => errors.push(message),
  });
  const close = async (): Promise<void> => {
    const closing = buffer.close();
    while (gates.length > 0) {
      gates.shift()?.();
      await Promise.resolve();
    }
    await closing;
  };
  t.after(close);
  return {
    ...buffer,
    close,
    written,
    dropped,
    errors,
    fail: (error: Error | null) => {
      failure = error;
    },
    letThrough: () => gates.shift()?.(),
  };
}

test('items added during a write belong to the next one; those above the limit are counted', async (t) => {
  const buffer = slowBuffer(t, 2);
  buffer.add('a', 1);
  const first = buffer.flush();
  for (const item of ['b', 'c', 'd', 'e']) buffer.add(item, 1);
  const second = buffer.flush();
  buffer.letThrough();
  await first;
  while (buffer.written.length < 2) {
    buffer.letThrough();
    await Promise.resolve();
  }
  await second;
  assert.deepEqual(buffer.written, [['a'], ['b', 'c']]);
  assert.deepEqual(buffer.dropped, [
    ['full', 1],
    ['full', 1],
  ]);
  buffer.add('too heavy', 101);
  assert.equal(buffer.dropped.length, 3);
});

test('failed writes are counted by reason, and reported once per outage', async (t) => {
  const buffer = slowBuffer(t, 10);
  const flush = async (item: string, error: Error | null): Promise<void> => {
    buffer.fail(error);
    for (const each of [item, item]) buffer.add(each, 1);
    const flushed = buffer.flush();
    buffer.letThrough();
    await flushed;
  };
  await flush('a', new DatabaseUnavailableError('away'));
  await flush('b', new DatabaseUnavailableError('away still'));
  await flush('c', null);
  await flush('d', new Error('broken'));
  // One of the two was done each time.
  assert.deepEqual(buffer.dropped, [
    ['database', 1],
    ['database', 1],
    ['error', 1],
  ]);
  assert.deepEqual(buffer.errors, ['away', 'broken']);
  assert.deepEqual(buffer.written, [['c', 'c']]);
});
