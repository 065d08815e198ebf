import {
  createCategory,
  listCategories,
  readCategory,
  removeCategory,
  updateCategory,
} from '../catalogue/admin-categories.ts';
import {
  CategoriesQuery,
  CategoriesResponse,
  CategoryResponse,
  CreateCategory,
  CreateService,
  CreateZone,
  IdParams,
  ServiceAdminResponse,
  ServicesQuery,
  ServicesResponse,
  UpdateCategory,
  UpdateService,
  UpdateZone,
  ZoneResponse,
  ZonesQuery,
  ZonesResponse,
} from '../catalogue/admin-schema.ts';
import {
  createService,
  listServices,
  readService,
  removeService,
  updateService,
} from '../catalogue/admin-services.ts';
import { adminCategoryView, adminServiceView, adminZoneView } from '../catalogue/admin-view.ts';
import { createZone, listZones, readZone, removeZone, updateZone } from '../catalogue/admin-zones.ts';
import type { Deps } from '../deps.ts';
import { success, successPage } from '../platform/envelope.ts';
import type { App } from '../platform/http.ts';
import { Removed, Success } from '../platform/schemas.ts';

/** Categories, services and zones of the operator's interface. */
export function catalogueAdminRoutes(app: App, deps: Deps): void {
  categoryRoutes(app, deps);
  serviceRoutes(app, deps);
  zoneRoutes(app, deps);
}

function categoryRoutes(app: App, { db, clock }: Deps): void {
  app.get(
    '/categories',
    {
      schema: {
        operationId: 'listCategories',
        summary: 'List categories',
        tags: ['Catalogue'],
        querystring: CategoriesQuery,
        response: { 200: CategoriesResponse },
      },
    },
    async ({ query }) => successPage(query, await listCategories(db, query), adminCategoryView),
  );

  app.post(
    '/categories',
    {
      schema: {
        operationId: 'createCategory',
        summary: 'Create a category',
        tags: ['Catalogue'],
        errors: [{ code: 'CONFLICT', message: 'code is already used by another category' }],
        body: CreateCategory,
        response: { 201: CategoryResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const row = await createCategory(db, clock.now(), actor, body);
      reply.code(201);
      return success(adminCategoryView(row));
    },
  );

  app.get(
    '/categories/:id',
    {
      schema: {
        operationId: 'getCategory',
        summary: 'Read a category',
        tags: ['Catalogue'],
        missing: ['Category'],
        params: IdParams,
        response: { 200: CategoryResponse },
      },
    },
    async ({ params }) => success(adminCategoryView(await readCategory(db, params.id))),
  );

  app.patch(
    '/categories/:id',
    {
      schema: {
        operationId: 'updateCategory',
        summary: 'Change fields of a category',
        tags: ['Catalogue'],
        missing: ['Category'],
        errors: [{ code: 'CONFLICT', message: 'code is already used by another category' }],
        params: IdParams,
        body: UpdateCategory,
        response: { 200: CategoryResponse },
      },
    },
    async ({ actor, params, body }) => {
      const row = await updateCategory(db, clock.now(), actor, params.id, body);
      return success(adminCategoryView(row));
    },
  );

  app.delete(
    '/categories/:id',
    {
      schema: {
        operationId: 'removeCategory',
        summary: 'Remove a category that nothing uses',
        tags: ['Catalogue'],
        missing: ['Category'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The category is in use: deactivate it instead',
            details: { usedBy: { services: 2 } },
          },
        ],
        params: IdParams,
        response: { 200: Success(Removed) },
      },
    },
    async ({ actor, params }) => {
      const { id } = await removeCategory(db, clock.now(), actor, params.id);
      return success({ id, removed: true as const });
    },
  );
}

function serviceRoutes(app: App, { db, clock }: Deps): void {
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
    async ({ query }) => successPage(query, await listServices(db, query), adminServiceView),
  );

  app.post(
    '/services',
    {
      schema: {
        operationId: 'createCatalogueService',
        summary: 'Create a service',
        tags: ['Catalogue'],

        body: CreateService,
        response: { 201: ServiceAdminResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const row = await createService(db, clock.now(), actor, body);
      reply.code(201);
      return success(adminServiceView(row));
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
        response: { 200: ServiceAdminResponse },
      },
    },
    async ({ params }) => success(adminServiceView(await readService(db, params.id))),
  );

  app.patch(
    '/services/:id',
    {
      schema: {
        operationId: 'updateCatalogueService',
        summary: 'Change fields of a service',
        tags: ['Catalogue'],
        missing: ['Service'],

        params: IdParams,
        body: UpdateService,
        response: { 200: ServiceAdminResponse },
      },
    },
    async ({ actor, params, body }) => {
      const row = await updateService(db, clock.now(), actor, params.id, body);
      return success(adminServiceView(row));
    },
  );

  app.delete(
    '/services/:id',
    {
      schema: {
        operationId: 'removeCatalogueService',
        summary: 'Remove a service that nothing uses',
        tags: ['Catalogue'],
        missing: ['Service'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The service is in use: deactivate it instead',
            details: { usedBy: { bookings: 2 } },
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

function zoneRoutes(app: App, { db, clock }: Deps): void {
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
    async ({ query }) => successPage(query, await listZones(db, query), adminZoneView),
  );

  app.post(
    '/zones',
    {
      schema: {
        operationId: 'createZone',
        summary: 'Create a zone',
        tags: ['Catalogue'],
        errors: [{ code: 'CONFLICT', message: 'name is already used by another zone' }],
        body: CreateZone,
        response: { 201: ZoneResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const row = await createZone(db, clock.now(), actor, body);
      reply.code(201);
      return success(adminZoneView(row));
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
      },
    },
    async ({ params }) => success(adminZoneView(await readZone(db, params.id))),
  );

  app.patch(
    '/zones/:id',
    {
      schema: {
        operationId: 'updateZone',
        summary: 'Change fields of a zone',
        tags: ['Catalogue'],
        missing: ['Zone'],
        errors: [{ code: 'CONFLICT', message: 'name is already used by another zone' }],
        params: IdParams,
        body: UpdateZone,
        response: { 200: ZoneResponse },
      },
    },
    async ({ actor, params, body }) => {
      const row = await updateZone(db, clock.now(), actor, params.id, body);
      return success(adminZoneView(row));
    },
  );

  app.delete(
    '/zones/:id',
    {
      schema: {
        operationId: 'removeZone',
        summary: 'Remove a zone that nothing uses',
        tags: ['Catalogue'],
        missing: ['Zone'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The zone is in use: deactivate it instead',
            details: { usedBy: { teams: 2 } },
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
