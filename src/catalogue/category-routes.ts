import type { App, RouteParts } from '../http/edge.ts';
import { pageOf, removed } from '../http/envelope.ts';
import { inUse, routesOf, taken } from '../http/routes.ts';
import { IdParams, Removed } from '../http/schemas.ts';
import {
  createCategory,
  listCategories,
  readCategory,
  removeCategory,
  updateCategory,
} from './categories.ts';
import { CategoriesQuery, Category, CreateCategory, UpdateCategory } from './category-schema.ts';
import { operatorCategoryView } from './category-view.ts';

/** Categories in the operator API. */
export function operatorCategoryRoutes(app: App, { db, clock }: RouteParts): void {
  const route = routesOf(app, { tags: ['Catalogue'], missing: ['Category'], params: IdParams });

  route.get('/operator/categories', {
    operationId: 'listCategories',
    summary: 'List categories',
    query: CategoriesQuery,
    response: { page: Category },
    answer: async ({ query }) => pageOf(await listCategories(db, query), operatorCategoryView),
  });

  route.post('/operator/categories', {
    operationId: 'createCategory',
    summary: 'Create a category',
    errors: [taken('code', 'category')],
    body: CreateCategory,
    status: 201,
    response: { data: Category },
    answer: async ({ actor, body }) =>
      operatorCategoryView(await db.transaction((tx) => createCategory(tx, clock.now(), actor, body))),
  });

  route.get('/operator/categories/:id', {
    operationId: 'getCategory',
    summary: 'Read a category',
    response: { data: Category },
    answer: async ({ params }) => operatorCategoryView(await readCategory(db, params.id)),
  });

  route.patch('/operator/categories/:id', {
    operationId: 'updateCategory',
    summary: 'Update a category',
    errors: [taken('code', 'category')],
    body: UpdateCategory,
    response: { data: Category },
    answer: async ({ actor, params, body }) => {
      const input = { id: params.id, changes: body };
      return operatorCategoryView(
        await db.transaction((tx) => updateCategory(tx, clock.now(), actor, input)),
      );
    },
  });

  route.delete('/operator/categories/:id', {
    operationId: 'removeCategory',
    summary: 'Remove an unused category',
    errors: [inUse('category', { services: 2 })],
    response: { data: Removed },
    answer: async ({ actor, params }) => removed(await removeCategory(db, clock.now(), actor, params.id)),
  });
}
