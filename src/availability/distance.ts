import { kilometresBetween, type Place } from '../base/distance.ts';

/**
 * The detour of a team for a visit between two others, in kilometres. With one neighbour it is the distance to it; without
 * any it is 0.
 */
export function detour(before: Place | null, visit: Place, after: Place | null): number {
  if (before === null || after === null) {
    const neighbour = before ?? after;
    return neighbour === null ? 0 : kilometresBetween(neighbour, visit);
  }
  const further = kilometresBetween(before, visit) + kilometresBetween(visit, after);
  return Math.max(0, further - kilometresBetween(before, after));
}
