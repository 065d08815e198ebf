import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { toDecimal, toHalalas, toSar } from '../base/money.ts';
import {
  type ChangeAction,
  type Charged,
  countsFromAfterMove,
  type Fee,
  feeOf,
  movesOf,
  noShowFee,
  totalOf,
  validUntil,
} from '../policies/rules.ts';
import type { LockedBooking } from './change-queries.ts';
import { quoteView } from './quote-view.ts';
import { BEGUN } from './rules.ts';

/** The fees of a booking's changes by the policy that it is under. */

/** The fee of a change now and the earlier ones, in halalas, and until when it is that. */
export type Quoted = { action: ChangeAction; fee: number; earlier: number; validUntil: Instant | null };

/**
 * A booking whose policy charges nothing any more, earlier moves included: it has failed, the operator cancelled its
 * appointment, or its visit could not be done by no fault of the customer.
 */
function isWaived(booking: LockedBooking): boolean {
  const { status, appointment_status: visit, outcome } = booking;
  const charged = outcome === null ? null : chargedOf(booking);
  const isOurs = outcome !== null && charged !== null && noShowFee(outcome, charged) === null;
  return status === 'failed' || visit === 'Cancelled' || isOurs;
}

/** The fee of a change by the partner; null: the booking is under no policy. */
export function quoteOf(action: ChangeAction, booking: LockedBooking, now: Instant): Quoted | null {
  const charged = chargedOf(booking);
  if (charged === null) return null;
  if (isWaived(booking)) return { action, fee: 0, earlier: 0, validUntil: null };
  const earlier = totalOf(charged.fees);
  if (booking.outcome !== null && action === 'cancel')
    return { action, fee: noShowFee(booking.outcome, charged)!, earlier, validUntil: null };
  return {
    action,
    fee: feeOf(action, charged, now),
    earlier,
    validUntil: validUntil(action, charged, now),
  };
}

/** Throws FEE_CHANGED with the quote when the fee is higher than the one that was agreed to. */
export function assertFee(
  booking: LockedBooking,
  action: ChangeAction,
  quoted: Quoted | null,
  maxFee: number | undefined,
): void {
  if (quoted === null || maxFee === undefined || quoted.fee <= toHalalas(toDecimal(maxFee))) return;
  throw new ApiError('FEE_CHANGED', 'The fee is higher than maxFee: nothing was changed', {
    quote: quoteView(booking, action, quoted),
    hints: ['show the fee to the customer, and send the request again with it as maxFee'],
  });
}

/** The fees after the change; without a policy as they were. */
export function feesAfter(booking: LockedBooking, quoted: Quoted | null, now: Instant): Fee[] | null {
  const charged = chargedOf(booking);
  if (quoted === null || charged === null) return booking.fees;
  const counts_from = quoted.action === 'reschedule' ? countsFromAfterMove(charged, now) : null;
  const earlier = isWaived(booking) ? (waivedFees(booking) ?? []) : charged.fees;
  return [...earlier, { action: quoted.action, amount: toSar(quoted.fee), at: now, counts_from }];
}

/** The fees after the operator has ended the booking: it costs nothing, its moves neither. */
export function waivedFees({ fees }: Pick<LockedBooking, 'fees'>): Fee[] | null {
  return fees?.map((fee) => ({ ...fee, amount: toSar(0) })) ?? null;
}

/** Throws BOOKING_NOT_EDITABLE when the policy allows no further move. */
export function assertMovesLeft({ terms, fees, status }: LockedBooking): void {
  const most = terms?.maxReschedules ?? null;
  const moves = movesOf(fees ?? []);
  if (most === null || moves < most) return;
  throw new ApiError('BOOKING_NOT_EDITABLE', 'The policy allows no further rescheduling of the booking', {
    status,
    maxReschedules: most,
    reschedules: moves,
    hints: ['notes and externalReference can still be changed, without date and timeslot'],
  });
}

/** Halalas of the price that are kept of a payment when the booking is cancelled with these fees. */
export const keptBy = (fees: readonly Fee[]): number => totalOf(fees);

function chargedOf(booking: LockedBooking): Charged | null {
  if (booking.terms === null) return null;
  return {
    terms: booking.terms,
    price: booking.amount,
    createdAt: booking.created_at,
    startsAt: booking.starts_at,
    hasBegun: hasBegun(booking),
    fees: booking.fees ?? [],
  };
}

/** The condition of the trigger cancel_payment. */
export const hasBegun = (booking: LockedBooking): boolean =>
  booking.has_begun || BEGUN.includes(booking.appointment_status);
