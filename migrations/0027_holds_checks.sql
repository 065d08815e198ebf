-- compatible since: 0.1.0
-- Looks at every row without keeping others waiting (0025).

alter table appointments validate constraint appointments_status_check;
alter table appointments validate constraint appointments_held_check;
