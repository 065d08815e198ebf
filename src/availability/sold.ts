import { type Instant, MINUTE } from '../base/clock.ts';
import { type SlotProblem, type SlotRules, startProblem } from './rules.ts';

/** The rules of changes of a sold visit, for every kind of change. Pure. */

export type Period = { startsAt: Instant; endsAt: Instant };

/** The time and zone of a sold visit. */
export type Sold = Period & { zoneId: string };

/** Zone and rules of the service at the address today. */
export type Offer = {
  /** The active zone that covers the address; null: none. */
  zoneId: string | null;
  /** null: the service cannot be booked there. */
  rules: SlotRules | null;
};

/** `zoneIds`: the team must serve one of them. */
export type AllowedZones = { problem: SlotProblem } | { problem: null; zoneIds: readonly string[] };

/** The length in minutes. */
export const lengthOf = ({ startsAt, endsAt }: Period): number => (endsAt - startsAt) / MINUTE;

const isSamePeriod = (sold: Period, to: Period): boolean =>
  sold.startsAt === to.startsAt && sold.endsAt === to.endsAt;

/**
 * The zones of which a team for the visit must serve one, or the problem of the time. The sold time is not checked
 * again (notice, horizon, grid, length, catalogue); another one must obey today's rules, with the sold length. The
 * caller checks the team's skill, shifts, time off and holds in both cases.
 */
export function allowedZones(sold: Sold, to: Period, offer: Offer, now: Instant): AllowedZones {
  if (isSamePeriod(sold, to)) {
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
