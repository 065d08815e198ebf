import { type CalendarDate, startOfDate } from '../base/clock.ts';
import type { Range } from './hours.ts';
import { shiftsOn, type Team, toEpochMinutes } from './rules.ts';

/**
 * The working minutes of the team on the date: the parts of its shifts that fall on the date, without times off.
 */
export function workableMinutes(team: Team, date: CalendarDate): number {
  const from = toEpochMinutes(startOfDate(date));
  const until = from + 1_440;
  const clipped = (range: Range): Range => ({
    from: Math.max(range.from, from),
    until: Math.min(range.until, until),
  });
  const inOrder = (ranges: readonly Range[]): Range[] => ranges.toSorted((a, b) => a.from - b.from);
  let minutes = 0;
  let counted = from;
  for (const shift of inOrder(shiftsOn(team, date).map(clipped))) {
    // A night of yesterday may reach into a shift of today, and times off may overlap: each minute counts once.
    let at = Math.max(shift.from, counted);
    counted = Math.max(counted, shift.until);
    for (const off of inOrder(team.timeOff)) {
      minutes += Math.max(0, Math.min(off.from, shift.until) - at);
      at = Math.max(at, off.until);
    }
    minutes += Math.max(0, shift.until - at);
  }
  return minutes;
}
