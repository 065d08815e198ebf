-- Do two texts of addresses say the same, or one of them nothing? lower() knows the letters of the database's locale, which in
-- the locale "C" are those of ASCII alone; the unique indexes are by it, so Unicode's lower case is compared as well.
create or replace function address_texts_agree(p_one text, p_other text) returns boolean language sql immutable
return p_one is null or p_other is null or lower(p_one) = lower(p_other)
  or lower(p_one collate "und-x-icu") = lower(p_other collate "und-x-icu");

-- Finds the partner's contact by its phone or creates it, and its address when one is given, in one round trip. The contact
-- stays locked until the end of the transaction, so that simultaneous calls for one customer take turns over its addresses;
-- each statement of the function sees what was committed before it.
--
-- At one point, texts that contradict each other make two addresses (the flats of a building). The oldest that agrees is
-- taken: texts are never changed, only filled in, so the same request always finds the same address. Without coordinates the
-- texts alone decide, first by the unique index, then by Unicode's lower case.
--
-- Plans are kept as long as a connection lives; made while there were few customers, a sequential scan would read all of many.
create or replace function find_or_create_contact(
  p_partner_id uuid, p_phone text, p_name text, p_utm_source text, p_has_address boolean, p_latitude numeric,
  p_longitude numeric, p_city_name text, p_district_name text, p_street_name text, p_now timestamptz,
  out id uuid, out name text, out phone text, out created_at timestamptz, out is_new boolean, out address_id uuid
)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  -- A fresh row has no xmax; the update that changes nothing is what takes the lock.
  insert into contacts as c (id, partner_id, phone, name, utm_source, created_at)
    values (id_at(p_now), p_partner_id, p_phone, p_name, p_utm_source, p_now)
    on conflict (partner_id, phone) do update set phone = excluded.phone
    returning c.id, c.name, c.phone, c.created_at, c.xmax = 0
    into id, name, phone, created_at, is_new;
  if not p_has_address then
    return;
  end if;
  if is_new then
    -- It has no addresses yet.
    null;
  elsif p_latitude is not null then
    select a.id into address_id from addresses a
      where a.contact_id = find_or_create_contact.id and round(a.latitude, 6) = round(p_latitude, 6)
        and round(a.longitude, 6) = round(p_longitude, 6) and address_texts_agree(a.city_name, p_city_name)
        and address_texts_agree(a.district_name, p_district_name) and address_texts_agree(a.street_name, p_street_name)
      order by a.created_at, a.id limit 1;
    update addresses a set city_name = coalesce(a.city_name, p_city_name),
        district_name = coalesce(a.district_name, p_district_name), street_name = coalesce(a.street_name, p_street_name)
      where a.id = find_or_create_contact.address_id and (
        a.city_name is null and p_city_name is not null or a.district_name is null and p_district_name is not null
        or a.street_name is null and p_street_name is not null);
  else
    select a.id into address_id from addresses a
      where a.contact_id = find_or_create_contact.id
        and lower(coalesce(a.city_name, '')) = lower(coalesce(p_city_name, ''))
        and lower(coalesce(a.district_name, '')) = lower(coalesce(p_district_name, ''))
        and lower(coalesce(a.street_name, '')) = lower(coalesce(p_street_name, ''))
      order by a.created_at, a.id limit 1;
    if address_id is null then
      select a.id into address_id from addresses a
        where a.contact_id = find_or_create_contact.id
          and lower(coalesce(a.city_name, '') collate "und-x-icu") = lower(coalesce(p_city_name, '') collate "und-x-icu")
          and lower(coalesce(a.district_name, '') collate "und-x-icu")
            = lower(coalesce(p_district_name, '') collate "und-x-icu")
          and lower(coalesce(a.street_name, '') collate "und-x-icu") = lower(coalesce(p_street_name, '') collate "und-x-icu")
        order by a.created_at, a.id limit 1;
    end if;
  end if;
  if address_id is null then
    insert into addresses as a (id, contact_id, partner_id, latitude, longitude, city_name, district_name, street_name,
        created_at)
      values (id_at(p_now), find_or_create_contact.id, p_partner_id, p_latitude, p_longitude, p_city_name, p_district_name,
        p_street_name, p_now)
      returning a.id into address_id;
  end if;
end
$$;

-- find_or_create_contact for several in one statement; the rows name the place of each in the arrays. New customers are written
-- together, known ones are found one by one.
create or replace function find_or_create_contacts(
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
