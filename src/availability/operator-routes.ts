import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { readOperatorAvailability } from './operator.ts';
import { AvailabilityQuery, AvailabilityResponse } from './operator-schema.ts';

/** Availability of teams with the reasons, in the operator's interface. */
export function operatorAvailabilityRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/availability',
    {
      schema: {
        operationId: 'explainAvailability',
        summary: 'Show the slots of a service at a location, and why each team is or is not available',
        tags: ['Availability'],
        missing: ['Address', 'Service'],
        querystring: AvailabilityQuery,
        response: { 200: AvailabilityResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => success(await readOperatorAvailability(db, clock.now(), query)),
  );
}
