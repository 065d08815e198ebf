import { addDays, type Instant, startOfDate } from '../base/clock.ts';
import { orNotFound, throwIfInvalid } from '../base/errors.ts';
import type { PreviewQuery } from '../catalogue/conflict-schema.ts';
import { changeOrPreview } from '../catalogue/conflicts.ts';
import { lockCatalogue } from '../catalogue/queries.ts';
import { knownServices } from '../catalogue/service-queries.ts';
import { knownZones } from '../catalogue/zone-queries.ts';
import { normalizePhone } from '../contacts/rules.ts';
import type { Actor } from '../db/audit.ts';
import { auditedRows, auditOf, type New } from '../db/audited-rows.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { conflictOnDuplicate } from '../db/constraint-errors.ts';
import type { Page } from '../db/pages.ts';
import { columnsOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import { sortedIds, unknownIdFaults } from '../http/id-lists.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import {
  appointmentsHit,
  countTeamAppointments,
  deleteTimeOffRow,
  findTimeOff,
  type HitAppointmentRow,
  insertTimeOff,
  listTimeOffBetween,
  listTimeOffRows,
  type TimeOffOfTeamRow,
  teamRows,
} from './queries.ts';
import { periodFaults, toPeriod, toShifts } from './rules.ts';
import type { CreateTeam, CreateTimeOff, TimesOffBetweenQuery, TimesOffQuery, UpdateTeam } from './schema.ts';
import type { TeamRow, TimeOffRow } from './table.ts';
import { auditedTeam, teamView, timeOffView } from './view.ts';
import { listTeamConflicts } from './visit-queries.ts';

const teams = auditedRows(teamRows, {
  kind: 'team',
  name: 'Team',
  view: auditedTeam,
  written: (write) =>
    conflictOnDuplicate('teams_name_key', { message: 'name is already used by another team' }, write),
});
const recordTimeOff = auditOf('time-off', timeOffView);

/** Throws RESOURCE_NOT_FOUND. */
export const readTeam = teams.read;

/** Creates a team. Throws VALIDATION_ERROR (unknown zones or services) and CONFLICT (name taken). */
export async function createTeam(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: New<CreateTeam>,
): Promise<TeamRow> {
  await lockCatalogue(tx);
  throwIfInvalid(await referenceFaults(tx, input));
  return teams.create(tx, now, { actor }, { ...teamColumns(input), name: input.name.trim() });
}

/**
 * Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR, and
 * CONFLICT (its name is taken, or it has another version than those wanted).
 */
export async function updateTeam(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes, wanted = null }: { id: string; changes: UpdateTeam; wanted?: WantedVersions },
): Promise<TeamRow> {
  await lockCatalogue(tx);
  const before = await readTeam(tx, id);
  await assertWanted(wanted, before.version, () => teamView(before));
  throwIfInvalid(await referenceFaults(tx, changes));
  return teams.change(tx, now, { actor }, { before, columns: teamColumns(changes) });
}

/** Removes a team and its time off. Throws RESOURCE_NOT_FOUND, CONFLICT while appointments name it. */
export function removeTeam(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const uses = async () => ({ appointments: await countTeamAppointments(db, id) });
  return teams.remove(db, now, actor, { id, lock: lockCatalogue, uses });
}

export type TimeOffWithAppointments<Row = TimeOffRow> = Row & { hit: HitAppointmentRow[] };

/** A page of the team's times off, each with the appointments that it affects. Throws RESOURCE_NOT_FOUND. */
export async function listTimeOff(
  db: Queryable,
  teamId: string,
  query: TimesOffQuery,
): Promise<Page<TimeOffWithAppointments>> {
  const team = await readTeam(db, teamId);
  const { rows, total } = await listTimeOffRows(db, team.id, paging(query));
  return { rows: await withAppointments(db, rows), total };
}

/** A page of the times off of all teams, or one, that touch the dates, each with the appointments that it affects. */
export async function listTimeOffOfTeams(
  db: Queryable,
  { from, to, teamId, ...page }: TimesOffBetweenQuery,
): Promise<Page<TimeOffWithAppointments<TimeOffOfTeamRow>>> {
  const period = { from: startOfDate(from), until: startOfDate(addDays(to, 1)) };
  const { rows, total } = await listTimeOffBetween(db, { ...period, teamId }, paging(page));
  return { rows: await withAppointments(db, rows), total };
}

/**
 * Adds time off for a team, or previews it, and returns the appointments that it affects; they are not changed. Throws
 * VALIDATION_ERROR (period), RESOURCE_NOT_FOUND (team) and CONFLICT (other appointments than those of `expect`).
 */
export async function createTimeOff(
  db: Db,
  now: Instant,
  actor: Actor,
  { teamId, asked = {}, ...input }: { teamId: string; asked?: PreviewQuery } & CreateTimeOff,
) {
  throwIfInvalid(periodFaults(input));
  const period = toPeriod(input);
  const list = (tx: Tx) => listTeamConflicts(tx, now, teamId);
  return changeOrPreview(db, asked, list, async (tx) => {
    const team = await readTeam(tx, teamId);
    const row = await insertTimeOff(tx, now, { teamId: team.id, ...period, reason: input.reason ?? '' });
    await recordTimeOff(tx, now, { actor, after: row });
    const [withHits] = await withAppointments(tx, [row]);
    return withHits!;
  });
}

/** Removes a time off. Throws RESOURCE_NOT_FOUND (team, time off). */
export async function removeTimeOff(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { teamId, timeOffId, groupId }: { teamId: string; timeOffId: string; groupId?: string },
): Promise<{ id: string }> {
  await lockCatalogue(tx);
  const team = await readTeam(tx, teamId);
  const before = await orNotFound(findTimeOff(tx, team.id, timeOffId), 'Time off');
  await deleteTimeOffRow(tx, before.id);
  await recordTimeOff(tx, now, { actor, groupId, before });
  return { id: before.id };
}

async function withAppointments<Row extends TimeOffRow>(
  db: Queryable,
  rows: Row[],
): Promise<TimeOffWithAppointments<Row>[]> {
  const hit = Map.groupBy(
    await appointmentsHit(
      db,
      rows.map((row) => row.id),
    ),
    (appointment) => appointment.time_off_id,
  );
  return rows.map((row) => ({ ...row, hit: hit.get(row.id) ?? [] }));
}

async function referenceFaults(tx: Tx, { zoneIds, homeZoneId, serviceIds }: UpdateTeam): Promise<string[]> {
  const hasHome = homeZoneId == null || (await knownZones(tx, [homeZoneId])).size > 0;
  return [
    ...(hasHome ? [] : ['homeZoneId must be the id of a zone']),
    ...(await unknownIdFaults('zoneIds', zoneIds, 'a zone', (ids) => knownZones(tx, ids))),
    ...(await unknownIdFaults('serviceIds', serviceIds, 'a service', (ids) => knownServices(tx, ids))),
  ];
}

/** The stored form of the fields: names trimmed, ids sorted, shifts in minutes. */
function teamColumns({ name, nameAr, phone, zoneIds, homeZoneId, serviceIds, shifts, ...rest }: UpdateTeam) {
  return columnsOf({
    ...rest,
    name: name?.trim(),
    nameAr: nameAr === null ? null : nameAr?.trim(),
    phone: phone && normalizePhone(phone),
    zoneIds: zoneIds && sortedIds(zoneIds),
    homeZoneId: homeZoneId?.toLowerCase() ?? homeZoneId,
    serviceIds: serviceIds && sortedIds(serviceIds),
    shifts: shifts && toShifts(shifts),
  });
}
