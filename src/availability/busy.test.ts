import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, MINUTE } from '../base/clock.ts';
import { createBusyCache, MAX_DATES, unpackBusy } from './busy.ts';
import type { PackedBusy } from './queries.ts';

const PLAN = { version: 1, teamNumbers: new Map() };
const packed = (horizon: string, changes: number): PackedBusy => ({
  team_ids: null,
  starts: null,
  ends: null,
  buffers: null,
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

test('of more dates than are kept the one that was read longest ago goes', () => {
  const cache = createBusyCache();
  const dates = Array.from({ length: MAX_DATES + 2 }, (_, day) => addDays('2026-11-22', day));
  for (const date of dates.slice(0, MAX_DATES)) cache.remember(date, PLAN, packed('100', 1));
  for (const again of [0, 2]) cache.remember(dates[again]!, PLAN, packed('100', 2));
  for (const date of dates.slice(MAX_DATES)) cache.remember(date, PLAN, packed('100', 1));
  assert.deepEqual(
    dates.filter((date) => cache.horizon(date) === null),
    [dates[1], dates[3]],
  );
});

test('a count from an older horizon says nothing of what another request has remembered meanwhile', () => {
  const cache = createBusyCache();
  cache.remember('2026-11-22', PLAN, packed('100', 1));
  const horizon = cache.horizon('2026-11-22')!;
  // While the count from 100 on is under way: the same number from 200 on are other changes.
  cache.remember('2026-11-22', PLAN, packed('200', 2));
  assert.equal(cache.confirmed('2026-11-22', PLAN, packed(horizon, 2)), null);
});

test('a minute that a team is held for in part is not free', () => {
  const id = 'ab'.repeat(16);
  const plan = { version: 1, teamNumbers: new Map([[id, 7]]) };
  const timestamps = (...instants: number[]): Buffer =>
    Buffer.concat(
      instants.map((instant) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigInt64BE(BigInt(instant - Date.UTC(2000, 0, 1)) * 1000n);
        return bytes;
      }),
    );
  const noon = Date.UTC(2026, 10, 22, 12);
  const busy = unpackBusy(
    {
      ...packed('100', 1),
      team_ids: Buffer.from(id.repeat(3), 'hex'),
      starts: timestamps(noon, noon + 1, noon + MINUTE - 1),
      ends: timestamps(noon + 2 * MINUTE, noon + 2 * MINUTE + 1, noon + 3 * MINUTE - 1),
      buffers: Buffer.from('000000000000000100000000', 'hex'),
    },
    plan,
  );
  const from = noon / MINUTE;
  assert.deepEqual(busy.get(7), [
    { from, until: from + 2, bufferMinutes: 0 },
    { from, until: from + 3, bufferMinutes: 1 },
    { from, until: from + 3, bufferMinutes: 0 },
  ]);
});
