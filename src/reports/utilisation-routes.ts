import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { readUtilisation } from './utilisation.ts';
import { Utilisation, UtilisationQuery } from './utilisation-schema.ts';

/** Utilisation of the teams in the operator's interface. */
export function operatorUtilisationRoutes(app: App, { db }: { db: Db }): void {
  const route = routesOf(app, { tags: ['Teams'] });

  route.get('/operator/utilisation', {
    operationId: 'getUtilisation',
    summary: 'Read booked of workable minutes, by zone and day and by team',
    description:
      'A night counts on the two dates that it falls on. The minutes of a team that serves several zones are ' +
      'shared equally between them, so that zones and teams have the same sum. Workable are the shifts as they ' +
      'are now, for past dates too.',
    query: UtilisationQuery,
    response: { data: Utilisation },
    answer: async ({ query }) => await readUtilisation(db, query),
  });
}
