import { randomUUID } from 'node:crypto';
import type { Instant } from '../clock.ts';
import { ApiError, notFound, validationError } from '../errors.ts';
import { type Actor, audit } from '../platform/audit.ts';
import { type Db, isDbError, type Tx } from '../platform/db.ts';
import { type LockedBooking, lockBooking, saveCancellation } from './queries.ts';
import { isActiveReason, isCustomerReason } from './reasons-queries.ts';
import { bookingAfter, cancellationAction, statusesFor } from './rules.ts';
import { type BookingView, bookingView } from './view.ts';

export type Cancellation = { reasonId: string; notes?: string };

/**
 * Section 4.10: cancels the partner's booking, frees its team at once and answers the Booking. Throws
 * VALIDATION_ERROR (no active customer-facing reason), RESOURCE_NOT_FOUND and BOOKING_ALREADY_CANCELLED.
 */
export async function cancelBooking(
  db: Db,
  now: Instant,
  partnerId: string,
  bookingId: string,
  { reasonId, notes }: Cancellation,
): Promise<BookingView> {
  if (!(await isCustomerReason(db, reasonId))) throw unknownReason();
  return cancel(db, now, { partnerId, bookingId, reasonId, notes: notes ?? null, by: 'partner' });
}

/**
 * The operator's cancellation of any partner's booking, for any active reason, with its audit row. Throws as
 * cancelBooking does.
 */
export async function cancelForOperator(
  db: Db,
  now: Instant,
  actor: Actor,
  bookingId: string,
  { reasonId, notes }: Cancellation,
): Promise<BookingView> {
  if (!(await isActiveReason(db, reasonId))) throw unknownReason();
  return cancel(db, now, { partnerId: null, bookingId, reasonId, notes: notes ?? null, by: actor });
}

async function cancel(
  db: Db,
  now: Instant,
  request: {
    partnerId: string | null;
    bookingId: string;
    reasonId: string;
    notes: string | null;
    by: string;
  },
): Promise<BookingView> {
  const work = async (tx: Tx): Promise<BookingView> => {
    const booking = await lockBooking(tx, request.partnerId, request.bookingId);
    if (booking === null) throw notFound('Booking');
    const status = bookingAfter('cancel', booking.status);
    if (status === null) {
      throw new ApiError('BOOKING_ALREADY_CANCELLED', 'The booking is already canceled', {
        status: booking.status,
        cancellable: statusesFor('cancel'),
      });
    }
    const after: LockedBooking = {
      ...booking,
      status,
      payment_status: 'CANCELLED',
      appointment_status: 'Cancelled',
    };
    const view = bookingView(after);
    const cancellation = {
      reasonId: request.reasonId,
      notes: request.notes,
      action: cancellationAction(booking.payment_responsibility),
    };
    await saveCancellation(
      tx,
      now,
      booking,
      { ...cancellation, by: request.by },
      { id: randomUUID(), name: 'booking.cancelled', payload: view, actor: request.by },
    );
    if (request.partnerId === null) {
      await audit(tx, now, {
        actor: request.by,
        action: 'booking.cancel',
        target: `booking:${booking.id}`,
        before: bookingView(booking),
        after: { ...view, cancellation },
      });
    }
    return view;
  };
  try {
    return await db.transaction(work);
  } catch (error) {
    // The reason was deleted after it had been looked at.
    if (isDbError(error, 'foreignKeyViolation', 'bookings_cancellation_reason_id_fkey'))
      throw unknownReason();
    throw error;
  }
}

function unknownReason(): ApiError {
  return validationError(
    ['reasonId must be the id of an active cancellation reason'],
    ['reasonId: take the id from the list of cancellation reasons'],
  );
}
