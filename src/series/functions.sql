-- The transaction of the last change, for lists of changes.
create or replace function note_series_change() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;
create or replace trigger note_series_change before update on series for each row execute function note_series_change();
