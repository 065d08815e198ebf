import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { ApiError, conflict } from '../base/errors.ts';
import type { HoldStatus } from './hold-rules.ts';

/** 409 with the booking that took the hold; of a creation, with whether the same body made it. */
export function holdConsumed(bookingId: string, sameRequest?: boolean): ApiError {
  return new ApiError('HOLD_CONSUMED', 'The hold was taken by a booking', {
    bookingId,
    ...(sameRequest !== undefined && { sameRequest }),
    hints: ['GET /partners/bookings/:bookingId/status returns the booking'],
  });
}

/** 409: the hold is for something else; `fields` are those of the request that differ. */
export function holdMismatch(fields: readonly string[]): ApiError {
  return new ApiError('HOLD_MISMATCH', `The hold is for another ${fields.join(', ')}`, { fields });
}

/** 409: it has expired, or was released or replaced. */
export function holdEnded(status: HoldStatus): ApiError {
  return new ApiError('HOLD_ENDED', 'The hold is over: hold the slot anew', { status });
}

/** 409: another live hold of the account has the reference. */
export function referenceTaken(holdId: string | null): ApiError {
  return conflict('REFERENCE_TAKEN', 'reference is already used by another hold', {
    ...(holdId !== null && { holdId }),
    hints: [
      'GET /partners/holds/:holdId returns the hold that has it; it is free again when that one is over',
    ],
  });
}

/** 422: the partner holds as many slots as it may, in all or at places without a customer. */
export function limitReached(maxHolds: number, maxPlaceHolds?: number): ApiError {
  const of = maxPlaceHolds === undefined ? '' : ' without a customer';
  return new ApiError('HOLD_LIMIT_REACHED', `The account holds as many slots${of} as it may at once`, {
    maxHolds,
    ...(maxPlaceHolds !== undefined && { maxPlaceHolds }),
    hints: ['a hold that is not needed any more is released with DELETE /partners/holds/:id'],
  });
}

/** 422: the extension would keep the slot for more than MAX_HELD_SECONDS. */
export function heldTooLong(latest: Instant): ApiError {
  const latestExpiresAt = toRiyadhIso(latest);
  return new ApiError('HOLD_LIMIT_REACHED', 'A slot is held for 30 minutes in all at most', {
    latestExpiresAt,
    hints: ['latestExpiresAt says how long the hold can last'],
  });
}
