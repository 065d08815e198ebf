import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Tx } from '../db/connection.ts';
import { type LockedBooking, type NewEvent, saveBooking } from './change-queries.ts';
import { appointmentEvents } from './events.ts';
import { saveFailureReason } from './failure-queries.ts';
import { waivedFees } from './fees.ts';
import { paymentOfFailed } from './refund.ts';
import { appointmentAfter, bookingAfter, paymentAfter, statusesFor } from './rules.ts';
import { bookingRecord, bookingView } from './view.ts';

/**
 * The operator fails a locked booking, which frees its team and its reference, with an audit row. Events:
 * booking.payment_failed when a payment by link ends with it (the contract has that event for PLATFORM alone),
 * booking.failed, and booking.appointment_status_changed. Throws INVALID_TRANSITION when the booking is canceled or failed, or the work is
 * done.
 */
export async function failBooking(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<void> {
  const status = bookingAfter('fail', booking.status);
  const paymentStatus = paymentAfter('fail', booking.payment_status);
  if (status === null || paymentStatus === null) {
    throw new ApiError('INVALID_TRANSITION', `A booking that is ${booking.status} cannot fail`, {
      from: booking.status,
      allowedFrom: statusesFor('fail'),
    });
  }
  const appointmentStatus = appointmentAfter('bookingFailed', booking.appointment_status);
  if (appointmentStatus === null) {
    throw new ApiError(
      'INVALID_TRANSITION',
      `A booking whose appointment is ${booking.appointment_status} cannot fail`,
      { from: booking.status, hints: ['cancel the booking instead to refund its payment'] },
    );
  }
  const after: LockedBooking = {
    ...booking,
    status,
    payment_status: paymentStatus,
    appointment_status: appointmentStatus,
    fees: waivedFees(booking, now, actor),
    failure_reason: reason,
    payment: booking.payment && paymentOfFailed(booking.payment),
    updated_at: now,
  };
  const events = [failedEvent(now, after, reason), ...appointmentEvents(booking, after, now)];
  if (booking.payment_responsibility === 'PLATFORM' && paymentStatus === 'FAILED')
    events.unshift(paymentFailedEvent(now, booking, reason));
  await saveBooking(tx, now, { after, events, by: actor });
  await saveFailureReason(tx, booking.id, reason);
  await audit(tx, now, {
    actor,
    action: 'booking.fail',
    target: `booking:${booking.id}`,
    before: bookingRecord(booking),
    after: { ...bookingRecord(after), reason },
  });
}

/** booking.failed: the booking with the reason. */
export function failedEvent(now: Instant, after: LockedBooking, reason: string): NewEvent {
  return { id: newId(now), name: 'booking.failed', payload: { ...bookingView(after), reason } };
}

/** booking.payment_failed (section 6). */
export function paymentFailedEvent(now: Instant, booking: LockedBooking, reason: string): NewEvent {
  return { id: newId(now), name: 'booking.payment_failed', payload: { bookingId: booking.id, reason } };
}
