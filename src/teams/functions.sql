-- Processes cache the teams; the counter `catalogue` invalidates the cache.

create or replace trigger teams_change before insert or update or delete on teams
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger team_zones_change before insert or update or delete on team_zones
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger team_services_change before insert or update or delete on team_services
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger team_shifts_change before insert or update or delete on team_shifts
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger team_time_off_change before insert or update or delete on team_time_off
  for each statement execute function bump_change_counter('catalogue');

create or replace trigger teams_version before update on teams
  for each row execute function count_version();
