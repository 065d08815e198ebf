import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import type { Deps } from '../program/deps.ts';
import { search } from './search.ts';
import { Search, SearchQuery } from './search-schema.ts';

/** One search over everything. */
export function searchRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  const route = routesOf(app, { tags: ['Bookings'] });

  route.get('/operator/search', {
    operationId: 'search',
    summary: 'Find bookings, customers, partners, teams, services and zones',
    query: SearchQuery,
    response: { data: Search },
    answer: async ({ query, role }) => await search(db, query, role === 'viewer'),
  });
}
