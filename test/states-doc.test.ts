import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { statesPage } from '../scripts/print-states.ts';

const page = new URL('../docs/STATES.md', import.meta.url);

test('docs/STATES.md matches the tables of states', () => {
  assert.equal(readFileSync(page, 'utf8'), statesPage(), 'write it anew: npm run generate');
});

test('the page has every move, and a surplus row is found', () => {
  const text = statesPage();
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  assert.ok(rows.includes('| `waiting payment` | customerPaid | `in progress` |'));
  assert.ok(rows.includes('| `PENDING` | confirmPayment | `PAID` |'));
  assert.ok(rows.includes('| `PLATFORM` | zero, which means `deferred` | `success` | `NOT_REQUIRED` |'));
  assert.ok(rows.includes('| `OPEN` | expired | `EXPIRED` |'));
  assert.ok(rows.includes('| `FAILED` | doneByHand | `DONE` |'));
  assert.ok(rows.includes('| `FAILED` | retry | `PENDING` |'));
  assert.ok(!rows.includes('| `DONE` | doneByHand | `DONE` |'));
  assert.ok(!rows.includes('| `canceled` | cancel | `canceled` |'));
  assert.notEqual(text.replace('| `PENDING` | confirmPayment | `PAID` |\n', ''), text);
});
