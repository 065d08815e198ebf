import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { AS_PEOPLE_SORT } from '../db/pages.ts';
import { firstOf, isOneOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { PartnerServicesRow, PartnerServiceTable, PartnerTable } from './table.ts';

const tables = tablesOf<{
  partners: PartnerTable;
  partner_services: PartnerServiceTable;
  services: { id: string };
}>();

/** Whether the partner is restricted to listed services, and these with their prices; null: no such partner. */
export function findPartnerServices(db: Queryable, partnerId: string): Promise<PartnerServicesRow | null> {
  // Prices as text: inside JSON they would become floating point numbers.
  const services = sql<PartnerServicesRow['services']>`(
    select coalesce(json_agg(json_build_object('service_id', ps.service_id, 'price', ps.price::text,
      'coming_prices', ps.coming_prices)
      order by s.name ${sql.raw(AS_PEOPLE_SORT)}, s.id), '[]')
    from partner_services ps join services s on s.id = ps.service_id where ps.partner_id = partners.id)`;
  const query = tables
    .selectFrom('partners')
    .select(['services_version as version', 'service_restricted as restricted', services.as('services')])
    .where('id', '=', partnerId);
  return firstOf(db, query);
}

/**
 * Puts these services in the place of the partner's, and returns the ids that are services. The caller locks the
 * partner and rolls back when one is missing.
 */
export async function replacePartnerServices(
  tx: Tx,
  now: Instant,
  partnerId: string,
  { restricted, services }: Omit<PartnerServicesRow, 'version'>,
): Promise<ReadonlySet<string>> {
  // Its trigger waits for changes of the catalogue: from here on no service is removed.
  const changed = tables
    .updateTable('partners')
    .set({
      service_restricted: restricted,
      services_version: sql<number>`services_version + 1`,
      updated_at: toUtcIso(now),
    })
    .where('id', '=', partnerId);
  await rowsOf(tx, changed);
  await rowsOf(tx, tables.deleteFrom('partner_services').where('partner_id', '=', partnerId));
  const ids = services.map(({ service_id }) => service_id);
  const found = await rowsOf(tx, tables.selectFrom('services').select('id').where(isOneOf('id', ids)));
  const known = new Set(found.map(({ id }) => id));
  const values = services
    .filter(({ service_id }) => known.has(service_id))
    .map((service) => ({ partner_id: partnerId, ...service }));
  if (values.length > 0) await rowsOf(tx, tables.insertInto('partner_services').values(values));
  return known;
}
