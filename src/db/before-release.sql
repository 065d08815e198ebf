-- From the tables of the last migration before release 0.1 to those of the baseline. Triggers and functions are gone already.

-- Lists count and find by indexes of bookings.
drop table if exists booking_total_changes, booking_totals, booking_month_totals, booking_statuses;
drop index if exists bookings_late_idx, bookings_partner_created_idx, bookings_partner_date_idx;
create index bookings_partner_created_idx on bookings (partner_id, created_at desc, id desc) include (service_date, status);
create index bookings_partner_date_idx on bookings (partner_id, service_date, status);
create index if not exists bookings_waiting_idx on bookings (id) where status = 'waiting payment';

-- Reads go to the primary alone.
drop table if exists database_servers;

-- Held ranges are read with each question for free slots.
drop table if exists busy_changes;
