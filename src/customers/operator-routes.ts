import { toRiyadhIso } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import { findOperatorBooking } from '../dispatch/queries.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { IdParams } from '../http/schemas.ts';
import { readPartner } from '../partners/accounts.ts';
import type { Deps } from '../program/deps.ts';
import { listMessages, type MessageRow } from './message-queries.ts';
import { CustomerMessagesResponse } from './operator-schema.ts';

/** Page and messages of a booking's customer, in the operator's interface. */
export function customerOperatorRoutes(app: App, { db, tracking }: Pick<Deps, 'db' | 'tracking'>): void {
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
        trackingUrl: partner.tracking_page ? tracking.urlOf(booking.id) : null,
        messages: (await listMessages(db, booking.id)).map(messageView),
      });
    },
  );
}

function messageView(row: MessageRow) {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    reason: row.reason,
    visitAt: toRiyadhIso(row.starts_at),
    at: toRiyadhIso(row.finished_at ?? row.due_at),
    createdAt: toRiyadhIso(row.created_at),
  };
}
