-- IDs that are made one after the other stand side by side in their indexes (docs/decisions/ids-in-order.md).

-- As newId in src/base/ids.ts: of version 4, the first 48 bits are the time in milliseconds, the others random.
create function id_at(p_at timestamptz) returns uuid
language sql volatile as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from p_at) * 1000)::bigint)), 12, '0')
    || substr(gen_random_uuid()::text, 14))::uuid
$$;

-- As before (0026) but for the IDs.
create or replace function find_or_create_contact(
  p_partner_id uuid, p_phone text, p_name text, p_utm_source text, p_has_address boolean, p_latitude numeric,
  p_longitude numeric, p_city_name text, p_district_name text, p_street_name text, p_now timestamptz,
  out id uuid, out name text, out phone text, out created_at timestamptz, out is_new boolean, out address_id uuid
)
language plpgsql as $$
#variable_conflict use_column
begin
  -- A fresh row has no xmax; the update that changes nothing is what takes the lock.
  insert into contacts as c (id, partner_id, phone, name, utm_source, created_at)
    values (id_at(p_now), p_partner_id, p_phone, p_name, p_utm_source, p_now)
    on conflict on constraint contacts_partner_phone_key do update set phone = excluded.phone
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

-- As before (0048) but for the IDs.
create or replace function fan_out_events() returns trigger
language plpgsql as $$
begin
  insert into unplaced_events (position, partner_id, event_id, created_at)
  select position, partner_id, id, created_at from made;
  insert into webhook_deliveries (id, subscription_id, event_id, partner_id, booking_id, event, due_at, created_at)
  select id_at(made.created_at), s.id, made.id, made.partner_id, made.booking_id, made.event, made.created_at,
    made.created_at
  from made join webhook_subscriptions s on s.partner_id = made.partner_id
  where s.removed_at is null and s.status = 'ACTIVE' and made.event = any (s.events);
  return null;
end
$$;
