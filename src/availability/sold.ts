import { type Instant, MINUTE } from '../base/clock.ts';
import { type SlotProblem, type SlotRules, startProblem } from './rules.ts';

/** What a change of a visit that is sold is asked. Pure: the one place that every kind of change goes by. */

export type Period = { startsAt: Instant; endsAt: Instant };

/** A visit as it is sold. */
export type Sold = Period & { zoneId: string };

/** What partners are offered at the address today. */
export type Offer = {
  /** The active zone that covers the address; null: none. */
  zoneId: string | null;
  /** null: the service cannot be booked there. */
  rules: SlotRules | null;
};

/** `zoneIds`: a team must serve one of them. */
export type Asked = { problem: SlotProblem } | { problem: null; zoneIds: readonly string[] };

/** Minutes. */
export const lengthOf = ({ startsAt, endsAt }: Period): number => (endsAt - startsAt) / MINUTE;

/** Are start and end those that were sold? */
export const keepsPeriod = (sold: Period, to: Period): boolean =>
  sold.startsAt === to.startsAt && sold.endsAt === to.endsAt;

/**
 * Why no team may do the visit at that time, else which zones a team for it serves. A time that was sold is asked nothing
 * that was asked then (notice, horizon, grid, length, catalogue). Another one obeys today's rules of slots, but with the
 * length that was sold. Each team is asked for its skill, shift and time off, and for no overlap, in both cases.
 */
export function askedOf(sold: Sold, to: Period, offer: Offer, now: Instant): Asked {
  if (keepsPeriod(sold, to)) {
    const { zoneId: today } = offer;
    const zoneIds = today === null || today === sold.zoneId ? [sold.zoneId] : [sold.zoneId, today];
    return { problem: null, zoneIds };
  }
  const { zoneId, rules } = offer;
  if (zoneId === null || rules === null) return { problem: 'SLOT_NOT_OFFERED' };
  const problem = startProblem(rules, to.startsAt / MINUTE, now);
  if (problem !== null) return { problem };
  return lengthOf(to) === lengthOf(sold)
    ? { problem: null, zoneIds: [zoneId] }
    : { problem: 'SLOT_NOT_OFFERED' };
}
