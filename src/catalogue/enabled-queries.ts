import { sql } from 'kysely';
import type { Queryable } from '../db/connection.ts';
import { nameOrder, rowsOf, tablesOf } from '../db/tables.ts';
import type { PriceLists } from '../partners/price-rules.ts';
import type { PartnerServiceTable, PartnerTable } from '../partners/table.ts';
import { PRICES } from './queries.ts';
import type { CategoryTable, ServiceTable } from './table.ts';

const tables = tablesOf<{
  services: ServiceTable;
  categories: CategoryTable;
  partners: PartnerTable;
  partner_services: PartnerServiceTable;
}>();

/** The services that the partner may book at any address, with its prices, by name. */
export function listEnabledServices(db: Queryable, partnerId: string) {
  const query = tables
    .selectFrom('services as s')
    .innerJoin('categories as c', 'c.id', 's.category_id')
    .innerJoin('partners as p', (join) => join.on('p.id', '=', partnerId))
    .leftJoin('partner_services as ps', (join) =>
      join.onRef('ps.partner_id', '=', 'p.id').onRef('ps.service_id', '=', 's.id'),
    )
    .select(['s.id', 's.name', 's.name_ar', 's.duration_minutes', 's.minimum_notice_minutes'])
    .select(['s.booking_horizon_days', 'c.name_en as category_en', 'c.name_ar as category_ar'])
    .select(sql<PriceLists>`${sql.raw(PRICES)}`.as('prices'))
    .where('s.is_active', '=', true)
    .where('c.is_active', '=', true)
    .where(sql<boolean>`(not p.service_restricted or ps.service_id is not null)`)
    .orderBy(nameOrder('s.name'))
    .orderBy('s.id');
  return rowsOf(db, query);
}
export type EnabledService = Awaited<ReturnType<typeof listEnabledServices>>[number];
