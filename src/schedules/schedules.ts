import { loadPlan } from '../availability/queries.ts';
import { toTeam } from '../availability/rules.ts';
import { workableMinutes } from '../availability/workable.ts';
import { addDays, type CalendarDate, dateOf, type Instant, toRiyadhIso } from '../base/clock.ts';
import { lockCatalogue } from '../catalogue/queries.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { listNamed } from '../dispatch/name-queries.ts';
import type { WantedVersions } from '../http/if-match.ts';
import type { SchedulePeriod } from '../teams/schedule-rules.ts';
import type { CreateSchedule, UpdateSchedule } from '../teams/schedule-schema.ts';
import { scheduleView } from '../teams/schedule-view.ts';
import {
  changeSchedule,
  createSchedule,
  periodsAfter,
  readSchedule,
  removeSchedule,
} from '../teams/schedules.ts';
import type { ScheduleRow } from '../teams/table.ts';
import { listVisitsOutsideHours, type VisitOutsideHours } from './queries.ts';
import { MAX_EFFECTS, MAX_HOURS_DAYS } from './schema.ts';

export type ScheduleChange =
  | { kind: 'create'; input: CreateSchedule }
  | { kind: 'update'; id: string; input: UpdateSchedule; wanted: WantedVersions }
  | { kind: 'remove'; id: string; wanted: WantedVersions };

/**
 * Creates, changes or removes a schedule, and returns the effects: the visits to begin that now lie outside of their
 * team's hours, which keep their team and time, and the hours of each zone before and after. A preview does the same and
 * rolls back. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR (unknown zones or teams, dates), CONFLICT (another version).
 */
export async function saveSchedule(
  db: Db,
  now: Instant,
  actor: Actor,
  { change, isPreview }: { change: ScheduleChange; isPreview: boolean },
) {
  let effects: Awaited<ReturnType<typeof withEffects>> | null = null;
  const undone = new Error('a preview keeps nothing');
  try {
    await db.transaction(async (tx) => {
      effects = await withEffects(tx, now, actor, change);
      if (isPreview) throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return { isApplied: !isPreview, ...effects! };
}

async function withEffects(tx: Tx, now: Instant, actor: Actor, change: ScheduleChange) {
  await lockCatalogue(tx);
  const before = change.kind === 'create' ? null : await readSchedule(tx, change.id);
  const periods = [
    ...(before?.periods ?? []),
    ...(change.kind === 'remove' ? [] : periodsAfter(before, change.input, now)),
  ];
  const lostBefore = new Set((await listVisitsOutsideHours(tx, periods, now)).map(({ id }) => id));
  const hoursBefore = await workableByZone(tx, periods, now);
  const row = await apply(tx, now, actor, change);
  const lost = (await listVisitsOutsideHours(tx, periods, now)).filter(({ id }) => !lostBefore.has(id));
  const hoursAfter = await workableByZone(tx, periods, now);
  const zones = (await listNamed(tx)).filter(({ kind }) => kind === 'zone');
  return {
    schedule: row && scheduleView(row),
    appointments: {
      total: lost.length,
      days: countsByDay(lost),
      rows: lost.slice(0, MAX_EFFECTS).map(visitView),
    },
    hours: zones.flatMap(({ id, name, name_ar }) => {
      const minutesBefore = Math.round(hoursBefore.get(id) ?? 0);
      const minutesAfter = Math.round(hoursAfter.get(id) ?? 0);
      return minutesBefore === minutesAfter
        ? []
        : [{ zoneId: id, zoneName: name, zoneNameAr: name_ar, minutesBefore, minutesAfter }];
    }),
  };
}

/** The row after the change; null: it was removed. */
async function apply(
  tx: Tx,
  now: Instant,
  actor: Actor,
  change: ScheduleChange,
): Promise<ScheduleRow | null> {
  if (change.kind === 'create') return createSchedule(tx, now, actor, change.input);
  if (change.kind === 'update') {
    const { id, input, wanted } = change;
    return changeSchedule(tx, now, actor, { id, changes: input, wanted });
  }
  await removeSchedule(tx, now, actor, change);
  return null;
}

/**
 * The working minutes of each zone on the dates from today on, MAX_HOURS_DAYS at most. A team's minutes are shared
 * equally between its zones.
 */
async function workableByZone(
  tx: Tx,
  periods: readonly SchedulePeriod[],
  now: Instant,
): Promise<ReadonlyMap<string, number>> {
  const { teams, schedules } = await loadPlan(tx);
  const byZone = new Map<string, number>();
  const dates = datesOf(periods, dateOf(now));
  for (const team of teams.map((row) => toTeam(row, schedules))) {
    const minutes = dates.reduce((sum, date) => sum + workableMinutes(team, date), 0);
    for (const id of team.zoneIds) byZone.set(id, (byZone.get(id) ?? 0) + minutes / team.zoneIds.size);
  }
  return byZone;
}

/** The dates of the periods from today on, each once, MAX_HOURS_DAYS at most. */
function datesOf(periods: readonly SchedulePeriod[], today: CalendarDate): CalendarDate[] {
  const dates = new Set<CalendarDate>();
  for (const [first, last] of periods) {
    let date = first < today ? today : first;
    for (let days = 0; days < MAX_HOURS_DAYS && (last === null || date <= last); days++) {
      dates.add(date);
      date = addDays(date, 1);
    }
  }
  return [...dates].sort().slice(0, MAX_HOURS_DAYS);
}

function countsByDay(visits: readonly VisitOutsideHours[]) {
  const groups = Map.groupBy(visits, (visit) => `${dateOf(visit.starts_at)} ${visit.zone_id}`);
  return [...groups.values()].map((group) => {
    const [{ starts_at, zone_id: zoneId, zone_name: zoneName, zone_name_ar: zoneNameAr }] = group as [
      VisitOutsideHours,
    ];
    return { date: dateOf(starts_at), zoneId, zoneName, zoneNameAr, appointments: group.length };
  });
}

function visitView(row: VisitOutsideHours) {
  return {
    appointmentId: row.id,
    bookingId: row.booking_id,
    trackingReference: row.name,
    startsAt: toRiyadhIso(row.starts_at),
    endsAt: toRiyadhIso(row.ends_at),
    zone: { id: row.zone_id, name: row.zone_name, nameAr: row.zone_name_ar },
    team: { id: row.team_id, name: row.team_name, nameAr: row.team_name_ar },
    contact: { name: row.contact_name, phone: row.phone },
  };
}
