import type { PlanBook } from '../availability/plan.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import { success } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';
import { createBooking } from './create.ts';
import { readBooking } from './read.ts';
import { BookingParams, BookingResponse, CreateBooking } from './schema.ts';

export function bookingRoutes(
  app: App,
  { db, clock, plans }: { db: Db; clock: Clock; plans: PlanBook },
): void {
  app.post(
    '/partners/bookings',
    {
      schema: {
        operationId: 'createBooking',
        summary: 'Create a booking',
        tags: ['Bookings'],
        body: CreateBooking,
        response: { 200: BookingResponse },
      },
      config: { permission: 'partner_bookings_create' },
    },
    async ({ caller, body }) => {
      const partner = { id: caller.partnerId, paymentResponsibility: caller.paymentResponsibility };
      return success(await createBooking(db, plans, clock.now(), partner, body));
    },
  );

  app.get(
    '/partners/bookings/:bookingId/status',
    {
      schema: {
        operationId: 'getBookingStatus',
        summary: 'Read a booking',
        tags: ['Bookings'],
        params: BookingParams,
        response: { 200: BookingResponse },
      },
      config: { permission: 'partner_bookings_read' },
    },
    async ({ caller, params }) => success(await readBooking(db, caller.partnerId, params.bookingId)),
  );
}
