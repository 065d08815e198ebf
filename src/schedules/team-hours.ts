import { breaksAround, hoursOn, scheduleOn, type WithHours } from '../availability/hours.ts';
import { namedSchedule } from '../availability/operator.ts';
import { addDays, type CalendarDate, MINUTE, startOfDate, toRiyadhIso } from '../base/clock.ts';
import { readZone } from '../catalogue/zones.ts';
import type { Queryable } from '../db/connection.ts';
import { MAX_UNPAGED } from '../http/schemas.ts';
import { listTeams } from '../teams/queries.ts';
import { loadSchedules } from '../teams/schedule-queries.ts';
import { isForTeam, type Schedule } from '../teams/schedule-rules.ts';
import type { TeamRow } from '../teams/table.ts';
import { readTeam } from '../teams/teams.ts';

type Dates = { from: CalendarDate; to: CalendarDate };

/**
 * The hours of a team on each of the dates (both included), and the schedules that they come from. Throws
 * RESOURCE_NOT_FOUND (team).
 */
export async function readTeamHours(db: Queryable, id: string, dates: Dates) {
  const team = await readTeam(db, id);
  return daysOf(team, await loadSchedules(db), dates);
}

/** The same of each active team that serves the zone, by name. Throws RESOURCE_NOT_FOUND (zone). */
export async function readZoneHours(db: Queryable, id: string, dates: Dates) {
  await readZone(db, id);
  const { rows } = await listTeams(db, { zoneId: id, isActive: 'true' }, { limit: MAX_UNPAGED, offset: 0 });
  const schedules = await loadSchedules(db);
  return rows.map((team) => ({
    team: { id: team.id, name: team.name, nameAr: team.name_ar },
    days: daysOf(team, schedules, dates),
  }));
}

function daysOf(row: TeamRow, all: readonly Schedule[], { from, to }: Dates) {
  const schedules = all.filter((schedule) => isForTeam(schedule, row));
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
