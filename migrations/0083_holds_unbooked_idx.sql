-- compatible since: 0.1.0
-- Outside of a transaction. Holds that nobody booked, which are forgotten after a month.

create index concurrently holds_unbooked_idx on holds (ended_at) where booking_id is null;
