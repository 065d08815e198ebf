import type { Db } from '../db/connection.ts';
import type { BookingPayments } from '../dispatch/booking-routes.ts';
import { failForOperator } from './fail-booking.ts';
import { paymentsByBooking } from './operator.ts';
import { BookingPayment } from './operator-schema.ts';
import { bookingPaymentView, type LinkDeps } from './operator-view.ts';

/** The payments for the operator's routes of bookings. */
export function bookingPayments(deps: { db: Db } & LinkDeps): BookingPayments {
  return {
    schema: BookingPayment,
    async viewsOf(bookingIds) {
      const payments = await paymentsByBooking(deps.db, bookingIds);
      return (bookingId) => bookingPaymentView(deps, payments.get(bookingId));
    },
    fail: (now, actor, failure) => failForOperator(deps.db, now, actor, failure),
  };
}
