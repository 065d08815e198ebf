-- Outside of a transaction.
-- With the end beside the end of the buffer: what holds the teams on a date is read from the index alone.
create index concurrently appointments_starts_ends_idx on appointments (starts_at, id)
include (team_id, ends_at, busy_until, status);
