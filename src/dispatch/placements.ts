import { type TeamsOnDate, teamsOnDate } from '../availability/explain.ts';
import { holdInTheWayView } from '../availability/hold-in-the-way.ts';
import { heldView, namedSchedule } from '../availability/operator.ts';
import { listPlaces, loadZoneTeams, type ZoneTeams } from '../availability/operator-queries.ts';
import { placementsOf, type SoldVisit, type TeamPlacements } from '../availability/placements.ts';
import type { ProposedFirst } from '../availability/proposals.ts';
import { type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import { addressWithoutCoordinates, orNotFound } from '../base/errors.ts';
import { CLOSED_BOOKINGS, MOVABLE_BY_OPERATOR } from '../bookings/rules.ts';
import type { Queryable } from '../db/connection.ts';
import { readAppointment } from './appointments.ts';
import type { AppointmentRow } from './queries.ts';

export type DayOfPlacements = {
  zone: { id: string; name: string; nameAr: string | null } | null;
  day: TeamsOnDate | null;
  /** By rank; those without a free start come last. */
  teams: TeamPlacements[];
};

/**
 * Placements of the appointment on the date: every team of the zone that covers its address, and of the zone in which
 * it was sold, with every start, free or the reason why not. Its own hold counts as free. `change` may add holds to the
 * teams first.
 */
export async function findPlacements(
  db: Queryable,
  now: Instant,
  {
    appointment,
    date,
    ...preference
  }: { appointment: AppointmentRow; date: CalendarDate } & Pick<SoldVisit, 'first' | 'backFrom'>,
  change: (teams: ZoneTeams['teams']) => ZoneTeams['teams'] = (teams) => teams,
): Promise<DayOfPlacements> {
  const { latitude, longitude, partner_id, service_id } = appointment;
  if (latitude === null || longitude === null) throw addressWithoutCoordinates();
  const where = {
    location: { latitude, longitude, partner_id },
    serviceId: service_id,
    date,
    alsoZoneId: appointment.zone_id,
    contactId: appointment.contact_id,
  };
  const found = await orNotFound(loadZoneTeams(db, now, where), 'Service');
  if (found.zone_id === null) return { zone: null, day: null, teams: [] };
  const teams = change(
    found.teams.map((team) => ({ ...team, held: team.held.filter(({ id }) => id !== appointment.id) })),
  );
  const { starts_at: startsAt, ends_at: endsAt, zone_id: zoneId } = appointment;
  const day = teamsOnDate({ ...found, teams }, where, now, { startsAt, endsAt, zoneId });
  const places = new Map(
    (
      await listPlaces(
        db,
        teams.flatMap(({ held }) => held.map(({ id }) => id)),
      )
    ).map((place) => [place.id, place]),
  );
  const visit: SoldVisit = {
    place: { latitude: Number(latitude), longitude: Number(longitude) },
    startsAt,
    teamId: appointment.team_id,
    ...preference,
  };
  return {
    zone: { id: found.zone_id, name: found.zone_name, nameAr: found.zone_name_ar },
    day,
    teams: placementsOf(day, visit, (id) => places.get(id) ?? null),
  };
}

/** The view of the placements on a date. Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR without coordinates. */
export async function readPlacements(
  { db, first }: { db: Queryable; first: ProposedFirst },
  now: Instant,
  appointmentId: string,
  query: { date?: CalendarDate | undefined },
) {
  const appointment = await readAppointment(db, appointmentId);
  const date = query.date ?? dateOf(appointment.starts_at);
  const { zone, day, teams } = await findPlacements(db, now, { appointment, date, first });
  return {
    appointmentId: appointment.id,
    version: appointment.version,
    date,
    isMovable:
      MOVABLE_BY_OPERATOR.includes(appointment.status) &&
      !CLOSED_BOOKINGS.includes(appointment.booking_status),
    zone,
    starts:
      day === null
        ? []
        : day.starts.map((start) => ({ ...day.timesOf(start), problem: day.problemAt(start) })),
    teams: day === null ? [] : teams.map((team) => teamView(day, team)),
  };
}

function teamView(day: TeamsOnDate, { each, rank, keepsTeam, usedMinutes, best, slots }: TeamPlacements) {
  return {
    id: each.team.id,
    name: each.team.name,
    nameAr: each.team.nameAr,
    reason: each.reason,
    rank,
    keepsTeam,
    usedMinutes,
    best:
      best === null
        ? null
        : { ...day.timesOf(best.start), keepsTime: best.keepsTime, detourKm: best.detourKm },
    slots: slots.map(({ start, free, reason, holder, holds, schedule, detourKm }) => ({
      startAt: day.timesOf(start).startAt,
      free,
      reason,
      schedule: schedule && namedSchedule(schedule),
      appointment: holder && heldView(holder),
      holds: holds.map(holdInTheWayView),
      detourKm,
    })),
  };
}
