-- compatible since: 0.1.0
-- The transaction of the last change, which the program's trigger writes: a list of changes leaves none out that was
-- committed late. null: not changed since this migration.

alter table bookings add column changed_in xid8;
alter table bookings alter column changed_in set default pg_current_xact_id();
