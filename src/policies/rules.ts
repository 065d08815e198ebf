import { HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { toDecimal, toHalalas, toSar } from '../base/money.ts';
import { chargesOf, type FeeEntry, totalOf, waivedAhead } from './ledger.ts';
import type { ChangeAction, Outcome } from './words.ts';

/** The fees of changes, as pure rules. Fees are halalas, times instants. */

/** The fee from that many hours before the start on: a part of the price, or SAR. */
export type FeeStep = { hoursBefore: number } & ({ percent: number } | { amount: number });

/** The terms of a policy, as stored and as in the operator's interface. */
export type Terms = {
  /** After the booking was made, in which nothing costs anything. */
  graceMinutes: number;
  /** The earliest first. */
  cancel: FeeStep[];
  reschedule: FeeStep[];
  /** Of the price, once the work has begun, or the start has passed and the crew is there. */
  afterStartPercent: number;
  /** Of the price, when the customer is the cause that the visit was not done. */
  noShowPercent: number;
  /** null: any number. */
  maxReschedules: number | null;
};

/** Those of which the customer is the cause. */
const CUSTOMER_CAUSES: readonly Outcome[] = ['CUSTOMER_ABSENT', 'NO_ACCESS', 'REFUSED'];

/** A booking that a policy holds for. */
export type Charged = {
  terms: Terms;
  /** SAR, exact. */
  price: string;
  createdAt: Instant;
  startsAt: Instant;
  /** How far the visit has come by what was reported: `NOT_DONE` without a known reason. */
  visit: 'AHEAD' | 'THERE' | 'BEGUN' | 'NOT_DONE';
  /** Oldest first. */
  fees: readonly FeeEntry[];
};

/** Milliseconds: an operator's change of the start that is smaller leaves fees as they are. */
const FREES_FROM = 30 * MINUTE;

/**
 * The fee of the action now; null: nobody knows why the visit has not begun, and the operator decides on it. Earlier fees
 * and this one are never more than the price.
 */
export function feeOf(action: ChangeAction, booking: Charged, now: Instant): number | null {
  const fee = fullFee(action, booking, now);
  return fee === null ? null : Math.min(fee, restOf(booking));
}

/** The part of the price that earlier fees have left. */
const restOf = ({ price, fees }: Charged): number => toHalalas(price) - totalOf(fees);

function fullFee(action: ChangeAction, booking: Charged, now: Instant): number | null {
  const { terms, price, visit, startsAt, fees } = booking;
  const isPast = now > startsAt;
  if (visit === 'BEGUN' || (visit === 'THERE' && isPast)) return percentOf(price, terms.afterStartPercent);
  // The clock alone begins no work.
  if (visit === 'NOT_DONE' || isPast) return action === 'cancel' ? null : 0;
  const { countsFrom, due } = standingOf(booking);
  if (due !== null) return Math.max(0, toHalalas(due[action]) - waivedAhead(fees));
  const step = isFree(booking, now) ? null : stepAt(terms[action], countsFrom, now);
  if (step === null) return 0;
  return 'percent' in step ? percentOf(price, step.percent) : toHalalas(toDecimal(step.amount));
}

/** The fee of a visit that could not be done; null: the customer was not the cause, and nothing is charged. */
export function noShowFee(outcome: Outcome, booking: Charged): number | null {
  return CUSTOMER_CAUSES.includes(outcome) ? mostDecidable(booking) : null;
}

/** The largest fee that a decision on a visit can set, whose reason nobody knows. */
export const mostDecidable = (booking: Charged): number =>
  Math.min(percentOf(booking.price, booking.terms.noShowPercent), restOf(booking));

/** The part of the price, rounded half up. */
export function percentOf(price: string, percent: number): number {
  return Math.floor((toHalalas(price) * percent + 50) / 100);
}

/** The last instant at which the action still costs as much as now; null: it keeps doing so. */
export function validUntil(action: ChangeAction, booking: Charged, now: Instant): Instant | null {
  const { terms, createdAt, startsAt } = booking;
  const { countsFrom } = standingOf(booking);
  const limits = terms[action].map(({ hoursBefore }) => countsFrom - hoursBefore * HOUR);
  const fee = feeOf(action, booking, now);
  const next = [...limits, createdAt + terms.graceMinutes * MINUTE, startsAt]
    .sort((a, b) => a - b)
    .find((limit) => limit >= now && feeOf(action, booking, limit + 1) !== fee);
  return next ?? null;
}

/** `counts_from` of a move by the partner now: afterwards no fee counts from a later start. */
export function countsFromAfterMove(booking: Charged, now: Instant): Instant | null {
  const { cancel, reschedule } = booking.terms;
  const { countsFrom, due } = standingOf(booking);
  if (due !== null || isFree(booking, now)) return null;
  return stepAt([...cancel, ...reschedule], countsFrom, now) === null ? null : countsFrom;
}

/**
 * The ledger after the operator, whom the customer did not ask, has moved the visit to the start: later changes cost what
 * was due by her own choice before, unless the move is a small one.
 */
export function afterOperatorsMove(
  booking: Charged,
  now: Instant,
  { startsAt, by }: { startsAt: Instant; by: string },
): FeeEntry[] {
  const { chosen, countsFrom, due } = standingOf(booking);
  const isSmall = [booking.startsAt, chosen].every((start) => Math.abs(startsAt - start) < FREES_FROM);
  const kept = due ?? (isSmall ? null : { cancel: dueOf('cancel'), reschedule: dueOf('reschedule') });
  const entry = { action: 'move' as const, at: now, by, counts_from: countsFrom, chosen };
  // Not withTotal(0): what was waived ahead stays waived.
  return [...booking.fees, { ...entry, amount: toSar(0), ...(kept !== null && { due: kept }) }];

  // Whoever has paid for a move has paid for that choice.
  function dueOf(action: ChangeAction): string {
    const last = chargesOf(booking.fees).findLast((fee) => fee.action === 'reschedule');
    const isPaid = last !== undefined && toHalalas(last.amount) > 0;
    const isOver = booking.visit === 'NOT_DONE' || now > booking.startsAt;
    return toSar(isPaid || isOver ? 0 : (feeOf(action, booking, now) ?? 0));
  }
}

/** What the changes of the start so far mean for the next one. */
function standingOf({ startsAt, fees }: Charged): {
  /** The start that the partner's side chose last. */
  chosen: Instant;
  /** The start from which fees count: the earliest of those that it was moved from when a fee was due. */
  countsFrom: Instant;
  /** SAR, after a move by the operator; null: fees count. */
  due: Record<ChangeAction, string> | null;
} {
  const last = fees.findLast(({ action }) => action === 'reschedule' || action === 'move');
  const chosen = last?.chosen ?? startsAt;
  return { chosen, countsFrom: Math.min(chosen, last?.counts_from ?? chosen), due: last?.due ?? null };
}

const isFree = ({ terms, createdAt }: Charged, now: Instant): boolean =>
  terms.graceMinutes > 0 && now <= createdAt + terms.graceMinutes * MINUTE;

/** The step that holds now, the one nearest to the start; null: none. */
function stepAt(steps: readonly FeeStep[], start: Instant, now: Instant): FeeStep | null {
  return steps
    .filter(({ hoursBefore }) => now > start - hoursBefore * HOUR)
    .reduce<FeeStep | null>((a, b) => (a === null || b.hoursBefore < a.hoursBefore ? b : a), null);
}
