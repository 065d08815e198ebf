import type { ErrorCode } from '../base/errors.ts';
import { holdConsumed, limitReached } from '../bookings/hold-refusals.ts';
import { APPOINTMENT_MOVES, statusesFor } from '../bookings/rules.ts';
import { duplicateReference } from '../bookings/slot.ts';
import { MAX_SUBSCRIPTIONS } from '../webhooks/rules.ts';
import type { ErrorExample } from './document.ts';
import told from './refusals.json' with { type: 'json' };

/** Free timeslots in the details of BOOKING_CREATION_FAILED. */
export const alternatives = [{ date: '2026-12-01', startAt: '13:00', endAt: '15:00' }];

const BOOKING_ID = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const taken = duplicateReference('ORDER-2026-000123', { bookingId: BOOKING_ID, sameRequest: false });

/** Every code with its condition, and message and details as the service sends them. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorExample> = {
  ...told,
  DUPLICATE_EXTERNAL_REFERENCE: { ...told.DUPLICATE_EXTERNAL_REFERENCE, details: taken.details },
  HOLD_CONSUMED: { ...told.HOLD_CONSUMED, details: holdConsumed(BOOKING_ID).details },
  HOLD_LIMIT_REACHED: { ...told.HOLD_LIMIT_REACHED, details: limitReached(50).details },
  BOOKING_CREATION_FAILED: {
    ...told.BOOKING_CREATION_FAILED,
    details: { reason: 'SLOT_UNAVAILABLE', alternatives },
  },
  BOOKING_ALREADY_CANCELLED: {
    ...told.BOOKING_ALREADY_CANCELLED,
    details: { status: 'canceled', cancellable: statusesFor('cancel') },
  },
  BOOKING_NOT_PAYABLE: {
    ...told.BOOKING_NOT_PAYABLE,
    details: { status: 'canceled', payable: statusesFor('confirmPayment') },
  },
  BOOKING_NOT_EDITABLE: {
    ...told.BOOKING_NOT_EDITABLE,
    details: { status: 'canceled', editable: statusesFor('update') },
  },
  INVALID_TRANSITION: {
    ...told.INVALID_TRANSITION,
    details: { from: 'Scheduled', to: 'Completed', allowed: APPOINTMENT_MOVES.Scheduled },
  },
  WEBHOOK_LIMIT_REACHED: {
    ...told.WEBHOOK_LIMIT_REACHED,
    message: `The limit of ${MAX_SUBSCRIPTIONS} webhook subscriptions is reached: remove one first`,
  },
};
