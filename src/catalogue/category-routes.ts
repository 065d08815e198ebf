import type { App } from '../http/edge.ts';
import { success, successPage } from '../http/envelope.ts';
import { IdParams, Removed, Success } from '../http/schemas.ts';
import type { Deps } from '../program/deps.ts';
import {
  createCategory,
  listCategories,
  readCategory,
  removeCategory,
  updateCategory,
} from './categories.ts';
import {
  CategoriesQuery,
  CategoriesResponse,
  CategoryResponse,
  CreateCategory,
  UpdateCategory,
} from './category-schema.ts';
import { operatorCategoryView } from './category-view.ts';

/** Categories in the operator API. */
export function operatorCategoryRoutes(app: App, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
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
    async ({ query }) => successPage(query, await listCategories(db, query), operatorCategoryView),
  );

  app.post(
    '/categories',
    {
      schema: {
        operationId: 'createCategory',
        summary: 'Create a category',
        tags: ['Catalogue'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'code is already used by another category',
            details: { reason: 'CODE_TAKEN' },
          },
        ],
        body: CreateCategory,
        response: { 201: CategoryResponse },
      },
    },
    async ({ actor, body }, reply) => {
      const row = await db.transaction((tx) => createCategory(tx, clock.now(), actor, body));
      reply.code(201);
      return success(operatorCategoryView(row));
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
    async ({ params }) => success(operatorCategoryView(await readCategory(db, params.id))),
  );

  app.patch(
    '/categories/:id',
    {
      schema: {
        operationId: 'updateCategory',
        summary: 'Update a category',
        tags: ['Catalogue'],
        missing: ['Category'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'code is already used by another category',
            details: { reason: 'CODE_TAKEN' },
          },
        ],
        params: IdParams,
        body: UpdateCategory,
        response: { 200: CategoryResponse },
      },
    },
    async ({ actor, params, body }) => {
      const input = { id: params.id, changes: body };
      const row = await db.transaction((tx) => updateCategory(tx, clock.now(), actor, input));
      return success(operatorCategoryView(row));
    },
  );

  app.delete(
    '/categories/:id',
    {
      schema: {
        operationId: 'removeCategory',
        summary: 'Remove an unused category',
        tags: ['Catalogue'],
        missing: ['Category'],
        errors: [
          {
            code: 'CONFLICT',
            message: 'The category is in use: deactivate it instead',
            details: { reason: 'IN_USE', usedBy: { services: 2 } },
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
