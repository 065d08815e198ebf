import { customerPaid, lockForPayment, paymentFailed } from '../bookings/payment.ts';
import type { Instant } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import type { GatewayStatus } from './gateway.ts';
import { lockPayment, markLinkClosed, saveEnding } from './queries.ts';
import { type FailureReason, isExactAmount } from './rules.ts';

/** Who is behind what happens to payments by themselves, in histories. */
const ACTOR = 'payments';

/**
 * Makes what the gateway says of a link true here; the same answer twice changes nothing more. Money is believed only
 * as the gateway's own answer, never as a notification. What arrives for a booking that waits no longer, or in
 * another amount than owed, goes back.
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
      const [ending, reason] = END[state];
      if (await paymentFailed(tx, now, booking, reason, ACTOR)) {
        await saveEnding(tx, now, row.id, {
          status: ending,
          failureReason: reason,
          paid: null,
          refundStatus: 'NONE',
        });
      }
      await markLinkClosed(tx, now, row.id);
      return;
    }
    await markLinkClosed(tx, now, row.id);
    if (row.paid_at !== null) return;
    const paid = { at: status.paidAt ?? now, amount: status.paidAmount ?? '0' };
    const exact = isExactAmount(row.amount, status.paidAmount, status.currency);
    if (exact && (await customerPaid(tx, now, booking))) {
      await saveEnding(tx, now, row.id, { status: 'PAID', failureReason: null, paid, refundStatus: 'NONE' });
      return;
    }
    const failed = !exact && (await paymentFailed(tx, now, booking, 'AMOUNT_MISMATCH', ACTOR));
    await saveEnding(tx, now, row.id, {
      status: failed ? 'FAILED' : row.status,
      failureReason: failed ? 'AMOUNT_MISMATCH' : null,
      paid,
      refundStatus: 'PENDING',
    });
  });
}

const END = {
  failed: ['FAILED', 'PAYMENT_FAILED'],
  closed: ['EXPIRED', 'LINK_EXPIRED'],
} as const;

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
    if (!(await paymentFailed(tx, now, booking, reason, ACTOR))) return;
    await saveEnding(tx, now, row.id, {
      status: reason === 'LINK_EXPIRED' ? 'EXPIRED' : 'FAILED',
      failureReason: reason,
      paid: null,
      refundStatus: row.refund_status,
    });
  });
}
