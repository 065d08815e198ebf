import type { Queryable } from '../db/connection.ts';
import type { Uses } from '../db/constraint-errors.ts';
import type { Page } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import { contains, countOfRows, firstOrThrow, nameOrder, pageOf, sortedBy, tablesOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { CategoriesQuery } from './category-schema.ts';
import type { CategoryRow, CategoryTable } from './table.ts';

const tables = tablesOf<{ categories: CategoryTable; services: { category_id: string } }>();

export const categoryRows = stampedRows<CategoryTable>('categories');

const USUAL_CATEGORIES = ['sort_order', nameOrder('name_en')];
const SORTED_CATEGORIES = {
  sortOrder: USUAL_CATEGORIES,
  nameEn: [nameOrder('name_en')],
  nameAr: [nameOrder('name_ar')],
  code: [nameOrder('code')],
  isActive: ['is_active', ...USUAL_CATEGORIES],
};

/** A page of the categories, in the order of partners unless sorted otherwise; `search` is a part of the code or of a name. */
export function listCategories(
  db: Queryable,
  { search, isActive, ...sorting }: CategoriesQuery,
): Promise<Page<CategoryRow>> {
  const query = tables
    .selectFrom('categories')
    .selectAll()
    .$if(search !== undefined, (found) => found.where(contains(['code', 'name_en', 'name_ar'], search!)))
    .$if(isActive !== undefined, (found) => found.where('is_active', '=', isActive === 'true'));
  const sorted = sortedBy(query, SORTED_CATEGORIES, sorting, { by: 'sortOrder', order: 'ASC' });
  return pageOf(db, sorted, paging(sorting));
}

/** The number of its services. */
export function categoryUses(db: Queryable, id: string): Promise<Uses> {
  const query = tables.selectFrom('services').where('category_id', '=', id);
  return firstOrThrow(db, query.select(countOfRows.as('services')));
}
