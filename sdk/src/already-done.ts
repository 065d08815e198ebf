import type { CallOptions } from './call-options.ts';
import type { Booking, ErrorCode, Removed } from './contract.ts';
import { isCode, PartnerBookingError } from './errors.ts';
import type { OperationName } from './model.ts';
import type { Resources } from './resources.ts';
import { DONE_CODES, type RefusedWhenDone } from './retries.ts';

/**
 * An attempt with an unclear outcome is repeated. If it had succeeded, the repetition is refused: the booking is made, or
 * cancelled already. So is the second copy of a request that the network delivers twice. Then the call succeeds, with the result
 * looked up here.
 */

type Attempted = { operation: OperationName; ids: readonly string[] };

/** The booking; null: the key may not read bookings, so the refusal that names the booking stays the answer. */
async function read(
  { bookings }: Pick<Resources, 'bookings'>,
  id: string,
  options: CallOptions,
): Promise<Booking | null> {
  try {
    return await bookings.get(id, options);
  } catch (error) {
    if (isCode(error, 'FORBIDDEN')) return null;
    throw error;
  }
}

/**
 * The result of the operation, when `error` shows that an unclear earlier attempt, or another copy of this one, had succeeded;
 * else null. Throws as the operation that looks it up does.
 */
export async function resultIfDone(
  resources: Pick<Resources, 'bookings'>,
  { operation, ids }: Attempted,
  error: unknown,
  options: CallOptions,
): Promise<unknown> {
  const id = ids[0] ?? '';
  if (operation === 'bookings.create' || !isRefusedAsDone(operation, error)) return null;
  if (operation === 'webhooks.subscriptions.remove') return { id, removed: true } satisfies Removed;
  return read(resources, id, options);
}

function isRefusedAsDone(operation: OperationName, error: unknown): operation is RefusedWhenDone {
  const codes: readonly ErrorCode[] = DONE_CODES[operation as RefusedWhenDone] ?? [];
  return codes.some((code) => isCode(error, code));
}

/** Whether this very request was accepted before: the network has delivered it twice. */
export const isDeliveredTwice = (error: unknown): boolean =>
  error instanceof PartnerBookingError && error.details.sameRequest === true;

/**
 * The booking that the same body made: in this call, in an earlier one or before a restart. null: `error` does not say so, or it is
 * over by now. Throws as bookings.get does.
 */
export async function bookingIfMade(
  resources: Pick<Resources, 'bookings'>,
  operation: OperationName,
  error: unknown,
  options: CallOptions,
): Promise<Booking | null> {
  if (operation !== 'bookings.create') return null;
  if (!isCode(error, 'DUPLICATE_EXTERNAL_REFERENCE') && !isCode(error, 'HOLD_CONSUMED')) return null;
  const { bookingId, sameRequest } = error.details;
  if (sameRequest !== true || bookingId === undefined) return null;
  const booking = await read(resources, bookingId, options);
  return booking?.status === 'canceled' || booking?.status === 'failed' ? null : booking;
}
