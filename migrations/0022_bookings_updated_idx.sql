-- compatible since: 0.1.0
-- Outside of a transaction.

create index concurrently bookings_partner_updated_idx on bookings (partner_id, updated_at, id);
