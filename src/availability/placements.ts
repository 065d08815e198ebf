import { type Instant, MINUTE, timeOf } from '../base/clock.ts';
import type { Place } from '../base/distance.ts';
import type { Schedule } from '../teams/schedule-rules.ts';
import { detour } from './distance.ts';
import type { RefusalAt, TeamOnDate, TeamsOnDate } from './explain.ts';
import type { HoldInTheWay } from './hold-in-the-way.ts';
import type { HeldRow } from './operator-queries.ts';
import { comparePlaces, type ProposedFirst, type ProposedPlace } from './proposals.ts';

/** Placements of an appointment on a date, with the teams by rank. Pure. */

export type SoldVisit = {
  /** Of the customer's address. */
  place: Place;
  /** The current start. */
  startsAt: Instant;
  teamId: string;
  first: ProposedFirst;
  /** When its team can take it again, at another time than its own; absent: at any. */
  backFrom?: Instant;
};

export type Placement = {
  /** Epoch minutes. */
  start: number;
  free: boolean;
  reason: RefusalAt['reason'] | 'NOT_IN_ZONE';
  holder: HeldRow | null;
  /** Slots that customers hold there, which give way. */
  holds: HoldInTheWay[];
  schedule: Schedule | null;
  /** With one decimal; null: not free. */
  detourKm: number | null;
};

export type TeamPlacements = {
  each: TeamOnDate;
  /** From 1; null: no offered start is free. */
  rank: number | null;
  keepsTeam: boolean;
  /** Held minutes of the date, travel buffers included. */
  usedMinutes: number;
  /** The best start. */
  best: (ProposedPlace & { start: number }) | null;
  slots: Placement[];
};

/**
 * Every team with every start. First the teams with a free start, in the order of `comparePlaces`, then by name.
 */
export function placementsOf(
  day: TeamsOnDate,
  visit: SoldVisit,
  placeOf: (appointmentId: string) => Place | null,
): TeamPlacements[] {
  const found = day.teams.map((each) => placementsOfTeam(day, each, visit, placeOf));
  found.sort(
    (a, b) =>
      Number(a.best === null) - Number(b.best === null) ||
      (a.best && b.best ? comparePlaces(a.best, b.best, visit.first) : a.usedMinutes - b.usedMinutes),
  );
  return found.map((each, index) => ({ ...each, rank: each.best === null ? null : index + 1 }));
}

function placementsOfTeam(
  day: TeamsOnDate,
  each: TeamOnDate,
  visit: SoldVisit,
  placeOf: (appointmentId: string) => Place | null,
): TeamPlacements {
  const slots = day.starts.map((start): Placement => {
    const { holds, ...found } = day.servesAt(each, start)
      ? day.refusalAt(each, start)
      : { reason: 'NOT_IN_ZONE' as const, holder: null, holds: [], schedule: null };
    // A sold visit displaces what is only held.
    const reason = holds.length > 0 ? null : found.reason;
    const free = reason === null && each.reason === null;
    return {
      ...found,
      start,
      free,
      reason,
      holds,
      detourKm: free ? detourAt(day, each, start, { place: visit.place, placeOf }) : null,
    };
  });
  const keepsTeam = each.team.id === visit.teamId;
  const usedMinutes = heldMinutesOn(day, each);
  const best = bestOf(day, slots, visit, { keepsTeam, usedMinutes });
  return { each, rank: null, keepsTeam, usedMinutes, best, slots };
}

/** The best of the free and offered starts; of equal ones the first. */
function bestOf(
  day: TeamsOnDate,
  slots: readonly Placement[],
  { startsAt, first, backFrom }: SoldVisit,
  team: { keepsTeam: boolean; usedMinutes: number },
): TeamPlacements['best'] {
  const now = timeOf(startsAt);
  const isAway = (at: Instant): boolean =>
    team.keepsTeam && backFrom !== undefined && (at < backFrom || at === startsAt);
  const candidates = slots
    .filter(({ free, start }) => free && day.problemAt(start) === null && !isAway(start * MINUTE))
    .map(({ start, detourKm, holds }) => ({
      ...team,
      date: day.date,
      start,
      detourKm: detourKm!,
      isHeld: holds.length > 0,
      keepsTime: timeOf(start * MINUTE) === now,
      minutesAway: minutesApart(timeOf(start * MINUTE), now),
    }));
  return candidates.sort((a, b) => comparePlaces(a, b, first))[0] ?? null;
}

function minutesApart(one: string, other: string): number {
  const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  return Math.abs(minutes(one) - minutes(other));
}

/** The detour in kilometres from and to the neighbours in the same shift. */
function detourAt(
  { rules }: TeamsOnDate,
  { shifts, held }: TeamOnDate,
  start: number,
  { place, placeOf }: { place: Place; placeOf: (appointmentId: string) => Place | null },
): number {
  const end = start + rules.durationMinutes;
  const shift = shifts.find(({ from, until }) => from <= start && end <= until);
  const inShift = held.filter(({ from, until }) => shift && from < shift.until && shift.from < until);
  const before = inShift.findLast(({ from }) => from < start);
  const after = inShift.find(({ from }) => from >= end);
  const at = (neighbour: HeldRow | undefined) => (neighbour === undefined ? null : placeOf(neighbour.id));
  return Math.round(detour(at(before), place, at(after)) * 10) / 10;
}

function heldMinutesOn({ midnight }: TeamsOnDate, { held }: TeamOnDate): number {
  return held.reduce(
    (sum, { from, until }) => sum + Math.max(0, Math.min(until, midnight + 1_440) - Math.max(from, midnight)),
    0,
  );
}
