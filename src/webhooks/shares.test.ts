import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_AHEAD, MAX_PER_SUBSCRIPTION, MAX_PER_WORKER, MAX_SLOW, SLOW_AFTER } from './rules.ts';
import { createShares, type Held, type Shares } from './shares.ts';

const known = (shares: Shares): string[] => Object.keys(shares.room([], 0).fastSubscriptions);

test('an endpoint counts as fast from its first fast answer until it hangs or slows down', () => {
  const shares = createShares();
  const attempt = { subscriptionId: 'a', partnerId: 'p', startedAt: 0, endedAt: null };
  const known = (at: number, held: Held[] = []) => Object.keys(shares.room(held, at).fastSubscriptions);
  assert.deepEqual(known(0), []);
  assert.deepEqual(shares.room([attempt], 0).held, { p: [0, 1] });
  shares.learn('a', 20);
  assert.deepEqual(known(0), ['a']);
  assert.deepEqual(shares.room([attempt], SLOW_AFTER).held, { p: [1, 0] });
  // Hanging: known by what is under way, before any answer.
  assert.deepEqual(known(SLOW_AFTER + 1, [attempt]), []);
  assert.deepEqual(known(SLOW_AFTER + 1, [{ ...attempt, endedAt: SLOW_AFTER }]), ['a']);
  shares.learn('a', 9_900);
  assert.deepEqual(known(0), []);
});

test('there is room for what is not held, and of that for slow endpoints what slow ones do not hold', () => {
  const shares = createShares();
  shares.learn('fast', 5);
  const held = (subscriptionId: string, count: number): Held[] =>
    Array.from({ length: count }, () => ({ subscriptionId, partnerId: 'p', startedAt: 0, endedAt: null }));
  const room = (attempts: Held[]) => {
    const { total, slow } = shares.room(attempts, 0);
    return [total, slow];
  };
  assert.deepEqual(room([]), [MAX_PER_WORKER, MAX_SLOW]);
  assert.deepEqual(room([...held('fast', 10), ...held('other', 3)]), [MAX_PER_WORKER - 13, MAX_SLOW - 3]);
  assert.deepEqual(room(held('other', MAX_PER_WORKER + 1)), [0, 0]);
});

test('of a fast endpoint as much is claimed ahead as it soon takes, and nothing when room is scarce', () => {
  const shares = createShares();
  const most = (milliseconds: number, held: Held[] = []): number => {
    shares.learn(String(milliseconds), milliseconds);
    return shares.room(held, 0).fastSubscriptions[milliseconds]!;
  };
  assert.equal(most(0.5), MAX_PER_SUBSCRIPTION + MAX_AHEAD);
  assert.equal(most(50), MAX_PER_SUBSCRIPTION * 3);
  assert.equal(most(400), MAX_PER_SUBSCRIPTION + MAX_PER_SUBSCRIPTION / 4);
  const held = { subscriptionId: 'other', partnerId: 'p', startedAt: null, endedAt: null };
  const half = Array.from({ length: MAX_PER_WORKER / 2 }, () => held);
  assert.equal(most(1, half.slice(1)), MAX_PER_SUBSCRIPTION + MAX_AHEAD);
  assert.equal(most(1, half), MAX_PER_SUBSCRIPTION);
});

test('what waits for its place makes no endpoint slow', () => {
  const shares = createShares();
  shares.learn('a', 20);
  const waiting = { subscriptionId: 'a', partnerId: 'p', startedAt: null, endedAt: null };
  assert.deepEqual(shares.room([waiting], 10 * SLOW_AFTER).held, { p: [1, 0] });
});

test('one slow answer among fast ones makes no endpoint slow; several do, and several fast ones take it back', () => {
  const shares = createShares();
  shares.learn('a', 20);
  shares.learn('a', 2 * SLOW_AFTER);
  assert.deepEqual(known(shares), ['a']);
  shares.learn('a', 2 * SLOW_AFTER);
  shares.learn('a', 2 * SLOW_AFTER);
  assert.deepEqual(known(shares), []);
  for (let answers = 0; answers < 5; answers++) shares.learn('a', 20);
  assert.deepEqual(known(shares), ['a']);
});

test('a thousand endpoints are remembered: beyond, the one not heard of for longest is forgotten', () => {
  const shares = createShares();
  for (let number = 0; number < 1_000; number++) shares.learn(`s${number}`, 5);
  shares.learn('s0', 5);
  shares.learn('one more', 5);
  const names = new Set(known(shares));
  assert.deepEqual(
    [names.size, names.has('s0'), names.has('s1'), names.has('s2')],
    [1_000, true, false, true],
  );
});
