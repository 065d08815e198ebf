-- Customers of partners, and their addresses.
--
-- Functions that a check or an index uses stand here, beside their table: a change of one is a change of the table.

create table contacts (
  id uuid not null default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  phone text not null,
  name text not null,
  utm_source text not null,
  created_at timestamptz not null,
  constraint contacts_name_check check (char_length(name) between 1 and 200),
  constraint contacts_phone_check check (phone ~ '^\+966[0-9]{4,15}$'),
  -- Target of the addresses' foreign key, and the only key with the ID as its prefix (docs/SCALING.md).
  constraint contacts_id_partner_key unique (id, partner_id)
);
alter table contacts replica identity using index contacts_id_partner_key;
-- A partner has each phone once, and phones are found by prefix.
create unique index contacts_partner_phone_key on contacts (phone text_pattern_ops, partner_id);
create index contacts_phone_end_idx on contacts (reverse(phone) text_pattern_ops);

-- A normalized name for searches: lower case, without the marks of Arabic, and its letters of one sound as one.
create function search_text(name text) returns text
language sql immutable strict parallel safe as $$
  select translate(lower(name), 'أإآٱىةؤئ' || 'ـًٌٍَُِّْٰ', 'اااايهوي')
$$;

-- Words of names, by prefix.
create index contacts_words_idx on contacts using gin (to_tsvector('simple', search_text(name)));
-- Names by prefix, with the columns that rank results (docs/decisions/list-and-as-of.md).
create index contacts_name_idx on contacts (search_text(name) text_pattern_ops) include (name, id);

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
  constraint addresses_check check ((latitude is null) = (longitude is null)),
  constraint addresses_check1 check (latitude is not null or coalesce(city_name, district_name, street_name) is not null),
  constraint addresses_city_name_check check (char_length(city_name) between 1 and 200),
  constraint addresses_district_name_check check (char_length(district_name) between 1 and 200),
  constraint addresses_latitude_check check (latitude between -90 and 90),
  constraint addresses_longitude_check check (longitude between -180 and 180),
  constraint addresses_street_name_check check (char_length(street_name) between 1 and 200),
  foreign key (contact_id, partner_id) references contacts (id, partner_id),
  -- Target of the bookings' foreign key, and the only key with the ID as its prefix.
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
