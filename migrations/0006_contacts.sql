-- Customers of partners, and their addresses.
--
-- Functions that a check or an index uses stand here, beside their table: a change of one is a change of the table.

-- All checks of a row in one function: PostgreSQL parses the text of every check anew for each statement that writes the table,
-- and keeps what a plpgsql function has planned. It refuses as plain checks would, with the name of the first by name.
create function contact_is_valid(p_phone text, p_name text) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if (p_phone ~ '^\+966[0-9]{4,15}$' and char_length(p_name) between 1 and 200) is not false then
    return true;
  end if;
  raise check_violation using
    message = 'the contact violates a check',
    schema = 'public', table = 'contacts', constraint = case
      when char_length(p_name) not between 1 and 200 then 'contacts_name_check'
      else 'contacts_phone_check'
    end;
end
$$;

create table contacts (
  id uuid not null default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  phone text not null,
  name text not null,
  utm_source text not null,
  created_at timestamptz not null,
  constraint contacts_valid_check check (contact_is_valid(phone, name)),
  -- What an address refers to, and the only key that begins with the ID (docs/SCALING.md).
  constraint contacts_id_partner_key unique (id, partner_id)
);
alter table contacts replica identity using index contacts_id_partner_key;
-- A partner has each phone once, and phones are found by their beginning.
create unique index contacts_partner_phone_key on contacts (phone text_pattern_ops, partner_id);
create index contacts_phone_end_idx on contacts (reverse(phone) text_pattern_ops);

-- A name as people type it: whatever the case, without the marks of Arabic, and its letters of one sound as one.
create function search_text(name text) returns text
language sql immutable strict parallel safe as $$
  select translate(lower(name), 'أإآٱىةؤئ' || 'ـًٌٍَُِّْٰ', 'اااايهوي')
$$;

-- Words of names, by their beginnings.
create index contacts_words_idx on contacts using gin (to_tsvector('simple', search_text(name)));
-- Names by their beginning, with what a search needs to rank them (docs/decisions/list-and-as-of.md).
create index contacts_name_idx on contacts (search_text(name) text_pattern_ops) include (name, id);

create function address_is_valid(
  p_latitude numeric, p_longitude numeric, p_city_name text, p_district_name text, p_street_name text
) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if ((p_latitude is null) = (p_longitude is null)
    and (p_latitude is not null or coalesce(p_city_name, p_district_name, p_street_name) is not null)
    and (p_latitude is null or p_latitude between -90 and 90)
    and (p_longitude is null or p_longitude between -180 and 180)
    and (p_city_name is null or char_length(p_city_name) between 1 and 200)
    and (p_district_name is null or char_length(p_district_name) between 1 and 200)
    and (p_street_name is null or char_length(p_street_name) between 1 and 200)
  ) is not false then
    return true;
  end if;
  raise check_violation using
    message = 'the address violates a check',
    schema = 'public', table = 'addresses', constraint = case
      when (p_latitude is null) <> (p_longitude is null) then 'addresses_check'
      when p_latitude is null and coalesce(p_city_name, p_district_name, p_street_name) is null then 'addresses_check1'
      when char_length(p_city_name) not between 1 and 200 then 'addresses_city_name_check'
      when char_length(p_district_name) not between 1 and 200 then 'addresses_district_name_check'
      when p_latitude not between -90 and 90 then 'addresses_latitude_check'
      when p_longitude not between -180 and 180 then 'addresses_longitude_check'
      else 'addresses_street_name_check'
    end;
end
$$;

create table addresses (
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  partner_id uuid not null,
  -- Both or none; without them, a text at least.
  latitude numeric,
  longitude numeric,
  city_name text,
  district_name text,
  street_name text,
  created_at timestamptz not null,
  constraint addresses_valid_check
    check (address_is_valid(latitude, longitude, city_name, district_name, street_name)),
  foreign key (contact_id, partner_id) references contacts (id, partner_id),
  -- What a booking refers to, and the only key that begins with the ID.
  constraint addresses_id_contact_partner_key unique (id, contact_id, partner_id)
);
alter table addresses replica identity using index addresses_id_contact_partner_key;
-- The flats of a building are several addresses at one point (docs/decisions/contacts-and-addresses.md).
create unique index addresses_coordinates_key on addresses (
  contact_id, round(latitude, 6), round(longitude, 6), lower(coalesce(city_name, '')), lower(coalesce(district_name, '')),
  lower(coalesce(street_name, ''))
) where latitude is not null;
create unique index addresses_texts_key on addresses
  (contact_id, lower(coalesce(city_name, '')), lower(coalesce(district_name, '')), lower(coalesce(street_name, '')))
  where latitude is null;
create index addresses_contact_idx on addresses (contact_id, created_at, id);
