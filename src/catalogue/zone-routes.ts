import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import {
  EtagHeader,
  EtagOfNew,
  IfMatchHeader,
  ifMatchRules,
  STALE,
  tagged,
  wantedVersions,
} from '../http/if-match.ts';
import { IdParams, Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import { OVERLAP } from './zone-overlaps.ts';
import { CreateZone, UpdateZone, ZoneResponse, ZonesQuery, ZonesResponse } from './zone-schema.ts';
import { operatorZoneView } from './zone-view.ts';
import { createZone, listZones, readZone, removeZone, updateZone } from './zones.ts';

/** Zones in the operator API. */
export function operatorZoneRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/zones',
    {
      schema: {
        operationId: 'listZones',
        summary: 'List zones',
        tags: ['Catalogue'],
        querystring: ZonesQuery,
        response: { 200: ZonesResponse },
      },
    },
    async ({ query }) => successPage(query, await listZones(db, query), operatorZoneView),
  );

  app.post(
    '/zones',
    {
      schema: {
        operationId: 'createZone',
        summary: 'Create a zone',
        tags: ['Catalogue'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'name is already used by another zone',
            details: { reason: 'NAME_TAKEN' },
          },
          OVERLAP,
        ],
        body: CreateZone,
        response: { 201: ZoneResponse },
        responseHeaders: EtagOfNew,
      },
    },
    async ({ actor, body }, reply) => {
      const row = await db.transaction((tx) => createZone(tx, clock.now(), actor, body));
      reply.code(201);
      tagged(reply, row.version);
      return success(operatorZoneView(row));
    },
  );

  app.get(
    '/zones/:id',
    {
      schema: {
        operationId: 'getZone',
        summary: 'Read a zone',
        tags: ['Catalogue'],
        missing: ['Zone'],
        params: IdParams,
        response: { 200: ZoneResponse },
        responseHeaders: EtagHeader,
      },
    },
    async ({ params }, reply) => {
      const row = await readZone(db, params.id);
      tagged(reply, row.version);
      return success(operatorZoneView(row));
    },
  );

  app.patch(
    '/zones/:id',
    {
      schema: {
        operationId: 'updateZone',
        summary: 'Update a zone',
        tags: ['Catalogue'],
        missing: ['Zone'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'name is already used by another zone',
            details: { reason: 'NAME_TAKEN' },
          },
          OVERLAP,
          STALE,
        ],
        params: IdParams,
        headers: IfMatchHeader,
        body: UpdateZone,
        response: { 200: ZoneResponse },
        responseHeaders: EtagHeader,
      },
      config: { rules: ifMatchRules },
    },
    async (request, reply) => {
      const { actor, params, body } = request;
      const input = { id: params.id, changes: body, wanted: wantedVersions(request) };
      const row = await db.transaction((tx) => updateZone(tx, clock.now(), actor, input));
      tagged(reply, row.version);
      return success(operatorZoneView(row));
    },
  );

  app.delete(
    '/zones/:id',
    {
      schema: {
        operationId: 'removeZone',
        summary: 'Remove an unused zone',
        tags: ['Catalogue'],
        missing: ['Zone'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The zone is in use: deactivate it instead',
            details: { reason: 'IN_USE', usedBy: { teams: 2 } },
          },
        ],
        params: IdParams,
        response: { 200: Success(Removed) },
      },
    },
    async ({ actor, params }) => {
      const { id } = await removeZone(db, clock.now(), actor, params.id);
      return success({ id, removed: true as const });
    },
  );
}
