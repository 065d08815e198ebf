import { HOUR, toRiyadhIso } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { notFound, orNotFound } from '../errors.ts';
import type { App } from '../http/edge.ts';
import { success } from '../http/envelope.ts';
import { listKeyNames } from '../partners/queries.ts';
import { filterOf } from '../requests/filter.ts';
import { errorsByRoute, findRequest, listRequests, peaksByKey } from '../requests/read.ts';
import type { LoggedRequest } from '../requests/rules.ts';
import { EntryParams, RequestResponse, RequestsResponse } from '../requests/schema.ts';
import { exchangeView, requestView } from '../requests/view.ts';
import { PortalRequestsQuery, USAGE_HOURS, UsageQuery, UsageResponse } from './request-schema.ts';
import type { Visitor } from './sessions.ts';

/** What the guard answers before it looks at the request itself: a limited session sees no more. */
const REFUSED_BY_GUARD: readonly number[] = [401, 403, 429];

function mayBeShown({ limit, keyId }: Visitor, request: LoggedRequest): boolean {
  if (limit === null) return true;
  return REFUSED_BY_GUARD.includes(request.status) && (keyId === null || request.keyId === keyId);
}

/** What the partner asked and was answered, and how often. */
export function portalRequestRoutes(app: App, { db, clock, requestLog }: Deps): void {
  app.get(
    '/requests',
    {
      schema: {
        operationId: 'listRequests',
        summary: 'List requests, newest first',
        description:
          'Kept for 14 days unless the operator sets another time. A page can have fewer entries than `limit` and ' +
          'still a next one. In a limited session: what was refused to the key with 401, 403 or 429.',
        tags: ['Requests'],
        querystring: PortalRequestsQuery,
        response: { 200: RequestsResponse },
      },
      config: { session: 'any' },
    },
    async ({ visitor, query }) => {
      await requestLog?.flush();
      const { before, limit = 20 } = query;
      const own = visitor.limit !== null && visitor.keyId !== null ? { keyId: visitor.keyId } : {};
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
  );

  app.get(
    '/requests/:id',
    {
      schema: {
        operationId: 'getRequest',
        summary: 'Read a request and why it was refused; in a sandbox with its bodies',
        tags: ['Requests'],
        missing: ['Request'],
        params: EntryParams,
        response: { 200: RequestResponse },
      },
      config: { session: 'any' },
    },
    async ({ visitor, params }) => {
      await requestLog?.flush();
      const exchange = await orNotFound(findRequest(db, visitor.partnerId, params.id), 'Request');
      if (!mayBeShown(visitor, exchange)) throw notFound('Request');
      const shown = visitor.limit === null ? exchange : { ...exchange, bodies: null };
      return success(exchangeView(shown, await listKeyNames(db, [exchange.keyId])));
    },
  );

  app.get(
    '/usage',
    {
      schema: {
        operationId: 'getUsage',
        summary: 'Read the peak of each key in any 60 seconds, and what was refused by code and route',
        tags: ['Requests'],
        querystring: UsageQuery,
        response: { 200: UsageResponse },
      },
    },
    async ({ visitor: { partnerId }, query: { hours = USAGE_HOURS.usual } }) => {
      await requestLog?.flush();
      const now = clock.now();
      // What is answered at this moment belongs to it.
      const range = { from: now - hours * HOUR, to: now + 1_000 };
      const peaks = await peaksByKey(db, partnerId, range);
      const errors = await errorsByRoute(db, partnerId, range);
      return success({
        from: toRiyadhIso(range.from),
        peaks: peaks.map(({ keyId, requests, from }) => ({ keyId, requests, at: toRiyadhIso(from) })),
        errors: errors.map((group) => ({ ...group, lastAt: toRiyadhIso(group.lastAt) })),
      });
    },
  );
}
