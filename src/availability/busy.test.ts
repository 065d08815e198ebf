import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBusyCache } from './busy.ts';
import type { PackedBusy } from './queries.ts';

const PLAN = { version: 1, teamNumbers: new Map() };
const packed = (horizon: string, changes: number): PackedBusy => ({
  team_ids: null,
  starts: null,
  ends: null,
  horizon,
  changes,
});

test('held ranges hold while the plan is the same and no change was counted', () => {
  const cache = createBusyCache();
  const ranges = cache.remember('2026-11-22', PLAN, packed('100', 1));
  assert.equal(cache.confirmed('2026-11-22', PLAN, '100', 1), ranges);
  assert.equal(cache.confirmed('2026-11-22', PLAN, '100', 2), null, 'a change has come');
  assert.equal(cache.confirmed('2026-11-22', { ...PLAN, version: 2 }, '100', 1), null, 'another plan');
  assert.equal(cache.confirmed('2026-11-23', PLAN, null, null), null, 'never read');
});

test('a count from an older horizon says nothing of what another request has remembered meanwhile', () => {
  const cache = createBusyCache();
  cache.remember('2026-11-22', PLAN, packed('100', 1));
  const horizon = cache.horizon('2026-11-22');
  // While the count from 100 on is under way: the same number from 200 on are other changes.
  cache.remember('2026-11-22', PLAN, packed('200', 2));
  assert.equal(cache.confirmed('2026-11-22', PLAN, horizon, 2), null);
});
