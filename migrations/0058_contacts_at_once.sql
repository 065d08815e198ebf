-- Customers that are made together are made by one statement each for contacts and addresses, instead of two for every customer:
-- starting and ending them, checks and triggers among it, was half of the cost. Who is known already, and who was made by
-- another in the meantime, is found one by one as ever. The settings are those of migrations/0050_contacts_by_index.sql and
-- for a plan that does not count the customers.
create function find_or_create_contacts(
  p_partner_ids uuid[], p_phones text[], p_names text[], p_utm_sources text[], p_have_address boolean[],
  p_latitudes numeric[], p_longitudes numeric[], p_city_names text[], p_district_names text[], p_street_names text[],
  p_times timestamptz[]
) returns table (
  place bigint, id uuid, name text, phone text, created_at timestamptz, is_new boolean, address_id uuid
)
language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  -- A contact that another transaction holds is not waited for long: it would hold all the others.
  perform set_config('lock_timeout', '100', true);
  return query
  with given as materialized (
    select w.*, id_at(w.now) as new_id, case when w.has_address then id_at(w.now) end as new_address_id
    from unnest(p_partner_ids, p_phones, p_names, p_utm_sources, p_have_address, p_latitudes, p_longitudes, p_city_names,
        p_district_names, p_street_names, p_times)
      with ordinality as w (partner_id, phone, name, utm_source, has_address, latitude, longitude, city_name,
        district_name, street_name, now, place)
    -- In one order, so that no two of these wait for each other.
    order by w.partner_id, w.phone
  ), made as (
    insert into contacts (id, partner_id, phone, name, utm_source, created_at)
    select new_id, partner_id, phone, name, utm_source, now from given
    on conflict (partner_id, phone) do nothing
    returning id
  ), seen as materialized (
    select given.*, made.id is not null as is_new from given left join made on made.id = given.new_id
  ), address as (
    -- A new customer has no addresses yet.
    insert into addresses (id, contact_id, partner_id, latitude, longitude, city_name, district_name, street_name,
      created_at)
    select new_address_id, new_id, partner_id, latitude, longitude, city_name, district_name, street_name, now
    from seen where is_new and has_address
  )
  select place, new_id, name, phone, now, true, new_address_id from seen where is_new
  union all
  select s.place, c.id, c.name, c.phone, c.created_at, c.is_new, c.address_id
  from seen s
  cross join lateral find_or_create_contact(
    p_partner_id => s.partner_id, p_phone => s.phone, p_name => s.name, p_utm_source => s.utm_source,
    p_has_address => s.has_address, p_latitude => s.latitude, p_longitude => s.longitude, p_city_name => s.city_name,
    p_district_name => s.district_name, p_street_name => s.street_name, p_now => s.now) c
  where not s.is_new;
end
$$;
