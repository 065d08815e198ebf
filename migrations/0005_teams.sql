-- Teams: zones, skills, shifts, time off.

create table teams (
  id uuid primary key default gen_random_uuid(),
  -- Small and stable: half of the key of the advisory lock on a team's day (claim_team).
  lock_number integer generated always as identity constraint teams_lock_number_key unique,
  name text not null check (char_length(name) between 1 and 200),
  travel_buffer_minutes integer not null default 0 check (travel_buffer_minutes between 0 and 480),
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1
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
