-- Who waits for a team holds none. A claim kept the locks of teams that it had waited for and found taken, and waited for the
-- next: when many wanted one slot they waited for each other in circles, each of which PostgreSQL ends after a second, and
-- those behind them ran into their time-out. What is locked in a block with an exception is free again after it.
create or replace function claim_team(
  p_team_ids uuid[], p_team_numbers integer[], p_starts_at timestamptz, p_busy_until timestamptz[],
  p_moving uuid default null
) returns integer
language plpgsql as $$
declare
  v_day integer := (p_starts_at at time zone 'Asia/Riyadh')::date - date '2000-01-01';
  v_waiting integer[] := '{}';
  i integer;
begin
  for i in 1 .. coalesce(array_length(p_team_ids, 1), 0) loop
    if team_is_free(p_team_ids[i], p_starts_at, p_busy_until[i], p_moving) then
      begin
        -- 100,000 days reach far beyond the year 2100; the team's number and the day share one key.
        if not pg_try_advisory_xact_lock(2, hashint8(p_team_numbers[i] * 100000::bigint + v_day)) then
          v_waiting := v_waiting || i;
        elsif team_is_free(p_team_ids[i], p_starts_at, p_busy_until[i], p_moving) then
          return i;
        else
          raise sqlstate 'PB001';
        end if;
      exception when sqlstate 'PB001' then
        null;
      end;
    end if;
  end loop;
  foreach i in array v_waiting loop
    begin
      perform pg_advisory_xact_lock(2, hashint8(p_team_numbers[i] * 100000::bigint + v_day));
      if team_is_free(p_team_ids[i], p_starts_at, p_busy_until[i], p_moving) then
        return i;
      end if;
      raise sqlstate 'PB001';
    exception when sqlstate 'PB001' then
      null;
    end;
  end loop;
  return null;
end
$$;
