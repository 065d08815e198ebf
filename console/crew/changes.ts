import type { CrewDay, CrewVisit } from './contract.ts';
import { dateOf, workingDay } from './days.ts';
import { isOver } from './steps.ts';

/** Changes of the plan by the office, against the plan that the crew has seen: pure. */

type Planned = Pick<CrewVisit, 'id' | 'startsAt' | 'endsAt' | 'status'> & {
  /** The whole address, for comparison. */
  place: string;
  district: string;
};

/** The plan as the crew has seen it, until the date. */
export type SeenPlan = { until: string; visits: readonly Planned[] };

const CHANGES = ['added', 'moved', 'address', 'cancelled', 'gone'] as const;
/** `gone`: another team has the visit, or it is on a later day. */
export type Change = (typeof CHANGES)[number];

export type PlanChange = Pick<Planned, 'id' | 'startsAt' | 'district'> & {
  changes: readonly Change[];
  /** The start that the crew has seen; null: it has not seen the visit. */
  before: string | null;
  /** Differs between two changes of one visit. */
  key: string;
};

const planned = ({ id, startsAt, endsAt, status, address }: CrewVisit): Planned => ({
  id,
  startsAt,
  endsAt,
  status,
  place: JSON.stringify(address),
  district: address.districtName ?? address.cityName ?? '',
});

/** A list as it is once the crew has seen it. */
export const planOf = ({ tomorrow, visits }: CrewDay): SeenPlan => ({
  until: tomorrow,
  visits: visits.map(planned),
});

/** The seen plan with the further days of a list, which are no changes; null: the first list. */
export function withFurtherDays(seen: SeenPlan | null, day: CrewDay): SeenPlan {
  if (seen === null || seen.until < day.today) return planOf(day);
  if (seen.until >= day.tomorrow) return seen;
  const further = day.visits.filter((visit) => workingDay(visit) > seen.until);
  const listed = new Set(day.visits.map(({ id }) => id));
  const known = seen.visits.filter((visit) => listed.has(visit.id) || workingDay(visit) >= day.today);
  return { until: day.tomorrow, visits: [...known, ...further.map(planned)] };
}

/** The changes of a list against what the crew has seen, by start. What the crew reports itself is none. */
export function changesOf(
  seen: SeenPlan | null,
  visits: readonly CrewVisit[],
  serviceTime: number,
): PlanChange[] {
  if (seen === null) return [];
  const before = new Map(seen.visits.map((visit) => [visit.id, visit]));
  const found = visits.flatMap((visit) => changeOf(before.get(visit.id) ?? null, planned(visit)) ?? []);
  const listed = new Set(visits.map(({ id }) => id));
  const gone = seen.visits
    .filter((visit) => !listed.has(visit.id) && !isOver(visit) && isAhead(visit, serviceTime))
    .map((visit) => change(visit, visit, ['gone']));
  return [...found, ...gone].sort((one, other) => (one.startsAt < other.startsAt ? -1 : 1));
}

function changeOf(before: Planned | null, now: Planned): PlanChange | null {
  if (now.status === 'Cancelled')
    return before === null || isOver(before) ? null : change(before, now, ['cancelled']);
  if (isOver(now)) return null;
  if (before === null || before.status === 'Cancelled') return change(null, now, ['added']);
  const changes: Change[] = [];
  if (before.startsAt !== now.startsAt || before.endsAt !== now.endsAt) changes.push('moved');
  if (before.place !== now.place) changes.push('address');
  return changes.length === 0 ? null : change(before, now, changes);
}

const change = (before: Planned | null, now: Planned, changes: Change[]): PlanChange => ({
  id: now.id,
  startsAt: now.startsAt,
  district: now.district,
  changes,
  before: before?.startsAt ?? null,
  key: JSON.stringify([now.id, changes, now.startsAt, now.endsAt, now.place]),
});

/** Whether the crew would still have gone there: lists leave out what is past. */
const isAhead = (visit: Planned, serviceTime: number): boolean =>
  Date.parse(visit.endsAt) > serviceTime || workingDay(visit) >= dateOf(serviceTime);
