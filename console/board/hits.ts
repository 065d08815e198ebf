import { signal } from '@preact/signals';
import { instant, matches, type Visit, type ZoneLanes } from './day.ts';

/** The visits that match the search, in the order of the board. */

export type Hits = {
  /** null: nothing is searched. */
  ids: ReadonlySet<string> | null;
  /** The one that is shown. */
  current: string | null;
};

/** Counts the steps from hit to hit; Enter in the search adds one. */
export const hitSteps = signal(0);

export function hitsOf(
  typed: string,
  unassigned: readonly (readonly Visit[])[],
  zones: readonly ZoneLanes[],
): Visit[] {
  if (typed === '') return [];
  const assigned = zones.flatMap(({ lanes }) =>
    lanes.flatMap(({ visits }) => visits.toSorted((a, b) => instant(a.startsAt) - instant(b.startsAt))),
  );
  return [...unassigned.flat(), ...assigned].filter((visit) => matches(visit, typed));
}

/** The hit after so many steps; they go round, also backwards. */
export const hitAt = (hits: readonly Visit[], steps: number): Visit | undefined =>
  hits[((steps % hits.length) + hits.length) % hits.length];
