-- compatible since: 0.1.0
-- Outside of a transaction. Reported delays about which the customer's messages were not planned yet.

create index concurrently bookings_late_untold_idx on bookings (id) where late_untold;
