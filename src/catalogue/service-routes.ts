import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams, Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import {
  CreateService,
  OperatorServiceResponse,
  ServicesQuery,
  ServicesResponse,
  UpdateService,
} from './service-schema.ts';
import { operatorServiceView } from './service-view.ts';
import { createService, listServices, readService, removeService, updateService } from './services.ts';

/** Services in the operator API. */
export function operatorServiceRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/services',
    {
      schema: {
        operationId: 'listCatalogueServices',
        summary: 'List services',
        tags: ['Catalogue'],
        querystring: ServicesQuery,
        response: { 200: ServicesResponse },
      },
    },
    async ({ query }) => successPage(query, await listServices(db, query), operatorServiceView),
  );

  app.post(
    '/services',
    {
      schema: {
        operationId: 'createCatalogueService',
        summary: 'Create a service',
        tags: ['Catalogue'],
        body: CreateService,
        response: { 201: OperatorServiceResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const row = await db.transaction((tx) => createService(tx, clock.now(), actor, body));
      reply.code(201);
      return success(operatorServiceView(row));
    },
  );

  app.get(
    '/services/:id',
    {
      schema: {
        operationId: 'getCatalogueService',
        summary: 'Read a service',
        tags: ['Catalogue'],
        missing: ['Service'],
        params: IdParams,
        response: { 200: OperatorServiceResponse },
      },
    },
    async ({ params }) => success(operatorServiceView(await readService(db, params.id))),
  );

  app.patch(
    '/services/:id',
    {
      schema: {
        operationId: 'updateCatalogueService',
        summary: 'Update a service',
        tags: ['Catalogue'],
        missing: ['Service'],
        params: IdParams,
        body: UpdateService,
        response: { 200: OperatorServiceResponse },
      },
    },
    async ({ actor, params, body }) => {
      const input = { id: params.id, changes: body };
      const row = await db.transaction((tx) => updateService(tx, clock.now(), actor, input));
      return success(operatorServiceView(row));
    },
  );

  app.delete(
    '/services/:id',
    {
      schema: {
        operationId: 'removeCatalogueService',
        summary: 'Remove an unused service',
        tags: ['Catalogue'],
        missing: ['Service'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The service is in use: deactivate it instead',
            details: { reason: 'IN_USE', usedBy: { bookings: 2 } },
          },
        ],
        params: IdParams,
        response: { 200: Success(Removed) },
      },
    },
    async ({ actor, params }) => {
      const { id } = await removeService(db, clock.now(), actor, params.id);
      return success({ id, removed: true as const });
    },
  );
}
