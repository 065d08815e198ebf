-- The bookings that were there before the triggers, in a transaction of its own: the triggers' lock is not held meanwhile. One
-- whose status changes after this statement began has two then, the old one from here.
insert into booking_statuses (partner_id, status, service_date, created_at, booking_id)
select partner_id, status, service_date, created_at, id from bookings
on conflict do nothing;
