import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../base/clock.ts';
import { orNotFound, throwIfInvalid, validationError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { lockCatalogue } from '../catalogue/queries.ts';
import { knownZones } from '../catalogue/zone-queries.ts';
import type { Actor } from '../db/audit.ts';
import { auditOf, type New } from '../db/audited-rows.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { sortedIds, unknownIdFaults } from '../http/id-lists.ts';
import { assertWanted, type WantedVersions } from '../http/if-match.ts';
import { toShifts } from './rules.ts';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  knownTeams,
  type ScheduleFields,
  updateSchedule,
} from './schedule-queries.ts';
import { periodsOf, type SchedulePeriod, toBreaks } from './schedule-rules.ts';
import type { CreateSchedule, UpdateSchedule } from './schedule-schema.ts';
import { scheduleView } from './schedule-view.ts';
import type { ScheduleRow } from './table.ts';

/** Throws RESOURCE_NOT_FOUND. */
export function readSchedule(db: Queryable, id: string): Promise<ScheduleRow> {
  return orNotFound(findSchedule(db, id), 'Schedule');
}

const record = auditOf('schedule', scheduleView);

const EMPTY: ScheduleFields = {
  name_en: '',
  name_ar: '',
  zone_ids: null,
  team_ids: null,
  weekly: null,
  breaks: [],
  priority: 0,
  yearly: null,
  periods: [],
};

/** Creates a schedule. Throws VALIDATION_ERROR (unknown zones or teams). */
export async function createSchedule(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: New<CreateSchedule>,
): Promise<ScheduleRow> {
  await lockCatalogue(tx);
  throwIfInvalid(await referenceFaults(tx, input));
  const { id = newId(now) } = input;
  await insertSchedule(tx, now, { id, ...changed(EMPTY, input, now) });
  const row = await readSchedule(tx, id);
  await record(tx, now, { actor, after: row });
  return row;
}

/**
 * Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR, and
 * CONFLICT (it has another version than those wanted).
 */
export async function changeSchedule(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes, wanted = null }: { id: string; changes: UpdateSchedule; wanted?: WantedVersions },
): Promise<ScheduleRow> {
  await lockCatalogue(tx);
  const before = await readSchedule(tx, id);
  await assertWanted(wanted, before.version, () => scheduleView(before));
  throwIfInvalid(await referenceFaults(tx, changes));
  const fields = changed(before, changes, now);
  if (isDeepStrictEqual({ ...before, ...fields }, { ...before })) return before;
  await updateSchedule(tx, now, before.id, fields);
  const after = await readSchedule(tx, before.id);
  await record(tx, now, { actor, before, after });
  return after;
}

/**
 * Removes a schedule: its teams have their weekly shifts, or another schedule's. Throws RESOURCE_NOT_FOUND, and CONFLICT (it
 * has another version than those wanted).
 */
export async function removeSchedule(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, wanted }: { id: string; wanted: WantedVersions },
): Promise<void> {
  await lockCatalogue(tx);
  const before = await readSchedule(tx, id);
  await assertWanted(wanted, before.version, () => scheduleView(before));
  await deleteSchedule(tx, before.id);
  await record(tx, now, { actor, before });
}

/** The periods of a schedule after a change, or of a new one (before null). Throws VALIDATION_ERROR. */
export function periodsAfter(
  before: ScheduleRow | null,
  input: UpdateSchedule,
  now: Instant,
): SchedulePeriod[] {
  return datesOf(before ?? EMPTY, input, now).periods;
}

/** The stored fields after a change. Throws VALIDATION_ERROR (dates that only together are wrong). */
function changed(before: ScheduleFields, input: UpdateSchedule, now: Instant): ScheduleFields {
  const { yearly, periods } = datesOf(before, input, now);
  const { zoneIds, teamIds } = input;
  // One takes the place of the other; null ends only what it names.
  const scope = {
    zone_ids: zoneIds ? sortedIds(zoneIds) : zoneIds === null || teamIds ? null : before.zone_ids,
    team_ids: teamIds ? sortedIds(teamIds) : teamIds === null || zoneIds ? null : before.team_ids,
  };
  const weekly = hoursOf(before, input);
  const breaks = input.breaks === undefined ? before.breaks : toBreaks(input.breaks);
  if (weekly === null && breaks.length === 0)
    throw validationError(['closed, weekly or breaks must be given: it would change no hours']);
  return {
    name_en: input.nameEn?.trim() ?? before.name_en,
    name_ar: input.nameAr?.trim() ?? before.name_ar,
    ...scope,
    weekly,
    breaks,
    priority: input.priority ?? before.priority,
    yearly,
    periods,
  };
}

function hoursOf(before: ScheduleFields, { closed, weekly }: UpdateSchedule): ScheduleFields['weekly'] {
  if (closed === true) return [];
  if (weekly != null) return toShifts(weekly);
  const wasClosed = before.weekly?.length === 0;
  if (wasClosed) return closed === false ? null : [];
  return weekly === null ? null : before.weekly;
}

function datesOf(
  before: ScheduleFields,
  { from, to, yearly }: UpdateSchedule,
  now: Instant,
): Pick<ScheduleFields, 'yearly' | 'periods'> {
  const rule = yearly ?? (yearly === null || from != null || to != null ? null : before.yearly);
  if (rule !== null) return { yearly: rule, periods: periodsOf(rule, now) };
  const known = before.yearly === null ? before.periods[0] : undefined;
  const first = from ?? known?.[0];
  if (first === undefined) throw validationError(['from must be given']);
  const last = to === undefined ? (known?.[1] ?? null) : to;
  if (last !== null && last < first) throw validationError(['to must not be before from']);
  return { yearly: null, periods: [[first, last]] };
}

async function referenceFaults(tx: Tx, { zoneIds, teamIds }: UpdateSchedule): Promise<string[]> {
  return [
    ...(await unknownIdFaults('zoneIds', zoneIds ?? [], 'a zone', (ids) => knownZones(tx, ids))),
    ...(await unknownIdFaults('teamIds', teamIds ?? [], 'a team', (ids) => knownTeams(tx, ids))),
  ];
}
