-- The bookings that were there before the triggers, in a transaction of its own: the triggers' lock is not held meanwhile. One
-- statement, so one view of the database: what it counts has no change left, what it does not see has.
with counted as (
  delete from booking_total_changes returning 1
), days as (
  insert into booking_totals (partner_id, status, service_date, bookings)
  select partner_id, status, service_date, count(*) from bookings group by partner_id, status, service_date
  returning *
)
insert into booking_month_totals (partner_id, status, month, bookings)
select partner_id, status, date_trunc('month', service_date::timestamp)::date as month, sum(bookings)
from days group by partner_id, status, month;

-- Nothing counts by it any more.
drop index bookings_partner_count_idx;
