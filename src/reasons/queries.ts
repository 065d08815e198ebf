import { each } from '../db/columns.ts';
import type { Queryable } from '../db/connection.ts';
import type { Uses } from '../db/constraint-errors.ts';
import { AS_PEOPLE_SORT, type Page } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';
import {
  contains,
  countOfRows,
  firstOf,
  firstOrThrow,
  nameOrder,
  pageOf,
  sortedBy,
  tablesOf,
} from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { ReasonsQuery } from './schema.ts';
import { REASONS, type ReasonRow, type ReasonTable } from './table.ts';

const tables = tablesOf<{
  cancellation_reasons: ReasonTable;
  bookings: { cancellation_reason_id: string | null };
}>();

export const reasonRows = stampedRows<ReasonTable>('cancellation_reasons');

const USUAL = ['sort_order', nameOrder('name_en')];
const ORDERS = {
  sortOrder: USUAL,
  nameEn: [nameOrder('name_en')],
  nameAr: [nameOrder('name_ar')],
  isCustomerFacing: ['is_customer_facing', ...USUAL],
  isActive: ['is_active', ...USUAL],
};

/** A page of the reasons, in the partners' order unless sorted otherwise; `search` is a part of a name. */
export function listReasons(
  db: Queryable,
  { search, isActive, ...sorting }: ReasonsQuery,
): Promise<Page<ReasonRow>> {
  const query = tables
    .selectFrom('cancellation_reasons')
    .selectAll()
    .$if(search !== undefined, (found) => found.where(contains(['name_en', 'name_ar'], search!)))
    .$if(isActive !== undefined, (found) => found.where('is_active', '=', isActive === 'true'));
  return pageOf(db, sortedBy(query, ORDERS, sorting, { by: 'sortOrder', order: 'ASC' }), paging(sorting));
}

export const LIST_CUSTOMER_REASONS = hotStatement({
  name: 'list-customer-reasons',
  takes: {},
  returns: REASONS,
  text: `
    select ${each(REASONS)}
    from cancellation_reasons where is_active and is_customer_facing
    order by sort_order, name_en ${AS_PEOPLE_SORT}, id`,
});

/** Section 4.9: the active, customer-facing reasons in their order. */
export function listCustomerReasons(db: Queryable): Promise<ReasonRow[]> {
  return rows(db, LIST_CUSTOMER_REASONS, {});
}

export const CUSTOMER_REASONS = hotStatement({
  name: 'customer-reasons',
  takes: { ids: pg.uuids },
  returns: { id: pg.uuid },
  text: `
    select id from cancellation_reasons
    where id = any ((select :ids::uuid[])::uuid[]) and is_active and is_customer_facing`,
});

/** Those of the ids, in lower case, that belong to active customer-facing reasons, which partners may give. */
export async function customerReasonsAmong(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await rows(db, CUSTOMER_REASONS, { ids: [...ids] })).map(({ id }) => id));
}

/** Whether it is the id of an active reason, which the operator may give. */
export async function isActiveReason(db: Queryable, id: string): Promise<boolean> {
  return (
    (await firstOf(
      db,
      tables
        .selectFrom('cancellation_reasons')
        .selectAll()
        .where('id', '=', id)
        .where('is_active', '=', true),
    )) !== null
  );
}

/** The number of bookings that were cancelled for the reason. */
export function reasonUses(db: Queryable, id: string): Promise<Uses> {
  const query = tables.selectFrom('bookings').where('cancellation_reason_id', '=', id);
  return firstOrThrow(db, query.select(countOfRows.as('bookings')));
}
