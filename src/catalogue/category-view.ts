import { viewBy } from '../http/fields.ts';
import { Category } from './category-schema.ts';
import type { CategoryRow } from './table.ts';

/** A category in the operator API and the audit log. */
export const operatorCategoryView = (row: CategoryRow) => viewBy(Category, row);
