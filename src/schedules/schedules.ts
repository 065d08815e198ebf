import { loadPlan, type PlanRows } from '../availability/queries.ts';
import { toTeam } from '../availability/rules.ts';
import { workableMinutes } from '../availability/workable.ts';
import { addDays, type CalendarDate, dateOf, type Instant } from '../base/clock.ts';
import type { PreviewQuery } from '../catalogue/conflict-schema.ts';
import { changeOrPreview } from '../catalogue/conflicts.ts';
import type { Actor } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { listNamed } from '../dispatch/name-queries.ts';
import type { WantedVersions } from '../http/if-match.ts';
import { listPlannedSeries } from '../series/queries.ts';
import { hijriOf } from '../teams/hijri.ts';
import { isForTeam, type SchedulePeriod } from '../teams/schedule-rules.ts';
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
import { listConflictsOn } from '../teams/visit-queries.ts';
import { MAX_HOURS_DAYS } from './schema.ts';

export type ScheduleChange =
  | { kind: 'create'; input: CreateSchedule }
  | { kind: 'update'; id: string; input: UpdateSchedule; wanted: WantedVersions }
  | { kind: 'remove'; id: string; wanted: WantedVersions };

/**
 * Creates, changes or removes a schedule, and returns the effects: the visits to begin that now lie outside of their
 * team's hours, which keep their team and time, and the hours of each zone before and after. A preview does the same and
 * rolls back. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR (unknown zones or teams, dates), CONFLICT (another version,
 * other visits than those of `expect`).
 */
export async function saveSchedule(
  db: Db,
  now: Instant,
  actor: Actor,
  { change, ...asked }: PreviewQuery & { change: ScheduleChange },
) {
  // Read first by `list`, which runs under the lock.
  let periods: SchedulePeriod[] | null = null;
  const { result, isApplied, conflicts } = await changeOrPreview(
    db,
    asked,
    async (tx) => {
      periods ??= await periodsOf(tx, now, change);
      return listConflictsOn(tx, now, periods);
    },
    async (tx) => {
      const dates = datesOf(periods!, dateOf(now));
      const before = change.kind === 'remove' ? await readSchedule(tx, change.id) : null;
      const hoursBefore = workableByZone(await loadPlan(tx), dates);
      const row = await apply(tx, now, actor, change);
      const plan = await loadPlan(tx);
      const hoursAfter = workableByZone(plan, dates);
      const zones = (await listNamed(tx)).filter(({ kind }) => kind === 'zone');
      const hours = zones.flatMap(({ id, name, name_ar }) => {
        const minutesBefore = Math.round(hoursBefore.get(id) ?? 0);
        const minutesAfter = Math.round(hoursAfter.get(id) ?? 0);
        return minutesBefore === minutesAfter
          ? []
          : [{ zoneId: id, zoneName: name, zoneNameAr: name_ar, minutesBefore, minutesAfter }];
      });
      const about = (row ?? before)!;
      const longDays = longDaysInRamadan(plan, dates, about);
      const laterSeries = (await listPlannedSeries(tx, periods!)).filter(({ team_id }) => {
        const team = plan.teams.find(({ id }) => id === team_id);
        return team === undefined || isForTeam(about, team);
      }).length;
      return { schedule: row && scheduleView(row), laterSeries, hours, longDays };
    },
  );
  return { isApplied, ...result, appointments: conflicts };
}

/** The dates that the change touches. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR. */
async function periodsOf(tx: Tx, now: Instant, change: ScheduleChange): Promise<SchedulePeriod[]> {
  const before = change.kind === 'create' ? null : await readSchedule(tx, change.id);
  const after = change.kind === 'remove' ? [] : periodsAfter(before, change.input, now);
  return [...(before?.periods ?? []), ...after];
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

/** The working minutes of each zone on the dates. A team's minutes are shared equally between its zones. */
function workableByZone(
  { teams, schedules }: PlanRows,
  dates: readonly CalendarDate[],
): ReadonlyMap<string, number> {
  const byZone = new Map<string, number>();
  for (const team of teams.map((row) => toTeam(row, schedules))) {
    const minutes = dates.reduce((sum, date) => sum + workableMinutes(team, date), 0);
    for (const id of team.zoneIds) byZone.set(id, (byZone.get(id) ?? 0) + minutes / team.zoneIds.size);
  }
  return byZone;
}

const RAMADAN = 9;
/** The most minutes that Muslims may work on a day in Ramadan (labour law, article 98). */
const MOST_IN_RAMADAN = 360;

/** The teams of the schedule with a longer day in Ramadan than the law allows, each with the longest. */
function longDaysInRamadan(
  { teams, schedules }: PlanRows,
  dates: readonly CalendarDate[],
  { team_ids, zone_ids }: Pick<ScheduleRow, 'team_ids' | 'zone_ids'>,
) {
  const fasted = dates.filter((date) => hijriOf(date).month === RAMADAN);
  return teams
    .filter(
      (team) => team_ids?.includes(team.id) ?? zone_ids?.some((id) => team.zone_ids.includes(id)) ?? true,
    )
    .map((row) => {
      const team = toTeam(row, schedules);
      const minutes = Math.max(0, ...fasted.map((date) => workableMinutes(team, date)));
      return { teamId: row.id, teamName: row.name, teamNameAr: row.name_ar, minutes };
    })
    .filter(({ minutes }) => minutes > MOST_IN_RAMADAN);
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
