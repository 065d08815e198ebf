import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { inUse, routesOf } from '../http/routes.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import { CreateService, Service, ServicesQuery, UpdateService } from './service-schema.ts';
import { operatorServiceView } from './service-view.ts';
import { createService, listServices, readService, removeService, updateService } from './services.ts';

/** Services in the operator API. */
export function operatorServiceRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Catalogue'], missing: ['Service'], params: IdParams });

  route.get('/operator/services', {
    operationId: 'listCatalogueServices',
    summary: 'List services',
    query: ServicesQuery,
    response: { page: Service },
    answer: async ({ query }) => pageOf(await listServices(db, query), operatorServiceView),
  });

  route.post('/operator/services', {
    operationId: 'createCatalogueService',
    summary: 'Create a service',
    body: CreateService,
    status: 201,
    response: { data: Service },
    answer: async ({ actor, body }) =>
      operatorServiceView(await db.transaction((tx) => createService(tx, clock.now(), actor, body))),
  });

  route.get('/operator/services/:id', {
    operationId: 'getCatalogueService',
    summary: 'Read a service',
    response: { data: Service },
    answer: async ({ params }) => operatorServiceView(await readService(db, params.id)),
  });

  route.patch('/operator/services/:id', {
    operationId: 'updateCatalogueService',
    summary: 'Update a service',
    body: UpdateService,
    response: { data: Service },
    answer: async ({ actor, params, body }) => {
      const input = { id: params.id, changes: body };
      return operatorServiceView(await db.transaction((tx) => updateService(tx, clock.now(), actor, input)));
    },
  });

  route.delete('/operator/services/:id', {
    operationId: 'removeCatalogueService',
    summary: 'Remove an unused service',
    errors: [inUse('service', { bookings: 2 })],
    response: { data: Removed },
    answer: async ({ actor, params }) => removed(await removeService(db, clock.now(), actor, params.id)),
  });
}
