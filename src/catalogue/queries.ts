import type { Queryable } from '../platform/db.ts';

export type OfferedCategoryRow = {
  id: string;
  code: string | null;
  name_en: string;
  name_ar: string;
  description_en: string;
  description_ar: string;
  is_active: boolean;
  services: { id: string; name: string; price: number }[];
};

/**
 * A page of the categories with services that the partner may book at the address, and how many categories
 * there are; null: the address is not there or another partner's. Prices leave the database as exact numerics.
 */
export async function listOffered(
  db: Queryable,
  partnerId: string,
  addressId: string,
  page: { limit: number; offset: number },
): Promise<{ located: boolean; total: number; categories: OfferedCategoryRow[] } | null> {
  return db.first({
    name: 'list-offered',
    text: `
      with place as (
        select a.latitude is not null as located, z.id as zone_id
        from addresses a
        left join lateral (
          select id from zones
          where is_active and area @> point(a.longitude::float8, a.latitude::float8)
          order by priority, name limit 1
        ) z on true
        where a.id = $2 and a.partner_id = $1
      ), offered as (
        select k.id, k.code, k.name_en, k.name_ar, k.description_en, k.description_ar, k.is_active, k.sort_order,
          json_agg(json_build_object('id', s.id, 'name', s.name, 'price', coalesce(ps.price, s.default_price))
            order by s.name, s.id) as services
        from place
        join zone_services zs on zs.zone_id = place.zone_id
        join services s on s.id = zs.service_id and s.is_active
        join categories k on k.id = s.category_id and k.is_active
        join partners p on p.id = $1
        left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
        where not p.service_restricted or ps.service_id is not null
        group by k.id
      )
      select place.located, (select count(*) from offered) as total,
        (select coalesce(json_agg(to_json(o) order by o.sort_order, o.name_en, o.id), '[]') from (
          select * from offered order by sort_order, name_en, id limit $3 offset $4) o) as categories
      from place`,
    values: [partnerId, addressId, page.limit, page.offset],
  });
}

export type EnabledServiceRow = { id: string; name: string; is_active: boolean };

/**
 * The service when the partner is enabled for it: listed for a restricted partner (also while inactive),
 * active for one without restrictions.
 */
export function findEnabledService(
  db: Queryable,
  partnerId: string,
  serviceId: string,
): Promise<EnabledServiceRow | null> {
  return db.first<EnabledServiceRow>({
    name: 'find-enabled-service',
    text: `
      select s.id, s.name, s.is_active and k.is_active as is_active
      from services s
      join categories k on k.id = s.category_id
      join partners p on p.id = $1
      left join partner_services ps on ps.partner_id = p.id and ps.service_id = s.id
      where s.id = $2
        and case when p.service_restricted then ps.service_id is not null else s.is_active and k.is_active end`,
    values: [partnerId, serviceId],
  });
}
