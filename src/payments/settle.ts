import { customerPaid, lockForPayment, paymentFailed } from '../bookings/payment.ts';
import type { LockedBooking } from '../bookings/queries.ts';
import type { Instant } from '../clock.ts';
import type { Db, Tx } from '../db/connection.ts';
import type { GatewayStatus } from './gateway.ts';
import { lockPayment, type PaymentRow } from './queries.ts';
import { type FailureReason, isExactAmount, type LinkTrigger, linkAfter, refundAfter } from './rules.ts';
import { markLinkClosed, saveEnding } from './step-queries.ts';

/** Who is behind what happens to payments by themselves, in histories. */
const ACTOR = 'payments';

/**
 * Applies the status of a link that the gateway returned; applying it twice changes nothing more. A payment counts only
 * if the gateway returned it, never because of a notification. A payment for a booking that no longer waits for it, or
 * of another amount than owed, is refunded. Throws when the link is not saved yet: the worker is about to save it.
 */
export async function applyStatus(
  db: Db,
  now: Instant,
  payment: { id: string; booking_id: string },
  status: GatewayStatus,
): Promise<void> {
  const { state } = status;
  if (state === 'open') return;
  await db.transaction(async (tx) => {
    const booking = await lockForPayment(tx, payment.booking_id);
    const row = (await lockPayment(tx, payment.id))!;
    if (state !== 'paid') {
      const [trigger, reason] = END[state];
      await endWithoutMoney(tx, now, booking, row, trigger, reason);
      await markLinkClosed(tx, now, row.id);
      return;
    }
    await markLinkClosed(tx, now, row.id);
    if (row.paid_at !== null) return;
    if (row.status === 'CREATED') throw new Error('a payment was paid whose link is not saved');
    const paid = { at: status.paidAt ?? now, amount: status.paidAmount ?? '0' };
    const exact = isExactAmount(row.amount, status.paidAmount, status.currency);
    const settled = exact ? linkAfter('customerPaid', row.status) : null;
    if (settled !== null && (await customerPaid(tx, now, booking))) {
      const refundStatus = row.refund_status;
      await saveEnding(tx, now, row.id, { status: settled, failureReason: null, paid, refundStatus });
      return;
    }
    const failed = exact ? null : linkAfter('failed', row.status);
    const mismatch = failed !== null && (await paymentFailed(tx, now, booking, 'AMOUNT_MISMATCH', ACTOR));
    await saveEnding(tx, now, row.id, {
      status: mismatch ? failed : row.status,
      failureReason: mismatch ? 'AMOUNT_MISMATCH' : null,
      paid,
      refundStatus: refundAfter('asked', row.refund_status) ?? row.refund_status,
    });
  }, payment.booking_id);
}

const END = {
  failed: ['failed', 'PAYMENT_FAILED'],
  closed: ['expired', 'LINK_EXPIRED'],
} as const satisfies Record<string, [LinkTrigger, FailureReason]>;

/** Ends a payment that can no longer succeed, and its booking with it. Does nothing when it has ended already. */
export async function failPayment(
  db: Db,
  now: Instant,
  payment: { id: string; booking_id: string },
  reason: FailureReason,
): Promise<void> {
  await db.transaction(async (tx) => {
    const booking = await lockForPayment(tx, payment.booking_id);
    const row = (await lockPayment(tx, payment.id))!;
    const trigger = reason === 'LINK_EXPIRED' ? 'expired' : 'failed';
    await endWithoutMoney(tx, now, booking, row, trigger, reason);
  }, payment.booking_id);
}

/** Ends both the payment and its booking, or neither. Both must be locked. */
async function endWithoutMoney(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  payment: PaymentRow,
  trigger: LinkTrigger,
  reason: FailureReason,
): Promise<void> {
  const status = linkAfter(trigger, payment.status);
  if (status === null || !(await paymentFailed(tx, now, booking, reason, ACTOR))) return;
  await saveEnding(tx, now, payment.id, {
    status,
    failureReason: reason,
    paid: null,
    refundStatus: payment.refund_status,
  });
}
