import { signal } from '@preact/signals';
import { instant, type Visit, type ZoneLanes } from './day.ts';

/** The visits that match the search and the filters, in the order of the board. */

export type Hits = {
  /** null: nothing is searched or filtered. */
  ids: ReadonlySet<string> | null;
  /** The one that is shown. */
  current: string | null;
};

/** Counts the steps from hit to hit; Enter in the search adds one. */
export const hitSteps = signal(0);

export function hitsOf(
  passes: (visit: Visit) => boolean,
  unassigned: readonly (readonly Visit[])[],
  zones: readonly ZoneLanes[],
): Visit[] {
  const assigned = zones.flatMap(({ lanes }) =>
    lanes.flatMap(({ visits }) => visits.toSorted((a, b) => instant(a.startsAt) - instant(b.startsAt))),
  );
  return [...unassigned.flat(), ...assigned].filter(passes);
}

/** The hit after so many steps; they go round, also backwards. */
export const hitAt = (hits: readonly Visit[], steps: number): Visit | undefined =>
  hits[((steps % hits.length) + hits.length) % hits.length];
