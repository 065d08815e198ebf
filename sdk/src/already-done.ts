import type { CallOptions } from './call-options.ts';
import type { Booking, ErrorCode, Removed, Series } from './contract.ts';
import { isCode, PartnerBookingError } from './errors.ts';
import type { OperationName } from './model.ts';
import type { Resources } from './resources.ts';
import { DONE_CODES, type RefusedWhenDone } from './retries.ts';

/**
 * An attempt with an unclear outcome is repeated. If it had succeeded, the repetition is refused: the booking or series is made,
 * or the booking cancelled already. So is the second copy of a request that the network delivers twice. Then the call succeeds,
 * with the result looked up here.
 */

type Attempted = { operation: OperationName; ids: readonly string[] };

type Made = Pick<Resources, 'bookings' | 'series'>;

/** The data; null: the key may not read it, so the refusal that names it stays the answer. */
async function readable<Data>(read: Promise<Data>): Promise<Data | null> {
  try {
    return await read;
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
  { bookings }: Made,
  { operation, ids }: Attempted,
  error: unknown,
  options: CallOptions,
): Promise<unknown> {
  const id = ids[0] ?? '';
  if (isMaking(operation) || !isRefusedAsDone(operation, error)) return null;
  if (operation === 'webhooks.subscriptions.remove') return { id, removed: true } satisfies Removed;
  return readable(bookings.get(id, options));
}

/** Repeated with the same body, it is refused with `sameRequest` and the id of what that body made. */
const isMaking = (operation: OperationName): boolean =>
  operation === 'bookings.create' || operation === 'series.create';

function isRefusedAsDone(operation: OperationName, error: unknown): operation is RefusedWhenDone {
  const codes: readonly ErrorCode[] = DONE_CODES[operation as RefusedWhenDone] ?? [];
  return codes.some((code) => isCode(error, code));
}

/** Whether this very request was accepted before: the network has delivered it twice. */
export const isDeliveredTwice = (error: unknown): error is PartnerBookingError =>
  error instanceof PartnerBookingError && error.details.sameRequest === true;

/**
 * The booking or series that the same body made: in this call, in an earlier one or before a restart. null: `error` does not say
 * so, or it is over by now. Throws as the operation that reads it does.
 */
export async function resultIfMade(
  { bookings, series }: Made,
  operation: OperationName,
  error: unknown,
  options: CallOptions,
): Promise<Booking | Series | null> {
  if (!isMaking(operation) || !isRefusedAsDone(operation, error) || !isDeliveredTwice(error)) return null;
  const { bookingId, seriesId } = error.details;
  if (operation === 'series.create') {
    const made = seriesId === undefined ? null : await readable(series.get(seriesId, options));
    return made?.reason === 'ENDED' ? null : made;
  }
  const made = bookingId === undefined ? null : await readable(bookings.get(bookingId, options));
  return made?.status === 'canceled' || made?.status === 'failed' ? null : made;
}
