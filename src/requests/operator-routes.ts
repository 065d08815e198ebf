import { orNotFound } from '../base/errors.ts';
import type { Db } from '../db/connection.ts';
import type { App } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { listKeyNames } from '../partners/key-queries.ts';
import { filterOf } from './filter.ts';
import { findRequest, listRequests } from './queries.ts';
import type { RequestLog } from './recorder.ts';
import { EntryParams, LoggedExchangeView, RequestsQuery, RequestsResponse } from './schema.ts';
import { bodiesView, requestView } from './view.ts';

/** The log of partners' requests, for support. No CSV: it has no total, and is too long. */
export function requestOperatorRoutes(
  app: App,
  { db, requestLog }: { db: Db; requestLog: RequestLog | null },
): void {
  const route = routesOf(app, { tags: ['Requests'], missing: ['Request'], params: EntryParams });

  route.get('/operator/requests', {
    operationId: 'listRequests',
    summary: "List partners' requests, newest first",
    description:
      'Requests of known keys from the last 14 days (`REQUEST_LOG_DAYS`), also of keys that are expired, revoked, ' +
      'replaced, or of a suspended partner. A page can have fewer entries than `limit` and still a next one.',
    query: RequestsQuery,
    response: { body: RequestsResponse },
    answer: async ({ query }) => {
      await requestLog?.flush();
      const { before, limit = 20 } = query;
      const page = { limit, ...(before !== undefined && { before }) };
      const { requests, nextCursor } = await listRequests(db, filterOf(query), page);
      const keys = await listKeyNames(db, [...new Set(requests.map(({ keyId }) => keyId))]);
      return {
        success: true as const,
        data: requests.map((request) => requestView(request, keys)),
        meta: { nextCursor },
      };
    },
  });

  route.get('/operator/requests/:id', {
    operationId: 'getRequest',
    summary: "Read one of partners' requests; in a sandbox with its bodies",
    response: { data: LoggedExchangeView },
    answer: async ({ params }) => {
      await requestLog?.flush();
      const exchange = await orNotFound(findRequest(db, null, params.id), 'Request');
      const keys = await listKeyNames(db, [exchange.keyId]);
      return { ...requestView(exchange, keys), bodies: bodiesView(exchange.bodies) };
    },
  });
}
