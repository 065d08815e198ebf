import { loadPlan } from '../availability/queries.ts';
import { toTeam } from '../availability/rules.ts';
import { workableMinutes } from '../availability/workable.ts';
import { addDays, type CalendarDate, DAY, dateOf, type Instant, MINUTE, startOfDate } from '../base/clock.ts';
import { listHeldPeriods } from '../bookings/hold-queries.ts';
import type { Queryable } from '../db/connection.ts';
import { loadBooked } from './utilisation-queries.ts';

/**
 * The dates of which live holds take more than a third of the free time, which is that of the active teams' hours that is not
 * sold, without travel.
 */
export async function readHeldDays(db: Queryable, now: Instant) {
  const held = new Map<CalendarDate, number>();
  for (const { starts_at, ends_at } of await listHeldPeriods(db, now))
    for (let date = dateOf(starts_at); startOfDate(date) < ends_at; date = addDays(date, 1)) {
      const midnight = startOfDate(date);
      const minutes = (Math.min(ends_at, midnight + DAY) - Math.max(starts_at, midnight)) / MINUTE;
      held.set(date, (held.get(date) ?? 0) + minutes);
    }
  if (held.size === 0) return [];
  const dates = [...held.keys()].sort();
  const plan = await loadPlan(db);
  const teams = plan.teams.map((row) => toTeam(row, plan.schedules));
  const free = new Map(
    dates.map((date) => [date, teams.reduce((sum, team) => sum + workableMinutes(team, date), 0)]),
  );
  const active = new Set(teams.map(({ id }) => id));
  for (const { midnight, team_id, minutes } of await loadBooked(db, dates.map(startOfDate))) {
    const date = dateOf(midnight);
    if (active.has(team_id)) free.set(date, Math.max(0, free.get(date)! - minutes));
  }
  return dates
    .map((date) => ({ date, freeMinutes: free.get(date)!, heldMinutes: held.get(date)! }))
    .filter(({ freeMinutes, heldMinutes }) => heldMinutes * 3 > freeMinutes);
}
