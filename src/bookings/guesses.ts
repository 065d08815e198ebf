import { type BusyRanges, type Team, versatility } from '../availability/rules.ts';

/**
 * The first `count` teams to try when it is not known who is free: those that seemed free when last looked at, then
 * specialists, then by lot, so that simultaneous bookings spread. `teams` has the least versatile first; of equals no more
 * are drawn than needed. `from` and `until` are epoch minutes.
 */
export function drawGuesses(
  teams: readonly Team[],
  hint: BusyRanges | null,
  { from, until }: { from: number; until: number },
  count: number,
): Team[] {
  const seemsHeld = (team: Team): boolean =>
    hint?.get(team.number)?.some((range) => range.from < until + team.bufferMinutes && from < range.until) ??
    false;
  const free: Team[] = [];
  const held: Team[] = [];
  for (let begin = 0; begin < teams.length && free.length < count; ) {
    let end = begin + 1;
    while (end < teams.length && versatility(teams[end]!) === versatility(teams[begin]!)) end++;
    const equals = teams.slice(begin, end);
    while (equals.length > 0 && free.length < count) {
      const drawn = Math.floor(Math.random() * equals.length);
      const team = equals[drawn]!;
      // The last takes the place of the drawn one.
      const last = equals.pop()!;
      if (drawn < equals.length) equals[drawn] = last;
      (seemsHeld(team) ? held : free).push(team);
    }
    begin = end;
  }
  return [...free, ...held.slice(0, count - free.length)];
}
