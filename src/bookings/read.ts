import { notFound } from '../base/errors.ts';
import type { BookingFinder } from './queries.ts';
import { type BookingView, bookingView } from './view.ts';

/** Section 4.7. Throws RESOURCE_NOT_FOUND when the booking is not there or another partner's. */
export async function readBooking(
  find: BookingFinder,
  partnerId: string,
  bookingId: string,
): Promise<BookingView> {
  const booking = await find({ partnerId, bookingId });
  if (booking === null) throw notFound('Booking');
  return bookingView(booking);
}
