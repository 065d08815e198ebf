-- Outside of a transaction.
-- Bookings made after their date, of which there are none unless clocks were wrong: without them, what was made after the last
-- of the dates asked for need not be read (docs/decisions/list-and-as-of.md).
create index concurrently bookings_late_idx on bookings (partner_id)
where (created_at at time zone 'Asia/Riyadh')::date > service_date;
