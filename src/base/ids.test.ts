import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid } from '../http/validation.ts';
import { newId } from './ids.ts';

test('IDs are of version 4, unlike each other, and in the order of their times', () => {
  const now = Date.parse('2026-11-23T09:00:00.123Z');
  const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const ids = [0, 0, 1, 2, 1_000_000, 100_000_000_000].map((later) => newId(now + later));
  for (const id of [...ids, newId(0), newId(-5), newId(now + 0.7)]) {
    assert.match(id, version4);
    assert.ok(isUuid(id));
  }
  assert.deepEqual(ids.slice(1), ids.slice(1).sort());
  assert.notEqual(ids[0], ids[1]);
  assert.equal(Number.parseInt(ids[0]!.replaceAll('-', '').slice(0, 12), 16), now);
  assert.equal(newId(now + 0.7).slice(0, 13), newId(now).slice(0, 13));
});
