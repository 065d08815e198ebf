-- Outside of a transaction.
-- Any part of an external reference, whatever its case.
create index concurrently bookings_reference_parts_idx on bookings using gin (external_reference gin_trgm_ops);
