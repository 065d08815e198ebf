import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storable } from './rules.ts';

test('a text loses what PostgreSQL cannot keep, and nothing else', () => {
  assert.equal(storable('a\0b\ud83d'), 'a\ufffdb\ufffd');
  assert.equal(storable('\ud83d\ude00 \u0001 شقة'), '\ud83d\ude00 \u0001 شقة');
});
