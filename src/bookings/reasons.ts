import { isDeepStrictEqual } from 'node:util';
import { existing, unlessInUse } from '../catalogue/admin.ts';
import { type Instant, toRiyadhIso } from '../clock.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable, Tx } from '../platform/db.ts';
import { type Page, paging } from '../platform/envelope.ts';
import {
  deleteReasonRow,
  findReason,
  insertReason,
  listReasonRows,
  lockReason,
  type ReasonFields,
  type ReasonRow,
  reasonUses,
  updateReasonRow,
} from './reasons-queries.ts';
import type { CreateReason, ReasonsQuery, UpdateReason } from './reasons-schema.ts';

const DEFAULTS = { isActive: true, isCustomerFacing: true, sortOrder: 0 };

/** Cancellation reason of section 2, as partners see it. */
export function customerReasonView(row: ReasonRow) {
  return { id: row.id, nameEn: row.name_en, nameAr: row.name_ar };
}

/** A reason as the operator's interface and the audit log show it. */
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

/** A page of the reasons, in the order partners see. */
export function listReasons(db: Queryable, query: ReasonsQuery): Promise<Page<ReasonRow>> {
  return listReasonRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readReason(db: Queryable, id: string): Promise<ReasonRow> {
  return existing(findReason(db, id), 'Cancellation reason');
}

/** Creates a reason. */
export function createReason(db: Db, now: Instant, actor: Actor, input: CreateReason): Promise<ReasonRow> {
  return db.transaction((tx) => addReason(tx, now, actor, input));
}

/** createReason inside a transaction. */
export async function addReason(tx: Tx, now: Instant, actor: Actor, input: CreateReason): Promise<ReasonRow> {
  const row = await insertReason(tx, now, trimmed({ ...DEFAULTS, ...input }));
  const target = `reason:${row.id}`;
  await audit(tx, now, { actor, action: 'reason.create', target, after: reasonView(row) });
  return row;
}

/** Changes the given fields; nothing new, nothing done. Throws RESOURCE_NOT_FOUND. */
export function updateReason(
  db: Db,
  now: Instant,
  actor: Actor,
  id: string,
  input: UpdateReason,
): Promise<ReasonRow> {
  return db.transaction(async (tx) => {
    const before = await existing(lockReason(tx, id), 'Cancellation reason');
    const fields = trimmed({ ...fieldsOf(before), ...input });
    if (isDeepStrictEqual(fields, fieldsOf(before))) return before;
    const after = await updateReasonRow(tx, now, before.id, fields);
    await audit(tx, now, {
      actor,
      action: 'reason.update',
      target: `reason:${before.id}`,
      before: reasonView(before),
      after: reasonView(after),
    });
    return after;
  });
}

/** Removes a reason. Throws RESOURCE_NOT_FOUND, CONFLICT when a booking was cancelled for it. */
export function removeReason(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const removal = () =>
    db.transaction(async (tx) => {
      const before = await existing(lockReason(tx, id), 'Cancellation reason');
      await deleteReasonRow(tx, before.id);
      const target = `reason:${before.id}`;
      await audit(tx, now, { actor, action: 'reason.delete', target, before: reasonView(before) });
      return { id: before.id };
    });
  return unlessInUse('The cancellation reason', removal, () => reasonUses(db, id));
}

function trimmed(fields: ReasonFields): ReasonFields {
  return { ...fields, nameEn: fields.nameEn.trim(), nameAr: fields.nameAr.trim() };
}

function fieldsOf(row: ReasonRow): ReasonFields {
  return {
    nameEn: row.name_en,
    nameAr: row.name_ar,
    isActive: row.is_active,
    isCustomerFacing: row.is_customer_facing,
    sortOrder: row.sort_order,
  };
}
