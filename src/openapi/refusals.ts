import type { ErrorCode } from '../base/errors.ts';
import { holdConsumed, limitReached } from '../bookings/hold-refusals.ts';
import { APPOINTMENT_MOVES, statusesFor } from '../bookings/rules.ts';
import { duplicateReference } from '../bookings/slot.ts';
import { MAX_SUBSCRIPTIONS } from '../webhooks/rules.ts';
import type { ErrorExample } from './document.ts';

/** Free timeslots in the details of BOOKING_CREATION_FAILED. */
export const alternatives = [{ date: '2026-12-01', startAt: '13:00', endAt: '15:00' }];

/** Every code with its condition, and message and details as the service sends them. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorExample> = {
  VALIDATION_ERROR: {
    when: 'All faults of the request, one message for each field',
    message: 'The request is not valid',
  },
  UNAUTHORIZED: {
    when: 'The key is missing, unknown, expired or revoked, or its partner is suspended',
    message: 'The API key is missing or not valid',
    details: {
      check: 'key',
      reason: 'missing',
      hints: ['send the key in the header x-api-key'],
    },
  },
  FORBIDDEN: {
    when: 'The key lacks the permission, or may not be used from this address',
    message: 'The API key lacks the permission this operation needs',
    details: { check: 'permission', permission: 'partner_bookings_create' },
  },
  INVALID_PARTNER_DOMAIN: {
    when: 'The request names a domain that the partner does not allow',
    message: 'Requests from this domain are not allowed',
    details: { check: 'domain', domain: 'elsewhere.sa', source: 'Origin' },
  },
  SANDBOX_DOMAIN_NOT_ALLOWED: {
    when: 'The request names a sandbox domain, and the deployment refuses those',
    message: 'Requests from this domain are not allowed',
    details: { check: 'domain', domain: 'sandbox.example.sa', source: 'x-partner-domain' },
  },
  RESOURCE_NOT_FOUND: {
    when: "It does not exist, or is another partner's",
    message: 'Booking not found',
    details: { resource: 'booking' },
  },
  SERVICE_NOT_ALLOWED: {
    when: 'The service is not enabled for the partner, or not available at the address',
    message: 'The service is not enabled for this partner',
  },
  DUPLICATE_EXTERNAL_REFERENCE: {
    when: 'The reference is already in use: read the status of the booking that has it',
    message: 'externalReference is already used by another booking',
    details: duplicateReference('ORDER-2026-000123', {
      bookingId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
      sameRequest: false,
    }).details,
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    when: 'The key was used before with another body',
    message: 'The Idempotency-Key was used with another body',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    when: 'The first request is still running: retry in a moment',
    message: 'The first request with this Idempotency-Key is still running',
  },
  HOLD_MISMATCH: {
    when: 'The hold is for another address (a hold at coordinates: another zone), service or timeslot',
    message: 'The hold is for another timeslot',
    details: { fields: ['timeslot'] },
  },
  HOLD_CONSUMED: {
    when: 'The hold was taken by a booking before',
    message: 'The hold was taken by a booking',
    details: holdConsumed('5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10').details,
  },
  HOLD_ENDED: {
    when: 'The hold has expired, or was released or replaced: hold the slot anew',
    message: 'The hold is over: hold the slot anew',
    details: { status: 'RELEASED' },
  },
  FEE_CHANGED: {
    when: 'The fee is higher than `maxFee`: show the quote in the details, and send the request again with its fee',
    message: 'The fee is higher than maxFee: nothing was changed',
    details: {
      quote: {
        bookingId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10',
        action: 'cancel',
        fee: 37.5,
        feeAtMost: 37.5,
        earlierFees: 0,
        refund: 112.5,
        currency: 'SAR',
        validUntil: '2026-12-01T06:00:00+03:00',
        policy: null,
      },
      hints: ['show the fee to the customer, and send the request again with it as maxFee'],
    },
  },
  HOLD_LIMIT_REACHED: {
    when: 'The account holds as many slots as it may, in all or without a customer, or the slot would be held for more than 30 minutes in all',
    message: 'The account holds as many slots as it may at once',
    details: limitReached(50).details,
  },
  CONFLICT: {
    when: 'A unique name is already in use, or the resource is in use',
    message: 'Another resource has this name',
    details: { reason: 'NAME_TAKEN' },
  },
  BOOKING_CREATION_FAILED: {
    when: 'The timeslot is not available; the details have up to five free timeslots nearby',
    message: 'The timeslot is no longer available',
    details: { reason: 'SLOT_UNAVAILABLE', alternatives },
  },
  BOOKING_ALREADY_CANCELLED: {
    when: 'The booking is already canceled',
    message: 'The booking is already canceled',
    details: { status: 'canceled', cancellable: statusesFor('cancel') },
  },
  BOOKING_NOT_PAYABLE: {
    when: 'The booking is canceled or failed',
    message: 'A booking that is canceled cannot be paid',
    details: { status: 'canceled', payable: statusesFor('confirmPayment') },
  },
  PAYMENT_RESPONSIBILITY_MISMATCH: {
    when: 'The platform collects the payments of this account',
    message: 'Payment of this booking is collected by the platform',
    details: { paymentResponsibility: 'PLATFORM', paymentStatus: 'PENDING' },
  },
  PAYMENT_ALREADY_CONFIRMED: {
    when: 'The payment is already confirmed; no action is needed',
    message: 'Payment of this booking is already confirmed',
    details: { paymentStatus: 'PAID' },
  },
  BOOKING_NOT_EDITABLE: {
    when: 'The booking is neither in progress nor waiting for payment, or its appointment has begun',
    message: 'A booking that is canceled cannot be changed',
    details: { status: 'canceled', editable: statusesFor('update') },
  },
  BOOKING_APPOINTMENT_NOT_FOUND: {
    when: 'A date or timeslot is given, and no appointment is assigned yet',
    message: 'The booking has no appointment to reschedule',
    details: { appointmentStatus: null },
  },
  INVALID_TRANSITION: {
    when: 'The current status does not allow this transition',
    message: 'An appointment that is Scheduled cannot become Completed',
    details: { from: 'Scheduled', to: 'Completed', allowed: APPOINTMENT_MOVES.Scheduled },
  },
  WEBHOOK_DOMAIN_NOT_ALLOWED: {
    when: 'The host of the URL is not in an allowed webhook domain of the account',
    message: "The URL's host is in none of the account's allowed webhook domains",
    details: {
      check: 'webhook-domain',
      host: 'hooks.example.com',
      allowedDomains: ['example.sa'],
      hints: ['use a host in one of allowedDomains, or ask the operator to allow hooks.example.com'],
    },
  },
  WEBHOOK_LIMIT_REACHED: {
    when: 'The account has reached its limit of subscriptions',
    message: `The limit of ${MAX_SUBSCRIPTIONS} webhook subscriptions is reached: remove one first`,
  },
  DELIVERY_NOT_RETRYABLE: {
    when: 'The status of the delivery does not allow it, or its subscription was removed',
    message: 'Only a FAILED delivery can be retried, this one is PENDING',
    details: { status: 'PENDING' },
  },
  RATE_LIMIT_EXCEEDED: {
    when:
      'The limit of the key is used up, or too many requests without a valid key came from this address; ' +
      'see Retry-After',
    message: 'The limit of 600 requests in 60 seconds is used up',
    details: { check: 'rate-limit', limit: 600, window: 60, retryAfter: 12 },
  },
  INTERNAL_ERROR: {
    when: 'An internal error; it is logged under the request ID',
    message: 'An unexpected error occurred',
  },
};
