import { DAY, HOUR, type Instant, MINUTE } from '../base/clock.ts';
import { isMoney, toHalalas } from '../base/money.ts';
import { type Move, stateAfter } from '../base/moves.ts';
import type { BookingStatus } from '../bookings/rules.ts';
import type { Rule } from '../http/validation.ts';

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

/**
 * The same for the refund: `asked` when more is to go back than before, `gone` when the gateway says that what went back is
 * all that had to, whoever did it; retried or settled by hand by the operator.
 */
export const REFUND_MOVES = {
  asked: { NONE: 'PENDING', DONE: 'PENDING', FAILED: 'PENDING' },
  gone: { NONE: 'DONE', PENDING: 'DONE', FAILED: 'DONE' },
  givenUp: { PENDING: 'FAILED' },
  retried: { FAILED: 'PENDING' },
  doneByHand: { PENDING: 'DONE', FAILED: 'DONE' },
} as const satisfies Record<string, Move<RefundStatus>>;
export type RefundTrigger = keyof typeof REFUND_MOVES;

/** The refund as the operator sees it: TO_DECIDE before anything else, DECLINED when it was decided that nothing goes back. */
export const SHOWN_REFUND_STATUSES = [...REFUND_STATUSES, 'TO_DECIDE', 'DECLINED'] as const;
export type ShownRefundStatus = (typeof SHOWN_REFUND_STATUSES)[number];

/** The refund as the operator sees it. */
export function shownRefund(payment: {
  refund_status: RefundStatus;
  refund_to_decide: boolean;
  kept_amount: string | null;
}): ShownRefundStatus {
  if (payment.refund_to_decide) return 'TO_DECIDE';
  return payment.refund_status === 'NONE' && payment.kept_amount !== null
    ? 'DECLINED'
    : payment.refund_status;
}

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
 * How long after its end a link is looked at again (milliseconds), should every notification be lost: a bank says yes late, a
 * second payment comes, money is given back in the gateway's dashboard.
 */
export const LATE_LOOKS = [10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY] as const;

/** When a link that ended then is looked at next, after the look at `looked`; null: not any more. */
export function nextLateLookAt(endedAt: Instant, looked: Instant): Instant | null {
  const next = LATE_LOOKS.find((after) => endedAt + after > looked);
  return next === undefined ? null : endedAt + next;
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
  /** When the message is tried again; null: at once. */
  send_due_at: Instant | null;
  /** The operator wants the link sent once more. */
  resend_asked_at: Instant | null;
  /** When the gateway was last asked about the link. */
  looked_at: Instant | null;
  link_closed_at: Instant | null;
  refund_status: RefundStatus;
  expires_at: Instant;
  created_at: Instant;
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

/** When the next thing is to be done on a link that is open or over, unless there is news before; null: never. */
export function nextDueAt(payment: StepFacts): Instant | null {
  if (payment.status === 'OPEN') {
    const sendAt = payment.notified_at === null ? nextSendAt(payment) : null;
    return Math.min(endOfLink(payment), nextPollAt(payment), sendAt ?? Number.POSITIVE_INFINITY);
  }
  return payment.status === 'CREATED' || !mayHaveLink(payment) ? null : nextLookAt(payment);
}

/** When an open link is looked at next, whatever becomes of its message. */
function nextPollAt({ looked_at, created_at }: StepFacts): Instant {
  const looked = looked_at ?? created_at;
  return looked + pollAfter(looked - created_at);
}

/** When the message with the link goes out; null: it is out. The epoch: at once. */
function nextSendAt(payment: StepFacts): Instant | null {
  return needsSending(payment) ? (payment.send_due_at ?? 0) : null;
}

function nextLookAt({ link_closed_at, looked_at }: StepFacts): Instant | null {
  return link_closed_at === null ? null : nextLateLookAt(link_closed_at, looked_at ?? link_closed_at);
}

/** An earlier try may have made one. */
function mayHaveLink({ gateway_reference, link_asks }: StepFacts): boolean {
  return gateway_reference !== null || link_asks > 0;
}

/** Does the customer wait for the link, for the first time or once more? */
export function needsSending({
  sent_at,
  resend_asked_at,
}: Pick<StepFacts, 'sent_at' | 'resend_asked_at'>): boolean {
  return sent_at === null || resend_asked_at !== null;
}

/** Why a payment failed although money had come, so that this is not late. */
export const FAILED_WITH_MONEY = ['AMOUNT_MISMATCH', 'PAYMENT_FAILED'] as const satisfies FailureReason[];

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
  const isOther = FAILED_WITH_MONEY.some((reason) => reason === failure_reason);
  return paid_at !== null && status !== 'PAID' && !isOther;
}

/** A payment in a link, as the gateway said last. Amounts are exact decimals of its currency. */
export type Charge = {
  reference: string;
  currency: string;
  /** Really taken from the customer. */
  charged: string;
  /** Given back at the gateway, by whomever. */
  refunded: string;
  /** Given back past the gateway. */
  by_hand: string;
};

/** SAR as whole halalas: what was charged, what of it went back, what is left. */
export type Money = { charged: number; returned: number; kept: number };

/** What is left of the money of a payment, in halalas, by its sums. */
export function keptOf(payment: {
  paid_amount: string | null;
  refunded_amount: string | null;
  refund_status: RefundStatus;
}): number {
  return toHalalas(payment.paid_amount ?? '0') - toHalalas(refundedOf(payment));
}

/** SAR that went back so far, exact. A version before gave back everything at once or nothing, and kept no sum. */
export function refundedOf({
  paid_amount,
  refunded_amount,
  refund_status,
}: {
  paid_amount: string | null;
  refunded_amount: string | null;
  refund_status: RefundStatus;
}): string {
  return refunded_amount ?? (refund_status === 'DONE' ? paid_amount : null) ?? '0';
}

/** What the payments in a link brought in. Other currencies are no money that is owed. */
export function moneyOf(charges: readonly Charge[]): Money {
  const inSar = charges.filter(({ currency }) => currency === 'SAR');
  const charged = inSar.reduce((sum, charge) => sum + toHalalas(charge.charged), 0);
  const kept = inSar.reduce((sum, charge) => sum + leftOf(charge), 0);
  return { charged, returned: charged - kept, kept };
}

/** What is left of a payment: said twice that it went back, it went back once. */
export function leftOf({ charged, refunded, by_hand }: Charge): number {
  return Math.max(0, toHalalas(charged) - toHalalas(refunded) - toHalalas(by_hand));
}

/**
 * What is owed for the booking, in halalas: its price while it lives and while nobody has decided what of it goes back, then
 * what the operator has decided to keep, else nothing.
 */
export function owedFor(payment: {
  amount: string;
  booking_status: BookingStatus;
  refund_to_decide: boolean;
  kept_amount: string | null;
}): number {
  const { amount, booking_status: status, refund_to_decide: isOpen, kept_amount: kept } = payment;
  if (status === 'failed') return 0;
  return status === 'canceled' && !isOpen ? toHalalas(kept ?? '0') : toHalalas(amount);
}

/** What goes back of one payment, in halalas of its currency: `share` now, `inAll` with what went back at the gateway before. */
export type Share = { reference: string; share: number; inAll: number };

/**
 * What goes back, by payment: all that is left but what is owed, which the first payments keep. Whatever order they came in
 * and whatever was given back before, what is kept then is what is owed.
 */
export function goesBack(charges: readonly Charge[], owed: number): Share[] {
  let missing = owed;
  return charges.flatMap((charge) => {
    const left = leftOf(charge);
    const kept = charge.currency === 'SAR' ? Math.min(left, missing) : 0;
    missing -= kept;
    const share = left - kept;
    return share === 0
      ? []
      : [{ reference: charge.reference, share, inAll: toHalalas(charge.refunded) + share }];
  });
}

/** Of what an operator refunds. */
export const EXACT_SAR: Rule<number> = {
  check: isMoney,
  message: 'must be a number with at most 2 decimal places',
};
