-- Outside of a transaction.
-- Appointments that should have ended, or that nobody has decided on, however long ago (docs/decisions/lost-visits.md).
create index concurrently appointments_open_idx on appointments (starts_at, id)
where status not in ('Completed', 'Cancelled');
