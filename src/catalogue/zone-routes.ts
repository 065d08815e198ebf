import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { inUse, routesOf, taken } from '../http/routes.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import { OVERLAP } from './zone-overlaps.ts';
import { CreateZone, UpdateZone, Zone, ZonesQuery } from './zone-schema.ts';
import { operatorZoneView } from './zone-view.ts';
import { createZone, listZones, readZone, removeZone, updateZone } from './zones.ts';

/** Zones in the operator API. */
export function operatorZoneRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Catalogue'], missing: ['Zone'], params: IdParams });

  route.get('/operator/zones', {
    operationId: 'listZones',
    summary: 'List zones',
    query: ZonesQuery,
    response: { page: Zone },
    answer: async ({ query }) => pageOf(await listZones(db, query), operatorZoneView),
  });

  route.post('/operator/zones', {
    operationId: 'createZone',
    summary: 'Create a zone',
    errors: [taken('name', 'zone'), OVERLAP],
    body: CreateZone,
    status: 201,
    etag: true,
    response: { data: Zone },
    answer: async ({ actor, body }) =>
      operatorZoneView(await db.transaction((tx) => createZone(tx, clock.now(), actor, body))),
  });

  route.get('/operator/zones/:id', {
    operationId: 'getZone',
    summary: 'Read a zone',
    etag: true,
    response: { data: Zone },
    answer: async ({ params }) => operatorZoneView(await readZone(db, params.id)),
  });

  route.patch('/operator/zones/:id', {
    operationId: 'updateZone',
    summary: 'Update a zone',
    errors: [taken('name', 'zone'), OVERLAP],
    body: UpdateZone,
    ifMatch: true,
    etag: true,
    response: { data: Zone },
    answer: async ({ actor, params, body, wanted }) => {
      const input = { id: params.id, changes: body, wanted };
      return operatorZoneView(await db.transaction((tx) => updateZone(tx, clock.now(), actor, input)));
    },
  });

  route.delete('/operator/zones/:id', {
    operationId: 'removeZone',
    summary: 'Remove an unused zone',
    errors: [inUse('zone', { teams: 2 })],
    response: { data: Removed },
    answer: async ({ actor, params }) => removed(await removeZone(db, clock.now(), actor, params.id)),
  });
}
