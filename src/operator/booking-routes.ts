import { cancelForOperator } from '../bookings/cancel.ts';
import { readOperatorBooking, searchOperatorBookings } from '../bookings/operate.ts';
import { CancelForOperator, OperatorBookingsQuery } from '../bookings/operate-schema.ts';
import { operatorBookingDetailView, operatorBookingView } from '../bookings/operate-view.ts';
import { IdParams } from '../catalogue/admin-schema.ts';
import type { Deps } from '../deps.ts';
import { paymentsByBooking } from '../payments/operate.ts';
import { bookingPaymentView } from '../payments/operate-view.ts';
import type { Db } from '../platform/db.ts';
import { success, successPage } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';
import { BookingsWithPaymentResponse, BookingWithPaymentResponse } from './booking-schema.ts';

/** Bookings of all partners in the operator's interface. */
export function bookingAdminRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/bookings',
    {
      schema: {
        operationId: 'listBookings',
        summary: "List all partners' bookings, newest first",
        tags: ['Bookings'],
        querystring: OperatorBookingsQuery,
        response: { 200: BookingsWithPaymentResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => {
      const page = await searchOperatorBookings(db, query);
      const payments = await paymentsByBooking(
        db,
        page.rows.map(({ id }) => id),
      );
      return successPage(query, page, (row) => ({
        ...operatorBookingView(row),
        payment: bookingPaymentView(payments.get(row.id)),
      }));
    },
  );

  app.get(
    '/bookings/:id',
    {
      schema: {
        operationId: 'getBooking',
        summary: 'Read a booking and what happened to it',
        tags: ['Bookings'],
        params: IdParams,
        response: { 200: BookingWithPaymentResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params }) => success(await bookingWithPayment(db, params.id)),
  );

  app.post(
    '/bookings/:id/cancel',
    {
      schema: {
        operationId: 'cancelBooking',
        summary: 'Cancel a booking; its team is free at once',
        tags: ['Bookings'],
        params: IdParams,
        body: CancelForOperator,
        response: { 200: BookingWithPaymentResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }) => {
      await cancelForOperator(db, clock.now(), actor, params.id, body);
      return success(await bookingWithPayment(db, params.id));
    },
  );
}

/** A booking with its history and its payment, which bookings themselves know nothing of. Throws RESOURCE_NOT_FOUND. */
async function bookingWithPayment(db: Db, bookingId: string) {
  const found = await readOperatorBooking(db, bookingId);
  const payments = await paymentsByBooking(db, [found.row.id]);
  return { ...operatorBookingDetailView(found), payment: bookingPaymentView(payments.get(found.row.id)) };
}
