import { HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { toDecimal, toHalalas } from '../base/money.ts';

/** The fees of changes, as pure rules. Fees are halalas, times instants. */

export const CHANGE_ACTIONS = ['cancel', 'reschedule'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** The fee from that many hours before the start on: a part of the price, or SAR. */
export type FeeStep = { hoursBefore: number } & ({ percent: number } | { amount: number });

/** The terms of a policy, as stored and as in the operator's interface. */
export type Terms = {
  /** After the booking was made, in which nothing costs anything. */
  graceMinutes: number;
  /** The earliest first. */
  cancel: FeeStep[];
  reschedule: FeeStep[];
  /** Of the price, once the start has passed or the work has begun. */
  afterStartPercent: number;
  /** Of the price, when the customer is the cause that the visit was not done. */
  noShowPercent: number;
  /** null: any number. */
  maxReschedules: number | null;
};

/** Why a visit could not be done. */
export const OUTCOMES = ['CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED', 'UNSAFE', 'CREW', 'WEATHER'] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** Those of which the customer is the cause. */
const CUSTOMER_CAUSES: readonly Outcome[] = ['CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED'];

/** A fee of a booking, as stored. */
export type Fee = {
  action: ChangeAction;
  /** SAR, exact. */
  amount: string;
  at: Instant;
  /** The start from which fees count after a move that was made when one was due; null: none was due. */
  counts_from: Instant | null;
};

/** A booking that a policy holds for. */
export type Charged = {
  terms: Terms;
  /** SAR, exact. */
  price: string;
  createdAt: Instant;
  startsAt: Instant;
  hasBegun: boolean;
  /** Earlier fees, oldest first. */
  fees: readonly Fee[];
};

/** The fee of the action now. Earlier fees and this one are never more than the price. */
export function feeOf(action: ChangeAction, booking: Charged, now: Instant): number {
  return Math.min(fullFee(action, booking, now), toHalalas(booking.price) - totalOf(booking.fees));
}

function fullFee(action: ChangeAction, booking: Charged, now: Instant): number {
  const { terms, price } = booking;
  if (booking.hasBegun || now > booking.startsAt) return percentOf(price, terms.afterStartPercent);
  const step = isFree(booking, now) ? null : stepAt(terms[action], countsFrom(booking), now);
  if (step === null) return 0;
  return 'percent' in step ? percentOf(price, step.percent) : toHalalas(toDecimal(step.amount));
}

/** The fee of a visit that could not be done; null: the customer was not the cause, and nothing is charged. */
export function noShowFee(outcome: Outcome, { terms, price, fees }: Charged): number | null {
  if (!CUSTOMER_CAUSES.includes(outcome)) return null;
  return Math.min(percentOf(price, terms.noShowPercent), toHalalas(price) - totalOf(fees));
}

/** The part of the price, rounded half up. */
export function percentOf(price: string, percent: number): number {
  return Math.floor((toHalalas(price) * percent + 50) / 100);
}

/** The sum of fees, in halalas. */
export function totalOf(fees: readonly Pick<Fee, 'amount'>[]): number {
  return fees.reduce((sum, { amount }) => sum + toHalalas(amount), 0);
}

/** The last instant at which the action still costs as much as now; null: it keeps doing so. */
export function validUntil(action: ChangeAction, booking: Charged, now: Instant): Instant | null {
  const { terms, createdAt, startsAt } = booking;
  const limits = terms[action].map(({ hoursBefore }) => countsFrom(booking) - hoursBefore * HOUR);
  const fee = feeOf(action, booking, now);
  const next = [...limits, createdAt + terms.graceMinutes * MINUTE, startsAt]
    .sort((a, b) => a - b)
    .find((limit) => limit >= now && feeOf(action, booking, limit + 1) !== fee);
  return next ?? null;
}

/** `counts_from` of a move now: afterwards no fee counts from a later start. */
export function countsFromAfterMove(booking: Charged, now: Instant): Instant | null {
  const { cancel, reschedule } = booking.terms;
  if (isFree(booking, now)) return null;
  const start = countsFrom(booking);
  return stepAt([...cancel, ...reschedule], start, now) === null ? null : start;
}

/** The start from which fees count: the earliest of those that it was moved from when a fee was due. */
function countsFrom({ startsAt, fees }: Charged): Instant {
  return fees.reduce((earliest, { counts_from }) => Math.min(earliest, counts_from ?? earliest), startsAt);
}

const isFree = ({ terms, createdAt }: Charged, now: Instant): boolean =>
  terms.graceMinutes > 0 && now <= createdAt + terms.graceMinutes * MINUTE;

/** The step that holds now, the one nearest to the start; null: none. */
function stepAt(steps: readonly FeeStep[], start: Instant, now: Instant): FeeStep | null {
  return steps
    .filter(({ hoursBefore }) => now > start - hoursBefore * HOUR)
    .reduce<FeeStep | null>((a, b) => (a === null || b.hoursBefore < a.hoursBefore ? b : a), null);
}

/** Number of moves by the booking's partner. */
export function movesOf(fees: readonly Pick<Fee, 'action'>[]): number {
  return fees.filter(({ action }) => action === 'reschedule').length;
}
