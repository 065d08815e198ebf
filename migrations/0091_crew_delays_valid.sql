-- compatible since: 0.1.0
alter table crew_steps validate constraint crew_steps_status_check, validate constraint crew_steps_late_check;
