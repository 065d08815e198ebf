-- compatible since: 0.1.0
-- The zone under which the board lists a team; null: the first one that it serves, by name.

alter table teams add column home_zone_id uuid references zones (id) on delete set null;
