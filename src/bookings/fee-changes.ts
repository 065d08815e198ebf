import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Tx } from '../db/connection.ts';
import { type FeeEntry, totalOf } from '../policies/ledger.ts';
import { type LockedBooking, saveBooking } from './change-queries.ts';
import { paymentKept } from './refund.ts';
import { bookingView } from './view.ts';

/** Why what may be kept has changed, to the partner. */
export type FeesCause = 'DECIDED' | 'WAIVED' | 'GATEWAY';

/**
 * Saves the ledger of a locked booking, with the event booking.fees_changed when it has a new entry, and returns the
 * booking after it. The trigger lower_payment makes the rest of a payment go back.
 */
export async function saveFees(
  tx: Tx,
  now: Instant,
  booking: LockedBooking,
  { fees, cause, by }: { fees: FeeEntry[] | null; cause: FeesCause; by: string },
): Promise<LockedBooking> {
  const kept = totalOf(fees ?? []);
  const isChange = fees !== booking.fees;
  const { payment } = booking;
  const isOpen = payment !== null && (payment.kept_amount !== null || payment.refund_to_decide);
  const after = {
    ...booking,
    fees,
    payment: isChange && isOpen && booking.status === 'canceled' ? paymentKept(payment, kept) : payment,
    updated_at: now,
  };
  const feesChange = { cause, kept: kept / 100, at: toRiyadhIso(now) };
  const event = { id: newId(now), name: 'booking.fees_changed' as const };
  await saveBooking(tx, now, {
    after,
    events: isChange ? [{ ...event, payload: { ...bookingView(after), feesChange } }] : [],
    by,
  });
  return after;
}
