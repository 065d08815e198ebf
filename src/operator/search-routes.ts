import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { search } from './search.ts';
import { Search, SearchQuery } from './search-schema.ts';

/** One search over everything. */
export function searchRoutes(app: App, { db }: { db: Db }): void {
  const route = routesOf(app, { tags: ['Bookings'] });

  route.get('/operator/search', {
    operationId: 'search',
    summary: 'Find bookings, customers, partners, teams, services and zones',
    query: SearchQuery,
    response: { data: Search },
    answer: async ({ query, role }) => await search(db, query, role === 'viewer'),
  });
}
