import type { CallOptions } from './call-options.ts';
import type { Booking, CreateBookingRequest, Removed } from './contract.ts';
import { isCode } from './errors.ts';
import type { OperationName } from './model.ts';
import type { Resources } from './resources.ts';

/**
 * An attempt with an unclear outcome is repeated. If it had succeeded, the repetition is refused: the reference is
 * taken, or the booking is cancelled already. Then the call succeeds, with the result looked up here.
 */

type Attempted = { operation: OperationName; ids: readonly string[]; input: unknown };

/**
 * The result of the operation, when `error` shows that an unclear earlier attempt had succeeded; else null. Throws as
 * the operation that looks it up does.
 */
export async function resultIfDone(
  { bookings }: Pick<Resources, 'bookings'>,
  { operation, ids, input }: Attempted,
  error: unknown,
  options: CallOptions,
): Promise<unknown> {
  const id = ids[0] ?? '';
  switch (operation) {
    case 'bookings.create':
      return isCode(error, 'DUPLICATE_EXTERNAL_REFERENCE')
        ? findCreated(bookings, input as CreateBookingRequest, options)
        : null;
    case 'bookings.cancel':
      return isCode(error, 'BOOKING_ALREADY_CANCELLED') ? bookings.get(id, options) : null;
    case 'bookings.confirmPayment':
      return isCode(error, 'PAYMENT_ALREADY_CONFIRMED') ? bookings.get(id, options) : null;
    case 'webhooks.subscriptions.remove':
      return isCode(error, 'RESOURCE_NOT_FOUND') ? ({ id, removed: true } satisfies Removed) : null;
    default:
      return null;
  }
}

/**
 * The booking that has the reference, if it is the requested one: the reference may have been used for another booking
 * before, and the lost attempt may never have arrived.
 */
async function findCreated(
  bookings: Resources['bookings'],
  wanted: CreateBookingRequest,
  options: CallOptions,
): Promise<Booking | null> {
  const { data } = await bookings.list({ externalReference: wanted.externalReference }, options);
  const same = (booking: Booking): boolean =>
    booking.status !== 'failed' &&
    booking.status !== 'canceled' &&
    booking.date.slice(0, 10) === wanted.date &&
    withSeconds(booking.timeslot.startAt) === withSeconds(wanted.timeslot.startAt) &&
    withSeconds(booking.timeslot.endAt) === withSeconds(wanted.timeslot.endAt);
  return data.find(same) ?? null;
}

/** `10:00` and `10:00:00` are equal. */
function withSeconds(time: string): string {
  return time.length === 5 ? `${time}:00` : time;
}
