import type { Instant } from '../base/clock.ts';
import { type Cancellation, cancellationOf, withKnownReason } from '../bookings/cancel.ts';
import { changeBooking } from '../bookings/change.ts';
import { saveBooking } from '../bookings/change-queries.ts';
import { assertFee, quoteOf } from '../bookings/fees.ts';
import { type BookingView, bookingRecord } from '../bookings/view.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import type { WantedVersions } from '../http/if-match.ts';
import { isActiveReason } from '../reasons/queries.ts';
import { unknownReason } from '../reasons/reasons.ts';
import { assertBookingWanted } from './version.ts';

/** `maxFee` (SAR) is for a cancellation on behalf of the customer, which costs what it would cost her. */
export type OperatorCancellation = Cancellation & { onBehalfOf?: 'CUSTOMER'; maxFee?: number };

/**
 * The operator's cancellation of any partner's booking, for any active reason, with its audit row. It costs nothing,
 * unless it is on behalf of the customer. Throws as cancelBooking does, and CONFLICT when the booking has another version
 * than those wanted.
 */
export async function cancelForOperator(
  db: Db,
  now: Instant,
  actor: Actor,
  {
    bookingId,
    cancellation,
    wanted = null,
  }: { bookingId: string; cancellation: OperatorCancellation; wanted?: WantedVersions },
): Promise<BookingView> {
  if (!(await isActiveReason(db, cancellation.reasonId))) throw unknownReason();
  const { maxFee, onBehalfOf } = cancellation;
  return withKnownReason(
    changeBooking(db, { partnerId: null, bookingId }, async (tx, booking) => {
      await assertBookingWanted(tx, wanted, booking);
      const quoted = onBehalfOf === undefined ? null : quoteOf('cancel', booking, now);
      assertFee(booking, 'cancel', quoted, maxFee);
      const { after, view, change } = cancellationOf(booking, now, { ...cancellation, quoted }, actor);
      await saveBooking(tx, now, change);
      await audit(tx, now, {
        actor,
        action: 'booking.cancel',
        target: `booking:${booking.id}`,
        before: bookingRecord(booking),
        after: {
          ...bookingRecord(after),
          cancellation: {
            reasonId: cancellation.reasonId,
            notes: after.cancellation_notes,
            action: after.cancellation_action,
            ...(onBehalfOf && { onBehalfOf }),
          },
        },
      });
      return view;
    }),
  );
}
