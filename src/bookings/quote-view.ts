import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { toHalalas } from '../base/money.ts';
import { shownPolicy } from '../policies/view.ts';
import type { ChangeAction } from '../policies/words.ts';
import type { LockedBooking } from './change-queries.ts';
import { keptOf } from './refund.ts';
import { BEGUN } from './rules.ts';

/** The fee of a change now and the earlier ones, and until when it is that. */
export type Quoted = {
  action: ChangeAction;
  /** null: the operator decides on it, between nothing and `most`. */
  fee: number | null;
  most: number;
  earlier: number;
  validUntil: Instant | null;
};

/**
 * The price of a change now. Of a cancellation fee, earlier fees and refund are what was paid; a refund of null is decided
 * on by the operator. `quoted` null: nothing is charged.
 */
export function quoteView(booking: LockedBooking, action: ChangeAction, quoted: Quoted | null) {
  const { fee, most, earlier, validUntil } = quoted ?? { fee: 0, most: 0, earlier: 0, validUntil: null };
  const refund = action === 'reschedule' ? 0 : refundOf(booking, quoted);
  return {
    bookingId: booking.id,
    action,
    fee: fee === null ? null : fee / 100,
    feeAtMost: most / 100,
    earlierFees: earlier / 100,
    refund: refund === null ? null : refund / 100,
    currency: 'SAR' as const,
    validUntil: validUntil === null ? null : toRiyadhIso(validUntil),
    policy:
      booking.policy_id === null || booking.terms === null
        ? null
        : { ...shownPolicy(booking.policy_id, booking.terms), steps: booking.terms[action] },
  };
}

/** Halalas that go back on a cancellation; null: the operator decides. `quoted` null: by no policy. */
function refundOf(booking: LockedBooking, quoted: Quoted | null): number | null {
  const paid = paidOf(booking);
  if (quoted !== null) return quoted.fee === null ? null : Math.max(0, paid - quoted.fee - quoted.earlier);
  const isBegun = booking.has_begun || BEGUN.includes(booking.appointment_status);
  return booking.payment !== null && paid > 0 && isBegun ? null : paid;
}

/** Halalas that the customer has paid, to the service or to the partner, and not got back. */
function paidOf({ payment, payment_responsibility: mode, payment_status, amount }: LockedBooking): number {
  if (mode === 'PARTNER') return payment_status === 'PAID' ? toHalalas(amount) : 0;
  return payment === null ? 0 : keptOf(payment);
}
