import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countFaults } from './queue.ts';

test('consecutive failures are counted, for a limited number of payments', () => {
  const faults = countFaults(2);
  assert.deepEqual([faults.next('a'), faults.next('b'), faults.next('a')], [1, 1, 2]);
  assert.equal(faults.next('c'), 1, 'in place of the one that was silent longest');
  assert.deepEqual([faults.next('a'), faults.next('b')], [3, 1]);
  faults.forget('b');
  assert.equal(faults.next('b'), 1, 'it has succeeded meanwhile');
});
