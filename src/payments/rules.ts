import { DAY, HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { isMoney, toHalalas } from '../base/money.ts';
import { type Move, stateAfter } from '../base/moves.ts';
import type { RefundStatus } from '../bookings/refund.ts';
import type { BookingStatus, FailureReason } from '../bookings/rules.ts';
import type { Rule } from '../http/validation.ts';

/** The states of a payment by link. CREATED: no link yet; OPEN: a link that can be paid. */
export const PAYMENT_STATES = ['CREATED', 'OPEN', 'PAID', 'FAILED', 'EXPIRED', 'CANCELED'] as const;

/** The orders of the operator's list. */
export const PAYMENT_ORDERS = ['createdAt', 'updatedAt', 'amount', 'status'] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Moves of a payment by trigger; late money moves only the refund. */
export const LINK_MOVES = {
  linkMade: { CREATED: 'OPEN' },
  customerPaid: { OPEN: 'PAID' },
  failed: { CREATED: 'FAILED', OPEN: 'FAILED' },
  expired: { CREATED: 'EXPIRED', OPEN: 'EXPIRED' },
  bookingCanceled: { CREATED: 'CANCELED', OPEN: 'CANCELED' },
} as const satisfies Record<string, Move<PaymentState>>;
export type LinkTrigger = keyof typeof LINK_MOVES;

/**
 * Moves of the refund by trigger: `asked` when the amount to refund grows, `gone` when the gateway has refunded all of
 * it, also by its dashboard; retried or settled manually by the operator.
 */
export const REFUND_MOVES = {
  asked: { NONE: 'PENDING', DONE: 'PENDING', FAILED: 'PENDING' },
  gone: { NONE: 'DONE', PENDING: 'DONE', FAILED: 'DONE' },
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

/** The reason of a payment whose booking the operator has failed; the event has the operator's text. */
export const FAILED_BY_OPERATOR = 'OPERATOR';

/** Milliseconds until a failed step is tried again; after the last one it has failed permanently. */
export const STEP_RETRY_AFTER = [
  5_000,
  15_000,
  45_000,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
] as const;

/** Milliseconds until a step is tried again after so many internal faults in a row. */
export function faultBackoff(inARow: number): number {
  return Math.min(1_000 * 2 ** (inARow - 1), MINUTE);
}

/** What a link may wait for: that the gateway makes it, and that the customer is sent it. */
export const UNSENT_STEPS = ['make', 'send'] as const;
/** Milliseconds after which a link that waits is a concern: the first tries take less. */
export const UNSENT_AFTER = MINUTE;

/** Milliseconds in which the end of a link, or a refund, is tried at a gateway that does not respond. */
export const FOLLOW_UP = 7 * DAY;

/**
 * Milliseconds after a link's end at which it is polled again, should notifications be lost: of a late confirmation by
 * the bank, a second payment, or a refund in the gateway's dashboard.
 */
export const LATE_POLLS = [10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY] as const;

/** The next poll of a link that has ended, after the one at `looked`; null: there is none. */
function nextLatePollAt(endedAt: Instant, looked: Instant): Instant | null {
  const next = LATE_POLLS.find((after) => endedAt + after > looked);
  return next === undefined ? null : endedAt + next;
}

/** Polling interval for an open link of that age (milliseconds); notifications are faster. */
export function pollInterval(age: number): number {
  if (age < 10 * MINUTE) return 30_000;
  return age < 2 * HOUR ? 2 * MINUTE : 10 * MINUTE;
}

/** The fields of a payment that decide its next step. */
export type StepColumns = {
  status: PaymentState;
  gateway_reference: string | null;
  link_asks: number;
  notified_at: Instant | null;
  sent_at: Instant | null;
  /** The next try of the message; null: at once. */
  send_due_at: Instant | null;
  /** The operator's request to send the link again. */
  resend_asked_at: Instant | null;
  /** The last poll of the link. */
  looked_at: Instant | null;
  link_closed_at: Instant | null;
  refund_status: RefundStatus;
  expires_at: Instant;
  created_at: Instant;
  /** The start of the appointment. */
  starts_at: Instant;
};

export type Step = 'create-link' | 'send' | 'poll' | 'expire' | 'close' | 'refund';

/** The end of the link, never later than the start of the appointment. */
export function endOfLink({ expires_at, starts_at }: Pick<StepColumns, 'expires_at' | 'starts_at'>): Instant {
  return Math.min(expires_at, starts_at);
}

/** The step that is due now, or null. */
export function nextStep(payment: StepColumns, now: Instant): Step | null {
  if (payment.refund_status === 'PENDING') return 'refund';
  switch (payment.status) {
    case 'CREATED':
      return now >= endOfLink(payment) ? 'expire' : 'create-link';
    case 'OPEN': {
      if (now >= endOfLink(payment)) return 'expire';
      if (payment.notified_at !== null || now >= nextPollAt(payment)) return 'poll';
      const sendAt = nextSendAt(payment);
      return sendAt !== null && now >= sendAt ? 'send' : null;
    }
    default: {
      if (!mayHaveLink(payment)) return null;
      if (payment.link_closed_at === null || payment.notified_at !== null) return 'close';
      const lookAt = nextLookAt(payment);
      return lookAt !== null && now >= lookAt ? 'close' : null;
    }
  }
}

/** The due time of the next step, unless the payment changes before; null: there is none. */
export function nextDueAt(payment: StepColumns): Instant | null {
  if (payment.status === 'OPEN') {
    const sendAt = payment.notified_at === null ? nextSendAt(payment) : null;
    return Math.min(endOfLink(payment), nextPollAt(payment), sendAt ?? Number.POSITIVE_INFINITY);
  }
  return payment.status === 'CREATED' || !mayHaveLink(payment) ? null : nextLookAt(payment);
}

/** The next poll of an open link, independent of its message. */
function nextPollAt({ looked_at, created_at }: StepColumns): Instant {
  const looked = looked_at ?? created_at;
  return looked + pollInterval(looked - created_at);
}

/** The due time of the message; null: it was sent. The epoch: at once. */
function nextSendAt(payment: StepColumns): Instant | null {
  return needsSending(payment) ? (payment.send_due_at ?? 0) : null;
}

function nextLookAt({ link_closed_at, looked_at }: StepColumns): Instant | null {
  return link_closed_at === null ? null : nextLatePollAt(link_closed_at, looked_at ?? link_closed_at);
}

/** Whether an earlier try may have made a link. */
function mayHaveLink({ gateway_reference, link_asks }: StepColumns): boolean {
  return gateway_reference !== null || link_asks > 0;
}

/** Whether the link is to be sent, for the first time or again. */
export function needsSending({
  sent_at,
  resend_asked_at,
}: Pick<StepColumns, 'sent_at' | 'resend_asked_at'>): boolean {
  return sent_at === null || resend_asked_at !== null;
}

/** Reasons of failures in spite of money, which is not late. */
export const FAILED_WITH_MONEY = ['AMOUNT_MISMATCH', 'PAYMENT_FAILED'] as const satisfies FailureReason[];

/** Whether the money came when the booking no longer waited for it; a wrong amount is not late. */
export function isLate({
  status,
  paid_at,
  failure_reason,
}: {
  status: PaymentState;
  paid_at: Instant | null;
  failure_reason: string | null;
}): boolean {
  const isOther = FAILED_WITH_MONEY.some((reason) => reason === failure_reason);
  return paid_at !== null && status !== 'PAID' && !isOther;
}

/** The last known state of a payment in a link. Amounts are exact decimals of its currency. */
export type Charge = {
  reference: string;
  currency: string;
  /** Charged to the customer. */
  charged: string;
  /** Refunded at the gateway, also in its dashboard. */
  refunded: string;
  /** Refunded manually, not through the gateway. */
  by_hand: string;
};

/** Halalas: charged, refunded of it, and the rest. */
export type ChargeTotals = { charged: number; returned: number; kept: number };

/** The totals of a link's payments in SAR; other currencies are never owed. */
export function chargeTotals(charges: readonly Charge[]): ChargeTotals {
  const inSar = charges.filter(({ currency }) => currency === 'SAR');
  const charged = inSar.reduce((sum, charge) => sum + toHalalas(charge.charged), 0);
  const kept = inSar.reduce((sum, charge) => sum + remainderOf(charge), 0);
  return { charged, returned: charged - kept, kept };
}

/** The rest of a payment, in halalas; a refund that is recorded twice counts once. */
export function remainderOf({ charged, refunded, by_hand }: Charge): number {
  return Math.max(0, toHalalas(charged) - toHalalas(refunded) - toHalalas(by_hand));
}

/**
 * Halalas owed for the booking: its price while it is neither canceled nor failed and while a decision is pending, the
 * kept amount after a decision, else 0.
 */
export function amountOwed(payment: {
  amount: string;
  booking_status: BookingStatus;
  refund_to_decide: boolean;
  kept_amount: string | null;
}): number {
  const { amount, booking_status: status, refund_to_decide: isOpen, kept_amount: kept } = payment;
  if (status === 'failed') return 0;
  return status === 'canceled' && !isOpen ? toHalalas(kept ?? '0') : toHalalas(amount);
}

/** The refund of one payment, in halalas of its currency: `share` now, `inAll` with earlier refunds at the gateway. */
export type Share = { reference: string; share: number; inAll: number };

/**
 * The refunds by payment: the rest of all payments beyond the amount owed, which the first payments keep. The amount
 * kept in the end is the amount owed, independent of the order and of earlier refunds.
 */
export function refundShares(charges: readonly Charge[], owed: number): Share[] {
  let missing = owed;
  return charges.flatMap((charge) => {
    const left = remainderOf(charge);
    const kept = charge.currency === 'SAR' ? Math.min(left, missing) : 0;
    missing -= kept;
    const share = left - kept;
    return share === 0
      ? []
      : [{ reference: charge.reference, share, inAll: toHalalas(charge.refunded) + share }];
  });
}

/** The form of an amount that an operator refunds. */
export const EXACT_SAR: Rule<number> = {
  check: isMoney,
  message: 'must be a number with at most 2 decimal places',
};
