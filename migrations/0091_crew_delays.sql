-- compatible since: 0.1.0
-- Crews report that they run late: a step that is no status.

alter table crew_steps
  add column late_minutes integer,
  drop constraint crew_steps_status_check;

alter table crew_steps
  add constraint crew_steps_status_check check (status in ('In The Way', 'In The location', 'In Progress', 'Finished', 'Cannot Complete', 'Late')) not valid,
  add constraint crew_steps_late_check check ((status = 'Late') = (late_minutes is not null) and (late_minutes is null or late_minutes between 0 and 240)) not valid;
