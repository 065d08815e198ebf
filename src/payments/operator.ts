import type { Clock, Instant } from '../base/clock.ts';
import { ApiError, orNotFound, validationError } from '../base/errors.ts';
import { toDecimal, toHalalas, toSar } from '../base/money.ts';
import type { LockedBooking } from '../bookings/change-queries.ts';
import { saveFees } from '../bookings/fee-changes.ts';
import { bookingRefunded, lockForPayment } from '../bookings/payment.ts';
import {
  REFUND_STATUSES,
  type RefundStatus,
  refundableOf as refundablePart,
  shownRefund,
} from '../bookings/refund.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { paging } from '../http/envelope.ts';
import { isSettled, withTotal } from '../policies/ledger.ts';
import {
  findOperatorPayment,
  listPaymentRows,
  listPaymentsOf,
  lockOperatorPayment,
  type OperatorPaymentRow,
  requestRefund,
  requestResend,
  saveDecision,
  saveManualRefund,
} from './operator-queries.ts';
import type { PaymentsQuery } from './operator-schema.ts';
import { paymentRecord } from './operator-view.ts';
import { endOfLink, type RefundTrigger, refundAfter, UNSENT_AFTER } from './rules.ts';
import { pendingRefunds } from './settle.ts';
import { addManualRefunds, listCharges } from './step-queries.ts';

/** A page of all partners' payments by link, newest first. */
export function searchPayments(
  db: Queryable,
  now: Instant,
  { late, unsent, search, ...query }: PaymentsQuery,
): Promise<Page<OperatorPaymentRow>> {
  const wanted = search?.trim();
  const filter = {
    ...query,
    ...(late !== undefined && { late: late === 'true' }),
    ...(unsent !== undefined && { unsent: { step: unsent, before: now - UNSENT_AFTER } }),
    ...(wanted && { search: wanted }),
  };
  return listPaymentRows(db, filter, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readPayment(db: Queryable, paymentId: string): Promise<OperatorPaymentRow> {
  return orNotFound(findOperatorPayment(db, paymentId), 'Payment');
}

/** The payments of the bookings, by booking; most have none. */
export async function paymentsByBooking(
  db: Queryable,
  bookingIds: readonly string[],
): Promise<Map<string, OperatorPaymentRow>> {
  if (bookingIds.length === 0) return new Map();
  return new Map((await listPaymentsOf(db, bookingIds)).map((row) => [row.booking_id, row]));
}

/**
 * Makes the worker send the same link again now. A failure of that does not fail the payment: only a link that was
 * never sent does. Throws RESOURCE_NOT_FOUND, and INVALID_TRANSITION when no link can be paid.
 */
export function resendLink(
  db: Db,
  now: Instant,
  actor: Actor,
  paymentId: string,
): Promise<OperatorPaymentRow> {
  return change(db, now, { actor, action: 'payment.resend', paymentId }, async (tx, before) => {
    if (before.status !== 'OPEN')
      throw new ApiError('INVALID_TRANSITION', 'There is no open payment link', {
        from: before.status,
        allowedFrom: ['OPEN'],
      });
    if (now >= endOfLink(before))
      throw new ApiError('INVALID_TRANSITION', 'The payment link has expired', {
        from: before.status,
      });
    await requestResend(tx, now, before);
  });
}

/** Makes a failed refund due again. Throws RESOURCE_NOT_FOUND and INVALID_TRANSITION. */
export function retryRefund(
  db: Db,
  now: Instant,
  actor: Actor,
  paymentId: string,
): Promise<OperatorPaymentRow> {
  return change(db, now, { actor, action: 'payment.refund_retry', paymentId }, async (tx, before) => {
    await requestRefund(tx, now, before.id, refundStatusAfter('retried', before));
  });
}

/**
 * Records a manual refund; `reference` identifies it. Refused while a worker has claimed the payment, which may be
 * making the refund itself. Throws RESOURCE_NOT_FOUND and INVALID_TRANSITION.
 */
export function markRefundDone(
  db: Db,
  clock: Clock,
  actor: Actor,
  { id, reference }: { id: string; reference: string },
): Promise<OperatorPaymentRow> {
  const now = clock.now();
  return change(db, now, { actor, action: 'payment.refund_done', paymentId: id }, async (tx, before) => {
    const status = refundStatusAfter('doneByHand', before);
    // Leases are in real time.
    const isClaimed = before.leased_until !== null && before.leased_until > now - clock.offset();
    if (before.refund_status === 'PENDING' && isClaimed)
      throw new ApiError('INVALID_TRANSITION', 'The gateway is making the refund at this moment', {
        from: before.refund_status,
        hints: [
          'read the payment again in a moment: by then the refund is done, has failed, or waits for its next attempt',
        ],
      });
    const charges = await listCharges(tx, before.id);
    const shares = pendingRefunds(before, charges);
    await addManualRefunds(
      tx,
      now,
      before.id,
      shares.map(({ reference: payment, share }) => ({ reference: payment, amount: toSar(share) })),
    );
    const amount = before.refund_amount ?? before.paid_amount!;
    await saveManualRefund(tx, now, before.id, {
      status,
      reference: reference.trim(),
      by: actor,
      amount,
    });
    await bookingRefunded(tx, now, before.booking_id, actor);
  });
}

/**
 * Records the operator's decision to refund `amount` (SAR), or all, also of what a policy has kept; the worker makes the
 * refund. Throws
 * RESOURCE_NOT_FOUND, INVALID_TRANSITION when there is nothing to decide, and VALIDATION_ERROR.
 */
export function decideRefund(
  db: Db,
  now: Instant,
  actor: Actor,
  { id, amount, reason }: { id: string; amount?: number; reason: string },
): Promise<OperatorPaymentRow> {
  return change(db, now, { actor, action: 'payment.refund', paymentId: id }, async (tx, before, booking) => {
    assertToDecide(before);
    const refundable = refundableOf(before);
    const wanted = amount === undefined ? refundable : toHalalas(toDecimal(amount));
    if (wanted > refundable)
      throw validationError(
        [`amount must not be greater than ${toSar(refundable)}`],
        [`amount: ${toSar(refundable)} SAR can be refunded; leave amount out to refund all of it`],
      );
    const kept = refundable - wanted;
    await saveDecision(tx, now, before.id, {
      kept: toSar(kept),
      reason: reason.trim(),
      by: actor,
      refund: {
        status: refundAfter('asked', before.refund_status) ?? before.refund_status,
        amount: toSar(toHalalas(before.paid_amount!) - kept),
      },
    });
    await keep(tx, now, booking, { kept, by: actor });
  });
}

/** Records the operator's decision to refund nothing. Throws as decideRefund does. */
export function declineRefund(
  db: Db,
  now: Instant,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
): Promise<OperatorPaymentRow> {
  return change(
    db,
    now,
    { actor, action: 'payment.refund_decline', paymentId: id },
    async (tx, before, booking) => {
      if (!before.refund_to_decide) throw nothingToDecide(before);
      const kept = refundableOf(before);
      await saveDecision(tx, now, before.id, {
        kept: toSar(kept),
        reason: reason.trim(),
        by: actor,
        refund: null,
      });
      await keep(tx, now, booking, { kept, by: actor });
    },
  );
}

export const TO_DECIDE_HINT =
  'a refund is decided on when a booking was cancelled after its work had begun, and only once: read the payment';

/** Throws INVALID_TRANSITION unless there is a refund to decide on, or a policy has kept something: that is given back once. */
function assertToDecide(payment: OperatorPaymentRow): void {
  const isByPolicy = payment.decided_by === 'policy' && refundableOf(payment) > 0;
  if (!payment.refund_to_decide && !isByPolicy) throw nothingToDecide(payment);
}

/** Halalas that a decision is about: what the policy has kept, else the kept part of the price. */
function refundableOf(payment: OperatorPaymentRow): number {
  const { amount, kept_amount: kept } = payment;
  return refundablePart(payment, kept ?? amount);
}

/** The decision in the ledger of the booking's fees: what was kept by a policy is waived. */
async function keep(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  { kept, by }: { kept: number; by: Actor },
): Promise<void> {
  const fees = booking.fees ?? [];
  const cause = isSettled(fees) ? 'WAIVED' : 'DECIDED';
  const action = cause === 'WAIVED' ? 'waive' : 'decide';
  await saveFees(tx, now, booking, { fees: withTotal(fees, kept, { action, at: now, by }), cause, by });
}

function nothingToDecide(payment: OperatorPaymentRow): ApiError {
  return new ApiError('INVALID_TRANSITION', 'There is no refund to decide on', {
    from: shownRefund(payment),
    allowedFrom: ['TO_DECIDE'],
    hints: [TO_DECIDE_HINT],
  });
}

/** An operator's change of a payment with its audit row, which is also in the booking's history. */
function change(
  db: Db,
  now: Instant,
  { actor, action, paymentId }: { actor: Actor; action: string; paymentId: string },
  write: (tx: Tx, before: OperatorPaymentRow, booking: LockedBooking) => Promise<void>,
): Promise<OperatorPaymentRow> {
  return db.transaction(async (tx) => {
    const { booking_id: bookingId } = await readPayment(tx, paymentId);
    // The booking first, then the payment: everywhere in this order.
    const booking = await lockForPayment(tx, bookingId);
    const before = await orNotFound(lockOperatorPayment(tx, paymentId), 'Payment');
    await write(tx, before, booking);
    const after = await readPayment(tx, before.id);
    const target = `booking:${before.booking_id}`;
    const states = { before: paymentRecord(before), after: paymentRecord(after) };
    await audit(tx, now, { actor, action, target, ...states });
    return after;
  });
}

/** The refund's status after the trigger. Throws INVALID_TRANSITION. */
function refundStatusAfter(
  trigger: RefundTrigger,
  { refund_status: from }: Pick<OperatorPaymentRow, 'refund_status'>,
): RefundStatus {
  const to = refundAfter(trigger, from);
  if (to !== null) return to;
  throw new ApiError('INVALID_TRANSITION', REFUND_REFUSALS[from], {
    from,
    allowedFrom: REFUND_STATUSES.filter((status) => refundAfter(trigger, status) !== null),
  });
}

const REFUND_REFUSALS = {
  NONE: 'There is nothing to refund',
  PENDING: 'The refund is being made',
  DONE: 'The payment has already been refunded',
  FAILED: 'The refund has failed',
} as const satisfies Record<RefundStatus, string>;
