import { isNearly } from './hints.ts';

/** A route's method and its pattern, as `/v1/partners/bookings/:bookingId`. */
export type KnownRoute = { method: string; url: string };

const MAX_HINTS = 5;
/** Longer paths are unlikely to be typing errors, and comparing them takes time. */
const MAX_SEGMENTS = 12;

/** Costs of differences, and the maximum of their sum. */
const NO_NEIGHBOUR = 2;
const MAX_COST = 1.25;
const ANOTHER_CASE = 0.25;
const WORD_FOR_ID = 0.5;
const ONE_SEGMENT = 1;

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean);

/**
 * The routes that were probably meant by a request of an unknown route: the same path with another method, and paths
 * that differ in one segment or its spelling. Only routes below the same first segment are named.
 */
export function routeHints(routes: readonly KnownRoute[], method: string, path: string): string[] {
  const asked = segmentsOf(path);
  if (asked.length > MAX_SEGMENTS) return [];
  const near = routes
    .map((route) => ({ ...route, segments: segmentsOf(route.url) }))
    .filter(({ segments }) => segments[0] === asked[0])
    .map((route) => ({ ...route, cost: costOf(asked, route.segments) }))
    .filter(({ cost }) => cost <= MAX_COST)
    .sort((one, other) => one.cost - other.cost);
  const here = near.filter(({ cost }) => cost === 0).map((route) => route.method);
  const takes =
    here.length === 0 || here.includes(method)
      ? []
      : [`${method} is no method of this path: send ${[...new Set(here)].join(' or ')}`];
  // With the same method if there is one, else with others.
  const same = near.filter((route) => route.method === method);
  const longer = near.filter(({ cost, segments }) => cost > 0 && segments.length > asked.length);
  const candidates = same.length > 0 ? same : longer;
  const meant = candidates
    .filter(({ cost }) => cost === candidates[0]?.cost)
    .map((route) => `did you mean ${route.method} ${route.url}?`);
  return [...takes, ...meant].slice(0, MAX_HINTS);
}

/** The distance between the path and the pattern, by missing, added and misspelt segments. */
function costOf(asked: readonly string[], pattern: readonly string[]): number {
  if (Math.abs(asked.length - pattern.length) > 1) return NO_NEIGHBOUR;
  let last = pattern.map((_, column) => (column + 1) * ONE_SEGMENT);
  last.unshift(0);
  for (const [row, segment] of asked.entries()) {
    const current = [(row + 1) * ONE_SEGMENT];
    for (const [column, wanted] of pattern.entries())
      current.push(
        Math.min(
          // A segment that is an id is meant as one.
          last[column + 1]! + (isId(segment) ? NO_NEIGHBOUR : ONE_SEGMENT),
          current[column]! + ONE_SEGMENT,
          last[column]! + differenceOf(segment, wanted),
        ),
      );
    last = current;
  }
  return last.at(-1)!;
}

const isId = (segment: string): boolean => /\d/.test(segment);

function differenceOf(segment: string, wanted: string): number {
  if (wanted.startsWith(':')) return isId(segment) ? 0 : WORD_FOR_ID;
  if (segment === wanted) return 0;
  return isNearly(segment, wanted) ? ANOTHER_CASE : NO_NEIGHBOUR;
}
