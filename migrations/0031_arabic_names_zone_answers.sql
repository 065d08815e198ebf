-- compatible since: 0.1.0
-- Arabic names of teams and zones; null: none, the English name is shown. Overlaps of zones of equal priority that an
-- operator confirmed, until one of the two changes in area, priority or precedence.

alter table teams add column name_ar text check (char_length(name_ar) between 1 and 200);
alter table zones add column name_ar text check (char_length(name_ar) between 1 and 200);

create table zone_overlaps (
  zone_id uuid references zones (id) on delete cascade, -- the smaller id of the two
  other_id uuid references zones (id) on delete cascade,
  confirmed_at timestamptz not null,
  constraint zone_overlaps_pkey primary key (zone_id, other_id),
  check (zone_id < other_id)
);
