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
  let minutes = 0;
  for (const shift of shiftsOn(team, date).map(clipped)) {
    // Times off may overlap: each minute is subtracted once.
    let at = shift.from;
    const inOrder = [...team.timeOff].sort((a, b) => a.from - b.from);
    for (const off of inOrder) {
      minutes += Math.max(0, Math.min(off.from, shift.until) - at);
      at = Math.max(at, off.until);
    }
    minutes += Math.max(0, shift.until - at);
  }
  return minutes;
}
