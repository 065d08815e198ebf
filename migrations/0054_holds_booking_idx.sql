-- compatible since: 0.1.0
-- Outside of a transaction. A booking that is deleted here, because it moves to the archive, must have no hold.

create index concurrently holds_booking_idx on holds (booking_id) where booking_id is not null;
