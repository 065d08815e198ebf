import { isDeepStrictEqual } from 'node:util';
import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { type ApiError, orNotFound, validationError } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { conflictOnUse } from '../db/constraint-errors.ts';
import type { Page } from '../db/pages.ts';
import { columnsOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import { listReasonRows, reasonRows, reasonUses } from './queries.ts';
import type { CreateReason, ReasonsQuery, UpdateReason } from './schema.ts';
import type { ReasonRow } from './table.ts';

/** A cancellation reason in the partners' interface (section 2). */
export function customerReasonView(row: ReasonRow) {
  return { id: row.id, nameEn: row.name_en, nameAr: row.name_ar };
}

/** A reason in the operator's interface and the audit log. */
export function reasonView(row: ReasonRow) {
  return {
    id: row.id,
    nameEn: row.name_en,
    nameAr: row.name_ar,
    isActive: row.is_active,
    isCustomerFacing: row.is_customer_facing,
    sortOrder: row.sort_order,
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}

/** A page of the reasons, in the partners' order. */
export function listReasons(db: Queryable, query: ReasonsQuery): Promise<Page<ReasonRow>> {
  return listReasonRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readReason(db: Queryable, id: string): Promise<ReasonRow> {
  return orNotFound(reasonRows.find(db, id), 'Cancellation reason');
}

/** Creates a reason; partners see it when it is active and customer-facing. */
export async function createReason(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: CreateReason,
): Promise<ReasonRow> {
  const { nameEn, nameAr, ...settings } = trimmed(input);
  const row = await reasonRows.insert(tx, now, { name_en: nameEn, name_ar: nameAr, ...columnsOf(settings) });
  const target = `reason:${row.id}`;
  await audit(tx, now, { actor, action: 'reason.create', target, after: reasonView(row) });
  return row;
}

/** Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND. */
export async function updateReason(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: UpdateReason },
): Promise<ReasonRow> {
  const before = await orNotFound(reasonRows.lock(tx, id), 'Cancellation reason');
  const columns = columnsOf(trimmed(changes));
  if (isDeepStrictEqual({ ...before, ...columns }, { ...before })) return before;
  const after = await reasonRows.update(tx, now, before.id, columns);
  await audit(tx, now, {
    actor,
    action: 'reason.update',
    target: `reason:${before.id}`,
    before: reasonView(before),
    after: reasonView(after),
  });
  return after;
}

/** Removes a reason. Throws RESOURCE_NOT_FOUND, CONFLICT when a booking was cancelled for it. */
export function removeReason(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      const before = await orNotFound(reasonRows.lock(tx, id), 'Cancellation reason');
      await reasonRows.remove(tx, before.id);
      const target = `reason:${before.id}`;
      await audit(tx, now, { actor, action: 'reason.delete', target, before: reasonView(before) });
      return { id: before.id };
    });
  return conflictOnUse('The cancellation reason', removal, () => reasonUses(db, id));
}

function trimmed<Fields extends UpdateReason>(fields: Fields): Fields {
  const trimmedFields = { ...fields };
  if (fields.nameEn !== undefined) trimmedFields.nameEn = fields.nameEn.trim();
  if (fields.nameAr !== undefined) trimmedFields.nameAr = fields.nameAr.trim();
  return trimmedFields;
}

/** 400: the caller may not give this reason. */
export function unknownReason(): ApiError {
  return validationError(
    ['reasonId must be the id of an active cancellation reason'],
    ['reasonId: take the id from the list of cancellation reasons'],
  );
}
