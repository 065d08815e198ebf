import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVersionedMap } from './versioned-map.ts';

test('values are all of one version, the newest', () => {
  const map = createVersionedMap<string>(10);
  assert.equal(map.version(), null);
  map.set(3, 'a', 'a of 3');
  map.set(3, 'b', 'b of 3');
  assert.deepEqual([map.version(), map.get('a'), map.get('b')], [3, 'a of 3', 'b of 3']);
  map.set(2, 'a', 'a of 2');
  assert.deepEqual([map.version(), map.get('a')], [3, 'a of 3'], 'an older one came late');
  map.set(4, 'a', 'a of 4');
  assert.deepEqual([map.version(), map.get('a'), map.get('b')], [4, 'a of 4', undefined]);
  map.clear();
  assert.deepEqual([map.version(), map.get('a')], [null, undefined]);
  map.set(2, 'a', 'a of 2');
  assert.deepEqual([map.version(), map.get('a')], [2, 'a of 2'], 'when the newer ones are lost');
});

test('the value that was used longest ago goes', () => {
  const map = createVersionedMap<number>(2);
  map.set(1, 'a', 1);
  map.set(1, 'b', 2);
  map.set(1, 'b', 3);
  assert.deepEqual([map.get('b'), map.get('a')], [3, 1]);
  map.set(1, 'c', 4);
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 4]);
});
