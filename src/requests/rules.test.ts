import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storable } from './rules.ts';

test('a text loses only what PostgreSQL cannot store', () => {
  assert.equal(storable('a\0b\ud83d'), 'a\ufffdb\ufffd');
  assert.equal(storable('\ud83d\ude00 \u0001 شقة'), '\ud83d\ude00 \u0001 شقة');
});
