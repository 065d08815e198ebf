import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { readUtilisation } from './utilisation.ts';
import { UtilisationQuery, UtilisationResponse } from './utilisation-schema.ts';

/** Utilisation of the teams in the operator's interface. */
export function operatorUtilisationRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.get(
    '/utilisation',
    {
      schema: {
        operationId: 'getUtilisation',
        summary: 'Read booked of workable minutes, by zone and day and by team',
        description:
          'A night counts on the two dates that it falls on. The minutes of a team that serves several zones are ' +
          'shared equally between them, so that zones and teams have the same sum. Workable are the shifts as they ' +
          'are now, for past dates too.',
        tags: ['Teams'],
        querystring: UtilisationQuery,
        response: { 200: UtilisationResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query }) => success(await readUtilisation(db, query)),
  );
}
