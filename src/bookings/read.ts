import { orNotFound } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import { findBooking } from './queries.ts';
import { type BookingView, bookingView } from './view.ts';

/** Section 4.7. Throws RESOURCE_NOT_FOUND when the booking is not there or another partner's. */
export async function readBooking(db: Queryable, partnerId: string, bookingId: string): Promise<BookingView> {
  return bookingView(await orNotFound(findBooking(db, partnerId, bookingId), 'Booking'));
}
