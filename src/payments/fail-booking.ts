import type { Instant } from '../base/clock.ts';
import { changeBooking } from '../bookings/change.ts';
import { failBooking } from '../bookings/fail.ts';
import { keptOf } from '../bookings/refund.ts';
import type { Actor } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import { assertBookingWanted } from '../dispatch/version.ts';
import type { WantedVersions } from '../http/if-match.ts';
import { listPaymentsOf } from './operator-queries.ts';
import { lockPayment } from './queries.ts';
import { FAILED_BY_OPERATOR, linkAfter, refundAfter } from './rules.ts';
import { saveSettlement, settlementOf } from './step-queries.ts';

/**
 * The operator fails a booking. In the same transaction its link ends and a refund of what was paid is requested; the
 * worker closes the link and makes the refund. Throws RESOURCE_NOT_FOUND, CONFLICT (version) and INVALID_TRANSITION.
 */
export async function failForOperator(
  db: Db,
  now: Instant,
  actor: Actor,
  { bookingId, reason, wanted = null }: { bookingId: string; reason: string; wanted?: WantedVersions },
): Promise<void> {
  await changeBooking(db, { partnerId: null, bookingId }, async (tx, booking) => {
    await assertBookingWanted(tx, wanted, booking);
    await failBooking(tx, now, booking, { reason: reason.trim(), actor });
    const [known] = await listPaymentsOf(tx, [booking.id]);
    if (known === undefined) return;
    // The booking first, then the payment: everywhere in this order.
    const payment = (await lockPayment(tx, known.id))!;
    const status = linkAfter('failed', payment.status);
    const refund = keptOf(payment) > 0 ? refundAfter('asked', payment.refund_status) : null;
    await saveSettlement(tx, now, payment.id, {
      ...settlementOf(payment),
      ...(status !== null && { status, failureReason: FAILED_BY_OPERATOR }),
      ...(refund !== null && {
        refundStatus: refund,
        refundAmount: payment.paid_amount,
        refundError: null,
        refundedAt: null,
      }),
    });
  });
}
