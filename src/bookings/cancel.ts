import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { isDbError } from '../db/connection.ts';
import { unknownReason } from '../reasons/reasons.ts';
import { type BookingKey, type ChangePlainly, PARTNER } from './change.ts';
import type { Change, LockedBooking } from './change-queries.ts';
import { appointmentEvents } from './events.ts';
import { paymentCanceled } from './refund.ts';
import {
  appointmentAfter,
  BEGUN,
  bookingAfter,
  cancellationAction,
  paymentAfter,
  statusesFor,
} from './rules.ts';
import { type BookingView, bookingView } from './view.ts';

export type Cancellation = { reasonId: string; notes?: string };

/**
 * Section 4.10: cancels the partner's booking, frees its team at once and returns the Booking. The events are
 * booking.cancelled and, for the appointment, booking.appointment_status_changed. Throws
 * VALIDATION_ERROR (no active customer-facing reason), RESOURCE_NOT_FOUND and BOOKING_ALREADY_CANCELLED.
 */
export function cancelBooking(
  change: ChangePlainly,
  now: Instant,
  key: BookingKey,
  cancellation: Cancellation,
): Promise<BookingView> {
  const { reasonId } = cancellation;
  const decide = (booking: LockedBooking) => cancellationOf(booking, now, cancellation, PARTNER);
  return withKnownReason(change({ key, now, reasonId, decide }));
}

/** The change that cancels the booking, and its view after it. Throws BOOKING_ALREADY_CANCELLED. */
export function cancellationOf(
  booking: LockedBooking,
  now: Instant,
  { reasonId, notes = null }: { reasonId: string; notes?: string | null },
  by: string,
): { after: LockedBooking; view: BookingView; change: Change & Required<Pick<Change, 'cancellation'>> } {
  const status = bookingAfter('cancel', booking.status);
  const paymentStatus = paymentAfter('cancel', booking.payment_status);
  if (status === null || paymentStatus === null) {
    throw new ApiError('BOOKING_ALREADY_CANCELLED', 'The booking is already canceled', {
      status: booking.status,
      cancellable: statusesFor('cancel'),
    });
  }
  const after: LockedBooking = {
    ...booking,
    status,
    payment_status: paymentStatus,
    appointment_status:
      appointmentAfter('bookingCanceled', booking.appointment_status) ?? booking.appointment_status,
    cancellation_reason_id: reasonId.toLowerCase(),
    cancellation_notes: notes,
    cancelled_by: by,
    cancelled_at: now,
    payment: booking.payment && paymentCanceled(booking.payment, booking.status, hasBegun(booking)),
    updated_at: now,
  };
  const view = bookingView(after);
  return {
    after,
    view,
    change: {
      after,
      cancellation: { reasonId, notes, action: cancellationAction(booking.payment_responsibility) },
      events: [
        { id: newId(now), name: 'booking.cancelled', payload: view },
        ...appointmentEvents(booking, after, now),
      ],
      by,
    },
  };
}

/** The condition of the trigger cancel_payment. */
const hasBegun = (booking: LockedBooking): boolean =>
  booking.has_begun || BEGUN.includes(booking.appointment_status);

/** Throws VALIDATION_ERROR when the reason was deleted after the check. */
export function withKnownReason<T>(cancelled: Promise<T>): Promise<T> {
  return cancelled.catch((error) => {
    if (isDbError(error, 'foreignKeyViolation', 'bookings_cancellation_reason_id_fkey'))
      throw unknownReason();
    throw error;
  });
}
