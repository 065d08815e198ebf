import type { Instant } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Tx } from '../db/connection.ts';
import { type LockedBooking, lockBooking, type NewEvent, saveBooking } from './change-queries.ts';
import { appointmentEvents } from './events.ts';
import { failedEvent, paymentFailedEvent } from './fail.ts';
import { saveFailureReason } from './failure-queries.ts';
import { waivedFees } from './fees.ts';
import type { BookingPayment } from './refund.ts';
import { appointmentAfter, bookingAfter, paymentAfter } from './rules.ts';
import { bookingView } from './view.ts';

/** Locks the booking of a payment; the booking first, then the payment: everywhere in this order. */
export async function lockForPayment(tx: Tx, bookingId: string): Promise<LockedBooking> {
  const booking = await lockBooking(tx, null, bookingId);
  if (booking === null) throw new Error('a payment without its booking');
  return booking;
}

/**
 * The customer has paid by the link (section 3, PLATFORM): waiting payment → in progress, PAID, with the event
 * booking.payment_succeeded. Returns false when the booking does not wait for payment.
 */
export async function customerPaid(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  payment: BookingPayment,
): Promise<boolean> {
  const status = bookingAfter('customerPaid', booking.status);
  const paymentStatus = paymentAfter('customerPaid', booking.payment_status);
  if (status === null || paymentStatus === null) return false;
  const after = { ...booking, status, payment_status: paymentStatus, payment, updated_at: now };
  const events: NewEvent[] = [
    { id: newId(now), name: 'booking.payment_succeeded', payload: bookingView(after) },
  ];
  await saveBooking(tx, now, { after, events, by: 'customer' });
  return true;
}

/**
 * The payment has failed permanently: waiting payment → failed, FAILED, the team is free again, and
 * booking.payment_failed has the reason, then booking.failed, then booking.appointment_status_changed (section 6).
 * Returns false when the booking does not wait for payment.
 */
export async function paymentFailed(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  { reason, by, payment }: { reason: string; by: string; payment: BookingPayment },
): Promise<boolean> {
  const status = bookingAfter('paymentFailed', booking.status);
  const paymentStatus = paymentAfter('paymentFailed', booking.payment_status);
  if (status === null || paymentStatus === null) return false;
  const appointmentStatus =
    appointmentAfter('paymentFailed', booking.appointment_status) ?? booking.appointment_status;
  const after: LockedBooking = {
    ...booking,
    status,
    payment_status: paymentStatus,
    appointment_status: appointmentStatus,
    fees: waivedFees(booking, now, by),
    failure_reason: reason,
    payment,
    updated_at: now,
  };
  const events = [
    paymentFailedEvent(now, booking, reason),
    failedEvent(now, after, reason),
    ...appointmentEvents(booking, after, now),
  ];
  await saveBooking(tx, now, { after, events, by });
  await saveFailureReason(tx, booking.id, reason);
  return true;
}

/** The refund of the booking is done, and saved by the transaction: booking.refunded. */
export async function bookingRefunded(tx: Tx, now: Instant, bookingId: string, by: string): Promise<void> {
  const after = { ...(await lockForPayment(tx, bookingId)), updated_at: now };
  const events: NewEvent[] = [{ id: newId(now), name: 'booking.refunded', payload: bookingView(after) }];
  await saveBooking(tx, now, { after, events, by });
}
