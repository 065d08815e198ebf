import { randomUUID } from 'node:crypto';
import type { Instant } from '../clock.ts';
import { type Actor, audit } from '../db/audit.ts';
import { type Db, isDbError, type Queryable } from '../db/connection.ts';
import { ApiError, notFound, validationError } from '../errors.ts';
import type { WantedVersions } from '../http/if-match.ts';
import { type NewEvent, saveCancellation } from './change-queries.ts';
import { changeSeen } from './change-seen.ts';
import { appointmentEvents } from './events.ts';
import { assertBookingWanted } from './operator-version.ts';
import { type LockedBooking, lockBooking } from './queries.ts';
import { isActiveReason, isCustomerReason } from './reasons-queries.ts';
import { appointmentAfter, bookingAfter, cancellationAction, paymentAfter, statusesFor } from './rules.ts';
import { type BookingView, bookingView } from './view.ts';

export type Cancellation = { reasonId: string; notes?: string };

/**
 * Section 4.10: cancels the partner's booking, frees its team at once and returns the Booking. The events are
 * booking.cancelled and, for the appointment, booking.appointment_status_changed. Throws
 * VALIDATION_ERROR (no active customer-facing reason), RESOURCE_NOT_FOUND and BOOKING_ALREADY_CANCELLED.
 */
export async function cancelBooking(
  db: Db,
  now: Instant,
  partnerId: string,
  bookingId: string,
  { reasonId, notes }: Cancellation,
): Promise<BookingView> {
  // Beside the look at the booking, which waits for it: what is wrong with the reason is told first.
  const reasonIsKnown = isCustomerReason(db, reasonId);
  const request = { reasonId, notes: notes ?? null, by: 'partner' };
  const cancelled = withKnownReason(
    changeSeen(db, partnerId, bookingId, async (on, booking) => {
      if (!(await reasonIsKnown)) throw unknownReason();
      const { view, save } = cancellationOf(booking, now, request);
      return (await save(on)) ? view : null;
    }),
  );
  const [known, outcome] = await Promise.allSettled([reasonIsKnown, cancelled]);
  if (known.status === 'rejected') throw known.reason;
  if (!known.value) throw unknownReason();
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/**
 * The operator's cancellation of any partner's booking, for any active reason, with its audit row. Throws as
 * cancelBooking does, and CONFLICT when the booking has another version than those wanted.
 */
export async function cancelForOperator(
  db: Db,
  now: Instant,
  actor: Actor,
  bookingId: string,
  { reasonId, notes }: Cancellation,
  wanted: WantedVersions = null,
): Promise<BookingView> {
  if (!(await isActiveReason(db, reasonId))) throw unknownReason();
  const request = { reasonId, notes: notes ?? null, by: actor };
  return withKnownReason(
    db.transaction(async (tx) => {
      const booking = await lockBooking(tx, null, bookingId);
      if (booking === null) throw notFound('Booking');
      await assertBookingWanted(tx, wanted, booking);
      const { view, cancellation, save } = cancellationOf(booking, now, request);
      await save(tx);
      await audit(tx, now, {
        actor,
        action: 'booking.cancel',
        target: `booking:${booking.id}`,
        before: bookingView(booking),
        after: { ...view, cancellation },
      });
      return view;
    }, bookingId),
  );
}

/** What cancelling makes of the booking, and how to save it. Throws BOOKING_ALREADY_CANCELLED. */
function cancellationOf(
  booking: LockedBooking,
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
  const after: LockedBooking = {
    ...booking,
    status,
    payment_status: paymentStatus,
    appointment_status:
      appointmentAfter('bookingCanceled', booking.appointment_status) ?? booking.appointment_status,
  };
  const view = bookingView(after);
  const cancellation = { ...given, action: cancellationAction(booking.payment_responsibility) };
  const states = { status, paymentStatus, appointmentStatus: after.appointment_status };
  const events: NewEvent[] = [
    { id: randomUUID(), name: 'booking.cancelled', payload: view, actor: by },
    ...appointmentEvents(booking, after, now, by),
  ];
  const save = (on: Queryable): Promise<boolean> =>
    saveCancellation(on, now, booking, states, { ...cancellation, by }, events);
  return { view, cancellation, save };
}

/** The reason may have been deleted after it had been looked at. */
function withKnownReason<T>(cancelled: Promise<T>): Promise<T> {
  return cancelled.catch((error) => {
    if (isDbError(error, 'foreignKeyViolation', 'bookings_cancellation_reason_id_fkey'))
      throw unknownReason();
    throw error;
  });
}

function unknownReason(): ApiError {
  return validationError(
    ['reasonId must be the id of an active cancellation reason'],
    ['reasonId: take the id from the list of cancellation reasons'],
  );
}
