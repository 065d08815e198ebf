import type { Db, Queryable } from '../db/connection.ts';
import { notFound } from '../errors.ts';
import { type LockedBooking, lockBooking, seeBooking } from './queries.ts';

/** Changes without a lock that another change may get ahead of; the next one locks first. */
const MAX_UNLOCKED = 3;

/**
 * Changes a partner's booking in two statements, without a transaction around them: reads it, decides, and saves on the
 * condition that its version is still the one that was read. `change` returns null when its save found that it is not, and
 * is called anew with what the booking is then; after three times within a transaction that has locked it, where that
 * cannot happen. It may save once, in one statement. Throws RESOURCE_NOT_FOUND, and what `change` throws.
 */
export async function changeSeen<T>(
  db: Db,
  partnerId: string,
  bookingId: string,
  change: (on: Queryable, booking: LockedBooking) => Promise<T | null>,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_UNLOCKED; attempt++) {
    const seen = await seeBooking(db, partnerId, bookingId);
    if (seen === null) throw notFound('Booking');
    const result = await change(db, seen);
    if (result !== null) return result;
  }
  return db.transaction(async (tx) => {
    const locked = await lockBooking(tx, partnerId, bookingId);
    if (locked === null) throw notFound('Booking');
    const result = await change(tx, locked);
    if (result === null) throw new Error('a locked booking was changed by another transaction');
    return result;
  }, bookingId);
}
