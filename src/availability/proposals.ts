import type { CalendarDate } from '../base/clock.ts';

/** The order of places that are proposed for a visit: of teams and starts of a day, and of days. Pure. */

/** On one date first the visit's own time with any team, or its own team at any time (PROPOSED_FIRST). */
export const PROPOSED_FIRST = ['same-time', 'same-team'] as const;
export type ProposedFirst = (typeof PROPOSED_FIRST)[number];

export type ProposedPlace = {
  date: CalendarDate;
  keepsTime: boolean;
  keepsTeam: boolean;
  /** A customer holds the slot. */
  isHeld: boolean;
  /** Between its time of day and that of the visit. */
  minutesAway: number;
  detourKm: number;
  /** Held minutes of the team on the date. */
  usedMinutes: number;
};

/** Whether nothing on a later date comes before it, if it is on the first one. */
export const isFirstChoice = (place: ProposedPlace, first: ProposedFirst): boolean =>
  first === 'same-time' ? place.keepsTime : place.keepsTeam;

/** Compares two places: the better one comes first. */
export function comparePlaces(a: ProposedPlace, b: ProposedPlace, first: ProposedFirst): number {
  const byTime = Number(b.keepsTime) - Number(a.keepsTime);
  const byTeam = Number(b.keepsTeam) - Number(a.keepsTeam);
  return (
    (a.date < b.date ? -1 : a.date > b.date ? 1 : 0) ||
    (first === 'same-time' ? byTime || byTeam : byTeam || byTime) ||
    Number(a.isHeld) - Number(b.isHeld) ||
    a.minutesAway - b.minutesAway ||
    a.detourKm - b.detourKm ||
    a.usedMinutes - b.usedMinutes
  );
}
