-- Claims of teams, and triggers of bookings and appointments. A check after waiting for a lock needs a function: only there
-- a statement sees commits since the calling statement began.

-- ---------------------------------------------------------------------------
-- Claims of teams

-- Is less than the longer of both travel buffers between a visit, sold until a_busy_until, and another one that would be busy
-- until p_busy_until, the buffer p_buffer after its end? It is inlined.
create or replace function is_too_close(
  a_starts_at timestamptz, a_ends_at timestamptz, a_busy_until timestamptz, p_buffer interval, p_starts_at timestamptz,
  p_busy_until timestamptz
) returns boolean
language sql stable as $$
  select a_starts_at < p_busy_until - p_buffer + greatest(p_buffer, a_busy_until - a_ends_at)
    and p_starts_at < a_ends_at + greatest(p_buffer, a_busy_until - a_ends_at)
$$;

-- Is the team free from start until busy_until? The appointment being moved, if any, does not count, nor do holds that can be
-- ended: those whose time is over, the customer's own for this service, and the one to take. A hold of a place has no customer,
-- and is nobody's own. A travel buffer holds on
-- both sides: between two visits of a team lies the longer of the buffers that they were sold with, whichever comes first. The
-- exclusion constraint has that of the earlier one only. Claims that run at the same time have the same buffer, the team's,
-- because a change of it waits for their lock of the catalogue; for them the constraint is enough, and visits that were sold
-- with another buffer are committed and seen here.
--
-- In plpgsql, which keeps its plan for the session: a SQL function would be planned again in every transaction.
create or replace function team_is_free(
  p_team_id uuid, p_buffer interval, p_starts_at timestamptz, p_busy_until timestamptz, p_moving uuid,
  p_now timestamptz default null, p_contact_id uuid default null, p_service_id uuid default null, p_hold_id uuid default null
) returns boolean
language plpgsql as $$
begin
  return not exists (
    select 1 from appointments a
    where team_id = p_team_id and status <> 'Cancelled' and id is distinct from p_moving
      -- 24 hours of service and 8 of buffer at the most.
      and starts_at < p_busy_until + interval '8 hours' and starts_at > p_starts_at - interval '32 hours'
      and is_too_close(starts_at, ends_at, busy_until, p_buffer, p_starts_at, p_busy_until)
      and not (status = 'Held' and exists (
        select 1 from holds h where h.id = a.id
          and (h.expires_at <= p_now or h.id = p_hold_id or h.contact_id = p_contact_id and h.service_id = p_service_id)))
  );
end
$$;

-- Ends holds for a claim: those in the way of the period that can be ended, as team_is_free says; the one that the booking takes
-- (p_hold_id); and the customer's other one for the service: of a booking, that for its slot, with any team. What is the
-- customer's own is taken by the booking, if there is one. False: the hold to take was taken by another, or is over though it was not when it was
-- read (p_hold_is_over); then the claim must be undone. A hold's own row is always locked before its appointment: a transaction
-- that extends, releases or takes it is waited for, and its row is read again.
create or replace function end_holds(
  p_team_id uuid, p_starts_at timestamptz, p_busy_until timestamptz, p_now timestamptz, p_contact_id uuid, p_service_id uuid,
  p_booking_id uuid, p_hold_id uuid, p_hold_is_over boolean
) returns boolean
language plpgsql as $$
declare
  v_ids uuid[] := array(select id from appointments where team_id = p_team_id and status = 'Held'
    and starts_at < p_busy_until and starts_at > p_starts_at - interval '32 hours' and busy_until > p_starts_at);
  v_taken boolean;
begin
  if p_hold_id is not null then
    v_ids := v_ids || p_hold_id;
  end if;
  if p_contact_id is not null then
    v_ids := v_ids || array(
      select id from holds where contact_id = p_contact_id and service_id = p_service_id and ended_at is null
        and (p_booking_id is null or starts_at = p_starts_at));
  end if;
  if v_ids = '{}' then
    return true;
  end if;
  with ended as (
    update holds h set ended_at = coalesce(h.ended_at, p_now),
      booking_id = case when h.id = p_hold_id or h.contact_id = p_contact_id and h.service_id = p_service_id then p_booking_id end
    where h.id = any (v_ids) and case when h.id = p_hold_id then h.booking_id is null and (p_hold_is_over or h.ended_at is null)
      else h.ended_at is null
        and (h.expires_at <= p_now or h.contact_id = p_contact_id and h.service_id = p_service_id) end
    returning h.id
  ), freed as (
    delete from appointments a using ended where a.id = ended.id
  )
  select coalesce(bool_or(id = p_hold_id), false) into v_taken from ended;
  return v_taken or p_hold_id is null;
end
$$;

-- The key of the lock of a team's day. 100,000 days reach far beyond the year 2100; the team's number and the day share one key.
create or replace function team_day_key(p_team_number integer, p_day integer) returns integer
language sql immutable as $$
  select hashint8(p_team_number * 100000::bigint + p_day)
$$;

-- Takes the holds that are in the way of a sold visit of another customer out of the team's day, locked until the end of the
-- transaction, which gives each of them another team or ends it. The team is locked first, as for a claim.
create or replace function take_holds_out(
  p_team_id uuid, p_starts_at timestamptz, p_ends_at timestamptz, p_now timestamptz, p_contact_id uuid, p_service_id uuid
) returns table (id uuid, zone_id uuid)
language plpgsql as $$
declare
  v_number integer;
  v_buffer interval;
begin
  select t.lock_number, t.travel_buffer_minutes * interval '1 minute' into v_number, v_buffer from teams t where t.id = p_team_id;
  perform pg_advisory_xact_lock(2, team_day_key(v_number, (p_starts_at at time zone 'Asia/Riyadh')::date - date '2000-01-01'));
  return query
    with taken as materialized (
      select h.id from holds h join appointments a on a.id = h.id
      where a.team_id = p_team_id and h.ended_at is null and h.expires_at > p_now
        and a.starts_at < p_ends_at + interval '16 hours' and a.starts_at > p_starts_at - interval '32 hours'
        and is_too_close(a.starts_at, a.ends_at, a.busy_until, v_buffer, p_starts_at, p_ends_at + v_buffer)
        and not (h.contact_id is not distinct from p_contact_id and h.service_id = p_service_id)
      order by h.id for update of h
    )
    delete from appointments a using taken where a.id = taken.id returning a.id, a.zone_id;
end
$$;

-- Locks the first free team of the list for the period until the end of the transaction: CLAIMED. TAKEN: none is free, or
-- not without waiting (p_waits). STALE: the catalogue has another version (null: any), the hold to take has changed (end_holds),
-- or the contact, if one is given, was erased: it is locked until the end of the transaction, so that nobody is erased while
-- something is sold to her; what was sold to her can be moved. It writes nothing but the end of holds; the exclusion constraint of appointments is the invariant.
-- Without p_now every hold counts.
create or replace function claim_team(
  p_catalogue_version bigint, p_team_ids uuid[], p_starts_at timestamptz, p_ends_at timestamptz, p_moving uuid default null,
  p_waits boolean default true, p_now timestamptz default null, p_contact_id uuid default null,
  p_service_id uuid default null, p_booking_id uuid default null, p_hold_id uuid default null,
  p_hold_is_over boolean default false, out outcome text, out team_id uuid, out busy_until timestamptz
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
  if p_contact_id is not null and p_moving is null then
    perform from contacts where id = p_contact_id and erasure_id is null for key share;
    if not found then
      outcome := 'STALE';
      return;
    end if;
  end if;
  outcome := 'CLAIMED';
  -- First those that no other transaction claims, so that simultaneous bookings spread. Then waits for the others, whose
  -- transactions may roll back.
  foreach v_waits in array array[false, true] loop
    exit when v_waits and not p_waits;
    foreach v_team_id in array p_team_ids loop
      select t.lock_number, t.travel_buffer_minutes * interval '1 minute' into v_number, v_buffer
        from teams t where t.id = v_team_id;
      continue when not found;
      continue when not team_is_free(v_team_id, v_buffer, p_starts_at, p_ends_at + v_buffer, p_moving,
        p_now, p_contact_id, p_service_id, p_hold_id);
      v_key := team_day_key(v_number, v_day);
      begin
        if v_waits then
          perform pg_advisory_xact_lock(2, v_key);
        elsif not pg_try_advisory_xact_lock(2, v_key) then
          continue;
        end if;
        if team_is_free(v_team_id, v_buffer, p_starts_at, p_ends_at + v_buffer, p_moving,
          p_now, p_contact_id, p_service_id, p_hold_id) then
          if p_now is null or end_holds(v_team_id, p_starts_at, p_ends_at + v_buffer, p_now, p_contact_id, p_service_id,
            p_booking_id, p_hold_id, p_hold_is_over) then
            team_id := v_team_id;
            busy_until := p_ends_at + v_buffer;
            return;
          end if;
          outcome := 'STALE';
        end if;
        -- Releases the lock: a transaction that waits for a team holds no other. Holds that were ended are as before.
        raise sqlstate 'PB001';
      exception when sqlstate 'PB001' then
        null;
      end;
      if outcome = 'STALE' then
        return;
      end if;
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

-- How far the work had come stays a fact of a cancelled visit (bookings/cancel.ts).
create or replace function note_work_reached() returns trigger
language plpgsql as $$
begin
  new.work_reached := case when old.status = 'Cannot Complete' then 'In Progress' else old.status end;
  return new;
end
$$;
create or replace trigger appointments_work_reached before update of status on appointments
  for each row when (new.status = 'Cancelled' and (old.status in ('In Progress', 'Finished', 'Completed')
    or old.status = 'Cannot Complete' and old.began_at is not null))
  execute function note_work_reached();

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

-- Where a place is held is forgotten with the hold: once a booking has taken it, it would be where the customer lives.
create or replace function forget_place() returns trigger
language plpgsql as $$
begin
  new.latitude := null;
  new.longitude := null;
  return new;
end
$$;
create or replace trigger holds_forget_place before update of ended_at on holds
  for each row when (new.ended_at is not null and new.latitude is not null) execute function forget_place();

-- ---------------------------------------------------------------------------
-- Erased customers

-- Whether the booking's customer was erased. Whoever saves words about a booking that come from outside asks this for each row that
-- is written, so that they are not kept after her: in plpgsql it sees an erasure that the statement has waited for.
create or replace function is_erased(p_booking_id uuid) returns boolean
language plpgsql as $$
begin
  return exists (
    select 1 from bookings b join contacts c on c.id = b.contact_id where b.id = p_booking_id and c.erasure_id is not null);
end
$$;
