import type { CallOptions } from './call-options.ts';
import type { Booking, CreateBookingRequest, Removed } from './contract.ts';
import { isCode } from './errors.ts';
import type { OperationName } from './model.ts';
import type { Resources } from './resources.ts';

/**
 * An attempt whose outcome is unclear is repeated. When it had been done after all, the repetition is refused: the
 * reference is taken, the booking is canceled already. What was asked for is so, and its result is looked up here.
 */

type Attempted = { operation: OperationName; ids: readonly string[]; input: unknown };

/**
 * What the operation would have answered, when `error` says that an unclear attempt before it had been done; null:
 * it does not say so. Throws as the operation does that looks it up.
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
 * The booking that has the reference, if it is what was asked for: the reference may as well have been used for
 * another booking long ago, and the lost attempt never have arrived.
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

/** `10:00` and `10:00:00` are one time. */
function withSeconds(time: string): string {
  return time.length === 5 ? `${time}:00` : time;
}
