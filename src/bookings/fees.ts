import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { toDecimal, toHalalas } from '../base/money.ts';
import {
  type FeeEntry,
  isSettled,
  isUndecided,
  movesOf,
  totalOf,
  waivedAhead,
  withTotal,
} from '../policies/ledger.ts';
import {
  afterOperatorsMove,
  type Charged,
  countsFromAfterMove,
  feeOf,
  mostDecidable,
  noShowFee,
  validUntil,
} from '../policies/rules.ts';
import type { ChangeAction, Outcome } from '../policies/words.ts';
import type { LockedBooking } from './change-queries.ts';
import { type Quoted, quoteView } from './quote-view.ts';
import { keptOf } from './refund.ts';
import { BEGUN, statusesIn } from './rules.ts';

/** The fees of a booking's changes by the policy that it is under. Sums are halalas. */

const DONE = statusesIn('done');

const nothing = (action: ChangeAction): Quoted => ({
  action,
  fee: 0,
  most: 0,
  earlier: 0,
  validUntil: null,
});

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

/** A partner who collects the money owes the visit once it is done, also without a policy. */
const isOwed = ({
  payment_responsibility: mode,
  status,
  appointment_status: visit,
}: LockedBooking): boolean => mode === 'PARTNER' && status !== 'failed' && DONE.includes(visit);

/** The rest of the price, after the fees of its moves. */
function doneWork({ amount, fees }: LockedBooking): Quoted {
  const earlier = totalOf(fees ?? []);
  const fee = toHalalas(amount) - earlier;
  return { action: 'cancel', fee, most: fee, earlier, validUntil: null };
}

/** The fee of a change by the partner; null: it is free, and the booking is under no policy. */
export function quoteOf(action: ChangeAction, booking: LockedBooking, now: Instant): Quoted | null {
  if (action === 'cancel' && isOwed(booking)) return doneWork(booking);
  const charged = chargedOf(booking);
  if (charged === null) return null;
  if (isWaived(booking)) return nothing(action);
  const isNoShow = booking.outcome !== null && action === 'cancel';
  const fee = isNoShow ? noShowFee(booking.outcome!, charged) : feeOf(action, charged, now);
  const quoted = {
    action,
    fee,
    most: fee ?? mostDecidable(charged),
    earlier: totalOf(charged.fees),
    validUntil: isNoShow ? null : validUntil(action, charged, now),
  };
  return action === 'cancel' ? collectable(booking, quoted) : quoted;
}

/**
 * A fee that nobody can collect is none: of a payment by link, more than was paid and not given back. Where nothing can be
 * charged, nothing is to be decided.
 */
function collectable(
  { payment_responsibility: mode, payment, amount }: LockedBooking,
  quoted: Quoted,
): Quoted {
  const byLink = payment === null ? 0 : Math.max(0, keptOf(payment));
  const paid = mode === 'PARTNER' ? toHalalas(amount) : byLink;
  const earlier = Math.min(quoted.earlier, paid);
  const most = Math.min(quoted.most, paid - earlier);
  if (quoted.fee === null && most + earlier > 0) return { ...quoted, most, earlier };
  return { ...quoted, fee: Math.min(quoted.fee ?? 0, most), most, earlier };
}

/** Throws FEE_CHANGED with the quote when the change may cost more than was agreed to. */
export function assertFee(
  booking: LockedBooking,
  action: ChangeAction,
  quoted: Quoted | null,
  maxFee: number | undefined,
): void {
  if (quoted === null || maxFee === undefined || quoted.most <= toHalalas(toDecimal(maxFee))) return;
  throw new ApiError('FEE_CHANGED', 'The fee is higher than maxFee: nothing was changed', {
    quote: quoteView(booking, action, quoted),
    hints: ['show the fee to the customer, and send the request again with it as maxFee'],
  });
}

/** Who made a change, other than the partner, and for whom. */
export type ChangedBy = Pick<FeeEntry, 'by' | 'on_behalf_of'>;

/** The ledger after a change that costs what was quoted; without a quote as it was. */
export function feesAfter(
  booking: LockedBooking,
  quoted: Quoted | null,
  now: Instant,
  by: ChangedBy = {},
): FeeEntry[] | null {
  const charged = chargedOf(booking);
  if (quoted === null) return booking.fees;
  const { action, fee, earlier } = quoted;
  return withTotal(booking.fees ?? [], earlier + (fee ?? 0), {
    action,
    at: now,
    ...by,
    ...(fee === null && { undecided: true as const }),
    ...(action === 'reschedule' && charged !== null && { counts_from: countsFromAfterMove(charged, now) }),
  });
}

/** The ledger after the operator has moved the booking to the start; without a policy as it was. */
export function feesAfterMove(
  booking: LockedBooking,
  now: Instant,
  move: { startsAt: Instant; by: string },
): FeeEntry[] | null {
  const charged = chargedOf(booking);
  return charged === null ? booking.fees : afterOperatorsMove(charged, now, move);
}

/** The ledger after the operator has ended the booking: it costs nothing, its moves neither. */
export function waivedFees(
  { fees }: Pick<LockedBooking, 'fees'>,
  now: Instant,
  by: string,
): FeeEntry[] | null {
  return fees === null || totalOf(fees) === 0 ? fees : withTotal(fees, 0, { action: 'end', at: now, by });
}

/** What may be kept of an ended booking with this outcome of its visit: after the first decision no more than now. */
export function keptAfterDecision(booking: LockedBooking, outcome: Outcome): number {
  const kept = keptByOutcome(booking, outcome);
  const fees = booking.fees ?? [];
  return isUndecided(fees) ? kept : Math.min(kept, totalOf(fees));
}

function keptByOutcome(booking: LockedBooking, outcome: Outcome): number {
  const charged = chargedOf(booking);
  if (charged === null) return 0;
  const ending = charged.fees.findIndex(({ action }) => action === 'cancel');
  const before = { ...charged, fees: ending < 0 ? charged.fees : charged.fees.slice(0, ending) };
  const fee = noShowFee(outcome, before);
  if (fee === null) return 0;
  const { earlier, most } = collectable(booking, {
    ...nothing('cancel'),
    fee,
    most: fee,
    earlier: totalOf(before.fees),
  });
  return earlier + most;
}

/** The ledger; a decision on a refund from before there was one is its first entry. */
export function ledgerOf({ fees, payment, cancelled_at: at }: LockedBooking): FeeEntry[] {
  const known = fees ?? [];
  const amount = payment?.kept_amount ?? null;
  if (amount === null || at === null || isSettled(known)) return known;
  return [...known, { action: 'decide', amount, at }];
}

/** What can be given back of a booking: what may be kept, and what is due after a move by the operator. */
export function waivable(booking: LockedBooking): number {
  const { payment, payment_responsibility: mode, status } = booking;
  const fees = ledgerOf(booking);
  const total = totalOf(fees);
  if (status === 'canceled')
    return mode === 'PARTNER' ? total : Math.min(total, payment === null ? 0 : keptOf(payment));
  const charged = chargedOf(booking);
  const due = fees.findLast(({ action }) => action === 'reschedule' || action === 'move')?.due;
  if (charged === null || due === undefined || charged.visit !== 'AHEAD') return total;
  return total + Math.max(0, toHalalas(due.cancel) - waivedAhead(fees));
}

export const NO_MOVES_LEFT_HINT =
  'notes and externalReference can still be changed, without date and timeslot';

/** Throws BOOKING_NOT_EDITABLE when the policy allows no further move. */
export function assertMovesLeft({ terms, fees, status }: LockedBooking): void {
  const most = terms?.maxReschedules ?? null;
  const moves = movesOf(fees ?? []);
  if (most === null || moves < most) return;
  throw new ApiError('BOOKING_NOT_EDITABLE', 'The policy allows no further rescheduling of the booking', {
    status,
    maxReschedules: most,
    reschedules: moves,
    hints: [NO_MOVES_LEFT_HINT],
  });
}

function chargedOf(booking: LockedBooking): Charged | null {
  if (booking.terms === null) return null;
  return {
    terms: booking.terms,
    price: booking.amount,
    createdAt: booking.created_at,
    startsAt: booking.starts_at,
    visit: visitOf(booking),
    fees: booking.fees ?? [],
  };
}

function visitOf(booking: LockedBooking): Charged['visit'] {
  if (booking.appointment_status === 'Cannot Complete') return 'NOT_DONE';
  if (hasBegun(booking)) return 'BEGUN';
  return booking.appointment_status === 'In The location' ? 'THERE' : 'AHEAD';
}

/** The condition of the trigger cancel_payment. */
export const hasBegun = (booking: LockedBooking): boolean =>
  booking.has_begun || BEGUN.includes(booking.appointment_status);
