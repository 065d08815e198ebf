import type { Queryable } from '../db/connection.ts';
import type { Uses } from '../db/constraint-errors.ts';
import type { Page, Sorting, Window } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import { contains, countOfRows, firstOrThrow, nameOrder, pageOf, sortedBy, tablesOf } from '../db/tables.ts';
import type { CATEGORY_ORDERS } from './category-rules.ts';
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

/** Categories in the order of partners unless sorted otherwise; `search` is a part of the code or of a name. */
export function listCategoryRows(
  db: Queryable,
  {
    search,
    isActive,
    ...sorting
  }: Sorting<(typeof CATEGORY_ORDERS)[number]> & { search?: string; isActive?: 'true' | 'false' },
  page: Window,
): Promise<Page<CategoryRow>> {
  const query = tables
    .selectFrom('categories')
    .selectAll()
    .$if(search !== undefined, (found) => found.where(contains(['code', 'name_en', 'name_ar'], search!)))
    .$if(isActive !== undefined, (found) => found.where('is_active', '=', isActive === 'true'));
  return pageOf(db, sortedBy(query, SORTED_CATEGORIES, sorting, { by: 'sortOrder', order: 'ASC' }), page);
}

/** The number of its services. */
export function categoryUses(db: Queryable, id: string): Promise<Uses> {
  const query = tables.selectFrom('services').where('category_id', '=', id);
  return firstOrThrow(db, query.select(countOfRows.as('services')));
}
