import { DAY, HOUR, type Instant, MINUTE } from '../clock.ts';
import { toHalalas } from '../money.ts';
import { type Move, stateAfter } from '../moves.ts';

/** What became of a payment by link. CREATED: no link yet; OPEN: a link that can be paid. */
export const PAYMENT_STATES = ['CREATED', 'OPEN', 'PAID', 'FAILED', 'EXPIRED', 'CANCELED'] as const;

/** What the operator's list can be sorted by. */
export const PAYMENT_ORDERS = ['createdAt', 'updatedAt', 'amount', 'status'] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

export const REFUND_STATUSES = ['NONE', 'PENDING', 'DONE', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** What moves a payment, and from where to where; late money moves nothing but the refund. */
export const LINK_MOVES = {
  linkMade: { CREATED: 'OPEN' },
  customerPaid: { OPEN: 'PAID' },
  failed: { CREATED: 'FAILED', OPEN: 'FAILED' },
  expired: { CREATED: 'EXPIRED', OPEN: 'EXPIRED' },
  bookingCanceled: { CREATED: 'CANCELED', OPEN: 'CANCELED' },
} as const satisfies Record<string, Move<PaymentState>>;
export type LinkTrigger = keyof typeof LINK_MOVES;

/** The same for the refund: asked for by cancelling and by late money, retried or settled by hand by the operator. */
export const REFUND_MOVES = {
  asked: { NONE: 'PENDING' },
  done: { PENDING: 'DONE' },
  givenUp: { PENDING: 'FAILED' },
  retried: { FAILED: 'PENDING' },
  doneByHand: { PENDING: 'DONE', FAILED: 'DONE' },
} as const satisfies Record<string, Move<RefundStatus>>;
export type RefundTrigger = keyof typeof REFUND_MOVES;

/** The payment's status after the trigger, or null when it does not admit it. */
export function linkAfter(trigger: LinkTrigger, from: PaymentState): PaymentState | null {
  return stateAfter<PaymentState>(LINK_MOVES[trigger], from);
}

/** The refund after the trigger, or null when it does not admit it. */
export function refundAfter(trigger: RefundTrigger, from: RefundStatus): RefundStatus | null {
  return stateAfter<RefundStatus>(REFUND_MOVES[trigger], from);
}

/** Why a payment failed permanently: `reason` of booking.payment_failed (section 6). */
export type FailureReason =
  | 'LINK_NOT_CREATED'
  | 'LINK_NOT_SENT'
  | 'LINK_EXPIRED'
  | 'PAYMENT_FAILED'
  | 'AMOUNT_MISMATCH';

/** Kept with a payment whose booking the operator has failed; the event has the operator's words. */
export const FAILED_BY_OPERATOR = 'OPERATOR';

/** When a step that failed is tried again (milliseconds); after the last one it has failed permanently. */
export const TRY_AGAIN_AFTER = [
  5_000,
  15_000,
  45_000,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
] as const;

/** How long after so many faults of ours in a row a step is tried again (milliseconds): a database is soon back. */
export function afterFault(inARow: number): number {
  return Math.min(1_000 * 2 ** (inARow - 1), MINUTE);
}

/** How long the end of a link, and a refund, is followed up with a gateway that does not respond. */
export const FOLLOW_UP = 7 * DAY;

/**
 * How long after it was closed a link is looked at again (milliseconds): a bank that was asked before may say yes
 * after.
 */
export const LATE_LOOKS = [10 * MINUTE, HOUR, DAY] as const;

/** When a link that was closed then is looked at next; null: not any more. */
export function nextLatePollAt(closedAt: Instant, now: Instant): Instant | null {
  const next = LATE_LOOKS.find((after) => closedAt + after > now);
  return next === undefined ? null : closedAt + next;
}

/** Polling interval for an open link of that age (milliseconds); notifications are faster. */
export function pollAfter(age: number): number {
  if (age < 10 * MINUTE) return 30_000;
  return age < 2 * HOUR ? 2 * MINUTE : 10 * MINUTE;
}

/** The fields of a payment that decide its next step. */
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
      return payment.notified_at === null && needsSending(payment) ? 'send' : 'poll';
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
export function needsSending({
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
