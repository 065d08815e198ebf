-- compatible since: 0.1.0
alter table bookings validate constraint bookings_cancelled_for_check;
alter table appointments validate constraint appointments_work_reached_check;
