import { orNotFound } from '../base/errors.ts';
import { findOperatorBooking } from '../dispatch/queries.ts';
import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams } from '../http/schemas.ts';
import { readPartner } from '../partners/accounts.ts';
import type { Deps } from '../program/deps.ts';
import { exportCustomer } from './export.ts';
import { CustomerExportResponse, EXPORT_DESCRIPTION } from './export-schema.ts';
import { listMessages } from './message-queries.ts';
import { foundMessageView, messageView, searchMessages } from './operator.ts';
import { CustomerMessagesResponse, MessagesQuery, MessagesResponse } from './operator-schema.ts';

/** Page and messages of a booking's customer, in the operator's interface. */
export function customerOperatorRoutes(
  app: App,
  { db, clock, tracking }: Pick<Deps, 'db' | 'clock' | 'tracking'>,
): void {
  app.get(
    '/contacts/:id/export',
    {
      schema: {
        operationId: 'exportCustomer',
        summary: "Copy what is stored about a partner's contact",
        description: EXPORT_DESCRIPTION,
        tags: ['Contacts'],
        missing: ['Contact'],
        params: IdParams,
        response: { 200: CustomerExportResponse },
      },
      config: { role: 'dispatcher' },
    },
    async ({ params }) => success(await exportCustomer(db, clock.now(), { partnerId: null, id: params.id })),
  );

  app.get(
    '/bookings/:id/messages',
    {
      schema: {
        operationId: 'listBookingMessages',
        summary: "Read the messages to a booking's customer, and the address of the customer's page",
        tags: ['Bookings'],
        missing: ['Booking'],
        params: IdParams,
        response: { 200: CustomerMessagesResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ params }) => {
      const booking = await orNotFound(findOperatorBooking(db, params.id), 'Booking');
      const partner = await readPartner(db, booking.partner_id);
      return success({
        trackingUrl: partner.tracking_page && booking.phone !== null ? tracking.urlOf(booking.id) : null,
        messages: (await listMessages(db, booking.id)).map(messageView),
      });
    },
  );

  app.get(
    '/messages',
    {
      schema: {
        operationId: 'listMessages',
        summary: 'List the messages to customers, the latest first, also those that could not be sent',
        tags: ['Bookings'],
        querystring: MessagesQuery,
        response: { 200: MessagesResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => successPage(query, await searchMessages(db, clock.now(), query), foundMessageView),
  );
}
