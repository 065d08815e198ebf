-- Notes in busy_changes the days whose appointments change, so that caches of held ranges notice.
create or replace function note_busy_days() returns trigger
language plpgsql as $$
begin
  insert into busy_changes (day) select distinct (starts_at at time zone 'Asia/Riyadh')::date from made;
  return null;
end
$$;

create or replace function note_busy_change() returns trigger
language plpgsql as $$
begin
  insert into busy_changes (day) values ((old.starts_at at time zone 'Asia/Riyadh')::date);
  return null;
end
$$;

create or replace trigger appointments_busy_made after insert on appointments
  referencing new table as made for each statement execute function note_busy_days();
-- Moves are noted with what else they lead to (note_appointments_moved in src/bookings/functions.sql).
create or replace trigger appointments_busy_gone after delete on appointments
  for each row execute function note_busy_change();
