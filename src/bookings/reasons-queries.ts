import type { Uses } from '../catalogue/admin-queries.ts';
import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';

export type ReasonRow = {
  id: string;
  name_en: string;
  name_ar: string;
  is_active: boolean;
  is_customer_facing: boolean;
  sort_order: number;
  created_at: Instant;
  updated_at: Instant;
};

export type ReasonFields = {
  nameEn: string;
  nameAr: string;
  isActive: boolean;
  isCustomerFacing: boolean;
  sortOrder: number;
};

const REASON = 'id, name_en, name_ar, is_active, is_customer_facing, sort_order, created_at, updated_at';

function reasonValues(now: Instant, fields: ReasonFields): unknown[] {
  return [
    fields.nameEn,
    fields.nameAr,
    fields.isActive,
    fields.isCustomerFacing,
    fields.sortOrder,
    toUtcIso(now),
  ];
}

export async function insertReason(tx: Tx, now: Instant, fields: ReasonFields): Promise<ReasonRow> {
  const rows = await tx.rows<ReasonRow>({
    text: `
      insert into cancellation_reasons (name_en, name_ar, is_active, is_customer_facing, sort_order, created_at,
        updated_at)
      values ($1, $2, $3, $4, $5, $6, $6) returning ${REASON}`,
    values: reasonValues(now, fields),
  });
  return rows[0]!;
}

export async function updateReasonRow(
  tx: Tx,
  now: Instant,
  id: string,
  fields: ReasonFields,
): Promise<ReasonRow> {
  const rows = await tx.rows<ReasonRow>({
    text: `
      update cancellation_reasons set name_en = $1, name_ar = $2, is_active = $3, is_customer_facing = $4,
        sort_order = $5, updated_at = $6
      where id = $7 returning ${REASON}`,
    values: [...reasonValues(now, fields), id],
  });
  return rows[0]!;
}

export async function deleteReasonRow(tx: Tx, id: string): Promise<void> {
  await tx.rows({ text: 'delete from cancellation_reasons where id = $1', values: [id] });
}

export function findReason(db: Queryable, id: string): Promise<ReasonRow | null> {
  return db.first<ReasonRow>({
    text: `select ${REASON} from cancellation_reasons where id = $1`,
    values: [id],
  });
}

/** Locks the reason against other changes of it, not against bookings that begin to refer to it. */
export function lockReason(tx: Tx, id: string): Promise<ReasonRow | null> {
  return tx.first<ReasonRow>({
    text: `select ${REASON} from cancellation_reasons where id = $1 for no key update`,
    values: [id],
  });
}

/** Reasons in the order partners see; `search` looks for a part of a name. */
export async function listReasonRows(
  db: Queryable,
  filter: { search?: string; isActive?: 'true' | 'false' },
  page: { limit: number; offset: number },
): Promise<Page<ReasonRow>> {
  const where = `
    where ($1::text is null or strpos(lower(concat_ws(' ', name_en, name_ar)), lower($1)) > 0)
      and ($2::boolean is null or is_active = $2)`;
  const values = [filter.search ?? null, filter.isActive ?? null];
  const rows = await db.rows<ReasonRow>({
    text: `
      select ${REASON} from cancellation_reasons ${where}
      order by sort_order, name_en, id limit $3 offset $4`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from cancellation_reasons ${where}`,
    values,
  });
  return { rows, total: count!.total };
}

/** Section 4.9: the active, customer-facing reasons in their order. */
export function listCustomerReasons(db: Queryable): Promise<ReasonRow[]> {
  return db.rows<ReasonRow>({
    name: 'list-customer-reasons',
    text: `
      select ${REASON} from cancellation_reasons where is_active and is_customer_facing
      order by sort_order, name_en, id`,
  });
}

/** Is it the id of an active, customer-facing reason: one a partner may give? */
export async function isCustomerReason(db: Queryable, id: string): Promise<boolean> {
  const row = await db.first<{ found: boolean }>({
    name: 'is-customer-reason',
    text: `
      select exists (
        select 1 from cancellation_reasons where id = $1 and is_active and is_customer_facing) as found`,
    values: [id],
  });
  return row!.found;
}

/** Is it the id of an active reason: one the operator may give? */
export async function isActiveReason(db: Queryable, id: string): Promise<boolean> {
  const row = await db.first<{ found: boolean }>({
    text: 'select exists (select 1 from cancellation_reasons where id = $1 and is_active) as found',
    values: [id],
  });
  return row!.found;
}

/** Is there any reason, active or not? */
export async function hasReasons(db: Queryable): Promise<boolean> {
  const row = await db.first<{ found: boolean }>({
    text: 'select exists (select 1 from cancellation_reasons) as found',
  });
  return row!.found;
}

/** How many bookings were cancelled for the reason. */
export async function reasonUses(db: Queryable, id: string): Promise<Uses> {
  const row = await db.first<{ bookings: number }>({
    text: 'select count(*) as bookings from bookings where cancellation_reason_id = $1',
    values: [id],
  });
  return row!;
}
