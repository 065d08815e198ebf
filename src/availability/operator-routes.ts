import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { readOperatorAvailability } from './operator.ts';
import { Availability, AvailabilityQuery } from './operator-schema.ts';

/** Availability of teams with the reasons, in the operator's interface. */
export function operatorAvailabilityRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Availability'] });

  route.get('/operator/availability', {
    operationId: 'explainAvailability',
    summary: 'Show the slots of a service at a location, and why each team is or is not available',
    missing: ['Address', 'Service'],
    query: AvailabilityQuery,
    response: { data: Availability },
    answer: async ({ query }) => await readOperatorAvailability(db, clock.now(), query),
  });
}
