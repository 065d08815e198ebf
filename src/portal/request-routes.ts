import { HOUR, toRiyadhIso } from '../base/clock.ts';
import { notFound, orNotFound } from '../base/errors.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { listKeyNames } from '../partners/key-queries.ts';
import { filterOf } from '../requests/filter.ts';
import { errorsByRoute, findRequest, listRequests, peaksByKey } from '../requests/queries.ts';
import type { RequestLog } from '../requests/recorder.ts';
import type { LoggedRequest } from '../requests/rules.ts';
import { EntryParams, LoggedExchangeView, RequestsResponse } from '../requests/schema.ts';
import { bodiesView, errorGroupView, requestView } from '../requests/view.ts';
import { PortalRequestsQuery, USAGE_HOURS, Usage, UsageQuery } from './request-schema.ts';
import type { Visitor } from './sessions.ts';

/** Statuses of the guard's refusals: a limited session sees only these requests. */
const REFUSED_BY_GUARD: readonly number[] = [401, 403, 429];

/** A key's session sees the key's own requests: others may be of routes that the key may not call. */
function mayBeShown({ limit, keyId }: Visitor, request: LoggedRequest): boolean {
  const isOwn = keyId === null || request.keyId === keyId;
  return isOwn && (limit === null || REFUSED_BY_GUARD.includes(request.status));
}

/** The partner's requests and their usage. */
export function portalRequestRoutes(
  app: App,
  { db, clock, requestLog }: RouteParts & { requestLog: RequestLog | null },
): void {
  const route = routesOf(app, { tags: ['Requests'], missing: ['Request'], params: EntryParams });

  route.get('/portal/api/requests', {
    operationId: 'listRequests',
    summary: 'List requests, newest first',
    description:
      'Kept for 14 days unless the operator sets another time. A page can have fewer entries than `limit` and ' +
      'still a next one. A session that a key opened reads the requests of that key; a limited one, what was refused ' +
      'to it with 401, 403 or 429.',
    query: PortalRequestsQuery,
    config: { session: 'any' },
    response: { body: RequestsResponse },
    answer: async ({ visitor, query }) => {
      await requestLog?.flush();
      const { before, limit = 20 } = query;
      const own = visitor.keyId === null ? {} : { keyId: visitor.keyId };
      const filter = { ...filterOf(query), ...own, partnerId: visitor.partnerId };
      const page = { limit, ...(before !== undefined && { before }) };
      const found = await listRequests(db, filter, page);
      const requests = found.requests.filter((request) => mayBeShown(visitor, request));
      const keys = await listKeyNames(db, [...new Set(requests.map(({ keyId }) => keyId))]);
      return {
        success: true as const,
        data: requests.map((request) => requestView(request, keys)),
        meta: { nextCursor: found.nextCursor },
      };
    },
  });

  route.get('/portal/api/requests/:id', {
    operationId: 'getRequest',
    summary: 'Read a request and why it was refused; in a sandbox with its bodies',
    config: { session: 'any' },
    response: { data: LoggedExchangeView },
    answer: async ({ visitor, params }) => {
      await requestLog?.flush();
      const exchange = await orNotFound(findRequest(db, visitor.partnerId, params.id), 'Request');
      if (!mayBeShown(visitor, exchange)) throw notFound('Request');
      const bodies = visitor.limit === null ? exchange.bodies : null;
      const keys = await listKeyNames(db, [exchange.keyId]);
      return { ...requestView(exchange, keys), bodies: bodiesView(bodies) };
    },
  });

  route.get('/portal/api/usage', {
    operationId: 'getUsage',
    summary: 'Read the peak of each key in any 60 seconds, and what was refused by code and route',
    description: 'In a session that a key opened, of that key.',
    query: UsageQuery,
    response: { data: Usage },
    answer: async ({ visitor: { partnerId, keyId }, query: { hours = USAGE_HOURS.usual } }) => {
      await requestLog?.flush();
      const now = clock.now();
      // Requests of this moment are included.
      const range = { from: now - hours * HOUR, to: now + 1_000 };
      const peaks = await peaksByKey(db, partnerId, range);
      const shown = peaks.filter((peak) => keyId === null || peak.keyId === keyId);
      const errors = await errorsByRoute(db, partnerId, { ...range, keyId });
      return {
        from: toRiyadhIso(range.from),
        peaks: shown.map(({ keyId, requests, from }) => ({ keyId, requests, at: toRiyadhIso(from) })),
        errors: errors.map(errorGroupView),
      };
    },
  });
}
