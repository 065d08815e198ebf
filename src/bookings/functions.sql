-- Claims of teams, and triggers of bookings and appointments. A check after waiting for a lock needs a function: only there
-- a statement sees commits since the calling statement began.

-- ---------------------------------------------------------------------------
-- Claims of teams

-- Is the team free from start until busy_until? The appointment being moved, if any, does not count. A travel buffer holds on
-- both sides: between two visits of a team lies the longer of the buffers that they were sold with, whichever comes first. The
-- exclusion constraint has that of the earlier one only. Claims that run at the same time have the same buffer, the team's,
-- because a change of it waits for their lock of the catalogue; for them the constraint is enough, and visits that were sold
-- with another buffer are committed and seen here.
--
-- In plpgsql, which keeps its plan for the session: a SQL function would be planned again in every transaction.
create or replace function team_is_free(
  p_team_id uuid, p_buffer interval, p_starts_at timestamptz, p_busy_until timestamptz, p_moving uuid
) returns boolean
language plpgsql as $$
begin
  return not exists (
    select 1 from appointments
    where team_id = p_team_id and status <> 'Cancelled' and id is distinct from p_moving
      -- 24 hours of service and 8 of buffer at the most.
      and starts_at < p_busy_until + interval '8 hours' and starts_at > p_starts_at - interval '32 hours'
      and starts_at < p_busy_until - p_buffer + greatest(p_buffer, busy_until - ends_at)
      and p_starts_at < ends_at + greatest(p_buffer, busy_until - ends_at)
  );
end
$$;

-- Locks the first free team of the list for the period until the end of the transaction: CLAIMED. TAKEN: none is free, or
-- not without waiting (p_waits). STALE: the catalogue has another version (null: any). It writes nothing; the exclusion constraint of appointments is
-- the invariant.
create or replace function claim_team(
  p_catalogue_version bigint, p_team_ids uuid[], p_starts_at timestamptz, p_ends_at timestamptz, p_moving uuid default null,
  p_waits boolean default true, out outcome text, out team_id uuid, out busy_until timestamptz
) language plpgsql
-- The look at a team's appointments would be planned again for each team, which takes longer than the look itself.
set plan_cache_mode = force_generic_plan
as $$
declare
  v_day integer := (p_starts_at at time zone 'Asia/Riyadh')::date - date '2000-01-01';
  v_waits boolean;
  v_key integer;
  v_team_id uuid;
  v_number integer;
  v_buffer interval;
begin
  -- A change of the catalogue takes the same lock exclusively (bump_change_counter).
  perform pg_advisory_xact_lock_shared(1, 0);
  if (select version from change_counters where name = 'catalogue') <> p_catalogue_version then
    outcome := 'STALE';
    return;
  end if;
  outcome := 'CLAIMED';
  -- First those that nobody else is claiming, so that simultaneous bookings spread. Then waits for the others: who claims
  -- one may still give it up.
  foreach v_waits in array array[false, true] loop
    exit when v_waits and not p_waits;
    foreach v_team_id in array p_team_ids loop
      select t.lock_number, t.travel_buffer_minutes * interval '1 minute' into v_number, v_buffer
        from teams t where t.id = v_team_id;
      continue when not found;
      continue when not team_is_free(v_team_id, v_buffer, p_starts_at, p_ends_at + v_buffer, p_moving);
      -- 100,000 days reach far beyond the year 2100; the team's number and the day share one key.
      v_key := hashint8(v_number * 100000::bigint + v_day);
      begin
        if v_waits then
          perform pg_advisory_xact_lock(2, v_key);
        elsif not pg_try_advisory_xact_lock(2, v_key) then
          continue;
        end if;
        if team_is_free(v_team_id, v_buffer, p_starts_at, p_ends_at + v_buffer, p_moving) then
          team_id := v_team_id;
          busy_until := p_ends_at + v_buffer;
          return;
        end if;
        -- Gives the lock back: who waits for a team holds no other.
        raise sqlstate 'PB001';
      exception when sqlstate 'PB001' then
        null;
      end;
    end loop;
  end loop;
  outcome := 'TAKEN';
end
$$;

-- ---------------------------------------------------------------------------
-- Triggers

-- A failed booking releases its external reference for good.
create or replace function release_reference() returns trigger
language plpgsql as $$
begin
  new.reference_released := true;
  return new;
end
$$;
create or replace trigger bookings_release_reference before insert or update of status on bookings
  for each row when (new.status = 'failed') execute function release_reference();

-- An unpaid link ends with its appointment: the worker closes it and fails the booking.
create or replace function expire_payments_of_ended() returns trigger
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_nestloop = on
as $$
begin
  update payments p set expires_at = least(p.expires_at, n.updated_at), due_at = least(p.due_at, n.updated_at),
    news = p.news + 1, updated_at = n.updated_at
  from new_rows n join bookings b on b.id = n.booking_id
  where n.status in ('Finished', 'Completed', 'Cannot Complete', 'Cancelled')
    and b.status = 'waiting payment' and p.booking_id = b.id and p.status in ('CREATED', 'OPEN');
  return null;
end
$$;
create or replace trigger appointments_ended after update on appointments
  referencing new table as new_rows for each statement execute function expire_payments_of_ended();

-- Notes when the work began, also if it ends without completion: then the operator decides on a refund.
create or replace function note_work_began() returns trigger
language plpgsql as $$
begin
  new.began_at := new.updated_at;
  return new;
end
$$;
create or replace trigger appointments_work_began before update of status on appointments
  for each row when (new.began_at is null and (new.status in ('In Progress', 'Finished', 'Completed')
    or old.status in ('In Progress', 'Finished', 'Completed')))
  execute function note_work_began();

create or replace trigger appointments_refuse_lost_references after insert on appointments
  referencing new table as made for each statement execute function refuse_lost_references();

-- Lists of changes since a snapshot find by it what was committed after others that are newer.
create or replace function stamp_change() returns trigger
language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end
$$;
create or replace trigger bookings_stamp_change before update on bookings
  for each row execute function stamp_change();
