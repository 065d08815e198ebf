import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { isDbError } from '../db/connection.ts';
import { unknownReason } from '../reasons/reasons.ts';
import type { NewEvent } from './change-queries.ts';
import { type BookingChanges, type ChangeableBooking, changeSeen } from './change-seen.ts';
import { appointmentEvents } from './events.ts';
import { appointmentAfter, bookingAfter, cancellationAction, paymentAfter, statusesFor } from './rules.ts';
import { PARTNER } from './shared-change-queries.ts';
import { type BookingView, bookingView } from './view.ts';

export type Cancellation = { reasonId: string; notes?: string };

/**
 * Section 4.10: cancels the partner's booking, frees its team at once and returns the Booking. The events are
 * booking.cancelled and, for the appointment, booking.appointment_status_changed. Throws
 * VALIDATION_ERROR (no active customer-facing reason), RESOURCE_NOT_FOUND and BOOKING_ALREADY_CANCELLED.
 */
export function cancelBooking(
  changes: BookingChanges,
  now: Instant,
  partnerId: string,
  bookingId: string,
  { reasonId, notes }: Cancellation,
): Promise<BookingView> {
  const request = { reasonId, notes: notes ?? null, by: PARTNER };
  return withKnownReason(
    changeSeen(changes, { partnerId, bookingId, reasonId }, async (booking, save) => {
      const { view, after, cancellation, events } = cancellationOf(booking, now, request);
      const saved = await save({ kind: 'cancel', booking, now, after, cancellation, events });
      return saved ? view : null;
    }),
  );
}

/** What cancelling makes of the booking. Throws BOOKING_ALREADY_CANCELLED. */
export function cancellationOf(
  booking: ChangeableBooking,
  now: Instant,
  { by, ...given }: { reasonId: string; notes: string | null; by: string },
) {
  const status = bookingAfter('cancel', booking.status);
  const paymentStatus = paymentAfter('cancel', booking.payment_status);
  if (status === null || paymentStatus === null) {
    throw new ApiError('BOOKING_ALREADY_CANCELLED', 'The booking is already canceled', {
      status: booking.status,
      cancellable: statusesFor('cancel'),
    });
  }
  const cancelled: ChangeableBooking = {
    ...booking,
    status,
    payment_status: paymentStatus,
    appointment_status:
      appointmentAfter('bookingCanceled', booking.appointment_status) ?? booking.appointment_status,
  };
  const view = bookingView(cancelled);
  const cancellation = { ...given, action: cancellationAction(booking.payment_responsibility) };
  const after = { status, paymentStatus, appointmentStatus: cancelled.appointment_status };
  const events: NewEvent[] = [
    { id: newId(now), name: 'booking.cancelled', payload: view, actor: by },
    ...appointmentEvents(booking, cancelled, now, by),
  ];
  return { view, after, cancellation, events };
}

/** The reason may have been deleted after it had been looked at. */
export function withKnownReason<T>(cancelled: Promise<T>): Promise<T> {
  return cancelled.catch((error) => {
    if (isDbError(error, 'foreignKeyViolation', 'bookings_cancellation_reason_id_fkey'))
      throw unknownReason();
    throw error;
  });
}
