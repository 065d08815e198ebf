import type { Instant } from '../base/clock.ts';
import type { Actor } from '../db/audit.ts';
import { auditedRows, type New } from '../db/audited-rows.ts';
import type { Db, Tx } from '../db/connection.ts';
import { conflictOnDuplicate } from '../db/constraint-errors.ts';
import { columnsOf } from '../db/tables.ts';
import { categoryRows, categoryUses } from './category-queries.ts';
import type { CreateCategory, UpdateCategory } from './category-schema.ts';
import { operatorCategoryView } from './category-view.ts';
import { lockCatalogue } from './queries.ts';
import type { CategoryRow } from './table.ts';

const categories = auditedRows(categoryRows, {
  kind: 'category',
  name: 'Category',
  view: operatorCategoryView,
  written: (write) =>
    conflictOnDuplicate(
      'categories_code_key',
      { reason: 'CODE_TAKEN', message: 'code is already used by another category' },
      write,
    ),
});

/** Throws RESOURCE_NOT_FOUND. */
export const readCategory = categories.read;

/** Creates a category. Throws CONFLICT when its code is taken. */
export async function createCategory(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: New<CreateCategory>,
): Promise<CategoryRow> {
  await lockCatalogue(tx);
  return categories.create(tx, now, { actor }, columnsOf(trimmed(input)));
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
  return categories.change(tx, now, { actor }, { before, columns: columnsOf(trimmed(changes)) });
}

/** Removes a category. Throws RESOURCE_NOT_FOUND, CONFLICT while it has services. */
export function removeCategory(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  return categories.remove(db, now, actor, { id, lock: lockCatalogue, uses: () => categoryUses(db, id) });
}

function trimmed<Fields extends UpdateCategory>(fields: Fields): Fields {
  const trimmedFields = { ...fields };
  if (fields.code !== undefined) trimmedFields.code = fields.code?.trim() ?? null;
  if (fields.nameEn !== undefined) trimmedFields.nameEn = fields.nameEn.trim();
  if (fields.nameAr !== undefined) trimmedFields.nameAr = fields.nameAr.trim();
  return trimmedFields;
}
