import { type BusyRanges, isTooClose, type Team, versatility } from '../availability/rules.ts';

/**
 * The first `count` teams to try, of those that can take the period, when it is not known who is free: those that seemed
 * free when last looked at, then specialists, then by lot, so that simultaneous bookings spread. `teams` has the least
 * versatile first; of equals no more are drawn than needed, and only who is drawn is asked whether it can. `from` and
 * `until` are epoch minutes.
 */
export function drawGuesses(
  teams: readonly Team[],
  canTake: (team: Team) => boolean,
  hint: BusyRanges | null,
  { from, until }: { from: number; until: number },
  count: number,
): Team[] {
  const seemsHeld = (team: Team): boolean =>
    hint?.get(team.number)?.some((held) => isTooClose(held, from, until, team.bufferMinutes)) ?? false;
  const free: Team[] = [];
  const held: Team[] = [];
  for (const group of equalsOf(teams)) {
    const equals = [...group];
    while (equals.length > 0 && free.length < count) {
      const drawn = Math.floor(Math.random() * equals.length);
      const team = equals[drawn]!;
      // The last takes the place of the drawn one.
      const last = equals.pop()!;
      if (drawn < equals.length) equals[drawn] = last;
      if (canTake(team)) (seemsHeld(team) ? held : free).push(team);
    }
    if (free.length === count) break;
  }
  return [...free, ...held.slice(0, count - free.length)];
}

/** What `equalsOf` answered: mostly for the teams of a plan, which are asked about again and again. */
const knownEquals = new WeakMap<readonly Team[], readonly (readonly Team[])[]>();

/** Teams that are equally versatile, together. */
function equalsOf(teams: readonly Team[]): readonly (readonly Team[])[] {
  let groups = knownEquals.get(teams);
  if (groups === undefined) {
    groups = [...Map.groupBy(teams, versatility).values()];
    knownEquals.set(teams, groups);
  }
  return groups;
}
