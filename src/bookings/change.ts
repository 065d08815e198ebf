import { orNotFound } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import { type LockedBooking, lockBooking } from './change-queries.ts';

/** A booking; `partnerId` null: of any partner, for the operator. */
export type BookingKey = { partnerId: string | null; bookingId: string };
export type PartnerBookingKey = BookingKey & { partnerId: string };

/** The actor of a partner's changes in the history of a booking. */
export const PARTNER = 'partner';

/**
 * Runs `change` in a transaction that has locked the booking, so changes of one booking run one after the other. Throws
 * RESOURCE_NOT_FOUND, and the errors of `change`.
 */
export function changeBooking<T>(
  db: Db,
  { partnerId, bookingId }: BookingKey,
  change: (tx: Tx, booking: LockedBooking) => Promise<T>,
): Promise<T> {
  return db.transaction(
    async (tx) => change(tx, await orNotFound(lockBooking(tx, partnerId, bookingId), 'Booking')),
    bookingId,
  );
}
