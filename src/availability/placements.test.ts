import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE, startOfDate, weekdayOf } from '../base/clock.ts';
import { teamsOnDate } from './explain.ts';
import { placementsOf } from './placements.ts';
import { toEpochMinutes } from './rules.ts';

const DATE = '2026-11-25';
const weekday = weekdayOf(DATE);
/** Epoch minutes. */
const at = (hour: number): number => toEpochMinutes(startOfDate(DATE)) + hour * 60;
/** With half an hour's buffer. */
const held = (id: string, from: number, until: number) => ({
  id,
  name: id,
  booking_id: id,
  hold: null,
  from: at(from),
  until: at(until),
  bufferMinutes: 30,
});

test('only visits of the same shift are neighbours, and only minutes of the date are used', () => {
  const found = {
    zone_id: 'zone',
    is_covered: true,
    zone_name: 'Zone',
    zone_name_ar: null,
    slot_grid_minutes: 60,
    duration_minutes: 120,
    minimum_notice_minutes: 0,
    booking_horizon_days: 60,
    is_active: true,
    is_in_zone: true,
    offered: true,
    schedules: [],
    teams: [
      {
        id: 'team',
        lock_number: 1,
        name: 'Team',
        name_ar: null,
        is_active: true,
        is_skilled: true,
        zone_ids: ['zone'],
        travel_buffer_minutes: 30,
        shifts: [
          { weekday, start: 8 * 60, end: 13 * 60 },
          { weekday, start: 14 * 60, end: 20 * 60 },
        ],
        time_off: [],
        held: [held('night', -1, 0.5), held('morning', 8, 10.5), held('late', 23, 25)],
      },
    ],
  };
  const day = teamsOnDate(found, { serviceId: 'service', date: DATE }, startOfDate(DATE) - DAY);
  const placing = {
    place: { latitude: 24.7, longitude: 46.7 },
    startsAt: at(11) * MINUTE,
    teamId: 'team',
    first: 'same-time' as const,
  };
  const elsewhere = { latitude: 24.8, longitude: 46.7 };
  const [team] = placementsOf(day, placing, () => elsewhere);
  const detourAt = (hour: number) => team!.slots.find(({ start }) => start === at(hour))?.detourKm;
  assert.deepEqual([detourAt(11), detourAt(14)], [11.1, 0]);
  assert.equal(team!.usedMinutes, 30 + 150 + 60);
});
