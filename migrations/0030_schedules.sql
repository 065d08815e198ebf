-- compatible since: 0.1.0
-- Hours of teams on dates that are not like the others: seasons, holidays, breaks (docs/decisions/schedules.md).

create table schedules (
  id uuid primary key,
  name_en text not null check (char_length(name_en) between 1 and 200),
  name_ar text not null check (char_length(name_ar) between 1 and 200),
  -- Teams that serve one of the zones, or these teams; neither: all. A team or zone that is gone means nothing here.
  zone_ids uuid[],
  team_ids uuid[],
  -- [{ weekday, start, end }] in minutes after midnight; empty: closed; null: the teams keep their weekly shifts.
  weekly jsonb,
  -- [{ weekdays or null, start, end }]: times without visits.
  breaks jsonb not null default '[]',
  priority integer not null default 0,
  -- The date of each year that the periods were made from; null: one period.
  yearly jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  check (zone_ids is null or team_ids is null)
);

-- The dates on which it holds. last_date null: without an end.
create table schedule_periods (
  schedule_id uuid not null references schedules (id) on delete cascade,
  first_date date not null,
  last_date date,
  primary key (schedule_id, first_date),
  check (last_date >= first_date)
);
