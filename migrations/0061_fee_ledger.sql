-- compatible since: 0.1.0
-- For whom the operator cancelled, and how far the work of a cancelled visit had come.

alter table bookings add column cancelled_for text;
alter table bookings add constraint bookings_cancelled_for_check check (cancelled_for = 'CUSTOMER') not valid;
alter table appointments add column work_reached text;
alter table appointments add constraint appointments_work_reached_check
  check (work_reached in ('In Progress', 'Finished', 'Completed')) not valid;
