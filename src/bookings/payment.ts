import { randomUUID } from 'node:crypto';
import type { Instant } from '../clock.ts';
import type { Tx } from '../platform/db.ts';
import { type LockedBooking, lockBooking, saveCustomerPayment, savePaymentFailure } from './queries.ts';
import { bookingAfter, paymentAfter } from './rules.ts';

/** Locks a booking for what happens to its payment; the booking first, then the payment: everywhere in this order. */
export async function lockForPayment(tx: Tx, bookingId: string): Promise<LockedBooking> {
  const booking = await lockBooking(tx, null, bookingId);
  if (booking === null) throw new Error('a payment without its booking');
  return booking;
}

/**
 * The customer has paid by the link (section 3, PLATFORM): waiting payment → in progress, PAID. No event: the
 * contract has none for it, partners read the status. Answers false when the booking does not wait for payment.
 */
export async function customerPaid(tx: Tx, now: Instant, booking: LockedBooking): Promise<boolean> {
  const status = bookingAfter('customerPaid', booking.status);
  const paymentStatus = paymentAfter('customerPaid', booking.payment_status);
  if (status === null || paymentStatus === null) return false;
  await saveCustomerPayment(tx, now, booking.id, { status, paymentStatus });
  return true;
}

/**
 * The payment has failed for good: waiting payment → failed, FAILED, the team is free again, and
 * booking.payment_failed tells why (section 6). Answers false when the booking does not wait for payment.
 */
export async function paymentFailed(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  reason: string,
  actor: string,
): Promise<boolean> {
  const status = bookingAfter('paymentFailed', booking.status);
  const paymentStatus = paymentAfter('paymentFailed', booking.payment_status);
  if (status === null || paymentStatus === null) return false;
  await savePaymentFailure(
    tx,
    now,
    booking.id,
    { status, paymentStatus },
    {
      id: randomUUID(),
      name: 'booking.payment_failed',
      payload: { bookingId: booking.id, reason },
      actor,
    },
  );
  return true;
}
