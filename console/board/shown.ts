import { statusOf } from '../parts/status-steps.tsx';
import { instant, type Lane, matches, type Span, type Visit, type ZoneLanes } from './day.ts';
import type { Concern } from './trouble.ts';

/** Which rows of the board are shown, and in which order. */

export type BoardFilter = ReturnType<typeof filterOf>;

/** More teams than these have compact rows, unless the address says otherwise. */
const MANY_TEAMS = 10;

/** The filters of the address, for a board of so many teams. `trouble`: a concern, or `any`. */
export const filterOf = (query: URLSearchParams, teams: number) => ({
  typed: query.get('q')?.trim() ?? '',
  status: query.get('status') ?? '',
  trouble: query.get('trouble') ?? '',
  isTroubleFirst: query.get('first') === 'trouble',
  isWhole: query.get('hours') === '24',
  isCompact: (query.get('rows') ?? (teams > MANY_TEAMS ? 'compact' : '')) === 'compact',
});

export type Troubles = ReadonlyMap<string, readonly Concern[]>;

/** Whether a visit matches the search and the filters; null: there are none. */
export function passOf(
  { typed, status, trouble }: BoardFilter,
  troubles: Troubles,
): ((visit: Visit) => boolean) | null {
  if (typed + status + trouble === '') return null;
  return (visit) => {
    const own = troubles.get(visit.id) ?? [];
    return (
      matches(visit, typed) &&
      (status === '' || statusOf(visit) === status) &&
      (trouble === '' || (trouble === 'any' ? own.length > 0 : own.includes(trouble as Concern)))
    );
  };
}

/** Nobody works, and nothing is planned. */
const isOff = ({ team: { shifts, timeOff }, visits, unassigned }: Lane): boolean =>
  visits.length + unassigned.length === 0 &&
  shifts.every(({ startsAt, endsAt }) =>
    timeOff.some(
      (off) => instant(off.startsAt) <= instant(startsAt) && instant(off.endsAt) >= instant(endsAt),
    ),
  );

/** The rows by zone without teams that are off; of filtered visits only their rows. `first`: rows before all zones. */
export function arranged(
  zones: readonly ZoneLanes[],
  isShown: ((visit: Visit) => boolean) | null,
  first: { name: string; has: (visit: Visit) => boolean } | null,
): { zones: ZoneLanes[]; off: Lane[] } {
  const off = zones.flatMap(({ lanes }) => lanes.filter(isOff));
  const shown = zones.map(({ lanes, ...zone }) => ({
    ...zone,
    lanes: lanes.filter((lane) => !isOff(lane) && (isShown === null || lane.visits.some(isShown))),
  }));
  const isEarly = ({ visits }: Lane): boolean => first !== null && visits.some(first.has);
  const early = shown.flatMap(({ lanes }) => lanes.filter(isEarly));
  const rest = shown.map(({ lanes, ...zone }) => ({
    ...zone,
    lanes: lanes.filter((lane) => !isEarly(lane)),
  }));
  const before = { id: 'trouble', name: first?.name ?? null, lanes: early };
  return { zones: [before, ...rest].filter(({ lanes }) => lanes.length > 0), off };
}

/** Visits of which nothing falls into the hours. */
export const outsideOf = (visits: readonly Visit[], { from, until }: Span): Visit[] =>
  visits.filter(({ startsAt, endsAt }) => instant(endsAt) <= from || instant(startsAt) >= until);

/** The shortest visit, in minutes up to 60: the hours are so wide that its time can be read. */
export const shortestOf = (visits: readonly Visit[]): number =>
  Math.min(60, ...visits.map(({ startsAt, endsAt }) => (instant(endsAt) - instant(startsAt)) / 60_000));
