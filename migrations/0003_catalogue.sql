-- Categories, services, the services of restricted partners, and zones.

create table categories (
  id uuid primary key default gen_random_uuid(),
  code text constraint categories_code_key unique check (char_length(code) between 1 and 100),
  name_en text not null check (char_length(name_en) between 1 and 200),
  name_ar text not null check (char_length(name_ar) between 1 and 200),
  description_en text not null default '' check (char_length(description_en) <= 2000),
  description_ar text not null default '' check (char_length(description_ar) <= 2000),
  sort_order integer not null default 0,
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table services (
  id uuid primary key default gen_random_uuid(),
  category_id uuid not null references categories (id),
  name text not null check (char_length(name) between 1 and 200), -- English
  duration_minutes integer not null check (duration_minutes between 1 and 1440),
  default_price numeric(12, 2) not null check (default_price >= 0), -- SAR
  -- A price of 0: nothing is charged, or it is agreed later.
  zero_price_means text not null default 'free' check (zero_price_means in ('free', 'deferred')),
  -- When the partner sees the appointment: at once, or within 24 hours of its start.
  assignment text not null default 'instant' check (assignment in ('instant', 'deferred')),
  minimum_notice_minutes integer not null default 120 check (minimum_notice_minutes between 0 and 525600),
  booking_horizon_days integer not null default 60 check (booking_horizon_days between 0 and 730),
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name_ar text check (char_length(name_ar) between 1 and 200) -- null: the English name is used
);
create index services_category_idx on services (category_id);

create table partner_services (
  partner_id uuid not null references partners (id),
  service_id uuid not null references services (id),
  price numeric(12, 2) check (price >= 0), -- null: the service's default price
  primary key (partner_id, service_id)
);
create index partner_services_service_idx on partner_services (service_id);

create table zones (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 200),
  area polygon not null, -- x = longitude, y = latitude
  area_geojson jsonb not null, -- as the operator sent it
  priority integer not null default 100,
  slot_grid_minutes integer not null default 30 check (slot_grid_minutes between 5 and 1440),
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create unique index zones_name_key on zones (lower(name));
create index zones_area_idx on zones using gist (area);

create table zone_services (
  zone_id uuid not null references zones (id) on delete cascade,
  service_id uuid not null references services (id),
  primary key (zone_id, service_id)
);
create index zone_services_service_idx on zone_services (service_id);
