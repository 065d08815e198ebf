import { ApiError, notFound } from '../base/errors.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { isCustomerReason } from '../reasons/queries.ts';
import { unknownReason } from '../reasons/reasons.ts';
import { changedBooking, createKnownBookings, type KnownBookings } from './known-bookings.ts';
import { lockBooking } from './queries.ts';
import {
  type BookingSeer,
  type ChangeSaver,
  createBookingSeer,
  createChangeSaver,
  type SeenBooking,
  saveChange,
} from './shared-change-queries.ts';

/** How partners change bookings: those that arrive together share statements. */
export type BookingChanges = { db: Db; see: BookingSeer; save: ChangeSaver; known: KnownBookings };

/** `known`: what is remembered of bookings, also by who makes them. */
export function createBookingChanges(db: Db, known = createKnownBookings()): BookingChanges {
  return { db, see: createBookingSeer(db), save: createChangeSaver(db), known };
}

/** What a change without a new time has to know of a booking: seen, or locked. */
export type ChangeableBooking = Omit<SeenBooking, 'server'> & Partial<Pick<SeenBooking, 'server'>>;

/** Decides on the booking and saves, once at most; null: the save found another booking than the one decided on. */
type Change<T> = (booking: ChangeableBooking, save: ChangeSaver, on: Queryable) => Promise<T | null>;

/** Changes without a lock that another change may get ahead of; the next one locks first. */
const MAX_UNLOCKED = 3;

/**
 * Changes a partner's booking without a transaction around it: in one statement when this process remembers the booking,
 * else in two: reads it, decides, and saves on the condition that its version is still the one that was read. `change` is
 * called anew with what the booking is then when its save returned false; after three times within a transaction that has
 * locked it, where that cannot happen. It reads from `on`. Throws VALIDATION_ERROR for a reason that is no active
 * customer-facing one, RESOURCE_NOT_FOUND, and what `change` throws.
 */
export async function changeSeen<T>(
  changes: BookingChanges,
  wanted: { partnerId: string; bookingId: string; reasonId?: string },
  change: Change<T>,
): Promise<T> {
  const { db, see } = changes;
  const { partnerId, bookingId, reasonId = null } = wanted;
  const result = await changeKnown(changes, partnerId, bookingId, change);
  if (result !== null) return result;
  for (let attempt = 1; attempt <= MAX_UNLOCKED; attempt++) {
    const { booking, reasonIsKnown } = await see({ partnerId, bookingId, reasonId });
    if (!reasonIsKnown) throw unknownReason();
    if (booking === null) throw notFound('Booking');
    const result = await change(booking, saverOf(changes, booking), db);
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

/**
 * Decides on what is remembered of the booking. Null: it is not known, or not so any more, or nothing was saved: what is
 * answered then, a refusal too, has to be read.
 */
async function changeKnown<T>(
  changes: BookingChanges,
  partnerId: string,
  bookingId: string,
  change: Change<T>,
): Promise<T | null> {
  const known = changes.known.get(partnerId, bookingId);
  if (known === null) return null;
  const saver = saverOf(changes, known);
  let isSaved = false;
  const save: ChangeSaver = async (decided) => {
    isSaved = await saver(decided);
    return isSaved;
  };
  try {
    const result = await change(known, save, changes.db);
    return isSaved ? result : null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Saves, and remembers what the booking is then. */
function saverOf({ save, known }: BookingChanges, seen: SeenBooking): ChangeSaver {
  return async (decided) => {
    const isSaved = await save(decided);
    if (isSaved) known.set(changedBooking(seen, decided));
    else known.forget(seen.id);
    return isSaved;
  };
}
