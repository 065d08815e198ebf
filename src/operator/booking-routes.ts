import { cancelForOperator } from '../bookings/cancel.ts';
import { readOperatorBooking, searchOperatorBookings } from '../bookings/operate.ts';
import {
  CancelForOperator,
  OperatorBookingResponse,
  OperatorBookingsQuery,
  OperatorBookingsResponse,
} from '../bookings/operate-schema.ts';
import { operatorBookingDetailView, operatorBookingView } from '../bookings/operate-view.ts';
import { IdParams } from '../catalogue/admin-schema.ts';
import type { Deps } from '../deps.ts';
import { success, successPage } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';

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
        response: { 200: OperatorBookingsResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => successPage(query, await searchOperatorBookings(db, query), operatorBookingView),
  );

  app.get(
    '/bookings/:id',
    {
      schema: {
        operationId: 'getBooking',
        summary: 'Read a booking and what happened to it',
        tags: ['Bookings'],
        params: IdParams,
        response: { 200: OperatorBookingResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params }) => success(operatorBookingDetailView(await readOperatorBooking(db, params.id))),
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
        response: { 200: OperatorBookingResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ actor, params, body }) => {
      await cancelForOperator(db, clock.now(), actor, params.id, body);
      return success(operatorBookingDetailView(await readOperatorBooking(db, params.id)));
    },
  );
}
