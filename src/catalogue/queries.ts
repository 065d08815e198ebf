import type { Queryable, Tx } from '../db/connection.ts';
import { AS_PEOPLE_SORT, type Window } from '../db/pages.ts';
import { first, hotStatement, pg, type Row } from '../db/statement.ts';
import type { PriceLists } from '../partners/price-rules.ts';
import { policyFor } from '../policies/queries.ts';
import type { Terms } from '../policies/rules.ts';

/**
 * SQL: a row of the zone that covers the point, or none. Where zones overlap, the lower priority takes precedence, then
 * the name. Latitude and longitude are expressions.
 */
export function zoneAt(latitude: string, longitude: string, columns = 'id'): string {
  return `
    select ${columns} from zones
    where is_active and area @> point(${longitude}::float8, ${latitude}::float8)
    order by priority, name ${AS_PEOPLE_SORT} limit 1`;
}

/** SQL: whether the partner `p` may use the service whose row of partner_services is `ps` (left-joined). */
export const IS_ENABLED = '(not p.service_restricted or ps.service_id is not null)';

/** SQL: the prices of the service `s` for the partner whose row of partner_services is `ps` (left-joined): `PriceLists`. */
export const PRICES = `json_build_array(json_build_object('price', ps.price::text, 'coming_prices', ps.coming_prices),
  json_build_object('price', s.default_price::text, 'coming_prices', s.coming_prices))`;

/** SQL: the version of the catalogue and of everything else that slots depend on, except appointments. */
export const CATALOGUE_VERSION = "select version from change_counters where name = 'catalogue'";

export type OfferedCategoryRow = {
  id: string;
  code: string | null;
  name_en: string;
  name_ar: string;
  description_en: string;
  description_ar: string;
  is_active: boolean;
  services: {
    id: string;
    name: string;
    nameEn: string;
    nameAr: string;
    prices: PriceLists;
    policyId: string | null;
    terms: Terms | null;
  }[];
};

export const LIST_OFFERED = hotStatement({
  name: 'list-offered',
  takes: { partnerId: pg.uuid, addressId: pg.uuid, limit: pg.bigint, offset: pg.bigint },
  returns: {
    located: pg.boolean,
    /** Whether an active zone covers the address. */
    covered: pg.boolean,
    total: pg.bigint,
    categories: pg.json<OfferedCategoryRow[]>(),
  },
  text: `
    with place as (
      select a.latitude is not null as located, z.id as zone_id
      from addresses a
      join contacts c on c.id = a.contact_id and c.erasure_id is null
      left join lateral (${zoneAt('a.latitude', 'a.longitude')}) z on true
      where a.id = :addressId and a.partner_id = :partnerId
    ), offered as (
      select k.id, k.code, k.name_en, k.name_ar, k.description_en, k.description_ar, k.is_active, k.sort_order,
        json_agg(json_build_object('id', s.id, 'name', n.name, 'nameEn', s.name,
            'nameAr', coalesce(s.name_ar, s.name), 'prices', ${PRICES},
            'policyId', v.id, 'terms', v.terms)
          order by n.name ${AS_PEOPLE_SORT}, s.id) as services
      from place
      join zone_services zs on zs.zone_id = place.zone_id
      join services s on s.id = zs.service_id and s.is_active
      join categories k on k.id = s.category_id and k.is_active
      join partners p on p.id = :partnerId
      cross join lateral (select name_in(p.language, s.name, s.name_ar) as name) n
      left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
      left join policies v on v.id = ${policyFor('p.id', 's.id')}
      where ${IS_ENABLED}
      group by k.id
    )
    select place.located, place.zone_id is not null as covered,
      (select count(*) from offered) as total,
      (select coalesce(json_agg(to_json(o) order by o.sort_order, o.name_en ${AS_PEOPLE_SORT}, o.id), '[]') from (
        select * from offered order by sort_order, name_en ${AS_PEOPLE_SORT}, id limit :limit offset :offset) o) as categories
    from place`,
});

/**
 * A page of the categories with services that the partner may book at the address, and the total of categories; null:
 * the address does not exist or is another partner's. Names are in the partner's language.
 */
export function listOffered(
  db: Queryable,
  partnerId: string,
  addressId: string,
  page: Window,
): Promise<Row<typeof LIST_OFFERED> | null> {
  return first(db, LIST_OFFERED, { partnerId, addressId, ...page });
}

export const FIND_ENABLED_SERVICE = hotStatement({
  name: 'find-enabled-service',
  takes: { partnerId: pg.uuid, serviceId: pg.uuid },
  returns: {
    id: pg.uuid,
    name: pg.text,
    name_en: pg.text,
    name_ar: pg.text,
    is_active: pg.boolean,
    policy_id: pg.nullable(pg.uuid),
    terms: pg.nullable(pg.jsonb<Terms>()),
  },
  text: `
    select s.id, name_in(p.language, s.name, s.name_ar) as name, s.name as name_en,
      coalesce(s.name_ar, s.name) as name_ar, s.is_active and k.is_active as is_active, v.id as policy_id, v.terms
    from services s
    join categories k on k.id = s.category_id
    join partners p on p.id = :partnerId
    left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
    left join policies v on v.id = ${policyFor('p.id', 's.id')}
    where s.id = :serviceId
      and ${IS_ENABLED} and (p.service_restricted or s.is_active and k.is_active)`,
});

export type EnabledServiceRow = Row<typeof FIND_ENABLED_SERVICE>;

/**
 * The service if it is enabled for the partner: listed for a restricted partner (also while inactive), active for one
 * without restrictions.
 */
export function findEnabledService(
  db: Queryable,
  partnerId: string,
  serviceId: string,
): Promise<EnabledServiceRow | null> {
  return first(db, FIND_ENABLED_SERVICE, { partnerId, serviceId });
}

/**
 * Makes the transaction the only one that changes the catalogue, and waits for the bookings being written. Must be the
 * first statement of every change: the triggers of the tables take the same lock, and taken later, after row locks, it
 * could deadlock with another change.
 */
export async function lockCatalogue(tx: Tx): Promise<void> {
  await tx.rows({ text: 'select pg_advisory_xact_lock(1, 0)' });
}
