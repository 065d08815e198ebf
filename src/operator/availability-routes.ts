import { explainAvailability } from '../availability/explain.ts';
import { AvailabilityQuery, AvailabilityResponse } from '../availability/explain-schema.ts';
import type { Deps } from '../deps.ts';
import { success } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';

/** Who is free, and why the others are not, in the operator's interface. */
export function availabilityAdminRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/availability',
    {
      schema: {
        operationId: 'explainAvailability',
        summary: 'Show the slots of a service at a place, and why each team is or is not free',
        tags: ['Availability'],
        missing: ['Address', 'Service'],
        querystring: AvailabilityQuery,
        response: { 200: AvailabilityResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => success(await explainAvailability(db, clock.now(), query)),
  );
}
