import { breaksAround, hoursOn, scheduleOn, type WithHours } from '../availability/hours.ts';
import { namedSchedule } from '../availability/operator.ts';
import { addDays, type CalendarDate, MINUTE, startOfDate, toRiyadhIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { loadSchedules } from '../teams/schedule-queries.ts';
import { isForTeam } from '../teams/schedule-rules.ts';
import { readTeam } from '../teams/teams.ts';

/**
 * The hours of a team on each of the dates (both included), and the schedules that they come from. Throws
 * RESOURCE_NOT_FOUND (team).
 */
export async function readTeamHours(
  db: Queryable,
  id: string,
  { from, to }: { from: CalendarDate; to: CalendarDate },
) {
  const row = await readTeam(db, id);
  const schedules = (await loadSchedules(db)).filter((schedule) => isForTeam(schedule, row));
  const team: WithHours = { shifts: row.shifts, schedules };
  const days = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const midnight = startOfDate(date);
    const period = (range: { from: number; until: number }) => ({
      startsAt: toRiyadhIso(midnight + range.from * MINUTE),
      endsAt: toRiyadhIso(midnight + range.until * MINUTE),
    });
    const schedule = scheduleOn(team, date);
    days.push({
      date,
      schedule: schedule && namedSchedule(schedule),
      hours: hoursOn(team, date)
        .toSorted((one, other) => one.from - other.from)
        .map(period),
      breaks: breaksAround(team, date)
        .filter((each) => each.until > 0 && each.from < 1_440)
        .toSorted((one, other) => one.from - other.from)
        .map((each) => ({ ...period(each), schedule: namedSchedule(each.schedule) })),
    });
  }
  return days;
}
