-- compatible since: 0.1.0
-- Outside of a transaction.

create index concurrently bookings_partner_changed_in_idx on bookings (partner_id, changed_in);
