import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBacklog } from './backlog.ts';
import { MAX_PER_SUBSCRIPTION, MAX_WAIT } from './rules.ts';

type Delivery = { id: number; subscriptionId: string };

/** A backlog with so many of the subscription `a`, all added at the start. */
function start(count: number) {
  const begun: number[] = [];
  const waited: number[] = [];
  const backlog = createBacklog<Delivery>(({ id }, hasWaited) => {
    begun.push(id);
    if (hasWaited) waited.push(id);
  });
  for (let id = 0; id < count; id++) backlog.add({ id, subscriptionId: 'a' }, 0);
  return { backlog, begun, waited };
}
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

test('as many as may be under way begin at once, the others in their order when one is over', () => {
  const { backlog, begun, waited } = start(MAX_PER_SUBSCRIPTION + 3);
  assert.deepEqual(begun, numbers(0, MAX_PER_SUBSCRIPTION));
  assert.equal(backlog.size(), 3);
  backlog.add({ id: -1, subscriptionId: 'b' }, 0);
  assert.equal(begun.at(-1), -1, 'another subscription waits for nobody');
  backlog.ended('a', 1);
  backlog.ended('a', 1);
  assert.deepEqual(begun.slice(-2), [MAX_PER_SUBSCRIPTION, MAX_PER_SUBSCRIPTION + 1]);
  assert.equal(backlog.size(), 1);
  // Places that nobody waited for are free again.
  for (const _ of numbers(0, 5)) backlog.ended('a', 1);
  backlog.add({ id: 1_000, subscriptionId: 'a' }, 1);
  assert.equal(begun.at(-1), 1_000);
  assert.deepEqual(waited, numbers(MAX_PER_SUBSCRIPTION, MAX_PER_SUBSCRIPTION + 3));
});

test('what has waited too long begins no more, and can be taken out once', () => {
  const { backlog, begun } = start(MAX_PER_SUBSCRIPTION + 3);
  backlog.add({ id: 500, subscriptionId: 'a' }, 1);
  assert.deepEqual(backlog.takeLate(MAX_WAIT - 1), []);
  // Also when nobody has taken it out before.
  backlog.ended('a', MAX_WAIT);
  assert.equal(begun.at(-1), 500);
  assert.equal(backlog.size(), 0);
  assert.deepEqual(
    backlog.takeLate(MAX_WAIT).map(({ id }) => id),
    numbers(MAX_PER_SUBSCRIPTION, MAX_PER_SUBSCRIPTION + 3),
  );
  assert.deepEqual(backlog.takeLate(Number.POSITIVE_INFINITY), []);
});

test('all that waits can be taken out', () => {
  const { backlog } = start(MAX_PER_SUBSCRIPTION + 3);
  assert.equal(backlog.takeLate(Number.POSITIVE_INFINITY).length, 3);
  assert.equal(backlog.size(), 0);
});
