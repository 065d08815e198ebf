-- Factors on the price by duration.

create table pricing_tiers (
  id uuid primary key default gen_random_uuid(),
  min_minutes integer not null check (min_minutes >= 0),
  max_minutes integer check (max_minutes >= min_minutes), -- null: no upper limit
  factor numeric(6, 4) not null check (factor > 0),
  sorting integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint pricing_tiers_no_overlap exclude using gist
    (int8range(min_minutes, max_minutes, '[]') with &&)
);
