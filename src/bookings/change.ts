import { orNotFound } from '../base/errors.ts';
import type { Db, Tx } from '../db/connection.ts';
import { type LockedBooking, lockBooking } from './change-queries.ts';

/** A partner's booking; of any partner when the operator changes it. */
export type BookingKey = { partnerId: string | null; bookingId: string };

/** By whom a partner's changes are, in the history of the booking. */
export const PARTNER = 'partner';

/**
 * Every change of one booking: locks it, then decides, saves and records its events in that transaction. Changes of one
 * booking take turns. Throws RESOURCE_NOT_FOUND, and what `change` throws.
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
