-- Booking a slot, moving and changing bookings, and what follows from it: totals, statuses, versions.
--
-- Triggers run once for all rows of a statement. plpgsql keeps a plan as long as its connection lives, so `set enable_…` forces
-- the kind of plan that is right for many rows, however few there were when it was made: tables are read by their keys, and
-- rows before and after a change are joined by hash.

-- ---------------------------------------------------------------------------
-- Claiming a team

-- Is the team free from start until busy_until? The appointment being moved, if any, does not count. A travel buffer holds on
-- both sides: between two visits of a team lies the longer of the buffers that they were sold with, whichever comes first. The
-- exclusion constraint knows that of the earlier one only. Claims that run at the same time have the same buffer, the team's,
-- because a change of it waits for their lock of the catalogue; for them the constraint is enough, and visits that were sold
-- with another buffer are committed and seen here.
--
-- In plpgsql, which keeps its plan for the session: a SQL function would be planned again in every transaction.
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

-- Claims one of the candidate teams, in order of preference, for this transaction and returns its place in the list; null: none
-- is free. Teams that another transaction is claiming are passed over first and waited for last, so that simultaneous bookings
-- spread instead of queueing. Holds the winner's lock until the end of the transaction, and no other: a lock taken in a block
-- with an exception is released with it, so a claim that waits holds none and deadlocks are impossible. p_team_numbers are the
-- teams' lock_numbers.
create or replace function claim_team(
  p_team_ids uuid[], p_team_numbers integer[], p_starts_at timestamptz, p_busy_until timestamptz[],
  p_moving uuid default null
) returns integer
language plpgsql as $$
declare
  v_day integer := (p_starts_at at time zone 'Asia/Riyadh')::date - date '2000-01-01';
  v_waiting integer[] := array[]::integer[];
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

-- ---------------------------------------------------------------------------
-- Creating

-- The payload of a creation with the name that its appointment has got. The tracking reference is told also while the partner
-- sees no appointment: then the path leads nowhere.
create or replace function payload_with_name(p_payload jsonb, p_name text) returns jsonb language sql immutable
-- Where `appointment` is null, the path leads nowhere.
return jsonb_set(p_payload || jsonb_build_object('trackingReference', p_name), '{appointment,name}', to_jsonb(p_name));

-- Writes a booking, its appointment and its first event, or nothing. Returns BOOKED with the appointment's name, TAKEN (no
-- candidate is free any more) or STALE (the catalogue changed after the caller read it). A taken external reference raises
-- bookings_external_reference_key. The candidates are ordered by preference.
create or replace function book_appointment(
  p_catalogue_version bigint, p_team_ids uuid[], p_team_numbers integer[], p_busy_until timestamptz[],
  p_booking_id uuid, p_partner_id uuid, p_contact_id uuid, p_address_id uuid, p_service_id uuid,
  p_external_reference text, p_status text, p_payment_status text, p_payment_responsibility text,
  p_amount numeric, p_service_date date,
  p_appointment_id uuid, p_zone_id uuid, p_appointment_status text,
  p_starts_at timestamptz, p_ends_at timestamptz,
  p_event_id uuid, p_event text, p_payload jsonb, p_now timestamptz,
  out outcome text, out appointment_name text
)
language plpgsql as $$
declare
  v_place integer;
  v_number text;
begin
  perform pg_advisory_xact_lock_shared(1, 0);
  if (select version from change_counters where name = 'catalogue') <> p_catalogue_version then
    outcome := 'STALE';
    return;
  end if;
  v_place := claim_team(p_team_ids, p_team_numbers, p_starts_at, p_busy_until);
  if v_place is null then
    outcome := 'TAKEN';
    return;
  end if;
  v_number := nextval('appointment_number')::text;
  appointment_name := 'SA-' || lpad(v_number, greatest(4, length(v_number)), '0');
  p_payload := payload_with_name(p_payload, appointment_name);
  insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
      payment_status, payment_responsibility, amount, service_date, event_count, created_at, updated_at)
    values (p_booking_id, p_partner_id, p_contact_id, p_address_id, p_service_id, p_external_reference, p_status,
      p_payment_status, p_payment_responsibility, p_amount, p_service_date, 1, p_now, p_now);
  insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
      created_at, updated_at)
    values (p_appointment_id, p_booking_id, p_team_ids[v_place], p_zone_id, appointment_name, p_appointment_status,
      p_starts_at, p_ends_at, p_busy_until[v_place], p_now, p_now);
  insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
    values (p_event_id, p_partner_id, p_booking_id, 1, p_event, p_payload, p_now);
  outcome := 'BOOKED';
end
$$;

-- book_appointment for several at once, without waiting for anybody. Returns for each, by its place in the arrays, the same
-- outcomes; or LEFT, when a team that might be free is being claimed by another transaction or the external reference is taken:
-- then nothing of it was written, and it can be booked alone. What raises undoes all of them. The candidates of all stand in one
-- row of arrays, p_candidate_counts of them for each.
create or replace function book_appointments(
  p_catalogue_versions bigint[], p_candidate_counts integer[], p_team_ids uuid[], p_team_numbers integer[],
  p_busy_until timestamptz[],
  p_booking_ids uuid[], p_partner_ids uuid[], p_contact_ids uuid[], p_address_ids uuid[], p_service_ids uuid[],
  p_external_references text[], p_statuses text[], p_payment_statuses text[], p_payment_responsibilities text[],
  p_amounts numeric[], p_service_dates date[],
  p_appointment_ids uuid[], p_zone_ids uuid[], p_appointment_statuses text[],
  p_starts_at timestamptz[], p_ends_at timestamptz[],
  p_event_ids uuid[], p_events text[], p_payloads jsonb[], p_times timestamptz[]
) returns table (place integer, outcome text, appointment_name text)
language plpgsql as $$
#variable_conflict use_column
declare
  v_version bigint;
  v record;
  v_day integer;
  v_number text;
  v_next integer := 1;
  v_is_ours boolean;
  v_places integer[] := array[]::integer[];
  v_names text[] := array[]::text[];
  v_teams uuid[] := array[]::uuid[];
  v_starts timestamptz[] := array[]::timestamptz[];
  v_untils timestamptz[] := array[]::timestamptz[];
begin
  -- What waits for long is done alone: here it would hold all the others.
  perform set_config('lock_timeout', '100', true);
  perform pg_advisory_xact_lock_shared(1, 0);
  v_version := (select version from change_counters where name = 'catalogue');
  for v in
    select w.version, w.candidates, w.starts_at, w.place::integer as place
    from unnest(p_catalogue_versions, p_candidate_counts, p_starts_at)
      with ordinality as w (version, candidates, starts_at, place)
    order by w.place
  loop
    place := v.place;
    outcome := case when v.version = v_version then 'TAKEN' else 'STALE' end;
    if outcome = 'TAKEN' then
      v_day := (v.starts_at at time zone 'Asia/Riyadh')::date - date '2000-01-01';
      for i in v_next .. v_next + v.candidates - 1 loop
        -- What was claimed for another of these is not in the table yet.
        v_is_ours := false;
        if p_team_ids[i] = any (v_teams) then
          for j in 1 .. cardinality(v_teams) loop
            v_is_ours := v_is_ours or
              (v_teams[j] = p_team_ids[i] and v_starts[j] < p_busy_until[i] and v_untils[j] > v.starts_at);
          end loop;
        end if;
        continue when v_is_ours or not team_is_free(p_team_ids[i], v.starts_at, p_busy_until[i], null);
        -- The same key as claim_team.
        if not pg_try_advisory_xact_lock(2, hashint8(p_team_numbers[i] * 100000::bigint + v_day)) then
          outcome := 'LEFT';
        elsif team_is_free(p_team_ids[i], v.starts_at, p_busy_until[i], null) then
          outcome := null;
          v_number := nextval('appointment_number')::text;
          v_places := v_places || v.place;
          v_names := v_names || ('SA-' || lpad(v_number, greatest(4, length(v_number)), '0'));
          v_teams := v_teams || p_team_ids[i];
          v_starts := v_starts || v.starts_at;
          v_untils := v_untils || p_busy_until[i];
          exit;
        end if;
      end loop;
    end if;
    v_next := v_next + v.candidates;
    if outcome is not null then
      return next;
    end if;
  end loop;
  return query
  with claimed as materialized (
    select c.place, c.name, c.team_id, c.busy_until, w.*
    from unnest(v_places, v_names, v_teams, v_untils) as c (place, name, team_id, busy_until)
    join unnest(p_booking_ids, p_partner_ids, p_contact_ids, p_address_ids, p_service_ids, p_external_references,
        p_statuses, p_payment_statuses, p_payment_responsibilities, p_amounts, p_service_dates, p_appointment_ids,
        p_zone_ids, p_appointment_statuses, p_starts_at, p_ends_at, p_event_ids, p_events, p_payloads, p_times)
      with ordinality as w (booking_id, partner_id, contact_id, address_id, service_id, external_reference, status,
        payment_status, payment_responsibility, amount, service_date, appointment_id, zone_id, appointment_status,
        starts_at, ends_at, event_id, event, payload, now, nth)
      on w.nth = c.place
  ), booking as (
    insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
      payment_status, payment_responsibility, amount, service_date, event_count, created_at, updated_at)
    select booking_id, partner_id, contact_id, address_id, service_id, external_reference, status, payment_status,
      payment_responsibility, amount, service_date, 1, now, now
    -- In one order, so that no two of these wait for each other's references.
    from claimed order by partner_id, external_reference
    on conflict (partner_id, external_reference) where external_reference is not null and not reference_released
      do nothing
    returning id
  ), written as materialized (
    select claimed.* from claimed join booking on booking.id = claimed.booking_id
  ), appointment as (
    insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
      created_at, updated_at)
    select appointment_id, booking_id, team_id, zone_id, name, appointment_status, starts_at, ends_at, busy_until, now, now
    from written
  ), event as (
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
    select event_id, partner_id, booking_id, 1, event,
      payload_with_name(payload, name),
      now
    from written
  )
  select c.place, case when written.place is null then 'LEFT' else 'BOOKED' end, c.name
  from claimed c left join written using (place);
end
$$;

-- ---------------------------------------------------------------------------
-- Changing

-- Moves an appointment to another time, keeping a team claimed for it, or does nothing: MOVED, TAKEN or STALE as
-- book_appointment. The transaction must hold the booking's row.
create or replace function move_appointment(
  p_catalogue_version bigint, p_team_ids uuid[], p_busy_until timestamptz[],
  p_appointment_id uuid, p_zone_id uuid, p_starts_at timestamptz, p_ends_at timestamptz, p_now timestamptz
) returns text
language plpgsql as $$
declare
  v_place integer;
begin
  perform pg_advisory_xact_lock_shared(1, 0);
  if (select version from change_counters where name = 'catalogue') <> p_catalogue_version then
    return 'STALE';
  end if;
  v_place := claim_team(
    p_team_ids,
    array(select lock_number from unnest(p_team_ids) with ordinality as wanted (id, place)
      join teams using (id) order by place),
    p_starts_at, p_busy_until, p_appointment_id);
  if v_place is null then
    return 'TAKEN';
  end if;
  update appointments set team_id = p_team_ids[v_place], zone_id = p_zone_id, starts_at = p_starts_at,
      ends_at = p_ends_at, busy_until = p_busy_until[v_place], updated_at = p_now
    where id = p_appointment_id;
  return 'MOVED';
end
$$;

-- Saves changes of several bookings that were decided at the same time, each only if its booking still has the version that was
-- read. Returns for each, by its place in the arrays, SAVED, CHANGED (the booking was written since) or LOCKED: another
-- transaction holds it, and nobody waits for it here. What one kind does not set is null in its arrays. What raises undoes all of
-- them. Of two changes of one booking one is saved, and the other is CHANGED.
--
-- The plan is forced to be generic: below ten elements, one for the given array looks cheaper and would be made at each call.
create or replace function save_changes(
  p_kinds text[], p_booking_ids uuid[], p_versions integer[], p_times timestamptz[], p_event_counts integer[],
  p_external_references text[], p_notes text[], p_service_dates date[],
  p_payment_statuses text[], p_payment_references text[],
  p_statuses text[], p_appointment_statuses text[], p_reason_ids uuid[], p_actions text[],
  p_actor text, p_event_places integer[], p_event_ids uuid[], p_event_names text[], p_payloads jsonb[]
) returns table (place integer, outcome text)
language plpgsql
-- By their keys, whatever the planner knew of the tables when it planned.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
-- Below ten elements a plan that knows the array looks cheaper than one that is kept: then each call planned for 0.2 ms.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_locked integer[];
  v_saved integer[];
begin
  -- Nor for long for anything else, a reference that another booking is about to take for instance.
  perform set_config('lock_timeout', '100', true);
  v_locked := array(
    select w.place
    from unnest(p_booking_ids, p_versions) with ordinality as w (id, version, place)
    join bookings b on b.id = w.id and b.version = w.version
    for no key update of b skip locked
  );
  with saved as (
    update bookings b set
      external_reference = case w.kind when 'update' then w.external_reference else b.external_reference end,
      notes = case w.kind when 'update' then w.notes else b.notes end,
      service_date = case w.kind when 'update' then w.service_date else b.service_date end,
      payment_status = case w.kind when 'update' then b.payment_status else w.payment_status end,
      payment_reference = case w.kind when 'confirm' then w.payment_reference else b.payment_reference end,
      payment_confirmed_at = case w.kind when 'confirm' then w.now else b.payment_confirmed_at end,
      status = case w.kind when 'cancel' then w.status else b.status end,
      cancellation_reason_id = case w.kind when 'cancel' then w.reason_id else b.cancellation_reason_id end,
      cancellation_notes = case w.kind when 'cancel' then w.notes else b.cancellation_notes end,
      cancellation_action = case w.kind when 'cancel' then w.action else b.cancellation_action end,
      cancelled_by = case w.kind when 'cancel' then p_actor else b.cancelled_by end,
      cancelled_at = case w.kind when 'cancel' then w.now else b.cancelled_at end,
      updated_at = w.now,
      event_count = b.event_count + w.events
    from (
      select * from unnest(p_kinds, p_booking_ids, p_times, p_event_counts, p_external_references, p_notes, p_service_dates,
        p_payment_statuses, p_payment_references, p_statuses, p_reason_ids, p_actions)
        with ordinality as w (kind, id, now, events, external_reference, notes, service_date, payment_status,
          payment_reference, status, reason_id, action, place)
      where w.place = any (v_locked)
      -- In one order, so that no two of these wait for each other.
      order by w.id
    ) w
    where b.id = w.id
    -- What the first of its events comes after.
    returning w.place::integer, w.now, b.id, b.partner_id, b.event_count - w.events as before
  ), written as (
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
    select e.id, s.partner_id, s.id, s.before + row_number() over (partition by e.place order by e.nth), e.name, e.payload,
      s.now, p_actor
    from unnest(p_event_places, p_event_ids, p_event_names, p_payloads)
      with ordinality as e (place, id, name, payload, nth)
    join saved s on s.place = e.place
    order by e.nth
  )
  select array(select place from saved) into v_saved;
  if 'cancel' = any (p_kinds) then
    update appointments a set status = w.status, updated_at = w.now
    from (
      select * from unnest(p_kinds, p_booking_ids, p_times, p_appointment_statuses)
        with ordinality as w (kind, id, now, status, place)
      where w.place = any (v_saved) and w.kind = 'cancel'
      order by w.id
    ) w
    where a.booking_id = w.id and a.status <> w.status;
  end if;
  return query
    select w.place::integer, case
      when w.place = any (v_saved) then 'SAVED'
      when exists (select from bookings b where b.id = w.id and b.version = w.version) then 'LOCKED'
      else 'CHANGED' end
    from unnest(p_booking_ids, p_versions) with ordinality as w (id, version, place);
end
$$;

-- ---------------------------------------------------------------------------
-- What follows from a change

-- The external reference of a booking that has failed is free for good, whatever becomes of the booking later.
create or replace function release_reference() returns trigger
language plpgsql as $$
begin
  new.reference_released := true;
  return new;
end
$$;
create or replace trigger bookings_release_reference before insert or update of status on bookings
  for each row when (new.status = 'failed') execute function release_reference();

-- An appointment that has ended is not paid for any more: the worker closes its payment link and fails the booking.
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

-- The work of an appointment has begun, whatever becomes of it afterwards: what was paid for it is the operator's to decide.
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

create or replace trigger bookings_version before update on bookings
  for each row execute function count_version();
create or replace trigger appointments_version before update on appointments
  for each row execute function count_version();
create or replace trigger appointments_refuse_lost_references after insert on appointments
  referencing new table as made for each statement execute function refuse_lost_references();
