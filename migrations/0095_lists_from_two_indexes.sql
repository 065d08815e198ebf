-- Lists of bookings count and find by indexes of bookings alone: no kept totals, no second table of statuses.
drop trigger bookings_total_gone on bookings;
drop trigger bookings_total_made on bookings;
drop trigger bookings_total_moved on bookings;
drop function note_booking_total();
drop function note_bookings_made();
drop function note_bookings_moved();
drop function note_booking_moves(uuid[], timestamptz[], uuid[], text[], date[], uuid[], text[], date[]);
drop function count_bookings(uuid, text[], date, date);
drop function fold_booking_totals(integer);
drop table booking_total_changes;
drop table booking_totals;
drop table booking_month_totals;
drop table booking_statuses;

drop index bookings_late_idx;
-- The order of creation, with what filters look at beside it.
drop index bookings_partner_created_idx;
create index bookings_partner_created_idx on bookings (partner_id, created_at desc, id desc) include (service_date, status);
-- Counts and dates. Without the id equal entries share one, so that a million bookings take 8 MB.
drop index bookings_partner_date_idx;
create index bookings_partner_date_idx on bookings (partner_id, service_date, status);
-- What waits for payment, for the operator's attention.
create index bookings_waiting_idx on bookings (id) where status = 'waiting payment';
