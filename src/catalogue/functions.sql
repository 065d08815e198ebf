-- The name of a service in a language. Immutable and a single expression, so that the planner inlines it.
create or replace function name_in(language text, name_en text, name_ar text) returns text
language sql immutable parallel safe
return case when language = 'ar' then coalesce(name_ar, name_en) else name_en end;

-- Processes cache the catalogue; the counter `catalogue` invalidates the cache.
create or replace trigger categories_change before insert or update or delete on categories
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger services_change before insert or update or delete on services
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger partner_services_change before insert or update or delete on partner_services
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger zones_change before insert or update or delete on zones
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger zone_services_change before insert or update or delete on zone_services
  for each statement execute function bump_change_counter('catalogue');

create or replace trigger zones_version before update on zones
  for each row execute function count_version();

-- The names that a service has when it is renamed for the first time are those of the bookings that kept none.
create or replace function keep_sold_names() returns trigger
language plpgsql as $$
begin
  new.name_before := old.name;
  new.name_ar_before := old.name_ar;
  return new;
end
$$;
create or replace trigger services_sold_names before update of name, name_ar on services
  for each row when (old.name_before is null and (old.name, old.name_ar) is distinct from (new.name, new.name_ar))
  execute function keep_sold_names();
