import { DAY } from '../base/clock.ts';
import { listRecentHolds } from '../bookings/hold-queries.ts';
import { holdView } from '../bookings/hold-view.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf } from '../http/routes.ts';
import { PortalHolds } from './hold-schema.ts';

/** Milliseconds for which an ended hold is shown. */
const SHOWN = DAY;
const MAX_LISTED = 100;

/** The partner's holds in the view of /v1. */
export function portalHoldRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Bookings'], config: { permission: 'partner_bookings_create' } });

  route.get('/portal/api/holds', {
    operationId: 'listHolds',
    summary: 'List the holds that are live or ended within 24 hours, newest first, 100 at most',
    response: { list: PortalHolds },
    answer: async ({ visitor }) => {
      const now = clock.now();
      const found = await listRecentHolds(db, visitor.partnerId, {
        endedAfter: now - SHOWN,
        limit: MAX_LISTED,
      });
      return found.map((row) => ({ ...holdView(row, now), serviceName: row.service_name }));
    },
  });
}
