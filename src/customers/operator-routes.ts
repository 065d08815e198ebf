import { orNotFound } from '../base/errors.ts';
import type { Tracking } from '../bookings/tracking.ts';
import { findOperatorBooking } from '../dispatch/queries.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { routesOf } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { readPartner } from '../partners/accounts.ts';
import { exportCustomer } from './export.ts';
import { CustomerExport, EXPORT_DESCRIPTION } from './export-schema.ts';
import { listMessages } from './message-queries.ts';
import { foundMessageView, messageView, searchMessages } from './operator.ts';
import { CustomerMessages, FoundMessage, MessagesQuery } from './operator-schema.ts';

/** Page and messages of a booking's customer, in the operator's interface. */
export function customerOperatorRoutes(
  app: App,
  { db, clock, tracking }: RouteParts & { tracking: Tracking },
): void {
  const route = routesOf(app, { tags: ['Bookings'], missing: ['Contact'], params: IdParams });

  route.get('/operator/contacts/:id/export', {
    operationId: 'exportCustomer',
    summary: "Copy what is stored about a partner's contact",
    description: EXPORT_DESCRIPTION,
    tags: ['Contacts'],
    config: { role: 'dispatcher' },
    response: { data: CustomerExport },
    answer: async ({ params }) => await exportCustomer(db, clock.now(), { partnerId: null, id: params.id }),
  });

  route.get('/operator/bookings/:id/messages', {
    operationId: 'listBookingMessages',
    summary: "Read the messages to a booking's customer, and the address of the customer's page",
    missing: ['Booking'],
    response: { data: CustomerMessages },
    answer: async ({ params }) => {
      const booking = await orNotFound(findOperatorBooking(db, params.id), 'Booking');
      const partner = await readPartner(db, booking.partner_id);
      return {
        trackingUrl: partner.tracking_page && booking.phone !== null ? tracking.urlOf(booking.id) : null,
        messages: (await listMessages(db, booking.id)).map(messageView),
      };
    },
  });

  route.get('/operator/messages', {
    operationId: 'listMessages',
    summary: 'List the messages to customers, the latest first, also those that could not be sent',
    query: MessagesQuery,
    response: { page: FoundMessage },
    answer: async ({ query }) => pageOf(await searchMessages(db, clock.now(), query), foundMessageView),
  });
}
