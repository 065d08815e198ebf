-- compatible since: 0.1.0
-- A booking keeps the hold that it took, and a hash of the body that made it: whoever sends that body again is told so. A hold is
-- known as long as its booking; those that nobody booked are forgotten through an index of their own.

alter table bookings add column hold_id uuid, add column creation_hash bytea;
drop index holds_ended_idx;
