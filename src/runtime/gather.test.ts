import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gatherLookups } from './gather.ts';

type Asked = { keys: number[]; shared: boolean; answer(): void; fail(error: Error): void };

/** Lookups whose statements the test answers: each key with ten times as much. */
function controlled(limits: { maxKeys?: number; maxRunning?: number } = {}) {
  const asked: Asked[] = [];
  const ask = <T>(keys: number[], shared: boolean, value: T): Promise<T> =>
    new Promise((resolve, reject) =>
      asked.push({ keys, shared, answer: () => resolve(value), fail: reject }),
    );
  const find = gatherLookups<number, number>({
    one: (key) => ask([key], false, key * 10),
    many: (keys) =>
      ask(
        [...keys],
        true,
        keys.map((key) => key * 10),
      ),
    maxKeys: 100,
    maxRunning: 1,
    ...limits,
  });
  return { asked, find, keys: () => asked.map(({ keys }) => keys) };
}

/** Until so many statements have begun. */
async function statements(asked: readonly Asked[], count: number): Promise<void> {
  while (asked.length < count) await nextTurn();
}

test('what is asked in one turn shares a statement, and each gets its own answer', async () => {
  const { asked, find } = controlled();
  const answers = [find(1), find(2), find(1)];
  await nextTurn();
  assert.deepEqual(
    asked.map(({ keys, shared }) => ({ keys, shared })),
    [{ keys: [1, 2, 1], shared: true }],
  );
  asked[0]!.answer();
  assert.deepEqual(await Promise.all(answers), [10, 20, 10]);
});

test('a question without company is asked as a single one, at once', async () => {
  const { asked, find } = controlled();
  const answer = find(7);
  await nextTurn();
  assert.deepEqual([asked[0]!.keys, asked[0]!.shared], [[7], false]);
  asked[0]!.answer();
  assert.equal(await answer, 70);
});

test('nobody is answered from a statement that began before the question', async () => {
  const { asked, find, keys } = controlled();
  const early = find(1);
  await nextTurn();
  const late = find(1);
  await nextTurn();
  assert.deepEqual(keys(), [[1]], 'the second waits for its own statement');
  asked[0]!.answer();
  assert.equal(await early, 10);
  await statements(asked, 2);
  assert.deepEqual(keys(), [[1], [1]]);
  asked[1]!.answer();
  assert.equal(await late, 10);
});

test('no statement has more keys than it may, and no more run at once', async () => {
  const { asked, find, keys } = controlled({ maxKeys: 2, maxRunning: 2 });
  const answers = [1, 2, 3, 4, 5].map(find);
  await nextTurn();
  assert.deepEqual(keys(), [
    [1, 2],
    [3, 4],
  ]);
  asked[1]!.answer();
  assert.deepEqual(
    await Promise.all(answers.slice(2, 4)),
    [30, 40],
    'whatever becomes of the other statement',
  );
  await statements(asked, 3);
  assert.deepEqual(keys()[2], [5]);
  asked[0]!.answer();
  asked[2]!.answer();
  assert.deepEqual(await Promise.all(answers), [10, 20, 30, 40, 50]);
});

test('when a shared statement fails, each of its questions is asked alone', async () => {
  const { asked, find, keys } = controlled();
  const answers = [1, 2].map(find);
  const outcomes = Promise.allSettled(answers);
  await nextTurn();
  asked[0]!.fail(new Error('shared'));
  await statements(asked, 3);
  assert.deepEqual(keys().slice(1), [[1], [2]]);
  asked[1]!.answer();
  asked[2]!.fail(new Error('of its own'));
  assert.deepEqual(await outcomes, [
    { status: 'fulfilled', value: 10 },
    { status: 'rejected', reason: new Error('of its own') },
  ]);
});

test('a statement that is slow keeps nobody waiting for its end', async () => {
  const { asked, find } = controlled();
  const stuck = find(1);
  await nextTurn();
  const next = find(2);
  await statements(asked, 2);
  asked[1]!.answer();
  assert.equal(await next, 20);
  asked[0]!.answer();
  assert.equal(await stuck, 10);
});

test('a question that runs alone runs in the context of who asked', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const find = gatherLookups<number, number>({
    one: async (key) => {
      seen.push(storage.getStore());
      return key;
    },
    many: async () => assert.fail('never together'),
    maxKeys: 1,
    maxRunning: 1,
  });
  await Promise.all(['first', 'second'].map((name, key) => storage.run(name, () => find(key))));
  assert.deepEqual(seen, ['first', 'second']);
});
