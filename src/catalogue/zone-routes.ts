import type { App, RouteParts } from '../http/edge.ts';
import { resourceRoutes } from '../http/resource-routes.ts';
import { taken } from '../http/routes.ts';
import { listCatalogueConflicts } from './conflict-queries.ts';
import { WithConflicts } from './conflict-schema.ts';
import { previewedBy } from './conflicts.ts';
import { OVERLAP } from './zone-overlaps.ts';
import { listZones } from './zone-queries.ts';
import { CreateZone, UpdateZone, Zone, ZonesQuery } from './zone-schema.ts';
import { operatorZoneView } from './zone-view.ts';
import { createZone, readZone, removeZone, updateZone } from './zones.ts';

/** Zones in the operator API. */
export function operatorZoneRoutes(app: App, deps: RouteParts): void {
  resourceRoutes(app, deps, {
    path: '/operator/zones',
    tags: ['Catalogue'],
    name: 'Zone',
    plural: 'Zones',
    errors: [taken('name', 'zone'), OVERLAP],
    usedBy: { teams: 2 },
    versioned: true,
    query: ZonesQuery,
    shown: Zone,
    given: CreateZone,
    changes: UpdateZone,
    previewed: previewedBy((tx, now) => listCatalogueConflicts(tx, now)),
    changed: { shown: WithConflicts(Zone, 'ChangedZone') },
    view: operatorZoneView,
    list: listZones,
    read: readZone,
    create: createZone,
    update: updateZone,
    remove: removeZone,
  });
}
