-- As before (0049, 0050) but for the name of a constraint that is an index from here on.
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
    update addresses a set city_name = coalesce(a.city_name, p_city_name),
        district_name = coalesce(a.district_name, p_district_name), street_name = coalesce(a.street_name, p_street_name)
      where a.contact_id = find_or_create_contact.id and round(a.latitude, 6) = round(p_latitude, 6)
        and round(a.longitude, 6) = round(p_longitude, 6)
      returning a.id into address_id;
  else
    select a.id into address_id from addresses a
      where a.contact_id = find_or_create_contact.id
        and lower(coalesce(a.city_name, '')) = lower(coalesce(p_city_name, ''))
        and lower(coalesce(a.district_name, '')) = lower(coalesce(p_district_name, ''))
        and lower(coalesce(a.street_name, '')) = lower(coalesce(p_street_name, ''))
      order by a.created_at, a.id limit 1;
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

alter table contacts drop constraint contacts_partner_phone_key;
-- Each new customer writes an entry in every index of them: one less for the one of names.
drop index contacts_phone_idx;
alter index contacts_phone_once_idx rename to contacts_partner_phone_key;
