import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import type { Shift } from './rules.ts';

type Window = { limit: number; offset: number };

export type TeamRow = {
  id: string;
  name: string;
  travel_buffer_minutes: number;
  is_active: boolean;
  /** Sorted, as the services. */
  zone_ids: string[];
  service_ids: string[];
  /** By weekday and start. */
  shifts: Shift[];
  created_at: Instant;
  updated_at: Instant;
};

export type TeamFields = {
  name: string;
  travelBufferMinutes: number;
  isActive: boolean;
  /** Sorted, as the services. */
  zoneIds: string[];
  serviceIds: string[];
  /** By weekday and start. */
  shifts: Shift[];
};

const TEAM = `id, name, travel_buffer_minutes, is_active, created_at, updated_at,
  array(select zone_id from team_zones where team_id = teams.id order by zone_id) as zone_ids,
  array(select service_id from team_services where team_id = teams.id order by service_id) as service_ids,
  (select coalesce(json_agg(json_build_object('weekday', weekday, 'start', start_minute, 'end', end_minute)
      order by weekday, start_minute), '[]')
    from team_shifts where team_id = teams.id) as shifts`;

/** Answers the id; zones, services and shifts of the team are written by replaceTeamLists. */
export async function insertTeam(tx: Tx, now: Instant, fields: TeamFields): Promise<string> {
  const rows = await tx.rows<{ id: string }>({
    text: `
      insert into teams (name, travel_buffer_minutes, is_active, created_at, updated_at)
      values ($1, $2, $3, $4, $4) returning id`,
    values: [fields.name, fields.travelBufferMinutes, fields.isActive, toUtcIso(now)],
  });
  return rows[0]!.id;
}

export async function updateTeamRow(tx: Tx, now: Instant, id: string, fields: TeamFields): Promise<void> {
  await tx.rows({
    text: `
      update teams set name = $2, travel_buffer_minutes = $3, is_active = $4, updated_at = $5 where id = $1`,
    values: [id, fields.name, fields.travelBufferMinutes, fields.isActive, toUtcIso(now)],
  });
}

export async function replaceTeamLists(
  tx: Tx,
  teamId: string,
  { zoneIds, serviceIds, shifts }: Pick<TeamFields, 'zoneIds' | 'serviceIds' | 'shifts'>,
): Promise<void> {
  await tx.rows({
    text: 'delete from team_zones where team_id = $1 and zone_id <> all ($2::uuid[])',
    values: [teamId, zoneIds],
  });
  await tx.rows({
    text: `
      insert into team_zones (team_id, zone_id) select $1, unnest($2::uuid[]) on conflict do nothing`,
    values: [teamId, zoneIds],
  });
  await tx.rows({
    text: 'delete from team_services where team_id = $1 and service_id <> all ($2::uuid[])',
    values: [teamId, serviceIds],
  });
  await tx.rows({
    text: `
      insert into team_services (team_id, service_id) select $1, unnest($2::uuid[]) on conflict do nothing`,
    values: [teamId, serviceIds],
  });
  await tx.rows({ text: 'delete from team_shifts where team_id = $1', values: [teamId] });
  await tx.rows({
    text: `
      insert into team_shifts (team_id, weekday, start_minute, end_minute)
      select $1, * from unnest($2::smallint[], $3::smallint[], $4::smallint[])`,
    values: [
      teamId,
      shifts.map((shift) => shift.weekday),
      shifts.map((shift) => shift.start),
      shifts.map((shift) => shift.end),
    ],
  });
}

export async function deleteTeamRow(tx: Tx, id: string): Promise<void> {
  await tx.rows({ text: 'delete from teams where id = $1', values: [id] });
}

export function findTeam(db: Queryable, id: string): Promise<TeamRow | null> {
  return db.first<TeamRow>({ text: `select ${TEAM} from teams where id = $1`, values: [id] });
}

/** Teams by name; `search` looks for a part of it. */
export async function listTeamRows(
  db: Queryable,
  filter: { search?: string; isActive?: 'true' | 'false'; zoneId?: string; serviceId?: string },
  page: Window,
): Promise<Page<TeamRow>> {
  const where = `
    where ($1::text is null or strpos(lower(name), lower($1)) > 0)
      and ($2::boolean is null or is_active = $2)
      and ($3::uuid is null or id in (select team_id from team_zones where zone_id = $3))
      and ($4::uuid is null or id in (select team_id from team_services where service_id = $4))`;
  const values = [
    filter.search ?? null,
    filter.isActive ?? null,
    filter.zoneId ?? null,
    filter.serviceId ?? null,
  ];
  const rows = await db.rows<TeamRow>({
    text: `select ${TEAM} from teams ${where} order by name, id limit $5 offset $6`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from teams ${where}`,
    values,
  });
  return { rows, total: count!.total };
}

/** How many appointments name the team, cancelled ones included. */
export async function countTeamAppointments(db: Queryable, teamId: string): Promise<number> {
  const row = await db.first<{ total: number }>({
    text: 'select count(*) as total from appointments where team_id = $1',
    values: [teamId],
  });
  return row!.total;
}

// ---------------------------------------------------------------------------
// Time off

export type TimeOffRow = {
  id: string;
  team_id: string;
  starts_at: Instant;
  ends_at: Instant;
  reason: string;
  created_at: Instant;
};

const TIME_OFF = 'id, team_id, starts_at, ends_at, reason, created_at';

/** Its trigger waits for the bookings being written; appointments read afterwards include theirs. */
export async function insertTimeOff(
  tx: Tx,
  now: Instant,
  timeOff: { teamId: string; startsAt: Instant; endsAt: Instant; reason: string },
): Promise<TimeOffRow> {
  const rows = await tx.rows<TimeOffRow>({
    text: `
      insert into team_time_off (team_id, starts_at, ends_at, reason, created_at) values ($1, $2, $3, $4, $5)
      returning ${TIME_OFF}`,
    values: [
      timeOff.teamId,
      toUtcIso(timeOff.startsAt),
      toUtcIso(timeOff.endsAt),
      timeOff.reason,
      toUtcIso(now),
    ],
  });
  return rows[0]!;
}

export function findTimeOff(db: Queryable, teamId: string, id: string): Promise<TimeOffRow | null> {
  return db.first<TimeOffRow>({
    text: `select ${TIME_OFF} from team_time_off where id = $1 and team_id = $2`,
    values: [id, teamId],
  });
}

export async function deleteTimeOffRow(tx: Tx, id: string): Promise<void> {
  await tx.rows({ text: 'delete from team_time_off where id = $1', values: [id] });
}

/** A team's times off, the latest first. */
export async function listTimeOffRows(
  db: Queryable,
  teamId: string,
  page: Window,
): Promise<Page<TimeOffRow>> {
  const rows = await db.rows<TimeOffRow>({
    text: `
      select ${TIME_OFF} from team_time_off where team_id = $1 order by starts_at desc, id desc limit $2 offset $3`,
    values: [teamId, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: 'select count(*) as total from team_time_off where team_id = $1',
    values: [teamId],
  });
  return { rows, total: count!.total };
}

export type HitAppointmentRow = {
  time_off_id: string;
  id: string;
  name: string;
  booking_id: string;
  starts_at: Instant;
  ends_at: Instant;
  status: string;
};

/** The appointments, not cancelled, that lie in the times off, by start. */
export function appointmentsHit(db: Queryable, timeOffIds: readonly string[]): Promise<HitAppointmentRow[]> {
  return db.rows<HitAppointmentRow>({
    // No appointment is longer than 32 hours (a check of the table), which lets the index on starts_at serve.
    text: `
      select o.id as time_off_id, a.id, a.name, a.booking_id, a.starts_at, a.ends_at, a.status
      from team_time_off o
      join appointments a on a.team_id = o.team_id and a.status <> 'Cancelled'
        and a.starts_at < o.ends_at and a.starts_at > o.starts_at - interval '32 hours' and a.ends_at > o.starts_at
      where o.id = any ($1::uuid[])
      order by a.starts_at, a.id`,
    values: [timeOffIds],
  });
}
