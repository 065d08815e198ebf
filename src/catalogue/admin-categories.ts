import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../clock.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable, Tx } from '../platform/db.ts';
import { type Page, paging } from '../platform/envelope.ts';
import { existing, unlessInUse, unlessTaken } from './admin.ts';
import {
  type CategoryFields,
  type CategoryRow,
  categoryUses,
  deleteCategoryRow,
  findCategory,
  insertCategory,
  listCategoryRows,
  lockCatalogue,
  updateCategoryRow,
} from './admin-queries.ts';
import type { CategoriesQuery, CreateCategory, UpdateCategory } from './admin-schema.ts';
import { adminCategoryView } from './admin-view.ts';

const DEFAULTS = { code: null, descriptionEn: '', descriptionAr: '', sortOrder: 0, isActive: true };

/** A page of the categories. */
export function listCategories(db: Queryable, query: CategoriesQuery): Promise<Page<CategoryRow>> {
  return listCategoryRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readCategory(db: Queryable, id: string): Promise<CategoryRow> {
  return existing(findCategory(db, id), 'Category');
}

/** Creates a category. Throws CONFLICT when its code is taken. */
export function createCategory(
  db: Db,
  now: Instant,
  actor: Actor,
  input: CreateCategory,
): Promise<CategoryRow> {
  return db.transaction((tx) => addCategory(tx, now, actor, input));
}

/** createCategory inside a transaction. */
export async function addCategory(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: CreateCategory,
): Promise<CategoryRow> {
  await lockCatalogue(tx);
  const row = await saved(insertCategory(tx, now, trimmed({ ...DEFAULTS, ...input })));
  const target = `category:${row.id}`;
  await audit(tx, now, { actor, action: 'category.create', target, after: adminCategoryView(row) });
  return row;
}

/** Changes the given fields; nothing new, nothing done. Throws RESOURCE_NOT_FOUND, CONFLICT (code taken). */
export function updateCategory(
  db: Db,
  now: Instant,
  actor: Actor,
  id: string,
  input: UpdateCategory,
): Promise<CategoryRow> {
  return db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const before = await existing(findCategory(tx, id), 'Category');
    const fields = trimmed({ ...fieldsOf(before), ...input });
    if (isDeepStrictEqual(fields, fieldsOf(before))) return before;
    const after = await saved(updateCategoryRow(tx, now, before.id, fields));
    await audit(tx, now, {
      actor,
      action: 'category.update',
      target: `category:${before.id}`,
      before: adminCategoryView(before),
      after: adminCategoryView(after),
    });
    return after;
  });
}

/** Removes a category. Throws RESOURCE_NOT_FOUND, CONFLICT while it has services. */
export function removeCategory(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const before = await existing(findCategory(tx, id), 'Category');
      await deleteCategoryRow(tx, before.id);
      const target = `category:${before.id}`;
      await audit(tx, now, { actor, action: 'category.delete', target, before: adminCategoryView(before) });
      return { id: before.id };
    });
  return unlessInUse('The category', removal, () => categoryUses(db, id));
}

function saved(write: Promise<CategoryRow>): Promise<CategoryRow> {
  return unlessTaken('categories_code_key', 'code is already used by another category', write);
}

function trimmed(fields: CategoryFields): CategoryFields {
  return {
    ...fields,
    code: fields.code?.trim() ?? null,
    nameEn: fields.nameEn.trim(),
    nameAr: fields.nameAr.trim(),
  };
}

function fieldsOf(row: CategoryRow): CategoryFields {
  return {
    code: row.code,
    nameEn: row.name_en,
    nameAr: row.name_ar,
    descriptionEn: row.description_en,
    descriptionAr: row.description_ar,
    sortOrder: row.sort_order,
    isActive: row.is_active,
  };
}
