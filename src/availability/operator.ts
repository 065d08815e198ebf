import { type CalendarDate, type Instant, weekdayOf } from '../base/clock.ts';
import { orNotFound, validationError } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import type { Schedule } from '../teams/schedule-rules.ts';
import { type TeamOnDate, teamsOnDate } from './explain.ts';
import { holdInTheWayView } from './hold-in-the-way.ts';
import { findLocation, type HeldRow, loadZoneTeams, type ZoneTeams } from './operator-queries.ts';
import type { AvailabilityQuery } from './operator-schema.ts';
import { freeStarts } from './rules.ts';

/**
 * The slots that partners are offered of a service at a place on a date (section 4.4), and for every team of the zone
 * the reason against each start, or none. Throws VALIDATION_ERROR (not exactly one place, no coordinates) and
 * RESOURCE_NOT_FOUND (address, service).
 */
export async function readOperatorAvailability(db: Db, now: Instant, query: AvailabilityQuery) {
  const { serviceId, date } = query;
  const place = { location: await locationOf(db, query), serviceId, date };
  const found = await orNotFound(loadZoneTeams(db, now, place), 'Service');
  if (found.zone_id === null) return { date, zone: null, slots: [], starts: [], teams: [], hints: [NO_ZONE] };

  const day = teamsOnDate(found, place, now);
  const { teams, starts, timesOf } = day;
  const able = teams.filter(({ reason }) => reason === null);
  const busy = new Map(teams.map(({ team, held }) => [team.number, held]));
  const offered = found.offered
    ? freeStarts({ teams: able.map(({ team }) => team), busy, rules: day.rules }, date, now)
    : [];
  const hints = offered.length > 0 ? [] : missingSettings(found, teams, able, date);
  return {
    date,
    zone: { id: found.zone_id, name: found.zone_name, nameAr: found.zone_name_ar },
    slots: offered.map((start) => ({
      ...timesOf(start),
      teams: able.filter((each) => day.refusalAt(each, start).reason === null).length,
    })),
    starts: starts.map((start) => ({ ...timesOf(start), problem: day.problemAt(start) })),
    teams: teams.map((each) => ({
      id: each.team.id,
      name: each.team.name,
      nameAr: each.team.nameAr,
      reason: each.reason,
      slots: starts.map((start) => {
        const { reason, holder, holds, schedule } = day.refusalAt(each, start);
        return {
          startAt: timesOf(start).startAt,
          free: reason === null && each.reason === null,
          reason,
          schedule: schedule && namedSchedule(schedule),
          appointment: holder && heldView(holder),
          holds: holds.map(holdInTheWayView),
        };
      }),
    })),
    hints,
  };
}

const NO_ZONE =
  'no active zone covers the place: the area of a zone is GeoJSON, longitude first (POST /operator/zones)';

/** The missing settings when nothing is offered; empty: the teams are busy. */
function missingSettings(
  { zone_id, zone_name, offered, is_active, is_in_zone }: ZoneTeams,
  teams: readonly TeamOnDate[],
  able: readonly TeamOnDate[],
  date: CalendarDate,
): string[] {
  const hints: string[] = [];
  if (!is_active) hints.push('the service or its category is not active (isActive)');
  if (!is_in_zone)
    hints.push(
      `the zone ${zone_name} does not offer the service: a zone begins without services; ` +
        `add it to serviceIds (PATCH /operator/zones/${zone_id})`,
    );
  if (is_active && is_in_zone && !offered)
    hints.push('the partner may not use the service: PUT /operator/partners/:id/services');
  if (teams.length === 0)
    hints.push(
      `no team serves the zone ${zone_name}: a team begins without zones (zoneIds of /operator/teams)`,
    );
  else if (able.length === 0)
    hints.push('no active team of the zone can do the service: serviceIds of /operator/teams');
  else if (able.every(({ shifts }) => shifts.length === 0))
    hints.push(
      `no team that can do it has a shift on this day, weekday ${weekdayOf(date)}: weekdays are 1 (Monday) to 7 (Sunday)`,
    );
  return hints;
}

async function locationOf(db: Db, { addressId, lat, lng }: AvailabilityQuery) {
  if (addressId === undefined) {
    return { latitude: lat!, longitude: lng!, partner_id: null };
  }
  const { latitude, longitude, partner_id } = await orNotFound(findLocation(db, addressId), 'Address');
  if (latitude === null || longitude === null)
    throw validationError(['addressId must belong to an address with coordinates']);
  return { latitude, longitude, partner_id };
}

/** The names of a schedule that is against a slot. */
export function namedSchedule({ id, name_en, name_ar }: Schedule) {
  return { id, nameEn: name_en, nameAr: name_ar };
}

/** The conflicting appointment; null: a customer holds the slot. */
export function heldView({ id, name, booking_id }: HeldRow) {
  return booking_id === null ? null : { id, name, bookingId: booking_id };
}
