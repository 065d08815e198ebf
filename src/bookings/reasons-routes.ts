import type { Db } from '../platform/db.ts';
import { success } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';
import { customerReasonView } from './reasons.ts';
import { listCustomerReasons } from './reasons-queries.ts';
import { CustomerReasonsResponse } from './reasons-schema.ts';

export function reasonRoutes(app: App, { db }: { db: Db }): void {
  app.get(
    '/partners/bookings/cancellation-reasons',
    {
      schema: {
        operationId: 'listCancellationReasons',
        summary: 'List the reasons a booking can be cancelled for',
        tags: ['Bookings'],
        description: 'Active reasons that are meant for customers.',
        response: { 200: CustomerReasonsResponse },
      },
      config: { permission: 'partner_bookings_cancel' },
    },
    async () => success((await listCustomerReasons(db)).map(customerReasonView)),
  );
}
