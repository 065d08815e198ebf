import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../db/unavailable.ts';
import { gatherLookups, gatherWrites, LEFT } from './gather.ts';

type Asked = { keys: number[]; shared: boolean; answer(): void; fail(error: Error): void };

/** Else a machine that stands still for a moment would make a statement slow, which gives up its place. */
function standStill(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setTimeout'] });
}

/** Lookups whose statements the test answers: each key with ten times as much. Time stands still. */
function controlled(t: TestContext, limits: { maxKeys?: number; maxRunning?: number } = {}) {
  standStill(t);
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

test('what is asked in one turn shares a statement, and each gets its own answer', async (t) => {
  const { asked, find } = controlled(t);
  const answers = [find(1), find(2), find(1)];
  await nextTurn();
  assert.deepEqual(
    asked.map(({ keys, shared }) => ({ keys, shared })),
    [{ keys: [1, 2, 1], shared: true }],
  );
  asked[0]!.answer();
  assert.deepEqual(await Promise.all(answers), [10, 20, 10]);
});

test('a question without company is asked as a single one, at once', async (t) => {
  const { asked, find } = controlled(t);
  const answer = find(7);
  await nextTurn();
  assert.deepEqual([asked[0]!.keys, asked[0]!.shared], [[7], false]);
  asked[0]!.answer();
  assert.equal(await answer, 70);
});

test('nobody is answered from a statement that began before the question', async (t) => {
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

test('no statement has more keys than it may, and no more run at once', async (t) => {
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

test('beside a statement under way another begins when as many wait as share that one', async (t) => {
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

test('when a shared statement fails, each of its questions is asked alone', async (t) => {
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

test('a lookup that throws before it asks rejects who asked, and nothing else', async () => {
  const find = gatherLookups<number, number>({
    one: (key) => {
      throw new Error(`of ${key}`);
    },
    many: () => {
      throw new Error('shared');
    },
    maxKeys: 5,
    maxRunning: 1,
  });
  await assert.rejects(find(1), /of 1/);
  assert.deepEqual(await Promise.allSettled([2, 3].map(find)), [
    { status: 'rejected', reason: new Error('of 2') },
    { status: 'rejected', reason: new Error('of 3') },
  ]);
});

test('a statement that is slow keeps nobody waiting for its end', async (t) => {
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

test('a statement that was slow gives up one place, not another one at its end', async (t) => {
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

/** Writes whose statements the test answers: each item with ten times as much. Items of one ten have one key. */
function controlledWrites(t: TestContext, mayShare = () => true) {
  standStill(t);
  const asked: (Asked & { left(...items: number[]): void })[] = [];
  const ask = <T>(keys: number[], shared: boolean, answer: (left: number[]) => T): Promise<T> =>
    new Promise((resolve, reject) =>
      asked.push({
        keys,
        shared,
        answer: () => resolve(answer([])),
        left: (...items) => resolve(answer(items)),
        fail: reject,
      }),
    );
  const write = gatherWrites<number, number>({
    one: (item) => ask([item], false, () => item * 10),
    many: (items) =>
      ask([...items], true, (left) => items.map((item) => (left.includes(item) ? LEFT : item * 10))),
    keyOf: (item) => (item < 10 ? null : String(Math.floor(item / 10))),
    mayShare,
    maxKeys: 100,
    maxRunning: 1,
  });
  return { asked, write, keys: () => asked.map(({ keys }) => keys) };
}

const databaseError = (severity: string, code: string): Error =>
  Object.assign(new Error(code), { severity, code });

test('writes asked in one turn share a statement, one without company does not', async (t) => {
  const { asked, write } = controlledWrites(t);
  const lone = write(1);
  await nextTurn();
  const together = [2, 3, 20].map(write);
  await nextTurn();
  assert.deepEqual(
    asked.map(({ keys, shared }) => ({ keys, shared })),
    [{ keys: [1], shared: false }],
    'while it is under way, others wait',
  );
  asked[0]!.answer();
  assert.equal(await lone, 10);
  await statements(asked, 2);
  assert.deepEqual([asked[1]!.keys, asked[1]!.shared], [[2, 3, 20], true]);
  asked[1]!.answer();
  assert.deepEqual(await Promise.all(together), [20, 30, 200]);
});

test('writes of one key are written alone, at once, and hold no place', async (t) => {
  const { asked, write, keys } = controlledWrites(t);
  const answers = [11, 2, 12, 3].map(write);
  await nextTurn();
  assert.deepEqual(keys(), [[11], [12], [2, 3]]);
  asked[2]!.answer();
  assert.deepEqual(await Promise.all([answers[1], answers[3]]), [20, 30]);
  const next = write(4);
  await statements(asked, 4);
  assert.deepEqual(keys()[3], [4], 'though those of one key are still under way');
  for (const { answer } of asked) answer();
  assert.deepEqual(await Promise.all([...answers, next]), [110, 20, 120, 30, 40]);
});

test('what a shared statement left is written alone', async (t) => {
  const { asked, write, keys } = controlledWrites(t);
  const answers = [1, 2, 3].map(write);
  await nextTurn();
  asked[0]!.left(2);
  assert.deepEqual(await Promise.all([answers[0], answers[2]]), [10, 30]);
  await statements(asked, 2);
  assert.deepEqual(keys()[1], [2]);
  asked[1]!.answer();
  assert.equal(await answers[1], 20);
});

test('a shared statement that was rolled back is written one by one: a faulty item fails alone', async (t) => {
  const { asked, write, keys } = controlledWrites(t);
  const outcomes = Promise.allSettled([1, 2].map(write));
  await nextTurn();
  asked[0]!.fail(databaseError('ERROR', '23505'));
  await statements(asked, 3);
  assert.deepEqual(keys().slice(1), [[1], [2]]);
  const fault = databaseError('ERROR', '23505');
  asked[1]!.fail(fault);
  asked[2]!.answer();
  assert.deepEqual(await outcomes, [
    { status: 'rejected', reason: fault },
    { status: 'fulfilled', value: 20 },
  ]);
});

for (const [what, lost] of [
  ['its connection broke', new DatabaseUnavailableError('broken')],
  ['the server ended the session', databaseError('FATAL', '57P01')],
  ['the server ended the session, in another language', databaseError('SCHWERWIEGEND', '57P01')],
] as const) {
  test(`a shared statement whose answer is lost may have been done, and is not repeated: ${what}`, async (t) => {
    const { asked, write } = controlledWrites(t);
    const outcomes = Promise.allSettled([1, 2].map(write));
    await nextTurn();
    asked[0]!.fail(lost);
    assert.deepEqual(await outcomes, [
      { status: 'rejected', reason: lost },
      { status: 'rejected', reason: lost },
    ]);
    assert.equal(asked.length, 1);
  });
}

test('what must not share is written alone', async (t) => {
  const { asked, write, keys } = controlledWrites(t, () => false);
  const answers = [1, 2].map(write);
  assert.deepEqual(keys(), [[1], [2]]);
  for (const { answer } of asked) answer();
  assert.deepEqual(await Promise.all(answers), [10, 20]);
});
