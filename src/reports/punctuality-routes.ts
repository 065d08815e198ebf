import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { readPunctuality } from './punctuality.ts';
import { PunctualityQuery, PunctualityResponse } from './punctuality-schema.ts';

/** Punctuality of the teams in the operator's interface. */
export function operatorPunctualityRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/punctuality',
    {
      schema: {
        operationId: 'getPunctuality',
        summary: 'Read how many visits began in time, by team, zone and partner',
        description:
          'By when the work began: as the crew told it, also later from a telephone without a network, or else when its ' +
          'status was set. Visits that could not be done before they were begun do not count, nor do cancelled ones.',
        tags: ['Teams'],
        querystring: PunctualityQuery,
        response: { 200: PunctualityResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => success(await readPunctuality(db, clock.now(), query)),
  );
}
