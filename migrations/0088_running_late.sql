-- compatible since: 0.1.0
-- The delay of a visit that its crew or the office has reported. It holds as long as the visit starts at
-- `late_starts_at`: a move ends it. `late_untold`: the customer's messages were not planned since.

alter table bookings
  add column late_minutes integer,
  add column late_reported_at timestamptz,
  add column late_starts_at timestamptz,
  add column late_untold boolean not null default false;
