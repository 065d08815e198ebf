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

create or replace trigger schedules_change before insert or update or delete on schedules
  for each statement execute function bump_change_counter('catalogue');
create or replace trigger schedule_periods_change before insert or update or delete on schedule_periods
  for each statement execute function bump_change_counter('catalogue');

create or replace trigger schedules_version before update on schedules
  for each row execute function count_version();

-- Whether the period lies in one shift of the team and outside of breaks: hoursOn (src/availability/hours.ts) in SQL. A
-- shift belongs to the date on which it starts; Riyadh is 3 hours ahead of UTC. About 50 microseconds for a visit, so
-- that visit-queries.ts asks only near a schedule.
create or replace function is_in_team_hours(p_team uuid, p_starts timestamptz, p_ends timestamptz) returns boolean
language plpgsql stable as $$
declare
  v_starts timestamp := p_starts at time zone 'UTC' + interval '3 hours';
  v_ends timestamp := p_ends at time zone 'UTC' + interval '3 hours';
begin
  return (
    with days as (
      select day::date as day from generate_series(v_starts::date - 1, v_ends::date, interval '1 day') day
    ), applying as (
      select day, s.id, s.priority, s.weekly, s.breaks
      from days
      join schedule_periods p on p.first_date <= day and coalesce(p.last_date, 'infinity') >= day
      join schedules s on s.id = p.schedule_id
      where coalesce(p_team = any (s.team_ids),
        exists (select from team_zones z where z.team_id = p_team and z.zone_id = any (s.zone_ids)) or s.zone_ids is null)
    ), hours as (
      select day, shift.start_minute, shift.end_minute
      from days
      left join lateral (
        select weekly from applying where applying.day = days.day and weekly is not null
        order by priority desc, id desc limit 1
      ) dated on true
      cross join lateral (
        select w.start_minute, w.end_minute from team_shifts w
        where dated.weekly is null and w.team_id = p_team and w.weekday = extract(isodow from day)
        union all
        select (w ->> 'start')::smallint, (w ->> 'end')::smallint from jsonb_array_elements(dated.weekly) w
        where (w ->> 'weekday')::integer = extract(isodow from day)
      ) shift
    )
    select exists (
        select from hours
        where v_starts >= day + start_minute * interval '1 minute'
          and v_ends <= day + (end_minute + case when end_minute <= start_minute then 1440 else 0 end) * interval '1 minute')
      and not exists (
        select from applying
        cross join lateral jsonb_to_recordset(breaks) as b (weekdays jsonb, start integer, "end" integer)
        where (jsonb_typeof(weekdays) is distinct from 'array' or weekdays @> to_jsonb(extract(isodow from day)::integer))
          and v_starts < day + ("end" + case when "end" <= start then 1440 else 0 end) * interval '1 minute'
          and v_ends > day + start * interval '1 minute')
  );
end
$$;
