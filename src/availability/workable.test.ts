import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfDate } from '../base/clock.ts';
import { type Team, toEpochMinutes } from './rules.ts';
import { workableMinutes } from './workable.ts';

const HOUR = 60;
/** 2026-11-22 is a Sunday: weekday 7. */
const midnight = toEpochMinutes(startOfDate('2026-11-22'));
const team = (shifts: Team['shifts'], off: [number, number][] = []): Team => ({
  id: 'team',
  number: 1,
  name: 'Team',
  nameAr: null,
  bufferMinutes: 30,
  shifts,
  schedules: [],
  timeOff: off.map(([from, until]) => ({ from: midnight + from, until: midnight + until })),
  serviceIds: new Set(),
  zoneIds: new Set(),
});
const day = { weekday: 7, start: 8 * HOUR, end: 20 * HOUR };
const night = { weekday: 7, start: 20 * HOUR, end: 4 * HOUR };

test('workable minutes: shifts on the day they fall, without times off', () => {
  const on = (date: string, ...given: Parameters<typeof team>) => workableMinutes(team(...given), date);
  assert.equal(on('2026-11-22', []), 0);
  assert.equal(on('2026-11-22', [day]), 12 * HOUR);
  assert.equal(on('2026-11-23', [day]), 0);
  assert.deepEqual([on('2026-11-22', [night]), on('2026-11-23', [night])], [4 * HOUR, 4 * HOUR]);
  assert.equal(on('2026-11-22', [{ weekday: 7, start: 0, end: 0 }]), 24 * HOUR);
  // A night that reaches into a shift of the next day: nobody works an hour twice.
  const early = { weekday: 1, start: 2 * HOUR, end: 10 * HOUR };
  assert.equal(on('2026-11-23', [night, early]), 10 * HOUR);
  assert.equal(on('2026-11-23', [early, night], [[25 * HOUR, 27 * HOUR]]), 8 * HOUR);
  assert.equal(on('2026-11-23', [early, { ...night, end: 12 * HOUR }]), 12 * HOUR);
  // The week's last night is its first morning's.
  assert.equal(
    on('2026-11-23', [
      { ...night, weekday: 7 },
      { weekday: 1, start: 8 * HOUR, end: 9 * HOUR },
    ]),
    5 * HOUR,
  );
  const off = (...times: [number, number][]) => on('2026-11-22', [day], times);
  assert.equal(off([0, 8 * HOUR]), 12 * HOUR);
  assert.equal(off([0, 24 * HOUR]), 0);
  assert.equal(off([9 * HOUR, 11 * HOUR], [10 * HOUR, 12 * HOUR], [9 * HOUR, 10 * HOUR]), 9 * HOUR);
  assert.equal(off([19 * HOUR, 30 * HOUR], [6 * HOUR, 9 * HOUR]), 10 * HOUR);
  assert.equal(on('2026-11-23', [night], [[22 * HOUR, 26 * HOUR]]), 2 * HOUR);
});
