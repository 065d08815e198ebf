import type { Db, Queryable } from '../db/connection.ts';
import { notFound } from '../errors.ts';
import { type LockedBooking, lockBooking } from './queries.ts';
import { unknownReason } from './reasons.ts';
import { isCustomerReason } from './reasons-queries.ts';
import {
  type BookingSeer,
  type ChangeSaver,
  createBookingSeer,
  createChangeSaver,
  saveChange,
} from './shared-change-queries.ts';

/** How partners change bookings: those that arrive together share statements. */
export type BookingChanges = { db: Db; see: BookingSeer; save: ChangeSaver };

export function createBookingChanges(db: Db): BookingChanges {
  return { db, see: createBookingSeer(db), save: createChangeSaver(db) };
}

/** Changes without a lock that another change may get ahead of; the next one locks first. */
const MAX_UNLOCKED = 3;

/**
 * Changes a partner's booking in two statements, without a transaction around them: reads it, decides, and saves on the
 * condition that its version is still the one that was read. `change` returns null when its save found that it is not, and
 * is called anew with what the booking is then; after three times within a transaction that has locked it, where that
 * cannot happen. It may save once, and
 * reads from `on`. Throws VALIDATION_ERROR for a reason that is no active customer-facing one,
 * RESOURCE_NOT_FOUND, and what `change` throws.
 */
export async function changeSeen<T>(
  { db, see, save }: BookingChanges,
  wanted: { partnerId: string; bookingId: string; reasonId?: string },
  change: (booking: LockedBooking, save: ChangeSaver, on: Queryable) => Promise<T | null>,
): Promise<T> {
  const { partnerId, bookingId, reasonId = null } = wanted;
  for (let attempt = 1; attempt <= MAX_UNLOCKED; attempt++) {
    const { booking, reasonIsKnown } = await see({ partnerId, bookingId, reasonId });
    if (!reasonIsKnown) throw unknownReason();
    if (booking === null) throw notFound('Booking');
    const result = await change(booking, save, db);
    if (result !== null) return result;
  }
  return db.transaction(async (tx) => {
    if (reasonId !== null && !(await isCustomerReason(tx, reasonId))) throw unknownReason();
    const locked = await lockBooking(tx, partnerId, bookingId);
    if (locked === null) throw notFound('Booking');
    const result = await change(locked, (decided) => saveChange(tx, decided), tx);
    if (result === null) throw new Error('a locked booking was changed by another transaction');
    return result;
  }, bookingId);
}
