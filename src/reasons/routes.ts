import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { listCustomerReasons } from './queries.ts';
import { customerReasonView } from './reasons.ts';
import { CustomerReason } from './schema.ts';

/** The cancellation reasons of section 4.9. */
export function reasonRoutes(app: App, { db }: { db: Db }): void {
  const route = routesOf(app, {
    tags: ['Bookings'],
    config: { permission: 'partner_bookings_cancel' },
    inPortal: true,
  });

  route.get('/v1/partners/bookings/cancellation-reasons', {
    operationId: 'listCancellationReasons',
    summary: 'List cancellation reasons',
    description: 'The active, customer-facing reasons.',
    response: { list: CustomerReason },
    answer: async () => (await listCustomerReasons(db)).map(customerReasonView),
  });
}
