-- Do two texts of addresses say the same, or one of them nothing? lower() knows the letters of the database's locale, which in
-- "C" are those of ASCII alone; the unique indexes are by it.
create function address_texts_agree(p_one text, p_other text) returns boolean language sql immutable
return p_one is null or p_other is null or lower(p_one) = lower(p_other)
  or lower(p_one collate "und-x-icu") = lower(p_other collate "und-x-icu");

-- As before (0068), but at one point texts that contradict each other make two addresses. The oldest that agrees is taken:
-- texts are never changed, so what contradicted once does for ever, and the same request finds the same address.
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

drop index addresses_coordinates_key;
alter index addresses_point_texts_key rename to addresses_coordinates_key;
