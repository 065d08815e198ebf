import { ApiError } from '../base/errors.ts';
import { SLOT_MESSAGES } from '../bookings/slot.ts';
import type { FoundSeries } from './queries.ts';
import type { StopReason } from './rules.ts';

/** 422: the series takes no such change any more. */
export const hasEnded = ({ status, reason }: Pick<FoundSeries, 'status' | 'reason'>): ApiError =>
  new ApiError('INVALID_TRANSITION', 'The series has ended', { status, reason, hints: ['make another one'] });

/** Why the account's series place nothing for now; null: they may. */
export const stopOf = ({ is_suspended, payment_responsibility: mode }: FoundSeries): StopReason | null =>
  is_suspended ? 'PARTNER_SUSPENDED' : mode === 'PLATFORM' ? 'ACCOUNT_PLATFORM' : null;

/** 422: the visit is a booking, or was one. */
export const wasPlaced = (booking: { bookingId: string; status: string | null }): ApiError =>
  new ApiError('INVALID_TRANSITION', 'The visit was placed before', {
    ...booking,
    hints: ['a visit has one booking: move it, or book another one if it was cancelled'],
  });

/** 422: the crew of a visit that would be cancelled has left, or was there. */
export const hasBegun = (index: number, details: { status: string; appointmentStatus: string }): ApiError =>
  new ApiError('BOOKING_NOT_EDITABLE', `Visit ${index} of the series has begun: cancel its booking`, details);

/** 422: no series without an account that collects the money itself. */
export const notForPlatform = (): ApiError =>
  new ApiError(
    'PAYMENT_RESPONSIBILITY_MISMATCH',
    'Series are for accounts that collect the money themselves',
    {
      paymentResponsibility: 'PLATFORM',
      hints: ['a payment link for each visit, weeks ahead, helps nobody: book its visits one by one'],
    },
  );

/** 409 with the series that has the reference. */
export const referenceTaken = (
  externalReference: string,
  { seriesId, sameRequest }: { seriesId: string; sameRequest: boolean },
): ApiError =>
  new ApiError(
    'DUPLICATE_EXTERNAL_REFERENCE',
    sameRequest
      ? 'This request has made its series already'
      : 'externalReference is already used by another series',
    { externalReference, seriesId, sameRequest, hints: ['GET /partners/series/:seriesId returns it'] },
  );

/** For `errors` of the routes. */
export const exampleOf = ({ code, message, details }: ApiError) => ({ code, message, details });

/** For `errors`: the first date or start is never offered. */
export const NOT_OFFERED = {
  code: 'BOOKING_CREATION_FAILED' as const,
  message: SLOT_MESSAGES.SLOT_NOT_OFFERED,
  details: {
    reason: 'SLOT_NOT_OFFERED',
    alternatives: [{ date: '2026-12-06', startAt: '13:00', endAt: '15:00' }],
  },
};
