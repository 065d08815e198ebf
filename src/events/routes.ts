import { linksOf } from '../bookings/links.ts';
import type { Tracking } from '../bookings/tracking.ts';
import type { Sealer } from '../db/sealing.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { readFeed } from './feed.ts';
import { FeedQuery, FeedResponse } from './schema.ts';

/** The feed of all events (docs/decisions/event-feed.md). */
export function eventRoutes(app: App, deps: RouteParts & { sealer: Sealer; tracking: Tracking }): void {
  const route = routesOf(app, { tags: ['Events'], config: { permission: 'partner_bookings_read' } });

  route.get('/v1/partners/events', {
    operationId: 'listEvents',
    summary: 'Read the event feed',
    description:
      'The events of your bookings, oldest first, without gaps, kept for 90 days. Store ' +
      '`nextCursor` and pass it as `after` to continue from there, even after an empty page. A cursor behind events ' +
      'that the service lost (a restore, a failover) is 400 for ever: begin from a time with `since`, and reconcile.',
    query: FeedQuery,
    response: { body: FeedResponse },
    answer: async ({ caller, query }) =>
      readFeed({ db: deps.db, links: linksOf(deps, caller) }, deps.clock.now(), caller.partnerId, query),
  });
}
