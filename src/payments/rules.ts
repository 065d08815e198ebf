import { DAY, HOUR, type Instant, MINUTE } from '../clock.ts';
import { toHalalas } from './halalas.ts';

/** What became of a payment by link. CREATED: no link yet; OPEN: a link that can be paid. */
export const PAYMENT_STATES = ['CREATED', 'OPEN', 'PAID', 'FAILED', 'EXPIRED', 'CANCELED'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const REFUND_STATUSES = ['NONE', 'PENDING', 'DONE', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** What moves a payment, and from where to where; late money moves nothing but the refund. */
export const LINK_MOVES = {
  linkMade: { CREATED: 'OPEN' },
  customerPaid: { CREATED: 'PAID', OPEN: 'PAID' },
  failed: { CREATED: 'FAILED', OPEN: 'FAILED' },
  expired: { CREATED: 'EXPIRED', OPEN: 'EXPIRED' },
  bookingCanceled: { CREATED: 'CANCELED', OPEN: 'CANCELED' },
} as const satisfies Record<string, Partial<Record<PaymentState, PaymentState>>>;
export type LinkTrigger = keyof typeof LINK_MOVES;

/** The same for the refund: asked for by cancelling and by late money, retried or settled by hand by the operator. */
export const REFUND_MOVES = {
  asked: { NONE: 'PENDING' },
  done: { PENDING: 'DONE' },
  givenUp: { PENDING: 'FAILED' },
  retried: { FAILED: 'PENDING' },
  doneByHand: { PENDING: 'DONE', FAILED: 'DONE' },
} as const satisfies Record<string, Partial<Record<RefundStatus, RefundStatus>>>;
export type RefundTrigger = keyof typeof REFUND_MOVES;

/** The refund after the trigger, or null when it does not admit it. */
export function refundAfter(trigger: RefundTrigger, from: RefundStatus): RefundStatus | null {
  return (REFUND_MOVES[trigger] as Partial<Record<RefundStatus, RefundStatus>>)[from] ?? null;
}

/** Why a payment failed for good: `reason` of booking.payment_failed (section 6). */
export type FailureReason =
  | 'LINK_NOT_CREATED'
  | 'LINK_NOT_SENT'
  | 'LINK_EXPIRED'
  | 'PAYMENT_FAILED'
  | 'AMOUNT_MISMATCH';

/** When a step that failed is tried again (milliseconds); after the last one it has failed for good. */
export const TRY_AGAIN_AFTER = [
  5_000,
  15_000,
  45_000,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
] as const;

/** How long the end of a link, and a refund, is followed up with a gateway that does not answer. */
export const FOLLOW_UP = 7 * DAY;

/**
 * How long after it was closed a link is looked at again (milliseconds): a bank that was asked before may say yes after.
 */
export const LATE_LOOKS = [10 * MINUTE, HOUR, DAY] as const;

/** When a link that was closed then is looked at next; null: not any more. */
export function nextLateLook(closedAt: Instant, now: Instant): Instant | null {
  const next = LATE_LOOKS.find((after) => closedAt + after > now);
  return next === undefined ? null : closedAt + next;
}

/** How often the gateway is asked about an open link of that age (milliseconds): notifications are quicker. */
export function pollAfter(age: number): number {
  if (age < 10 * MINUTE) return 30_000;
  return age < 2 * HOUR ? 2 * MINUTE : 10 * MINUTE;
}

/** What a payment's state says about what is to be done next. */
export type StepFacts = {
  status: PaymentState;
  gateway_reference: string | null;
  link_asks: number;
  notified_at: Instant | null;
  sent_at: Instant | null;
  /** The operator wants the link sent once more. */
  resend_asked_at: Instant | null;
  link_closed_at: Instant | null;
  paid_at: Instant | null;
  refund_status: RefundStatus;
  expires_at: Instant;
  /** Of the appointment. */
  starts_at: Instant;
};

export type Step = 'create-link' | 'send' | 'poll' | 'expire' | 'close' | 'refund';

/** Until when the link can be paid: 24 hours, never later than the start of the appointment. */
export function endOfLink({ expires_at, starts_at }: Pick<StepFacts, 'expires_at' | 'starts_at'>): Instant {
  return Math.min(expires_at, starts_at);
}

/** The next thing to do, or null when there is nothing. */
export function nextStep(payment: StepFacts, now: Instant): Step | null {
  if (payment.refund_status === 'PENDING') return 'refund';
  switch (payment.status) {
    case 'CREATED':
      return now >= endOfLink(payment) ? 'expire' : 'create-link';
    case 'OPEN':
      if (now >= endOfLink(payment)) return 'expire';
      return payment.notified_at === null && hasToBeSent(payment) ? 'send' : 'poll';
    case 'PAID':
      return null;
    default: {
      // Also when it is closed already: money may have come all the same.
      const mayHaveLink = payment.gateway_reference !== null || payment.link_asks > 0;
      const isOver = payment.link_closed_at !== null && payment.paid_at !== null;
      return mayHaveLink && !isOver ? 'close' : null;
    }
  }
}

/** Does the customer wait for the link, for the first time or once more? */
export function hasToBeSent({
  sent_at,
  resend_asked_at,
}: Pick<StepFacts, 'sent_at' | 'resend_asked_at'>): boolean {
  return sent_at === null || resend_asked_at !== null;
}

/** Did the money come for a booking that did not wait for it any more? Another amount than owed is not that. */
export function isLate({
  status,
  paid_at,
  failure_reason,
}: {
  status: PaymentState;
  paid_at: Instant | null;
  failure_reason: string | null;
}): boolean {
  return paid_at !== null && status !== 'PAID' && failure_reason !== 'AMOUNT_MISMATCH';
}

/** Did exactly what is owed arrive? Both are SAR, decimals. */
export function isExactAmount(owed: string, paid: string | null, currency: string | null): boolean {
  return paid !== null && currency === 'SAR' && toHalalas(owed) === toHalalas(paid);
}
