import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { listCustomerReasons } from './queries.ts';
import { customerReasonView } from './reasons.ts';
import { CustomerReasonsResponse } from './schema.ts';

/** The cancellation reasons of section 4.9. */
export function reasonRoutes(app: App, { db }: { db: Db }): void {
  app.get(
    '/partners/bookings/cancellation-reasons',
    {
      schema: {
        operationId: 'listCancellationReasons',
        summary: 'List cancellation reasons',
        tags: ['Bookings'],
        description: 'The active, customer-facing reasons.',
        response: { 200: CustomerReasonsResponse },
      },
      config: { permission: 'partner_bookings_cancel' },
    },
    async () => success((await listCustomerReasons(db)).map(customerReasonView)),
  );
}
