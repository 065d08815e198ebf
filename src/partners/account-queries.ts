import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import { contains, firstOf, nameOrder, pageOf, sortedBy, tablesOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { ListPartnersQuery } from './account-schema.ts';
import type { PartnerRow, PartnerTable } from './table.ts';

const tables = tablesOf<{ partners: PartnerTable }>();

export const partnerRows = stampedRows<PartnerTable>('partners');

const partners = tables.selectFrom('partners').selectAll();

/** The partner with this name, case-insensitively. */
export function findPartnerByName(db: Queryable, name: string): Promise<PartnerRow | null> {
  return firstOf(db, partners.where(sql<boolean>`lower(name) = lower(${name})`));
}

/** Locks all partners against changes, as those of their services do before they wait for the catalogue. */
export async function lockPartners(tx: Tx): Promise<void> {
  await tx.rows({ text: 'select id from partners order by id for no key update' });
}

const SORTED_PARTNERS = {
  createdAt: ['created_at'],
  name: [nameOrder('name')],
  status: ['status', nameOrder('name')],
  paymentResponsibility: ['payment_responsibility', nameOrder('name')],
  // null: no limit.
  rateLimitPerMinute: [sql`coalesce(rate_limit_per_minute, 2147483647)`, nameOrder('name')],
};

/** A page of the partners, newest first unless sorted otherwise; `search` is a part of the name. */
export function listPartners(
  db: Queryable,
  { search, status, ...sorting }: ListPartnersQuery,
  page: Window = paging(sorting),
): Promise<Page<PartnerRow>> {
  const query = partners
    .$if(search !== undefined, (found) => found.where(contains('name', search!)))
    .$if(status !== undefined, (found) => found.where('status', '=', status!));
  return pageOf(db, sortedBy(query, SORTED_PARTNERS, sorting, { by: 'createdAt', order: 'DESC' }), page);
}
