import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import type { Deps } from '../program/deps.ts';
import { search } from './search.ts';
import { SearchQuery, SearchResponse } from './search-schema.ts';

/** One search over everything. */
export function searchRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.get(
    '/search',
    {
      schema: {
        operationId: 'search',
        summary: 'Find bookings, customers, partners, teams, services and zones',
        tags: ['Bookings'],
        querystring: SearchQuery,
        response: { 200: SearchResponse },
      },
      config: { role: 'viewer' },
    },
    async ({ query, role }) => success(await search(db, query, role === 'viewer')),
  );
}
