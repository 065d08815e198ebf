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
  server: 1,
});

test('held ranges hold while the plan is the same and no change was counted', () => {
  const cache = createBusyCache();
  const ranges = cache.remember('2026-11-22', PLAN, packed('100', 1));
  assert.equal(cache.confirmed('2026-11-22', PLAN, packed('100', 1)), ranges);
  assert.equal(cache.confirmed('2026-11-22', PLAN, packed('100', 2)), null, 'a change has come');
  assert.equal(
    cache.confirmed('2026-11-22', { ...PLAN, version: 2 }, packed('100', 1)),
    null,
    'another plan',
  );
  const elsewhere = { ...packed('100', 1), server: 2 };
  assert.equal(cache.confirmed('2026-11-22', PLAN, elsewhere), null, 'another server');
  assert.equal(cache.confirmed('2026-11-23', PLAN, null), null, 'never read');
});

test('a count from an older horizon says nothing of what another request has remembered meanwhile', () => {
  const cache = createBusyCache();
  cache.remember('2026-11-22', PLAN, packed('100', 1));
  const horizon = cache.horizon('2026-11-22')!;
  // While the count from 100 on is under way: the same number from 200 on are other changes.
  cache.remember('2026-11-22', PLAN, packed('200', 2));
  assert.equal(cache.confirmed('2026-11-22', PLAN, packed(horizon, 2)), null);
});
