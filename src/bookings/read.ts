import { orNotFound } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import { gatherLookups } from '../runtime/gather.ts';
import { findBookings } from './queries.ts';
import { type BookingView, bookingView } from './view.ts';

/**
 * Section 4.7: reads a partner's booking. Reads that arrive together share a statement. Throws RESOURCE_NOT_FOUND when the
 * booking does not exist or belongs to another partner.
 */
export function createBookingReader(db: Db): (partnerId: string, bookingId: string) => Promise<BookingView> {
  const find = gatherLookups(
    (keys: readonly { partnerId: string; bookingId: string }[]) => findBookings(db, keys),
    { maxKeys: 100, maxRunning: 2 },
  );
  return async (partnerId, bookingId) =>
    bookingView(await orNotFound(find({ partnerId, bookingId }), 'Booking'));
}
