import type { Instant } from '../base/clock.ts';
import { ApiError, type ErrorDetails } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { isDbError } from '../db/connection.ts';
import { isUndecided, totalOf } from '../policies/ledger.ts';
import { unknownReason } from '../reasons/reasons.ts';
import { type BookingKey, type ChangePlainly, PARTNER, sameRequest } from './change.ts';
import type { Change, LockedBooking } from './change-queries.ts';
import { appointmentEvents } from './events.ts';
import { assertFee, feesAfter, hasBegun, quoteOf, waivedFees } from './fees.ts';
import type { Quoted } from './quote-view.ts';
import { paymentCanceled } from './refund.ts';
import {
  type AppointmentStatus,
  appointmentAfter,
  BEGUN,
  bookingAfter,
  cancellationAction,
  paymentAfter,
  statusesFor,
} from './rules.ts';
import { type BookingView, bookingView } from './view.ts';

export type Cancellation = { reasonId: string; notes?: string };

/** The partner's, which is refused when it would cost more than `maxFee` (SAR). `requestId`: its X-Request-Id. */
export type PartnerCancellation = Cancellation & { maxFee?: number; requestId?: string };

/**
 * Section 4.10: cancels the partner's booking, frees its team at once and returns the Booking. The events are
 * booking.cancelled and, for the appointment, booking.appointment_status_changed. Throws VALIDATION_ERROR (no
 * active customer-facing reason), RESOURCE_NOT_FOUND, BOOKING_ALREADY_CANCELLED and FEE_CHANGED.
 */
export function cancelBooking(
  change: ChangePlainly,
  now: Instant,
  key: BookingKey,
  { maxFee, ...cancellation }: PartnerCancellation,
): Promise<BookingView> {
  const { reasonId, requestId } = cancellation;
  const decide = (booking: LockedBooking) => {
    assertCancellable(booking, sameRequest(booking, requestId));
    const quoted = quoteOf('cancel', booking, now);
    assertFee(booking, 'cancel', quoted, maxFee);
    return cancellationOf(booking, now, { ...cancellation, quoted }, PARTNER);
  };
  return withKnownReason(change({ key, now, reasonId, decide }));
}

/** Throws BOOKING_ALREADY_CANCELLED, with `more` of its details. */
export function assertCancellable({ status }: Pick<LockedBooking, 'status'>, more: ErrorDetails = {}): void {
  if (bookingAfter('cancel', status) !== null) return;
  throw new ApiError('BOOKING_ALREADY_CANCELLED', 'The booking is already canceled', {
    status,
    cancellable: statusesFor('cancel'),
    ...more,
  });
}

/**
 * The change that cancels the booking, and its view after it. `quoted` null: it has no fee, and what was paid goes back
 * unless the work has begun. `onBehalfOf`: the operator does it for the customer, who asked for it. Throws
 * BOOKING_ALREADY_CANCELLED.
 */
export function cancellationOf(
  booking: LockedBooking,
  now: Instant,
  {
    reasonId,
    notes = null,
    quoted = null,
    onBehalfOf,
    requestId,
  }: {
    reasonId: string;
    notes?: string | null;
    quoted?: Quoted | null;
    onBehalfOf?: 'CUSTOMER';
    requestId?: string;
  },
  by: string,
): { after: LockedBooking; view: BookingView; change: Change } {
  assertCancellable(booking);
  const changedBy = { ...(by !== PARTNER && { by }), ...(onBehalfOf && { on_behalf_of: onBehalfOf }) };
  const fees = quoted === null ? waivedFees(booking, now, by) : feesAfter(booking, quoted, now, changedBy);
  const kept = quoted === null ? null : isUndecided(fees) ? 'UNDECIDED' : totalOf(fees ?? []);
  const after: LockedBooking = {
    ...booking,
    // Every status that can be cancelled has both.
    status: bookingAfter('cancel', booking.status)!,
    payment_status: paymentAfter('cancel', booking.payment_status)!,
    fees,
    appointment_status:
      appointmentAfter('bookingCanceled', booking.appointment_status) ?? booking.appointment_status,
    cancellation_reason_id: reasonId.toLowerCase(),
    cancellation_notes: notes,
    cancellation_action: cancellationAction(booking.payment_responsibility),
    cancelled_by: by,
    cancelled_at: now,
    cancelled_for: onBehalfOf ?? null,
    decided_by_request: requestId ?? null,
    work_reached: workReached(booking) ?? booking.work_reached,
    payment:
      booking.payment &&
      paymentCanceled(booking.payment, booking.status, { hasBegun: hasBegun(booking), kept }),
    updated_at: now,
  };
  const view = bookingView(after);
  return {
    after,
    view,
    change: {
      after,
      events: [
        { id: newId(now), name: 'booking.cancelled', payload: view },
        ...appointmentEvents(booking, after, now),
      ],
      by,
    },
  };
}

/** How far the work has come, as the trigger note_work_reached notes it; null: it has not begun. */
function workReached({ appointment_status: visit, has_begun }: LockedBooking): AppointmentStatus | null {
  if (BEGUN.includes(visit)) return visit;
  return visit === 'Cannot Complete' && has_begun ? 'In Progress' : null;
}

/** Throws VALIDATION_ERROR when the reason was deleted after the check. */
export function withKnownReason<T>(cancelled: Promise<T>): Promise<T> {
  return cancelled.catch((error) => {
    if (isDbError(error, 'foreignKeyViolation', 'bookings_cancellation_reason_id_fkey'))
      throw unknownReason();
    throw error;
  });
}
