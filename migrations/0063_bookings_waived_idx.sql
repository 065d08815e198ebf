-- compatible since: 0.1.0
-- Outside of a transaction. Fees that were given back: few, and summed for attention.
create index concurrently bookings_waived_idx on bookings (updated_at) where fees @> '[{"action": "waive"}]';
