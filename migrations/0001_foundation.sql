-- Partners, catalogue, teams, contacts, bookings. Invariants are constraints; see docs/ARCHITECTURE.md.

create extension if not exists btree_gist;

-- ---------------------------------------------------------------------------
-- Change counters: every process keeps configuration in memory and compares these numbers to notice
-- that somebody else changed it. Triggers move them, so a change made with psql counts too.

create table change_counters (
  name text primary key,
  version bigint not null default 1
);
insert into change_counters (name) values ('access'), ('catalogue');

-- Advisory lock classes (first key of the two-key form): 1 = catalogue against bookings, 2 = team and day.
create function bump_change_counter() returns trigger
language plpgsql as $$
begin
  if tg_argv[0] = 'catalogue' then
    -- Waits for the bookings being written, and makes later ones see the new version (book_appointment).
    perform pg_advisory_xact_lock(1, 0);
  end if;
  update change_counters set version = version + 1 where name = tg_argv[0];
  return null;
end
$$;

-- ---------------------------------------------------------------------------
-- Partners and their keys

create table partners (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 200),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'SUSPENDED')),
  payment_responsibility text not null default 'PARTNER' check (payment_responsibility in ('PARTNER', 'PLATFORM')),
  rate_limit_per_minute integer check (rate_limit_per_minute between 1 and 1000000),
  allowed_domains text[] not null default '{}',
  sandbox_domains text[] not null default '{}',
  allowed_webhook_domains text[] not null default '{}',
  require_https_webhooks boolean not null default true,
  -- true: only the services in partner_services; false: every active service.
  service_restricted boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index partners_name_key on partners (lower(name));
create index partners_created_at_idx on partners (created_at desc, id desc);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  name text not null check (char_length(name) between 1 and 200),
  hash bytea not null constraint api_keys_hash_key unique check (octet_length(hash) = 32),
  prefix text not null,
  last4 text not null,
  -- The secret before the last rotation, as long as it still works.
  previous_hash bytea constraint api_keys_previous_hash_key unique check (octet_length(previous_hash) = 32),
  previous_expires_at timestamptz,
  permissions text[] not null,
  ip_allowlist text[] not null default '{}',
  expires_at timestamptz,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'REVOKED')),
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((previous_hash is null) = (previous_expires_at is null))
);
create index api_keys_partner_idx on api_keys (partner_id, created_at desc, id desc);

create trigger partners_change before insert or update or delete on partners
  for each statement execute function bump_change_counter('access');
create trigger partners_catalogue_change before update of service_restricted on partners
  for each statement execute function bump_change_counter('catalogue');
create trigger api_keys_change before insert or delete or
  update of hash, previous_hash, previous_expires_at, permissions, ip_allowlist, expires_at, status on api_keys
  for each statement execute function bump_change_counter('access');

-- ---------------------------------------------------------------------------
-- Catalogue

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
  name text not null check (char_length(name) between 1 and 200),
  duration_minutes integer not null check (duration_minutes between 1 and 1440),
  default_price numeric(12, 2) not null check (default_price >= 0),
  zero_price_means text not null default 'free' check (zero_price_means in ('free', 'deferred')),
  assignment text not null default 'instant' check (assignment in ('instant', 'deferred')),
  minimum_notice_minutes integer not null default 120 check (minimum_notice_minutes between 0 and 525600),
  booking_horizon_days integer not null default 60 check (booking_horizon_days between 0 and 730),
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
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
  area polygon not null,  -- x = longitude, y = latitude
  area_geojson jsonb not null, -- as the operator sent it
  priority integer not null default 100,
  slot_grid_minutes integer not null default 30 check (slot_grid_minutes between 5 and 1440),
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index zones_name_key on zones (lower(name));
create index zones_area_idx on zones using gist (area);

create table zone_services (
  zone_id uuid not null references zones (id) on delete cascade,
  service_id uuid not null references services (id),
  primary key (zone_id, service_id)
);
create index zone_services_service_idx on zone_services (service_id);

create table teams (
  id uuid primary key default gen_random_uuid(),
  -- Small and stable: the second key of the advisory lock holds it beside the day.
  lock_number integer generated always as identity constraint teams_lock_number_key unique,
  name text not null check (char_length(name) between 1 and 200),
  travel_buffer_minutes integer not null default 0 check (travel_buffer_minutes between 0 and 480),
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index teams_name_key on teams (lower(name));

create table team_zones (
  team_id uuid not null references teams (id) on delete cascade,
  zone_id uuid not null references zones (id),
  primary key (team_id, zone_id)
);
create index team_zones_zone_idx on team_zones (zone_id);

create table team_services (
  team_id uuid not null references teams (id) on delete cascade,
  service_id uuid not null references services (id),
  primary key (team_id, service_id)
);
create index team_services_service_idx on team_services (service_id);

-- Weekly shifts in Riyadh time. end_minute <= start_minute: ends on the next day.
create table team_shifts (
  team_id uuid not null references teams (id) on delete cascade,
  weekday smallint not null check (weekday between 1 and 7), -- 1 Monday ... 7 Sunday
  start_minute smallint not null check (start_minute between 0 and 1439),
  end_minute smallint not null check (end_minute between 0 and 1439),
  primary key (team_id, weekday, start_minute)
);

create table team_time_off (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references teams (id) on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  reason text not null default '' check (char_length(reason) <= 500),
  created_at timestamptz not null,
  check (ends_at > starts_at)
);
create index team_time_off_team_idx on team_time_off (team_id, starts_at);

create trigger categories_change before insert or update or delete on categories
  for each statement execute function bump_change_counter('catalogue');
create trigger services_change before insert or update or delete on services
  for each statement execute function bump_change_counter('catalogue');
create trigger partner_services_change before insert or update or delete on partner_services
  for each statement execute function bump_change_counter('catalogue');
create trigger zones_change before insert or update or delete on zones
  for each statement execute function bump_change_counter('catalogue');
create trigger zone_services_change before insert or update or delete on zone_services
  for each statement execute function bump_change_counter('catalogue');
create trigger teams_change before insert or update or delete on teams
  for each statement execute function bump_change_counter('catalogue');
create trigger team_zones_change before insert or update or delete on team_zones
  for each statement execute function bump_change_counter('catalogue');
create trigger team_services_change before insert or update or delete on team_services
  for each statement execute function bump_change_counter('catalogue');
create trigger team_shifts_change before insert or update or delete on team_shifts
  for each statement execute function bump_change_counter('catalogue');
create trigger team_time_off_change before insert or update or delete on team_time_off
  for each statement execute function bump_change_counter('catalogue');

-- ---------------------------------------------------------------------------
-- Contacts and addresses

create table contacts (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  phone text not null check (phone ~ '^\+966[0-9]{4,15}$'),
  name text not null check (char_length(name) between 1 and 200),
  utm_source text not null,
  created_at timestamptz not null,
  constraint contacts_partner_phone_key unique (partner_id, phone),
  constraint contacts_id_partner_key unique (id, partner_id) -- what an address refers to
);

create table addresses (
  id uuid primary key default gen_random_uuid(),
  contact_id uuid not null,
  partner_id uuid not null,
  latitude numeric check (latitude between -90 and 90),
  longitude numeric check (longitude between -180 and 180),
  city_name text check (char_length(city_name) between 1 and 200),
  district_name text check (char_length(district_name) between 1 and 200),
  street_name text check (char_length(street_name) between 1 and 200),
  created_at timestamptz not null,
  check ((latitude is null) = (longitude is null)),
  check (latitude is not null or coalesce(city_name, district_name, street_name) is not null),
  foreign key (contact_id, partner_id) references contacts (id, partner_id),
  constraint addresses_id_contact_partner_key unique (id, contact_id, partner_id) -- what a booking refers to
);
create unique index addresses_coordinates_key on addresses (contact_id, round(latitude, 6), round(longitude, 6))
  where latitude is not null;
create unique index addresses_texts_key on addresses
  (contact_id, lower(coalesce(city_name, '')), lower(coalesce(district_name, '')), lower(coalesce(street_name, '')))
  where latitude is null;
create index addresses_contact_idx on addresses (contact_id, created_at, id);

-- ---------------------------------------------------------------------------
-- Bookings, their appointments and their events

create table bookings (
  id uuid primary key,
  partner_id uuid not null,
  contact_id uuid not null,
  address_id uuid not null,
  service_id uuid not null references services (id),
  external_reference text check (char_length(external_reference) between 1 and 150),
  status text not null check (status in ('in progress', 'waiting payment', 'success', 'canceled', 'failed')),
  payment_status text not null check (payment_status in ('NOT_REQUIRED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED')),
  payment_responsibility text not null check (payment_responsibility in ('PARTNER', 'PLATFORM')),
  amount numeric(12, 2) not null check (amount >= 0), -- SAR, locked at creation
  service_date date not null, -- the Riyadh date on which the appointment starts
  event_count integer not null default 0, -- the sequence number of the booking's newest event
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status = 'canceled') = (payment_status = 'CANCELLED')),
  -- The address is the contact's and the contact the partner's: one check instead of three, and a stricter one.
  foreign key (address_id, contact_id, partner_id) references addresses (id, contact_id, partner_id)
) with (fillfactor = 85); -- room for updates that touch no index (payment, notes) to stay on their page
create unique index bookings_external_reference_key on bookings (partner_id, external_reference)
  where external_reference is not null and status <> 'failed';
create index bookings_partner_created_idx on bookings (partner_id, created_at desc, id desc);

create sequence appointment_number;

-- Exactly one for each booking. A team is held from starts_at until busy_until (end and travel buffer).
create table appointments (
  id uuid primary key,
  booking_id uuid not null constraint appointments_booking_key unique references bookings (id),
  team_id uuid not null references teams (id),
  zone_id uuid not null references zones (id),
  name text not null constraint appointments_name_key unique,
  status text not null check (status in ('New', 'Scheduled', 'Confirmed', 'In The Way', 'In The location',
    'In Progress', 'Finished', 'Completed', 'Cannot Complete', 'Cancelled')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  busy_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- 24 hours of service and 8 of buffer at the most: availability reads no further back than that.
  check (ends_at > starts_at and busy_until >= ends_at and busy_until <= starts_at + interval '32 hours'),
  constraint appointments_no_overlap exclude using gist
    (team_id with =, tstzrange(starts_at, busy_until) with &&) where (status <> 'Cancelled')
);
create index appointments_team_starts_idx on appointments (team_id, starts_at) include (busy_until)
  where status <> 'Cancelled';
-- What holds any team on a day, read from the index alone; and the operator's list.
create index appointments_starts_idx on appointments (starts_at, id) include (team_id, busy_until, status);

-- Which days' appointments changed in which transaction. A process that keeps a day's appointments in memory
-- asks whether there are rows of transactions it had not seen: one look into an index instead of reading the day.
create table busy_changes (
  day date not null,
  changed_in xid8 not null default pg_current_xact_id()
);
create index busy_changes_day_idx on busy_changes (day, changed_in);

create function note_busy_change() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into busy_changes (day) values ((old.starts_at at time zone 'Asia/Riyadh')::date);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.starts_at <> old.starts_at) then
    insert into busy_changes (day) values ((new.starts_at at time zone 'Asia/Riyadh')::date);
  end if;
  return null;
end
$$;
create trigger appointments_busy_change after insert or delete or update of team_id, starts_at, busy_until, status
  on appointments for each row execute function note_busy_change();
create index appointments_unassigned_idx on appointments (starts_at) where status = 'New';

create table events (
  id uuid primary key,
  position bigint generated always as identity constraint events_position_key unique,
  partner_id uuid not null, -- the booking's
  booking_id uuid not null references bookings (id),
  sequence integer not null,
  event text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  constraint events_booking_sequence_key unique (booking_id, sequence)
);

-- Is the team free from start until busy_until? The appointment being moved, if any, does not count.
-- plpgsql keeps its plan for the session; as a SQL function it was planned anew in every transaction (0.95 against
-- 0.67 ms for a whole booking).
create function team_is_free(p_team_id uuid, p_starts_at timestamptz, p_busy_until timestamptz, p_moving uuid)
returns boolean
language plpgsql as $$
begin
  return not exists (
    select 1 from appointments
    where team_id = p_team_id and status <> 'Cancelled' and id is distinct from p_moving
      and starts_at < p_busy_until and starts_at > p_starts_at - interval '32 hours' and busy_until > p_starts_at
  );
end
$$;

-- Claims one of the candidate teams (in order of preference) for this transaction and answers its place in the
-- list, or null when none is free. Teams that another transaction is claiming are passed over first and waited for
-- last, so that simultaneous bookings spread instead of queueing. Holds the winner's lock until the end of the
-- transaction. p_team_numbers are the teams' lock_numbers.
create function claim_team(
  p_team_ids uuid[], p_team_numbers integer[], p_starts_at timestamptz, p_busy_until timestamptz[],
  p_moving uuid default null
) returns integer
language plpgsql as $$
declare
  v_day integer := (p_starts_at at time zone 'Asia/Riyadh')::date - date '2000-01-01';
  v_waiting integer[] := '{}';
  i integer;
begin
  for i in 1 .. coalesce(array_length(p_team_ids, 1), 0) loop
    if team_is_free(p_team_ids[i], p_starts_at, p_busy_until[i], p_moving) then
      -- 100,000 days reach far beyond the year 2100; the team's number and the day share one key.
      if not pg_try_advisory_xact_lock(2, hashint8(p_team_numbers[i] * 100000::bigint + v_day)) then
        v_waiting := v_waiting || i;
      elsif team_is_free(p_team_ids[i], p_starts_at, p_busy_until[i], p_moving) then
        return i;
      end if;
    end if;
  end loop;
  foreach i in array v_waiting loop
    perform pg_advisory_xact_lock(2, hashint8(p_team_numbers[i] * 100000::bigint + v_day));
    if team_is_free(p_team_ids[i], p_starts_at, p_busy_until[i], p_moving) then
      return i;
    end if;
  end loop;
  return null;
end
$$;

-- Writes a booking, its appointment and its first event, or nothing. Answers what came of it, and the appointment's
-- name when it was BOOKED; otherwise TAKEN (no candidate is free any more) or STALE (the catalogue changed after the
-- caller read it). A taken external reference raises bookings_external_reference_key. In the payload the name is
-- filled in wherever the appointment's is shown.
create function book_appointment(
  p_catalogue_version bigint, p_team_ids uuid[], p_team_numbers integer[], p_busy_until timestamptz[],
  p_booking_id uuid, p_partner_id uuid, p_contact_id uuid, p_address_id uuid, p_service_id uuid,
  p_external_reference text, p_status text, p_payment_status text, p_payment_responsibility text,
  p_amount numeric, p_service_date date,
  p_appointment_id uuid, p_zone_id uuid, p_appointment_status text,
  p_starts_at timestamptz, p_ends_at timestamptz,
  p_event_id uuid, p_event text, p_payload jsonb, p_now timestamptz,
  out outcome text, out appointment_name text
)
language plpgsql as $$
declare
  v_place integer;
  v_number text;
begin
  perform pg_advisory_xact_lock_shared(1, 0);
  if (select version from change_counters where name = 'catalogue') <> p_catalogue_version then
    outcome := 'STALE';
    return;
  end if;
  v_place := claim_team(p_team_ids, p_team_numbers, p_starts_at, p_busy_until);
  if v_place is null then
    outcome := 'TAKEN';
    return;
  end if;
  v_number := nextval('appointment_number')::text;
  appointment_name := 'SA-' || lpad(v_number, greatest(4, length(v_number)), '0');
  if p_payload -> 'appointment' <> 'null' then
    p_payload := jsonb_set(
      p_payload || jsonb_build_object('trackingReference', appointment_name),
      '{appointment,name}', to_jsonb(appointment_name));
  end if;
  insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
      payment_status, payment_responsibility, amount, service_date, event_count, created_at, updated_at)
    values (p_booking_id, p_partner_id, p_contact_id, p_address_id, p_service_id, p_external_reference, p_status,
      p_payment_status, p_payment_responsibility, p_amount, p_service_date, 1, p_now, p_now);
  insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
      created_at, updated_at)
    values (p_appointment_id, p_booking_id, p_team_ids[v_place], p_zone_id, appointment_name, p_appointment_status,
      p_starts_at, p_ends_at, p_busy_until[v_place], p_now, p_now);
  insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
    values (p_event_id, p_partner_id, p_booking_id, 1, p_event, p_payload, p_now);
  outcome := 'BOOKED';
end
$$;

-- ---------------------------------------------------------------------------
-- What the operator did

create table audit_log (
  id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity constraint audit_log_position_key unique,
  at timestamptz not null,
  actor text not null,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb
);
create index audit_log_target_idx on audit_log (target, position desc);
