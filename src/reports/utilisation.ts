import { loadPlan } from '../availability/queries.ts';
import { toTeam } from '../availability/rules.ts';
import { workableMinutes } from '../availability/workable.ts';
import { addDays, type CalendarDate, dateOf, startOfDate } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { listNamed } from '../dispatch/name-queries.ts';
import { loadBooked } from './utilisation-queries.ts';

type Minutes = { workableMinutes: number; bookedMinutes: number };

const nothing = (): Minutes => ({ workableMinutes: 0, bookedMinutes: 0 });

/**
 * Booked and workable minutes from one Riyadh date to another, both included, by zone and day and by team. Workable are
 * today's shifts, or those of a schedule, without breaks and time off; booked are appointments that are not cancelled, without travel. A team's minutes are
 * shared equally between its zones, so that zones and teams have the same sum.
 */
export async function readUtilisation(db: Queryable, { from, to }: { from: CalendarDate; to: CalendarDate }) {
  const dates: CalendarDate[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  const { teams, schedules } = await loadPlan(db);
  const booked = await loadBooked(db, dates.map(startOfDate));
  const named = await listNamed(db);

  const byTeam = new Map<string, Minutes>();
  const byZone = new Map<string, Map<CalendarDate, Minutes>>();
  const teamOf = (id: string): Minutes => byTeam.getOrInsertComputed(id, nothing);
  const dayOf = (zoneId: string, date: CalendarDate): Minutes =>
    byZone.getOrInsertComputed(zoneId, () => new Map()).getOrInsertComputed(date, nothing);
  for (const team of teams.map((row) => toTeam(row, schedules))) {
    for (const date of dates) {
      const minutes = workableMinutes(team, date);
      teamOf(team.id).workableMinutes += minutes;
      for (const zoneId of team.zoneIds) dayOf(zoneId, date).workableMinutes += minutes / team.zoneIds.size;
    }
  }
  for (const { midnight, team_id, zone_id, minutes } of booked) {
    teamOf(team_id).bookedMinutes += minutes;
    dayOf(zone_id, dateOf(midnight)).bookedMinutes += minutes;
  }

  const total = sumOf([...byTeam.values()]);
  return {
    from,
    to,
    ...shown(total),
    zones: named
      .filter(({ kind, id, is_active }) => kind === 'zone' && (is_active || byZone.has(id)))
      .map(({ id, name, name_ar: nameAr }) => {
        const days = dates.map((date) => dayOf(id, date));
        const each = dates.map((date, index) => ({ date, ...shown(days[index]!) }));
        return { id, name, nameAr, ...shown(sumOf(days)), days: each };
      }),
    teams: named
      .filter(({ kind, id, is_active }) => kind === 'team' && (is_active || byTeam.has(id)))
      .map(({ id, name, name_ar: nameAr, is_active }) => ({
        id,
        name,
        nameAr,
        isActive: is_active,
        ...shown(teamOf(id)),
      })),
  };
}

function sumOf(all: readonly Minutes[]): Minutes {
  const sum = nothing();
  for (const { workableMinutes, bookedMinutes } of all) {
    sum.workableMinutes += workableMinutes;
    sum.bookedMinutes += bookedMinutes;
  }
  return sum;
}

/** With the ratio to four decimals; null: no workable minutes. */
function shown({ workableMinutes, bookedMinutes }: Minutes) {
  return {
    workableMinutes: Math.round(workableMinutes),
    bookedMinutes,
    utilisation:
      workableMinutes === 0 ? null : Math.round((bookedMinutes / workableMinutes) * 10_000) / 10_000,
  };
}
