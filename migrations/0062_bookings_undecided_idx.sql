-- compatible since: 0.1.0
-- Outside of a transaction. Cancellations whose fee the operator still decides on: few.
create index concurrently bookings_undecided_idx on bookings (cancelled_at)
  where fees @> '[{"undecided": true}]' and not fees @> '[{"action": "decide"}]';
