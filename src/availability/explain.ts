import { existing, refuse } from '../catalogue/admin.ts';
import { type CalendarDate, DAY, dateOf, formatMinutes, HOUR, type Instant, startOfDate } from '../clock.ts';
import { isCoordinate } from '../contacts/rules.ts';
import { validationError } from '../errors.ts';
import type { Db } from '../platform/db.ts';
import { findSpot, type Ground, type HeldRow, loadGround } from './explain-queries.ts';
import type { AvailabilityQuery } from './explain-schema.ts';
import {
  freeStarts,
  type Range,
  type Refusal,
  refusal,
  type SlotRules,
  shiftsOn,
  startProblem,
  type Team,
  toEpochMinutes,
} from './rules.ts';

/** No appointment lasts longer, with its buffer, than this. */
const LONGEST = 32 * HOUR;

/** A team of the zone on the date. */
type Explained = {
  team: Team;
  /** Why it can take no start at all. */
  reason: 'NO_SKILL' | 'INACTIVE' | null;
  shifts: Range[];
  held: HeldRow[];
};

/**
 * What partners are offered of a service at a place on a date (section 4.4), and for every team of the zone why it
 * is or is not free. Throws VALIDATION_ERROR (not exactly one place, no coordinates) and RESOURCE_NOT_FOUND
 * (address, service).
 */
export async function explainAvailability(db: Db, now: Instant, query: AvailabilityQuery) {
  const { serviceId, date } = query;
  const spot = await spotOf(db, query);
  const from = startOfDate(date);
  const ground = await existing(loadGround(db, spot, serviceId, from, from + DAY + LONGEST), 'Service');
  if (ground.zone_id === null) return { date, zone: null, slots: [], starts: [], teams: [] };

  const rules: SlotRules = {
    durationMinutes: ground.duration_minutes,
    gridMinutes: ground.slot_grid_minutes,
    noticeMinutes: ground.minimum_notice_minutes,
    horizonDays: ground.booking_horizon_days,
  };
  const teams = ground.teams.map((row) => toExplained(row, ground.zone_id!, serviceId, date));
  const midnight = toEpochMinutes(from);
  const timesOf = (start: number) => ({
    startAt: formatMinutes(start - midnight),
    endAt: formatMinutes(start - midnight + rules.durationMinutes),
  });
  const busy = new Map(teams.map(({ team, held }) => [team.number, held]));
  const refusalAt = ({ team, shifts }: Explained, start: number): Refusal | null =>
    refusal(team, shifts, busy, { from: start, until: start + rules.durationMinutes });

  const able = teams.filter(({ reason }) => reason === null);
  const offered = ground.offered
    ? freeStarts(
        able.map(({ team }) => team),
        busy,
        rules,
        dateOf(now),
        date,
        now,
      )
    : [];
  const starts = startsOnShift(teams, rules.gridMinutes, midnight);
  return {
    date,
    zone: { id: ground.zone_id, name: ground.zone_name },
    slots: offered.map((start) => ({
      ...timesOf(start),
      teams: able.filter((each) => refusalAt(each, start) === null).length,
    })),
    starts: starts.map((start) => ({
      ...timesOf(start),
      problem:
        startProblem(rules, dateOf(now), date, start, now) ?? (ground.offered ? null : 'SLOT_NOT_OFFERED'),
    })),
    teams: teams.map((each) => ({
      id: each.team.id,
      name: each.team.name,
      reason: each.reason,
      slots: starts.map((start) => {
        const reason = refusalAt(each, start);
        return {
          startAt: timesOf(start).startAt,
          free: reason === null && each.reason === null,
          reason,
          appointment: reason === 'BUSY' ? holderOf(each, start, rules.durationMinutes) : null,
        };
      }),
    })),
  };
}

async function spotOf(db: Db, { addressId, lat, lng }: AvailabilityQuery) {
  if (addressId === undefined) {
    if (lat === undefined || lng === undefined)
      throw validationError(['addressId, or lat and lng, must be given']);
    refuse([
      ...(isCoordinate(lat, 90) ? [] : ['lat must be a latitude string']),
      ...(isCoordinate(lng, 180) ? [] : ['lng must be a longitude string']),
    ]);
    return { latitude: lat, longitude: lng, partner_id: null };
  }
  if (lat !== undefined || lng !== undefined)
    throw validationError(['addressId and lat, lng must not be given together']);
  const { latitude, longitude, partner_id } = await existing(findSpot(db, addressId), 'Address');
  if (latitude === null || longitude === null)
    throw validationError(['addressId must belong to an address with coordinates']);
  return { latitude, longitude, partner_id };
}

function toExplained(
  row: Ground['teams'][number],
  zoneId: string,
  serviceId: string,
  date: CalendarDate,
): Explained {
  const team: Team = {
    id: row.id,
    number: row.lock_number,
    name: row.name,
    bufferMinutes: row.travel_buffer_minutes,
    shifts: row.shifts,
    // Time off counts whole minutes: a started minute is off.
    timeOff: row.time_off.map(([from, until]) => ({
      from: toEpochMinutes(from * 1000),
      until: Math.ceil(until / 60),
    })),
    serviceIds: new Set(row.is_skilled ? [serviceId.toLowerCase()] : []),
    zoneIds: new Set([zoneId]),
  };
  const reason = !row.is_active ? 'INACTIVE' : row.is_skilled ? null : 'NO_SKILL';
  return { team, reason, shifts: shiftsOn(team, date), held: row.held };
}

/** The starts of the grid (epoch minutes, ascending) that lie in a shift of any of the teams. */
function startsOnShift(teams: readonly Explained[], gridMinutes: number, midnight: number): number[] {
  const starts: number[] = [];
  for (let start = midnight; start < midnight + 1440; start += gridMinutes) {
    const covered = ({ shifts }: Explained): boolean =>
      shifts.some((shift) => shift.from <= start && start < shift.until);
    if (teams.some(covered)) starts.push(start);
  }
  return starts;
}

/** The first appointment in the way of one from `start` on, travel buffers included. */
function holderOf({ team, held }: Explained, start: number, durationMinutes: number) {
  const until = start + durationMinutes + team.bufferMinutes;
  const holder = held.find((each) => each.from < until && start < each.until);
  return holder === undefined ? null : { id: holder.id, name: holder.name, bookingId: holder.booking_id };
}
