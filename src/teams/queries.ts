import { type Insertable, sql, type Updateable } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import {
  contains,
  firstOf,
  firstOrThrow,
  instant,
  nameOrder,
  pageOf,
  rowsOf,
  sortedBy,
  tablesOf,
} from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { TeamsQuery } from './schema.ts';
import type {
  TeamLists,
  TeamRow,
  TeamServiceTable,
  TeamShiftTable,
  TeamTable,
  TeamZoneTable,
  TimeOffRow,
  TimeOffTable,
} from './table.ts';

const tables = tablesOf<{
  teams: TeamTable;
  team_zones: TeamZoneTable;
  team_services: TeamServiceTable;
  team_shifts: TeamShiftTable;
  team_time_off: TimeOffTable;
}>();

const teams = tables
  .selectFrom('teams')
  .selectAll()
  .select([
    sql<string[]>`array(select zone_id from team_zones where team_id = teams.id order by zone_id)`.as(
      'zone_ids',
    ),
    sql<
      string[]
    >`array(select service_id from team_services where team_id = teams.id order by service_id)`.as(
      'service_ids',
    ),
    sql<TeamLists['shifts']>`(
      select coalesce(json_agg(json_build_object('weekday', weekday, 'start', start_minute, 'end', end_minute)
        order by weekday, start_minute), '[]')
      from team_shifts where team_id = teams.id)`.as('shifts'),
  ]);

type NewTeam = Omit<Insertable<TeamTable>, 'created_at' | 'updated_at'> & Partial<TeamLists>;

async function insertTeam(
  tx: Tx,
  now: Instant,
  { zone_ids, service_ids, shifts, ...columns }: NewTeam,
): Promise<TeamRow> {
  const at = toUtcIso(now);
  const query = tables.insertInto('teams').values({ ...columns, created_at: at, updated_at: at });
  const { id } = await firstOrThrow(tx, query.returning('id'));
  await replaceLists(tx, id, { zone_ids, service_ids, shifts });
  return (await findTeam(tx, id))!;
}

/** Changes the team's columns and replaces the given lists. */
async function updateTeam(
  tx: Tx,
  now: Instant,
  id: string,
  { zone_ids, service_ids, shifts, ...columns }: Updateable<TeamTable> & Partial<TeamLists>,
): Promise<TeamRow> {
  const query = tables.updateTable('teams').set({ ...columns, updated_at: toUtcIso(now) });
  await rowsOf(tx, query.where('id', '=', id));
  await replaceLists(tx, id, { zone_ids, service_ids, shifts });
  return (await findTeam(tx, id))!;
}

/** Replaces the given lists of the team. */
async function replaceLists(
  tx: Tx,
  teamId: string,
  { zone_ids, service_ids, shifts }: { [Name in keyof TeamLists]: TeamLists[Name] | undefined },
): Promise<void> {
  if (zone_ids !== undefined) {
    await rowsOf(tx, tables.deleteFrom('team_zones').where('team_id', '=', teamId));
    const rows = zone_ids.map((zone_id) => ({ team_id: teamId, zone_id }));
    if (rows.length > 0) await rowsOf(tx, tables.insertInto('team_zones').values(rows));
  }
  if (service_ids !== undefined) {
    await rowsOf(tx, tables.deleteFrom('team_services').where('team_id', '=', teamId));
    const rows = service_ids.map((service_id) => ({ team_id: teamId, service_id }));
    if (rows.length > 0) await rowsOf(tx, tables.insertInto('team_services').values(rows));
  }
  if (shifts !== undefined) {
    await rowsOf(tx, tables.deleteFrom('team_shifts').where('team_id', '=', teamId));
    const rows = shifts.map(({ weekday, start, end }) => ({
      team_id: teamId,
      weekday,
      start_minute: start,
      end_minute: end,
    }));
    if (rows.length > 0) await rowsOf(tx, tables.insertInto('team_shifts').values(rows));
  }
}

/** Throws the violation of a foreign key while there are references. */
async function removeTeam(tx: Tx, id: string): Promise<void> {
  await rowsOf(tx, tables.deleteFrom('teams').where('id', '=', id));
}

/** The team with its zones, services and shifts; null: there is none. */
export function findTeam(db: Queryable, id: string): Promise<TeamRow | null> {
  return firstOf(db, teams.where('id', '=', id));
}

export const teamRows = { find: findTeam, insert: insertTeam, update: updateTeam, remove: removeTeam };

const ORDERS = {
  name: [nameOrder('name')],
  nameAr: [nameOrder('name_ar'), nameOrder('name')],
  travelBufferMinutes: ['travel_buffer_minutes', nameOrder('name')],
  isActive: ['is_active', nameOrder('name')],
  createdAt: ['created_at'],
};

/** A page of the teams, by name unless sorted otherwise; `search` is a part of a name. */
export function listTeams(
  db: Queryable,
  filter: TeamsQuery,
  page: Window = paging(filter),
): Promise<Page<TeamRow>> {
  const { search, isActive, zoneId, serviceId } = filter;
  const inZone = tables.selectFrom('team_zones').select('team_id').where('zone_id', '=', zoneId!);
  const withSkill = tables.selectFrom('team_services').select('team_id').where('service_id', '=', serviceId!);
  const query = teams
    .$if(search !== undefined, (found) => found.where(contains(['name', 'name_ar'], search!)))
    .$if(isActive !== undefined, (found) => found.where('is_active', '=', isActive === 'true'))
    .$if(zoneId !== undefined, (found) => found.where('id', 'in', inZone))
    .$if(serviceId !== undefined, (found) => found.where('id', 'in', withSkill));
  return pageOf(db, sortedBy(query, ORDERS, filter, { by: 'name', order: 'ASC' }), page);
}

export const COUNT_TEAM_APPOINTMENTS = hotStatement({
  name: 'count-team-appointments',
  takes: { teamId: pg.uuid },
  returns: { total: pg.bigint },
  text: 'select count(*) as total from appointments where team_id = :teamId',
});

/** The number of the team's appointments, cancelled ones included. */
export async function countTeamAppointments(db: Queryable, teamId: string): Promise<number> {
  return (await first(db, COUNT_TEAM_APPOINTMENTS, { teamId }))!.total;
}

// ---------------------------------------------------------------------------
// Time off

/** Its trigger waits for creations under way, so a later statement sees their appointments. */
export function insertTimeOff(
  tx: Tx,
  now: Instant,
  {
    teamId,
    startsAt,
    endsAt,
    reason,
  }: { teamId: string; startsAt: Instant; endsAt: Instant; reason: string },
): Promise<TimeOffRow> {
  const query = tables.insertInto('team_time_off').values({
    team_id: teamId,
    starts_at: toUtcIso(startsAt),
    ends_at: toUtcIso(endsAt),
    reason,
    created_at: toUtcIso(now),
  });
  return firstOrThrow(tx, query.returningAll());
}

/** The team's time off; null: there is none. */
export function findTimeOff(db: Queryable, teamId: string, id: string): Promise<TimeOffRow | null> {
  const query = tables.selectFrom('team_time_off').selectAll().where('id', '=', id);
  return firstOf(db, query.where('team_id', '=', teamId));
}

/** Deletes the time off, if there is one. */
export async function deleteTimeOffRow(tx: Tx, id: string): Promise<void> {
  await rowsOf(tx, tables.deleteFrom('team_time_off').where('id', '=', id));
}

/** A team's times off, the latest first. */
export function listTimeOffRows(db: Queryable, teamId: string, page: Window): Promise<Page<TimeOffRow>> {
  const query = tables.selectFrom('team_time_off').selectAll().where('team_id', '=', teamId);
  return pageOf(db, query.orderBy('starts_at', 'desc').orderBy('id', 'desc'), page);
}

export const APPOINTMENTS_HIT = hotStatement({
  name: 'appointments-hit',
  takes: { timeOffIds: pg.uuids },
  returns: {
    time_off_id: pg.uuid,
    id: pg.uuid,
    name: pg.text,
    booking_id: pg.uuid,
    starts_at: pg.timestamptz,
    ends_at: pg.timestamptz,
    status: pg.text,
  },
  // A check of the table bounds the length of appointments, so the index on starts_at is used.
  text: `
    select o.id as time_off_id, a.id, a.name, a.booking_id, a.starts_at, a.ends_at, a.status
    from team_time_off o
    join appointments a on a.team_id = o.team_id and a.status not in ('Cancelled', 'Held')
      and a.starts_at < o.ends_at and a.starts_at > o.starts_at - interval '32 hours' and a.ends_at > o.starts_at
    where o.id = any (:timeOffIds)
    order by a.starts_at, a.id`,
});

export type HitAppointmentRow = Row<typeof APPOINTMENTS_HIT>;

export type TimeOffOfTeamRow = TimeOffRow & { team_name: string; team_name_ar: string | null };

/** Times off of all teams, or one, that touch the period, by start. */
export function listTimeOffBetween(
  db: Queryable,
  { from, until, teamId }: { from: Instant; until: Instant; teamId?: string | undefined },
  page: Window,
): Promise<Page<TimeOffOfTeamRow>> {
  const query = tables
    .selectFrom('team_time_off')
    .innerJoin('teams', 'teams.id', 'team_id')
    .selectAll('team_time_off')
    .select(['teams.name as team_name', 'teams.name_ar as team_name_ar'])
    .where('starts_at', '<', instant(until))
    .where('ends_at', '>', instant(from))
    .$if(teamId !== undefined, (found) => found.where('team_id', '=', teamId!));
  return pageOf(db, query.orderBy('starts_at').orderBy('team_time_off.id'), page);
}

/** The appointments, not cancelled, that overlap the times off, by start. */
export function appointmentsHit(db: Queryable, timeOffIds: string[]): Promise<HitAppointmentRow[]> {
  return rows(db, APPOINTMENTS_HIT, { timeOffIds });
}
