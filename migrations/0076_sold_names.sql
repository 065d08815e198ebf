-- compatible since: 0.1.0
-- A booking keeps the names of what was sold. For those of before, whose rows are not rewritten, the service keeps the names that it
-- has when it is renamed for the first time (keep_sold_names).

alter table bookings add column sold_name text, add column sold_name_ar text;
alter table services add column name_before text, add column name_ar_before text;
