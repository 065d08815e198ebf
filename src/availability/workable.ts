import { type CalendarDate, startOfDate } from '../base/clock.ts';
import { type Range, shiftsOn, type Team, toEpochMinutes } from './rules.ts';

/**
 * How many minutes of the date the team works: its shifts as far as they fall on the date, a night before and after
 * midnight on two dates, without its times off.
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
    // Times off may overlap: each minute is taken away once.
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
