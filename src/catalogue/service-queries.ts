import type { Queryable } from '../db/connection.ts';
import type { Uses } from '../db/constraint-errors.ts';
import type { Page } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import {
  contains,
  countOfRows,
  firstOrThrow,
  isOneOf,
  nameOrder,
  pageOf,
  rowsOf,
  sortedBy,
  tablesOf,
} from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import type { ServicesQuery } from './service-schema.ts';
import type { ServiceRow, ServiceTable, ZoneServiceTable } from './table.ts';

/** Services, and the tables that refer to them. */
const tables = tablesOf<{
  services: ServiceTable;
  zone_services: ZoneServiceTable;
  team_services: { service_id: string };
  partner_services: { service_id: string };
  bookings: { service_id: string };
}>();

export const serviceRows = stampedRows<ServiceTable>('services');

const SORTED_SERVICES = {
  nameEn: [nameOrder('name')],
  // Without an Arabic name it is listed by the English one.
  nameAr: [nameOrder('name_ar'), nameOrder('name')],
  assignment: ['assignment', nameOrder('name')],
  durationMinutes: ['duration_minutes', nameOrder('name')],
  defaultPrice: ['default_price', nameOrder('name')],
  isActive: ['is_active', nameOrder('name')],
  createdAt: ['created_at'],
};

/**
 * A page of the services, by English name unless sorted otherwise; `search` is a part of either name, `zoneId` selects a zone's
 * services.
 */
export function listServices(db: Queryable, filter: ServicesQuery): Promise<Page<ServiceRow>> {
  const { search, isActive, categoryId, zoneId } = filter;
  const inZone = tables.selectFrom('zone_services').select('service_id').where('zone_id', '=', zoneId!);
  const query = tables
    .selectFrom('services')
    .selectAll()
    .$if(search !== undefined, (found) => found.where(contains(['name', 'name_ar'], search!)))
    .$if(isActive !== undefined, (found) => found.where('is_active', '=', isActive === 'true'))
    .$if(categoryId !== undefined, (found) => found.where('category_id', '=', categoryId!))
    .$if(zoneId !== undefined, (found) => found.where('id', 'in', inZone));
  return pageOf(db, sortedBy(query, SORTED_SERVICES, filter, { by: 'nameEn', order: 'ASC' }), paging(filter));
}

/** The number of bookings, zones, teams and partners that refer to it. */
export function serviceUses(db: Queryable, id: string): Promise<Uses> {
  const uses = (table: 'bookings' | 'zone_services' | 'team_services' | 'partner_services') =>
    tables.selectFrom(table).select(countOfRows.as('uses')).where('service_id', '=', id);
  const query = tables.selectNoFrom([
    uses('bookings').as('bookings'),
    uses('zone_services').as('zones'),
    uses('team_services').as('teams'),
    uses('partner_services').as('partners'),
  ]);
  return firstOrThrow(db, query) as Promise<Uses>;
}

/** Those of the ids that are services. */
export async function knownServices(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf(db, tables.selectFrom('services').select('id').where(isOneOf('id', ids)));
  return new Set(rows.map((row) => row.id));
}
