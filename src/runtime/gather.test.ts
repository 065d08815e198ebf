import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '../db/connection.ts';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import { gatherChanges, gatherLookups } from './gather.ts';

type Asked = { keys: number[]; answer(): void; fail(error: Error): void };

/** Else a machine that stands still for a moment would make a statement slow, which gives up its place. */
function standStill(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setTimeout'] });
}

/** Lookups whose statements the test completes: the value is ten times the key. Time stands still. */
function controlled(t: TestContext, limits: { maxKeys?: number; maxRunning?: number } = {}) {
  standStill(t);
  const asked: Asked[] = [];
  const find = gatherLookups<number, number>(
    (keys) =>
      new Promise((resolve, reject) =>
        asked.push({
          keys: [...keys],
          answer: () => resolve(keys.map((key) => key * 10)),
          fail: reject,
        }),
      ),
    { maxKeys: 100, maxRunning: 1, ...limits },
  );
  return { asked, find, keys: () => asked.map(({ keys }) => keys) };
}

/** Waits until that many statements have started. */
async function statements(asked: readonly Asked[], count: number): Promise<void> {
  while (asked.length < count) await nextTurn();
}

test('lookups of one turn share a statement, and each gets its own value', async (t) => {
  const { asked, find } = controlled(t);
  const answers = [find(1), find(2), find(1)];
  await nextTurn();
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [[1, 2, 1]],
  );
  asked[0]!.answer();
  assert.deepEqual(await Promise.all(answers), [10, 20, 10]);
});

test('a single lookup runs alone, at once', async (t) => {
  const { asked, find } = controlled(t);
  const answer = find(7);
  await nextTurn();
  assert.deepEqual(asked[0]!.keys, [7]);
  asked[0]!.answer();
  assert.equal(await answer, 70);
});

test('no lookup gets a result of a statement that started before it', async (t) => {
  const { asked, find, keys } = controlled(t);
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

test('keys per statement and concurrent statements are limited', async (t) => {
  const { asked, find, keys } = controlled(t, { maxKeys: 2, maxRunning: 2 });
  const answers = [1, 2, 3, 4, 5, 6].map(find);
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
  assert.deepEqual(keys()[2], [5, 6]);
  asked[0]!.answer();
  asked[2]!.answer();
  assert.deepEqual(await Promise.all(answers), [10, 20, 30, 40, 50, 60]);
});

test('a further statement starts when as many lookups wait as share the active one', async (t) => {
  const { asked, find, keys } = controlled(t, { maxRunning: 2 });
  const answers = [1, 2, 3, 4, 5].map(find);
  await nextTurn();
  answers.push(...[6, 7].map(find));
  await nextTurn();
  assert.deepEqual(keys(), [[1, 2, 3, 4, 5]], 'two would take the place of five');
  answers.push(...[8, 9, 10].map(find));
  await nextTurn();
  assert.deepEqual(keys().slice(1), [[6, 7, 8, 9, 10]]);
  answers.push(...[11, 12].map(find));
  asked[0]!.answer();
  await Promise.all(answers.slice(0, 5));
  await nextTurn();
  assert.equal(asked.length, 2, 'five are still under way');
  asked[1]!.answer();
  await statements(asked, 3);
  assert.deepEqual(keys()[2], [11, 12], 'none is: there is nobody to wait for');
  asked[2]!.answer();
  assert.deepEqual(
    await Promise.all(answers),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((key) => key * 10),
  );
});

test('when a shared statement fails, each key is looked up alone', async (t) => {
  const { asked, find, keys } = controlled(t);
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

test('a lookup that throws synchronously rejects its callers only', async () => {
  const find = gatherLookups<number, number>(
    (keys) => {
      throw new Error(`of ${keys}`);
    },
    { maxKeys: 5, maxRunning: 1 },
  );
  await assert.rejects(find(1), /of 1/);
  assert.deepEqual(await Promise.allSettled([2, 3].map(find)), [
    { status: 'rejected', reason: new Error('of 2') },
    { status: 'rejected', reason: new Error('of 3') },
  ]);
});

test('lookups do not wait for the end of a slow statement', async (t) => {
  const { asked, find } = controlled(t);
  const stuck = find(1);
  await nextTurn();
  const next = find(2);
  t.mock.timers.tick(49);
  await nextTurn();
  assert.equal(asked.length, 1);
  t.mock.timers.tick(1);
  await statements(asked, 2);
  asked[1]!.answer();
  assert.equal(await next, 20);
  asked[0]!.answer();
  assert.equal(await stuck, 10);
});

test('a slow statement gives up one place only', async (t) => {
  const { asked, find } = controlled(t);
  const slow = find(1);
  await nextTurn();
  t.mock.timers.tick(50);
  asked[0]!.answer();
  assert.equal(await slow, 10);
  const next = find(2);
  await statements(asked, 2);
  const last = find(3);
  await nextTurn();
  assert.equal(asked.length, 2, 'one at once');
  asked[1]!.answer();
  assert.equal(await next, 20);
  await statements(asked, 3);
  asked[2]!.answer();
  assert.equal(await last, 30);
});

test("a lookup that runs alone runs in its caller's context", async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const find = gatherLookups<number, number>(
    async (keys) => {
      seen.push(storage.getStore());
      return keys;
    },
    { maxKeys: 1, maxRunning: 1 },
  );
  await Promise.all(['first', 'second'].map((name, key) => storage.run(name, () => find(key))));
  assert.deepEqual(seen, ['first', 'second']);
});

const untraced = { isTraced: () => false } as Db;
const LIMITS = { maxKeys: 100, maxRunning: 1 };

test('changes share a transaction; those without an outcome run alone, and a refusal is of its own', async () => {
  const lists: number[][] = [];
  const change = gatherChanges<number, number>(
    untraced,
    async (items) => {
      lists.push([...items]);
      return items.map((item) => {
        if (item === 2 && items.length > 1) return null;
        if (item === 3)
          return () => {
            throw new Error('refused');
          };
        return () => item * 10;
      });
    },
    LIMITS,
  );
  const settled = await Promise.allSettled([1, 2, 3].map(change));
  assert.deepEqual(settled, [
    { status: 'fulfilled', value: 10 },
    { status: 'fulfilled', value: 20 },
    { status: 'rejected', reason: new Error('refused') },
  ]);
  assert.deepEqual(lists, [[1, 2, 3], [2]]);
});

test('a transaction that the database has refused is repeated for each alone, one without a response never', async () => {
  const refused = Object.assign(new Error('duplicate key'), { severity: 'ERROR', code: '23505' });
  const lists: number[][] = [];
  let failure: Error = refused;
  const change = gatherChanges<number, number>(
    untraced,
    async (items) => {
      lists.push([...items]);
      if (items.length > 1 || items[0] === 2) throw failure;
      return items.map((item) => () => item * 10);
    },
    LIMITS,
  );
  assert.deepEqual(await Promise.allSettled([1, 2, 3].map(change)), [
    { status: 'fulfilled', value: 10 },
    { status: 'rejected', reason: refused },
    { status: 'fulfilled', value: 30 },
  ]);
  assert.deepEqual(lists, [[1, 2, 3], [1], [2], [3]]);
  const ended = Object.assign(new Error('terminating'), { severity: 'FATAL', code: '57P01' });
  for (failure of [new DatabaseUnavailableError('no response'), ended]) {
    lists.length = 0;
    const settled = await Promise.allSettled([1, 2].map(change));
    assert.deepEqual(settled, [
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
    ]);
    assert.deepEqual(lists, [[1, 2]], 'it may have been committed');
  }
});

test('a traced change runs alone', async () => {
  const lists: number[][] = [];
  let isTraced = true;
  const change = gatherChanges<number, number>(
    { isTraced: () => isTraced } as Db,
    async (items) => {
      lists.push([...items]);
      return items.map((item) => () => item);
    },
    LIMITS,
  );
  await Promise.all([1, 2].map(change));
  isTraced = false;
  await Promise.all([3, 4].map(change));
  assert.deepEqual(lists, [[1], [2], [3, 4]]);
});
