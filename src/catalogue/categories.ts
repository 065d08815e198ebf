import type { Instant } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { conflictOnDuplicate, conflictOnUse } from '../db/constraint-errors.ts';
import type { Page } from '../db/pages.ts';
import { changesTo, columnsOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import { categoryRows, categoryUses, listCategoryRows } from './category-queries.ts';
import type { CategoriesQuery, CreateCategory, UpdateCategory } from './category-schema.ts';
import { operatorCategoryView } from './category-view.ts';
import { lockCatalogue } from './queries.ts';
import type { CategoryRow } from './table.ts';

/** A page of the categories. */
export function listCategories(db: Queryable, query: CategoriesQuery): Promise<Page<CategoryRow>> {
  return listCategoryRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readCategory(db: Queryable, id: string): Promise<CategoryRow> {
  return orNotFound(categoryRows.find(db, id), 'Category');
}

/** Creates a category. Throws CONFLICT when its code is taken. */
export async function createCategory(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: CreateCategory,
): Promise<CategoryRow> {
  await lockCatalogue(tx);
  const row = await saved(categoryRows.insert(tx, now, columnsOf(trimmed(input))));
  const target = `category:${row.id}`;
  await audit(tx, now, { actor, action: 'category.create', target, after: operatorCategoryView(row) });
  return row;
}

/**
 * Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND, CONFLICT (code taken).
 */
export async function updateCategory(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: UpdateCategory },
): Promise<CategoryRow> {
  await lockCatalogue(tx);
  const before = await readCategory(tx, id);
  const columns = changesTo(before, columnsOf(trimmed(changes)));
  if (columns === null) return before;
  const after = await saved(categoryRows.update(tx, now, before.id, columns));
  await audit(tx, now, {
    actor,
    action: 'category.update',
    target: `category:${before.id}`,
    before: operatorCategoryView(before),
    after: operatorCategoryView(after),
  });
  return after;
}

/** Removes a category. Throws RESOURCE_NOT_FOUND, CONFLICT while it has services. */
export function removeCategory(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const before = await readCategory(tx, id);
      await categoryRows.remove(tx, before.id);
      const target = `category:${before.id}`;
      await audit(tx, now, {
        actor,
        action: 'category.delete',
        target,
        before: operatorCategoryView(before),
      });
      return { id: before.id };
    });
  return conflictOnUse('The category', removal, () => categoryUses(db, id));
}

function saved(write: Promise<CategoryRow>): Promise<CategoryRow> {
  return conflictOnDuplicate(
    'categories_code_key',
    { reason: 'CODE_TAKEN', message: 'code is already used by another category' },
    write,
  );
}

function trimmed<Fields extends UpdateCategory>(fields: Fields): Fields {
  const trimmedFields = { ...fields };
  if (fields.code !== undefined) trimmedFields.code = fields.code?.trim() ?? null;
  if (fields.nameEn !== undefined) trimmedFields.nameEn = fields.nameEn.trim();
  if (fields.nameAr !== undefined) trimmedFields.nameAr = fields.nameAr.trim();
  return trimmedFields;
}
