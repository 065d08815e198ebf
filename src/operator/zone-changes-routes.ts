import { PREVIEWED } from '../catalogue/conflicts.ts';
import { OVERLAP } from '../catalogue/zone-overlaps.ts';
import type { App, RouteParts } from '../http/edge.ts';
import { routesOf, taken } from '../http/routes.ts';
import { changeZones } from './zone-changes.ts';
import { ChangeZones, ZoneChanges } from './zone-changes-schema.ts';

/** Changes of several zones at once, with their effects. */
export function zoneChangesRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Catalogue'] });

  route.post('/operator/zones/changes', {
    operationId: 'changeZones',
    summary: 'Change several zones, all or none, or preview what would come of it',
    description:
      'For zones with common borders. The outcome counts, not the order: zones may swap their names. The response says which addresses lie in another zone and which ' +
      'appointments are still to begin there; with `preview=true` nothing is kept.',
    query: PREVIEWED.query,
    errors: [taken('name', 'zone'), OVERLAP, ...PREVIEWED.errors],
    body: ChangeZones,
    response: { data: ZoneChanges },
    answer: async ({ actor, body, query }) =>
      await changeZones(db, clock.now(), actor, { ...body, ...query }),
  });
}
