import type { Instant } from '../base/clock.ts';
import { toHalalas, toSar } from '../base/money.ts';
import type { BookingStatus } from './rules.ts';

/** The payment by link of a booking, as partners see it. Amounts are SAR, exact. */
export type BookingPayment = {
  id: string;
  /** The stored URL, while it can be paid. */
  link: string | null;
  expires_at: Instant;
  /** Whether the link is still to be made or paid. */
  is_open: boolean;
  paid_amount: string | null;
} & RefundColumns;

type RefundColumns = {
  refunded_amount: string | null;
  refund_status: RefundStatus;
  /** The whole refund; null: all that was paid. */
  refund_amount: string | null;
  refund_to_decide: boolean;
  /** The operator's decision; null: none. */
  kept_amount: string | null;
};

export const REFUND_STATUSES = ['NONE', 'PENDING', 'DONE', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** As it is shown: TO_DECIDE first of all, DECLINED after the decision to refund nothing. */
export const SHOWN_REFUND_STATUSES = [...REFUND_STATUSES, 'TO_DECIDE', 'DECLINED'] as const;
export type ShownRefundStatus = (typeof SHOWN_REFUND_STATUSES)[number];

/** The refund's status as it is shown. */
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

type Money = Pick<BookingPayment, 'paid_amount' | 'refunded_amount' | 'refund_status'>;

/** SAR refunded so far, exact. Older versions refunded everything or nothing and stored no sum. */
export function refundedOf({ paid_amount, refunded_amount, refund_status }: Money): string {
  return refunded_amount ?? (refund_status === 'DONE' ? paid_amount : null) ?? '0';
}

/** Halalas that were paid and not refunded. */
export function keptOf(payment: Money): number {
  return toHalalas(payment.paid_amount ?? '0') - toHalalas(refundedOf(payment));
}

/** The refund of a booking of this price: made, to be made, or to be decided on; null: none. */
export function refundOf(
  payment: Pick<BookingPayment, 'paid_amount' | keyof RefundColumns>,
  price: string,
): { amount: number; status: Exclude<ShownRefundStatus, 'NONE'> } | null {
  const status = shownRefund(payment);
  switch (status) {
    case 'NONE':
      return null;
    case 'TO_DECIDE':
      return { amount: refundableOf(payment, price) / 100, status };
    case 'DONE':
    case 'DECLINED':
      return { amount: Number(refundedOf(payment)), status };
    default:
      return { amount: Number(payment.refund_amount ?? payment.paid_amount), status };
  }
}

/** The amount of a decision, in halalas: the kept part of the price. A surplus is refunded without a decision. */
export function refundableOf(payment: Money, price: string): number {
  return Math.min(keptOf(payment), toHalalas(price));
}

/**
 * The payment after a cancellation, as the trigger cancel_payment leaves it. `before`: the booking's status before; `kept`:
 * halalas that a policy keeps of the price, null: no policy decides.
 */
export function paymentCanceled(
  payment: BookingPayment,
  before: BookingStatus,
  { hasBegun, kept }: { hasBegun: boolean; kept: number | 'UNDECIDED' | null },
): BookingPayment {
  const isKept = keptOf(payment) > 0;
  if (!payment.is_open && !isKept) return payment;
  const isOwed = before === 'in progress' || before === 'success';
  if (typeof kept === 'number' && isKept && isOwed) return paymentKept(payment, kept);
  const isToDecide = kept === 'UNDECIDED' || hasBegun;
  // A failed refund of a failed booking is left to the operator.
  const goesBack = isKept && (isOwed ? !isToDecide : payment.refund_status === 'NONE');
  return {
    ...payment,
    link: null,
    is_open: false,
    refund_to_decide: isKept && isOwed && isToDecide,
    ...(goesBack && { refund_status: 'PENDING' as const, refund_amount: payment.paid_amount }),
  };
}

/** The payment of an ended booking of which so many halalas are kept, as lower_payment leaves it: the rest goes back. */
export function paymentKept(payment: BookingPayment, kept: number): BookingPayment {
  const goesBack = keptOf(payment) > kept;
  return {
    ...payment,
    link: null,
    is_open: false,
    refund_to_decide: false,
    kept_amount: toSar(kept),
    ...(goesBack && {
      refund_status: 'PENDING' as const,
      refund_amount: toSar(toHalalas(payment.paid_amount!) - kept),
    }),
  };
}

/** The payment after the operator has failed the booking: all that was kept goes back. */
export function paymentOfFailed(payment: BookingPayment): BookingPayment {
  const ended = { ...payment, link: null, is_open: false };
  return keptOf(payment) > 0 && payment.refund_status !== 'PENDING'
    ? { ...ended, refund_status: 'PENDING', refund_amount: payment.paid_amount }
    : ended;
}
