import type { CrewVisit } from './contract.ts';
import { isOver } from './steps.ts';

/** Working days of crews, in Riyadh: pure. */

const HOUR = 3_600_000;
/** Riyadh is three hours ahead of UTC all year. */
const OFFSET = 3 * HOUR;
/** The hour at which a night ends: a visit that starts before it belongs to the day before, as in the service. */
const NIGHT_ENDS = 5;

/** The Riyadh date, `YYYY-MM-DD`. */
export const dateOf = (at: number): string => new Date(at + OFFSET).toISOString().slice(0, 10);

/** The date under which a visit stands. */
export const workingDay = ({ startsAt }: Pick<CrewVisit, 'startsAt'>): string =>
  dateOf(Date.parse(startsAt) - NIGHT_ENDS * HOUR);

export type Day<V> = { date: string; when: 'today' | 'tomorrow' | 'later'; visits: V[] };

/**
 * The visits of a list by working day, whenever it was read: today's with those of the days before that are not over, and
 * tomorrow's, also when they have none.
 */
export function daysOf<V extends Pick<CrewVisit, 'startsAt' | 'date' | 'status'>>(
  visits: readonly V[],
  now: number,
): Day<V>[] {
  const today = dateOf(now);
  const tomorrow = dateOf(now + 24 * HOUR);
  const byDate = new Map<string, V[]>([
    [today, []],
    [tomorrow, []],
  ]);
  for (const visit of visits) {
    if (visit.date < today && isOver(visit)) continue;
    const day = workingDay(visit);
    const date = day < today ? today : day;
    byDate.set(date, [...(byDate.get(date) ?? []), visit]);
  }
  return [...byDate]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, ofDay]) => ({
      date,
      when: date === today ? 'today' : date === tomorrow ? 'tomorrow' : 'later',
      visits: ofDay,
    }));
}
