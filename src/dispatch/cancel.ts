import type { Instant } from '../base/clock.ts';
import { notFound } from '../base/errors.ts';
import { type Cancellation, cancellationOf, withKnownReason } from '../bookings/cancel.ts';
import { saveCancellation } from '../bookings/change-queries.ts';
import { lockBooking } from '../bookings/queries.ts';
import { type BookingView, bookingView } from '../bookings/view.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import type { WantedVersions } from '../http/if-match.ts';
import { isActiveReason } from '../reasons/queries.ts';
import { unknownReason } from '../reasons/reasons.ts';
import { assertBookingWanted } from './version.ts';

/**
 * The operator's cancellation of any partner's booking, for any active reason, with its audit row. Throws as
 * cancelBooking does, and CONFLICT when the booking has another version than those wanted.
 */
export async function cancelForOperator(
  db: Db,
  now: Instant,
  actor: Actor,
  bookingId: string,
  { reasonId, notes }: Cancellation,
  wanted: WantedVersions = null,
): Promise<BookingView> {
  if (!(await isActiveReason(db, reasonId))) throw unknownReason();
  const request = { reasonId, notes: notes ?? null, by: actor };
  return withKnownReason(
    db.transaction(async (tx) => {
      const booking = await lockBooking(tx, null, bookingId);
      if (booking === null) throw notFound('Booking');
      await assertBookingWanted(tx, wanted, booking);
      const { view, after, cancellation, events } = cancellationOf(booking, now, request);
      await saveCancellation(tx, now, booking, after, { ...cancellation, by: actor }, events);
      await audit(tx, now, {
        actor,
        action: 'booking.cancel',
        target: `booking:${booking.id}`,
        before: bookingView(booking),
        after: { ...view, cancellation },
      });
      return view;
    }, bookingId),
  );
}
