import type { App, RouteParts } from '../http/edge.ts';
import { resourceRoutes } from '../http/resource-routes.ts';
import { taken } from '../http/routes.ts';
import { createCategory, readCategory, removeCategory, updateCategory } from './categories.ts';
import { listCategories } from './category-queries.ts';
import { CategoriesQuery, Category, CreateCategory, UpdateCategory } from './category-schema.ts';
import { operatorCategoryView } from './category-view.ts';
import { listCatalogueConflicts } from './conflict-queries.ts';
import { WithConflicts } from './conflict-schema.ts';
import { previewedBy } from './conflicts.ts';

/** Categories in the operator API. */
export function operatorCategoryRoutes(app: App, deps: RouteParts): void {
  resourceRoutes(app, deps, {
    path: '/operator/categories',
    tags: ['Catalogue'],
    name: 'Category',
    plural: 'Categories',
    errors: [taken('code', 'category')],
    usedBy: { services: 2 },
    query: CategoriesQuery,
    shown: Category,
    given: CreateCategory,
    changes: UpdateCategory,
    previewed: previewedBy(listCatalogueConflicts),
    changed: { shown: WithConflicts(Category, 'ChangedCategory') },
    view: operatorCategoryView,
    list: listCategories,
    read: readCategory,
    create: createCategory,
    update: updateCategory,
    remove: removeCategory,
  });
}
