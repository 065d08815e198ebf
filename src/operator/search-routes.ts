import { toRiyadhIso } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { pageOf } from '../http/envelope.ts';
import { viewBy } from '../http/fields.ts';
import { routesOf } from '../http/routes.ts';
import { listCustomers } from './customer-queries.ts';
import { search } from './search.ts';
import { CustomersQuery, ListedCustomer, Search, SearchQuery } from './search-schema.ts';

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

  route.get('/operator/contacts', {
    operationId: 'listCustomers',
    summary: "List partners' contacts, the latest first",
    tags: ['Contacts'],
    query: CustomersQuery,
    response: { page: ListedCustomer },
    answer: async ({ query, role }) =>
      pageOf(await listCustomers(db, query, role === 'viewer'), customerView),
  });
}

type Row = Awaited<ReturnType<typeof listCustomers>>['rows'][number];
const customerView = (row: Row) => viewBy(ListedCustomer, row, { createdAt: toRiyadhIso(row.created_at) });
