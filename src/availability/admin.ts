import { isDeepStrictEqual } from 'node:util';
import {
  existing,
  refuse,
  repeatFaults,
  sortedIds,
  unknownIdFaults,
  unlessInUse,
  unlessTaken,
} from '../catalogue/admin.ts';
import { knownServices, knownZones, lockCatalogue } from '../catalogue/admin-queries.ts';
import type { Instant } from '../clock.ts';
import { validationError } from '../errors.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable, Tx } from '../platform/db.ts';
import { type Page, paging } from '../platform/envelope.ts';
import {
  appointmentsHit,
  countTeamAppointments,
  deleteTeamRow,
  deleteTimeOffRow,
  findTeam,
  findTimeOff,
  type HitAppointmentRow,
  insertTeam,
  insertTimeOff,
  listTeamRows,
  listTimeOffRows,
  replaceTeamLists,
  type TeamFields,
  type TeamRow,
  type TimeOffRow,
  updateTeamRow,
} from './admin-queries.ts';
import { shiftFaults, toPeriod, toShifts } from './admin-rules.ts';
import type { CreateTeam, CreateTimeOff, TeamsQuery, TimesOffQuery, UpdateTeam } from './admin-schema.ts';
import { teamView, timeOffView } from './admin-view.ts';

const DEFAULTS = { zoneIds: [], serviceIds: [], travelBufferMinutes: 0, shifts: [], isActive: true };

/** A page of the teams. */
export function listTeams(db: Queryable, query: TeamsQuery): Promise<Page<TeamRow>> {
  return listTeamRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readTeam(db: Queryable, id: string): Promise<TeamRow> {
  return existing(findTeam(db, id), 'Team');
}

/** Creates a team. Throws VALIDATION_ERROR (shifts, unknown zones or services) and CONFLICT (name taken). */
export function createTeam(db: Db, now: Instant, actor: Actor, input: CreateTeam): Promise<TeamRow> {
  return db.transaction((tx) => addTeam(tx, now, actor, input));
}

/** createTeam inside a transaction. */
export async function addTeam(tx: Tx, now: Instant, actor: Actor, input: CreateTeam): Promise<TeamRow> {
  refuse(inputFaults(input));
  await lockCatalogue(tx);
  refuse(await referenceFaults(tx, input));
  const { shifts, ...rest } = { ...DEFAULTS, ...input };
  const fields = normalized({ ...rest, shifts: toShifts(shifts) });
  const id = await unlessNameTaken(insertTeam(tx, now, fields));
  await replaceTeamLists(tx, id, fields);
  const row = await existing(findTeam(tx, id), 'Team');
  await audit(tx, now, { actor, action: 'team.create', target: `team:${id}`, after: teamView(row) });
  return row;
}

/** Changes the given fields; nothing new, nothing done. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR, CONFLICT. */
export function updateTeam(
  db: Db,
  now: Instant,
  actor: Actor,
  id: string,
  input: UpdateTeam,
): Promise<TeamRow> {
  refuse(inputFaults(input));
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const before = await readTeam(tx, id);
    refuse(await referenceFaults(tx, input));
    const { shifts, ...rest } = input;
    const fields = normalized({
      ...fieldsOf(before),
      ...rest,
      ...(shifts !== undefined && { shifts: toShifts(shifts) }),
    });
    if (isDeepStrictEqual(fields, fieldsOf(before))) return before;
    await unlessNameTaken(updateTeamRow(tx, now, before.id, fields));
    await replaceTeamLists(tx, before.id, fields);
    const after = await readTeam(tx, before.id);
    await audit(tx, now, {
      actor,
      action: 'team.update',
      target: `team:${before.id}`,
      before: teamView(before),
      after: teamView(after),
    });
    return after;
  });
}

/** Removes a team and its time off. Throws RESOURCE_NOT_FOUND, CONFLICT while appointments name it. */
export function removeTeam(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const before = await readTeam(tx, id);
      await deleteTeamRow(tx, before.id);
      const target = `team:${before.id}`;
      await audit(tx, now, { actor, action: 'team.delete', target, before: teamView(before) });
      return { id: before.id };
    });
  return unlessInUse('The team', removal, async () => ({
    appointments: await countTeamAppointments(db, id),
  }));
}

export type TimeOffWithAppointments = TimeOffRow & { hit: HitAppointmentRow[] };

/** A page of the team's times off, each with the appointments it hits. Throws RESOURCE_NOT_FOUND. */
export async function listTimeOff(
  db: Queryable,
  teamId: string,
  query: TimesOffQuery,
): Promise<Page<TimeOffWithAppointments>> {
  const team = await readTeam(db, teamId);
  const { rows, total } = await listTimeOffRows(db, team.id, paging(query));
  return { rows: await withAppointments(db, rows), total };
}

/**
 * Takes a team off for a while, and answers the appointments it hits: they stay as they are. Throws
 * VALIDATION_ERROR (period) and RESOURCE_NOT_FOUND (team).
 */
export async function createTimeOff(
  db: Db,
  now: Instant,
  actor: Actor,
  teamId: string,
  input: CreateTimeOff,
): Promise<TimeOffWithAppointments> {
  const period = toPeriod(input);
  if ('faults' in period) throw validationError(period.faults);
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const team = await readTeam(tx, teamId);
    const row = await insertTimeOff(tx, now, { teamId: team.id, ...period, reason: input.reason ?? '' });
    const target = `time-off:${row.id}`;
    await audit(tx, now, { actor, action: 'time-off.create', target, after: timeOffView(row) });
    // Read last: a booking that was being written when this began is committed by now, or refused as stale.
    const [withHits] = await withAppointments(tx, [row]);
    return withHits!;
  });
}

/** Ends a time off for good. Throws RESOURCE_NOT_FOUND (team, time off). */
export function removeTimeOff(
  db: Db,
  now: Instant,
  actor: Actor,
  { teamId, timeOffId }: { teamId: string; timeOffId: string },
): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const team = await readTeam(tx, teamId);
    const before = await existing(findTimeOff(tx, team.id, timeOffId), 'Time off');
    await deleteTimeOffRow(tx, before.id);
    const target = `time-off:${before.id}`;
    await audit(tx, now, { actor, action: 'time-off.delete', target, before: timeOffView(before) });
    return { id: before.id };
  });
}

async function withAppointments(db: Queryable, rows: TimeOffRow[]): Promise<TimeOffWithAppointments[]> {
  const hit = Map.groupBy(
    await appointmentsHit(
      db,
      rows.map((row) => row.id),
    ),
    (appointment) => appointment.time_off_id,
  );
  return rows.map((row) => ({ ...row, hit: hit.get(row.id) ?? [] }));
}

function inputFaults({ zoneIds, serviceIds, shifts }: UpdateTeam): string[] {
  return [
    ...repeatFaults('zoneIds', zoneIds),
    ...repeatFaults('serviceIds', serviceIds),
    ...shiftFaults(shifts),
  ];
}

async function referenceFaults(tx: Tx, { zoneIds, serviceIds }: UpdateTeam): Promise<string[]> {
  return [
    ...(await unknownIdFaults('zoneIds', zoneIds, 'a zone', (ids) => knownZones(tx, ids))),
    ...(await unknownIdFaults('serviceIds', serviceIds, 'a service', (ids) => knownServices(tx, ids))),
  ];
}

function unlessNameTaken<T>(write: Promise<T>): Promise<T> {
  return unlessTaken('teams_name_key', 'name is already used by another team', write);
}

function normalized(fields: TeamFields): TeamFields {
  return {
    ...fields,
    name: fields.name.trim(),
    zoneIds: sortedIds(fields.zoneIds),
    serviceIds: sortedIds(fields.serviceIds),
  };
}

function fieldsOf(row: TeamRow): TeamFields {
  return {
    name: row.name,
    travelBufferMinutes: row.travel_buffer_minutes,
    isActive: row.is_active,
    zoneIds: row.zone_ids,
    serviceIds: row.service_ids,
    shifts: row.shifts,
  };
}
