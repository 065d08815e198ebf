import type { Instant } from '../base/clock.ts';
import { type ApiError, orNotFound, validationError } from '../base/errors.ts';
import type { Actor } from '../db/audit.ts';
import { auditedRows, type New } from '../db/audited-rows.ts';
import type { Db, Tx } from '../db/connection.ts';
import { columnsOf } from '../db/tables.ts';
import { viewBy } from '../http/fields.ts';
import { reasonRows, reasonUses } from './queries.ts';
import { type CreateReason, CustomerReason, Reason, type UpdateReason } from './schema.ts';
import type { ReasonRow } from './table.ts';

/** A cancellation reason in the partners' interface (section 2). */
export const customerReasonView = (row: ReasonRow) => viewBy(CustomerReason, row);

/** A reason in the operator's interface and the audit log. */
export const reasonView = (row: ReasonRow) => viewBy(Reason, row);

const reasons = auditedRows(reasonRows, { kind: 'reason', name: 'Cancellation reason', view: reasonView });

/** Throws RESOURCE_NOT_FOUND. */
export const readReason = reasons.read;

/** Creates a reason; partners see it when it is active and customer-facing. */
export function createReason(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: New<CreateReason>,
): Promise<ReasonRow> {
  const { nameEn, nameAr, ...settings } = trimmed(input);
  return reasons.create(tx, now, { actor }, { name_en: nameEn, name_ar: nameAr, ...columnsOf(settings) });
}

/** Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND. */
export async function updateReason(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: UpdateReason },
): Promise<ReasonRow> {
  const before = await orNotFound(reasonRows.lock(tx, id), 'Cancellation reason');
  return reasons.change(tx, now, { actor }, { before, columns: columnsOf(trimmed(changes)) });
}

/** Removes a reason. Throws RESOURCE_NOT_FOUND, CONFLICT when a booking was cancelled for it. */
export function removeReason(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  return reasons.remove(db, now, actor, { id, lock: reasonRows.lock, uses: () => reasonUses(db, id) });
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
