-- A travel buffer holds on both sides: between two visits of a team lies the longer of the buffers that they were sold
-- with, whichever comes first. The constraint knows that of the earlier one. Claims that run at the same time have the same
-- buffer, the team's, because a change of it waits for their lock of the catalogue: for them the constraint is enough, and
-- visits that were sold with another buffer are committed and seen here.
create or replace function team_is_free(
  p_team_id uuid, p_starts_at timestamptz, p_busy_until timestamptz, p_moving uuid
) returns boolean
language plpgsql as $$
declare
  v_buffer interval := (select travel_buffer_minutes from teams where id = p_team_id) * interval '1 minute';
begin
  return not exists (
    select 1 from appointments
    where team_id = p_team_id and status <> 'Cancelled' and id is distinct from p_moving
      -- 24 hours of service and 8 of buffer at the most.
      and starts_at < p_busy_until + interval '8 hours' and starts_at > p_starts_at - interval '32 hours'
      and starts_at < p_busy_until - v_buffer + greatest(v_buffer, busy_until - ends_at)
      and p_starts_at < ends_at + greatest(v_buffer, busy_until - ends_at)
  );
end
$$;
