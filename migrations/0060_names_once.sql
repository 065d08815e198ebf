-- Each change of an appointment's status writes an entry in every index of it.
drop index appointments_name_start_idx;
alter table appointments drop constraint appointments_name_key;
alter index appointments_name_once_idx rename to appointments_name_key;
