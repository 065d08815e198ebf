import type { Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import type { Queryable } from '../db/connection.ts';
import type { ChangeAction } from '../policies/rules.ts';
import { assertCancellable } from './cancel.ts';
import { type BookingKey, findToChange } from './change-queries.ts';
import { quoteOf } from './fees.ts';
import { quoteView } from './quote-view.ts';
import { bookingAfter } from './rules.ts';
import { assertMovable, notEditable } from './update.ts';

/**
 * The price of a change of the booking now, for its partner. Throws RESOURCE_NOT_FOUND, and the refusal of a change that is not
 * possible: BOOKING_ALREADY_CANCELLED, BOOKING_NOT_EDITABLE and BOOKING_APPOINTMENT_NOT_FOUND.
 */
export async function readQuote(db: Queryable, now: Instant, key: BookingKey, action: ChangeAction) {
  const booking = await orNotFound(findToChange(db, key), 'Booking');
  if (action === 'cancel') assertCancellable(booking);
  else {
    if (bookingAfter('update', booking.status) === null) throw notEditable(booking);
    assertMovable(booking);
  }
  return quoteView(booking, action, quoteOf(action, booking, now));
}

/** The same of a change by the operator, which has no fee. Throws RESOURCE_NOT_FOUND and BOOKING_ALREADY_CANCELLED. */
export async function readOperatorQuote(db: Queryable, bookingId: string, action: ChangeAction) {
  const booking = await orNotFound(findToChange(db, { partnerId: null, bookingId }), 'Booking');
  assertCancellable(booking);
  return quoteView(booking, action, null);
}
