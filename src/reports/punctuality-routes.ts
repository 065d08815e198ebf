import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { readPunctuality } from './punctuality.ts';
import { Punctuality, PunctualityQuery } from './punctuality-schema.ts';

/** Punctuality of the teams in the operator's interface. */
export function operatorPunctualityRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Teams'] });

  route.get('/operator/punctuality', {
    operationId: 'getPunctuality',
    summary: 'Read how many visits began in time, by team, zone and partner',
    description:
      'By when the work began: as the crew told it, also later from a telephone without a network, or else when its ' +
      'status was set. Visits that could not be done before they were begun do not count, nor do cancelled ones.',
    query: PunctualityQuery,
    response: { data: Punctuality },
    answer: async ({ query }) => await readPunctuality(db, clock.now(), query),
  });
}
