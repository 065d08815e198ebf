-- The schema after all migrations and functions. Written by: npm run generate

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE TABLE public.audit_log (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    "position" bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    target text NOT NULL,
    before jsonb,
    after jsonb,
    number bigint,
    previous_hash bytea,
    hash bytea,
    group_id uuid
);

CREATE FUNCTION public.audit_hash(entry public.audit_log) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$
  select sha256(coalesce(entry.previous_hash, '') || convert_to((jsonb_build_array(
    entry.number, entry.id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor, entry.action, entry.target,
    entry.before, entry.after
  ) || case when entry.group_id is null then '[]' else jsonb_build_array(entry.group_id) end)::text, 'UTF8'))
$$;

CREATE FUNCTION public.audit_texts_hash(salt bytea, before jsonb, after jsonb) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$
  select sha256(salt || convert_to(jsonb_build_array(before, after)::text, 'UTF8'))
$$;

CREATE FUNCTION public.begin_history(p_forced boolean DEFAULT false, p_skipped_references bigint DEFAULT 1000000) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  v_last histories;
  v_origin text := history_origin();
  v_id text := left(gen_random_uuid()::text, 8);
  v_reference bigint;
begin
  -- As place_events: no event gets a place while the end of the shared ones is read.
  perform pg_advisory_xact_lock(3, 0);
  select * into v_last from histories order by number desc limit 1;
  if v_last.origin = v_origin and v_last.server_started = pg_postmaster_start_time() and not p_forced then
    return v_last.id;
  end if;
  v_reference := coalesce(v_last.last_reference, 0);
  if v_last.origin <> v_origin or p_forced then
    v_reference := (select last_value from appointment_number) + p_skipped_references;
    -- Stays after a rollback: then the next one skips as many again.
    perform setval('appointment_number', v_reference);
  end if;
  insert into histories (number, id, origin, server_started, last_place, last_reference)
  values (coalesce(v_last.number, 0) + 1, v_id, v_origin, pg_postmaster_start_time(),
    -- Retention may have dropped all events.
    greatest((select max(place) from event_places), v_last.last_place, 0), v_reference);
  return v_id;
end
$$;

CREATE FUNCTION public.bump_change_counter() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  v_timeline bigint := ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint;
begin
  if tg_argv[0] = 'catalogue' then
    -- Waits for the bookings being written, and makes later ones see the new version (book_appointment).
    perform pg_advisory_xact_lock(1, 0);
  end if;
  update change_counters set version = greatest(version, v_timeline * 1000000000) + 1 where name = tg_argv[0];
  return null;
end
$$;

CREATE FUNCTION public.cancel_payment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  v_began boolean; -- or nobody knows why the visit was not done
  v_fees numeric := kept_by(new.fees); -- null: no policy decides
begin
  select a.began_at is not null or a.status in ('In Progress', 'Finished', 'Completed') into v_began
  from appointments a where a.booking_id = new.id;
  v_began := v_began or v_fees is null and coalesce(new.fees @> '[{"undecided": true}]', false);
  update payments p set
    status = case when p.status in ('CREATED', 'OPEN') then 'CANCELED' else p.status end,
    refund_to_decide = money.kept and money.owed and v_began and v_fees is null,
    kept_amount = case when money.by_policy then v_fees else p.kept_amount end,
    decided_by = case when money.by_policy then 'policy' else p.decided_by end,
    decided_at = case when money.by_policy then new.updated_at else p.decided_at end,
    decision_reason = case when money.by_policy
      then (select name_en || ', version ' || version from policies where id = new.policy_id) else p.decision_reason end,
    refund_status = case when money.goes_back then 'PENDING' else p.refund_status end,
    refund_amount = case when money.goes_back then p.paid_amount - case when money.by_policy then v_fees else 0 end
      else p.refund_amount end,
    refund_error = case when money.goes_back then null else p.refund_error end,
    refunded_at = case when money.goes_back then null else p.refunded_at end,
    tries = 0,
    due_at = new.updated_at,
    updated_at = new.updated_at
  from (
    select k.id, k.remainder > 0 as kept, k.owed, k.remainder > 0 and k.owed and v_fees is not null as by_policy,
      -- A failed refund of a failed booking is left to the operator.
      k.remainder > 0 and case when not k.owed then k.refund_status = 'NONE'
        when v_fees is null then not v_began else k.remainder > v_fees end as goes_back
    from (
      select q.id, q.refund_status, old.status in ('in progress', 'success') as owed,
        case when q.paid_at is null then 0 else q.paid_amount
          - coalesce(q.refunded_amount, case when q.refund_status = 'DONE' then q.paid_amount else 0 end) end as remainder
      from payments q where q.booking_id = new.id
    ) k
  ) money
  where p.id = money.id and (p.status in ('CREATED', 'OPEN') or money.kept);
  return null;
end
$$;

CREATE FUNCTION public.chain_audit_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  entry audit_log;
  newest record;
begin
  -- Deferred to the commit, when the transaction waits for nothing else: no deadlock is possible.
  perform pg_advisory_xact_lock(11, 0);
  select number, hash into newest from audit_log where number is not null order by number desc limit 1;
  select * into entry from audit_log where id = new.id;
  entry.number := coalesce(newest.number, 0) + 1;
  entry.previous_hash := newest.hash;
  update audit_log set number = entry.number, previous_hash = entry.previous_hash, hash = audit_hash(entry)
    where id = entry.id;
  return null;
end $$;

CREATE FUNCTION public.claim_simulator_steps(p_now timestamp with time zone, p_lease uuid, p_lease_seconds double precision, p_limit integer) RETURNS TABLE(run_id uuid, number integer, action text, appointment_status text, slot jsonb, tries integer, lease uuid, booking_id uuid, partner_id uuid)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
  v_real_now timestamptz;
begin
  v_real_now := clock_timestamp();
  return query
  with due as (
    select s.run_id, s.number from simulator_steps s
    where s.status = 'WAITING' and s.due_at <= p_now and (s.leased_until is null or s.leased_until <= v_real_now)
      and not exists (
        select 1 from simulator_steps before
        where before.run_id = s.run_id and before.number < s.number and before.status = 'WAITING'
      )
    order by s.due_at, s.run_id limit p_limit for update skip locked
  ), claimed as (
    update simulator_steps s set lease = p_lease, leased_until = v_real_now + make_interval(secs => p_lease_seconds),
      tries = s.tries + 1
    from due where s.run_id = due.run_id and s.number = due.number
    returning s.*
  )
  select c.run_id, c.number, c.action, c.appointment_status, c.slot, c.tries, c.lease, r.booking_id, r.partner_id
  from claimed c join simulator_runs r on r.id = c.run_id;
end
$$;

CREATE FUNCTION public.claim_team(p_catalogue_version bigint, p_team_ids uuid[], p_starts_at timestamp with time zone, p_ends_at timestamp with time zone, p_moving uuid DEFAULT NULL::uuid, p_waits boolean DEFAULT true, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone, p_contact_id uuid DEFAULT NULL::uuid, p_service_id uuid DEFAULT NULL::uuid, p_booking_id uuid DEFAULT NULL::uuid, p_hold_id uuid DEFAULT NULL::uuid, p_hold_is_over boolean DEFAULT false, OUT outcome text, OUT team_id uuid, OUT busy_until timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

CREATE FUNCTION public.count_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

CREATE FUNCTION public.current_history() RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  v_last histories;
begin
  if pg_is_in_recovery() then
    return null;
  end if;
  select * into v_last from histories order by number desc limit 1;
  if v_last.origin = history_origin() and v_last.server_started = pg_postmaster_start_time() then
    return v_last.id;
  end if;
  return begin_history();
end
$$;

CREATE FUNCTION public.end_holds(p_team_id uuid, p_starts_at timestamp with time zone, p_busy_until timestamp with time zone, p_now timestamp with time zone, p_contact_id uuid, p_service_id uuid, p_booking_id uuid, p_hold_id uuid, p_hold_is_over boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.expire_payments_of_ended() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_nestloop TO 'on'
    AS $$
begin
  update payments p set expires_at = least(p.expires_at, n.updated_at), due_at = least(p.due_at, n.updated_at),
    news = p.news + 1, updated_at = n.updated_at
  from new_rows n join bookings b on b.id = n.booking_id
  where n.status in ('Finished', 'Completed', 'Cannot Complete', 'Cancelled')
    and b.status = 'waiting payment' and p.booking_id = b.id and p.status in ('CREATED', 'OPEN');
  return null;
end
$$;

CREATE FUNCTION public.fan_out_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into unplaced_events (position, partner_id, event_id, created_at)
  select position, partner_id, id, created_at from made;
  insert into webhook_deliveries (id, subscription_id, event_id, partner_id, booking_id, event, due_at, created_at)
  select overlay(id_at(made.created_at)::text placing lpad(to_hex(made.sequence % 4096), 3, '0') from 16 for 3)::uuid,
    s.id, made.id, made.partner_id, made.booking_id, made.event, made.created_at, made.created_at
  from made join webhook_subscriptions s on s.partner_id = made.partner_id
  where s.removed_at is null and s.status = 'ACTIVE' and made.event = any (s.events);
  return null;
end
$$;

CREATE FUNCTION public.forget_place() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.latitude := null;
  new.longitude := null;
  return new;
end
$$;

CREATE FUNCTION public.hasten_payment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update payments set due_at = least(due_at, new.starts_at), news = news + 1, updated_at = new.updated_at
  where booking_id = new.booking_id and status in ('CREATED', 'OPEN');
  return null;
end
$$;

CREATE FUNCTION public.history_origin() RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  -- Cached: a session has one server for its life, and the function reads a file.
  v_server text := nullif(current_setting('partner_booking.server', true), '');
begin
  if v_server is null then
    v_server := (pg_control_system()).system_identifier;
    perform set_config('partner_booking.server', v_server, false);
  end if;
  return v_server
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (select oid from pg_database where datname = current_database())
    || '/' || 'histories'::regclass::oid;
end
$$;

CREATE FUNCTION public.id_at(p_at timestamp with time zone) RETURNS uuid
    LANGUAGE sql
    AS $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from p_at) * 1000)::bigint)), 12, '0')
    || substr(gen_random_uuid()::text, 14))::uuid
$$;

CREATE FUNCTION public.is_erased(p_booking_id uuid) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  return exists (
    select 1 from bookings b join contacts c on c.id = b.contact_id where b.id = p_booking_id and c.erasure_id is not null);
end
$$;

CREATE FUNCTION public.is_in_team_hours(p_team uuid, p_starts timestamp with time zone, p_ends timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION public.is_too_close(a_starts_at timestamp with time zone, a_ends_at timestamp with time zone, a_busy_until timestamp with time zone, p_buffer interval, p_starts_at timestamp with time zone, p_busy_until timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select a_starts_at < p_busy_until - p_buffer + greatest(p_buffer, a_busy_until - a_ends_at)
    and p_starts_at < a_ends_at + greatest(p_buffer, a_busy_until - a_ends_at)
$$;

CREATE FUNCTION public.keep_sold_names() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.name_before := old.name;
  new.name_ar_before := old.name_ar;
  return new;
end
$$;

CREATE FUNCTION public.kept_by(p_fees jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE
    AS $$
  select case
    when p_fees @> '[{"action": "decide"}]' or p_fees @> '[{"action": "cancel"}]' and not p_fees @> '[{"undecided": true}]' then (
      select greatest(0, sum((f.fee ->> 'amount')::numeric - coalesce((f.fee ->> 'lowers')::numeric, 0)))
      from jsonb_array_elements(p_fees) as f (fee)) end
$$;

CREATE FUNCTION public.lower_payment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  v_kept numeric := kept_by(new.fees);
begin
  update payments p set
    refund_to_decide = false,
    kept_amount = v_kept,
    decided_by = coalesce(new.fees -> -1 ->> 'by', p.decided_by, 'policy'),
    decided_at = new.updated_at,
    decision_reason = coalesce(p.decision_reason, (select name_en || ', version ' || version from policies where id = new.policy_id), ''),
    refund_status = case when money.goes_back then 'PENDING' else p.refund_status end,
    refund_amount = case when money.goes_back then p.paid_amount - v_kept else p.refund_amount end,
    refund_error = case when money.goes_back then null else p.refund_error end,
    refunded_at = case when money.goes_back then null else p.refunded_at end,
    tries = 0,
    news = p.news + 1,
    due_at = new.updated_at,
    updated_at = new.updated_at
  from (
    select q.id, q.paid_amount - coalesce(q.refunded_amount, case when q.refund_status = 'DONE' then q.paid_amount else 0 end)
      > v_kept as goes_back
    from payments q where q.booking_id = new.id and q.paid_at is not null
  ) money
  where p.id = money.id and v_kept is not null and p.kept_amount is distinct from v_kept and (p.kept_amount is not null or p.refund_to_decide);
  return null;
end
$$;

CREATE FUNCTION public.name_in(language text, name_en text, name_ar text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (language = 'ar'::text) THEN COALESCE(name_ar, name_en) ELSE name_en END;

CREATE FUNCTION public.note_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform nextval(tg_argv[0]::regclass);
  return null;
end
$$;

CREATE FUNCTION public.note_series_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;

CREATE FUNCTION public.note_work_began() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.began_at := new.updated_at;
  return new;
end
$$;

CREATE FUNCTION public.note_work_reached() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.work_reached := case when old.status = 'Cannot Complete' then 'In Progress' else old.status end;
  return new;
end
$$;

CREATE TABLE public.payments (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    booking_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    amount numeric(12,2) NOT NULL,
    status text DEFAULT 'CREATED'::text NOT NULL,
    gateway text,
    gateway_reference text,
    link_url text,
    expires_at timestamp with time zone NOT NULL,
    link_asks integer DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    lease uuid,
    leased_until timestamp with time zone,
    notified_at timestamp with time zone,
    news integer DEFAULT 0 NOT NULL,
    sent_at timestamp with time zone,
    resend_asked_at timestamp with time zone,
    link_closed_at timestamp with time zone,
    failure_reason text,
    paid_at timestamp with time zone,
    paid_amount numeric(12,2),
    refund_status text DEFAULT 'NONE'::text NOT NULL,
    refund_reference text,
    refund_error text,
    refunded_at timestamp with time zone,
    refunded_by text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    refunded_amount numeric(12,2),
    refund_amount numeric(12,2),
    refund_to_decide boolean DEFAULT false NOT NULL,
    kept_amount numeric(12,2),
    decision_reason text,
    decided_by text,
    decided_at timestamp with time zone,
    looked_at timestamp with time zone,
    send_tries integer DEFAULT 0 NOT NULL,
    send_due_at timestamp with time zone,
    told_starts_at timestamp with time zone,
    CONSTRAINT payments_amount_check CHECK ((amount > (0)::numeric)),
    CONSTRAINT payments_check CHECK ((((gateway_reference IS NULL) = (link_url IS NULL)) AND ((gateway_reference IS NULL) = (gateway IS NULL)))),
    CONSTRAINT payments_check1 CHECK (((status <> ALL (ARRAY['OPEN'::text, 'PAID'::text])) OR (gateway_reference IS NOT NULL))),
    CONSTRAINT payments_check2 CHECK (((paid_at IS NULL) = (paid_amount IS NULL))),
    CONSTRAINT payments_check3 CHECK (((status <> 'PAID'::text) OR (paid_at IS NOT NULL))),
    CONSTRAINT payments_check4 CHECK (((refund_status = 'NONE'::text) OR (paid_at IS NOT NULL))),
    CONSTRAINT payments_check5 CHECK (((refund_status = 'DONE'::text) = (refunded_at IS NOT NULL))),
    CONSTRAINT payments_check6 CHECK (((lease IS NULL) = (leased_until IS NULL))),
    CONSTRAINT payments_decision_check CHECK ((((kept_amount IS NULL) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)) AND ((decided_at IS NULL) = (decision_reason IS NULL)))),
    CONSTRAINT payments_refund_status_check CHECK ((refund_status = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'DONE'::text, 'FAILED'::text]))),
    CONSTRAINT payments_status_check CHECK ((status = ANY (ARRAY['CREATED'::text, 'OPEN'::text, 'PAID'::text, 'FAILED'::text, 'EXPIRED'::text, 'CANCELED'::text]))),
    CONSTRAINT payments_to_decide_check CHECK (((NOT refund_to_decide) OR (paid_at IS NOT NULL)))
);

CREATE FUNCTION public.payment_of(p_booking_id uuid) RETURNS public.payments
    LANGUAGE plpgsql
    AS $$
declare
  v_payment payments;
begin
  select * into v_payment from payments where booking_id = p_booking_id;
  return v_payment;
end
$$;

CREATE FUNCTION public.place_events() RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  v_placed integer;
begin
  -- A second caller waits and then finds the events placed.
  perform pg_advisory_xact_lock(3, 0);
  perform current_history();
  with placed as (
    delete from unplaced_events returning position, partner_id, event_id, created_at
  )
  insert into event_places (place, partner_id, event_id, created_at)
  select nextval('event_feed_position'), partner_id, event_id, created_at
  from (select * from placed order by position) in_order;
  get diagnostics v_placed = row_count;
  return v_placed;
end
$$;

CREATE FUNCTION public.queue_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
declare
  v_over uuid[];
begin
  if tg_op = 'UPDATE' then
    if not exists (select from new_rows) then
      return null;
    end if;
    -- The operator's stream of changes reads this counter.
    perform nextval('delivery_changes');
    v_over := array(select id from new_rows where status <> 'PENDING');
    delete from webhook_pending where delivery_id = any (v_over);
  end if;
  insert into webhook_pending as q (delivery_id, subscription_id, created_at, due_at)
  select id, subscription_id, created_at, due_at from new_rows where status = 'PENDING'
  on conflict (delivery_id) do update set created_at = excluded.created_at, due_at = excluded.due_at
  where (q.created_at, q.due_at) is distinct from (excluded.created_at, excluded.due_at);
  return null;
end
$$;

CREATE FUNCTION public.refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'UPDATE' then
    -- The only permitted change: a new row gets its position in the chain.
    if old.number is null and new.number is not null
      and row(new.id, new.position, new.at, new.actor, new.action, new.target, new.before, new.after, new.group_id)
        is not distinct from
        row(old.id, old.position, old.at, old.actor, old.action, old.target, old.before, old.after, old.group_id)
    then return new; end if;
  end if;
  raise exception 'the audit log can only be added to' using errcode = 'insufficient_privilege';
end $$;

CREATE FUNCTION public.refuse_lost_references() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  v_last histories;
begin
  select * into v_last from histories order by number desc limit 1;
  if v_last.number is null then
    perform begin_history();
  elsif v_last.origin <> history_origin()
    or v_last.last_reference > 0 and exists (select from made where substr(name, 4)::bigint <= v_last.last_reference) then
    raise exception 'the data went back: a new history begins first' using errcode = 'serialization_failure';
  end if;
  return null;
end
$$;

CREATE FUNCTION public.refuse_statement_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  v_statement uuid;
begin
  if tg_op <> 'TRUNCATE' then
    v_statement := case when tg_table_name = 'statements' then (to_jsonb(old) ->> 'id')::uuid
      else (to_jsonb(coalesce(new, old)) ->> 'statement_id')::uuid end;
    if not exists (select from statements where id = v_statement and status = 'ISSUED')
      and (tg_op <> 'UPDATE' or tg_table_name = 'statements')
    then return coalesce(new, old); end if;
  end if;
  raise exception 'an issued statement never changes' using errcode = 'insufficient_privilege';
end $$;

CREATE FUNCTION public.release_reference() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.reference_released := true;
  return new;
end
$$;

CREATE FUNCTION public.report_backup(p_kind text, p_fault text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  v_real_now timestamptz;
begin
  v_real_now := clock_timestamp();
  insert into backup_reports as known (kind, at, succeeded_at, fault)
  values (p_kind, v_real_now, case when p_fault is null then v_real_now end, p_fault)
  on conflict (kind) do update set at = excluded.at, succeeded_at = coalesce(excluded.succeeded_at, known.succeeded_at),
    fault = excluded.fault;
end
$$;

CREATE FUNCTION public.request_payment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into payments (booking_id, partner_id, amount, expires_at, due_at, created_at, updated_at)
  values (new.id, new.partner_id, new.amount, new.created_at + interval '24 hours', new.created_at, new.created_at,
    new.created_at);
  return null;
end
$$;

CREATE FUNCTION public.search_plain(given text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN translate(lower((regexp_replace(NORMALIZE(given, NFKD), '[\u0300-\u036f\u0610-\u061a\u0621\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u2018\u2019\u02bc\u02be\u02bf''`]'::text, ''::text, 'g'::text) COLLATE "und-x-icu")), 'ىیېۍێےةۃہھەکڪٱٲٳ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹-‐‑‒–—―−/.,،'::text, 'ييييييهههههككااا01234567890123456789            '::text);

CREATE FUNCTION public.search_fold(given text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN regexp_replace(public.search_plain(given), '(?<![^ ])(عبد|ابو|ال|abd|abu|al|el) +(?=[^ ])'::text, '\1'::text, 'g'::text);

CREATE FUNCTION public.search_text(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select translate(lower(name), 'أإآٱىةؤئ' || 'ـًٌٍَُِّْٰ', 'اااايهوي')
$$;

CREATE FUNCTION public.stamp_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end
$$;

CREATE FUNCTION public.take_holds_out(p_team_id uuid, p_starts_at timestamp with time zone, p_ends_at timestamp with time zone, p_now timestamp with time zone, p_contact_id uuid, p_service_id uuid) RETURNS TABLE(id uuid, zone_id uuid)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.take_webhook_fault(p_now timestamp with time zone, p_delivery_id uuid, p_subscription_id uuid, p_booking_id uuid, p_hold_seconds integer) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  v_treated webhook_faulty_deliveries;
  v_fault webhook_faults;
begin
  select * into v_treated from webhook_faulty_deliveries where delivery_id = p_delivery_id;
  if v_treated.state = 'TAKEN' then
    -- A worker died before it saved the result.
    return v_treated.kind;
  elsif v_treated.state = 'HELD' then
    update webhook_faulty_deliveries set state = 'DONE' where delivery_id = p_delivery_id;
  elsif v_treated.state is null then
    select * into v_fault from webhook_faults where subscription_id = p_subscription_id
      order by set_at, kind limit 1 for update;
  end if;
  if v_fault.kind is not null then
    update webhook_faults set remaining = remaining - 1
      where subscription_id = p_subscription_id and kind = v_fault.kind and remaining > 1;
    if not found then
      delete from webhook_faults where subscription_id = p_subscription_id and kind = v_fault.kind;
    end if;
    insert into webhook_faulty_deliveries (delivery_id, subscription_id, booking_id, kind, state, treated_at)
    values (p_delivery_id, p_subscription_id, p_booking_id, v_fault.kind,
      case when v_fault.kind = 'lose' then 'DONE' when v_fault.kind in ('delay', 'reorder') then 'HELD' else 'TAKEN' end,
      p_now);
    if v_fault.kind = 'lose' then
      -- A failed attempt without a request. A manual retry sends it.
      update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = p_now, status_code = null,
        error = 'SIMULATED_LOSS', attempt_count = attempt_count + 1,
        attempts = attempts || jsonb_build_object('attemptedAt', floor(extract(epoch from p_now) * 1000),
          'durationMs', 0, 'statusCode', null, 'error', 'SIMULATED_LOSS', 'responseBody', '')
        where id = p_delivery_id;
    elsif v_fault.kind in ('delay', 'reorder') then
      update webhook_pending set lease = null, leased_until = null where delivery_id = p_delivery_id;
      update webhook_deliveries
        set due_at = p_now + make_interval(secs => coalesce(v_fault.delay_seconds, p_hold_seconds))
        where id = p_delivery_id;
    end if;
    if v_fault.kind in ('lose', 'delay', 'reorder') then
      return 'kept';
    end if;
  end if;
  -- It is sent and overtakes the held ones of its booking.
  update webhook_faulty_deliveries set overtaken_by = p_delivery_id
    where subscription_id = p_subscription_id and state = 'HELD' and kind = 'reorder' and booking_id = p_booking_id
      and overtaken_by is null;
  return v_fault.kind;
end
$$;

CREATE FUNCTION public.team_day_key(p_team_number integer, p_day integer) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
  select hashint8(p_team_number * 100000::bigint + p_day)
$$;

CREATE FUNCTION public.team_is_free(p_team_id uuid, p_buffer interval, p_starts_at timestamp with time zone, p_busy_until timestamp with time zone, p_moving uuid, p_now timestamp with time zone DEFAULT NULL::timestamp with time zone, p_contact_id uuid DEFAULT NULL::uuid, p_service_id uuid DEFAULT NULL::uuid, p_hold_id uuid DEFAULT NULL::uuid) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.touch_booking() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update bookings set updated_at = new.updated_at, version = version + 1
  where id = new.booking_id and xmin <> pg_current_xact_id()::xid;
  return null;
end
$$;

CREATE TABLE public.addresses (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    contact_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    latitude numeric,
    longitude numeric,
    city_name text,
    district_name text,
    street_name text,
    created_at timestamp with time zone NOT NULL,
    short_address text,
    building_number text,
    unit text,
    floor text,
    postal_code text,
    directions text,
    CONSTRAINT addresses_building_number_check CHECK (((char_length(building_number) >= 1) AND (char_length(building_number) <= 20))),
    CONSTRAINT addresses_check CHECK (((latitude IS NULL) = (longitude IS NULL))),
    CONSTRAINT addresses_check1 CHECK (((latitude IS NOT NULL) OR (COALESCE(city_name, district_name, street_name, short_address, building_number, unit, floor, postal_code, directions) IS NOT NULL))),
    CONSTRAINT addresses_city_name_check CHECK (((char_length(city_name) >= 1) AND (char_length(city_name) <= 200))),
    CONSTRAINT addresses_directions_check CHECK (((char_length(directions) >= 1) AND (char_length(directions) <= 500))),
    CONSTRAINT addresses_district_name_check CHECK (((char_length(district_name) >= 1) AND (char_length(district_name) <= 200))),
    CONSTRAINT addresses_floor_check CHECK (((char_length(floor) >= 1) AND (char_length(floor) <= 20))),
    CONSTRAINT addresses_latitude_check CHECK (((latitude >= ('-90'::integer)::numeric) AND (latitude <= (90)::numeric))),
    CONSTRAINT addresses_longitude_check CHECK (((longitude >= ('-180'::integer)::numeric) AND (longitude <= (180)::numeric))),
    CONSTRAINT addresses_postal_code_check CHECK ((postal_code ~ '^[0-9]{5}$'::text)),
    CONSTRAINT addresses_short_address_check CHECK ((short_address ~ '^[A-Z]{4}[0-9]{4}$'::text)),
    CONSTRAINT addresses_street_name_check CHECK (((char_length(street_name) >= 1) AND (char_length(street_name) <= 200))),
    CONSTRAINT addresses_unit_check CHECK (((char_length(unit) >= 1) AND (char_length(unit) <= 20)))
);

CREATE TABLE public.api_keys (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    partner_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    prefix text NOT NULL,
    last4 text NOT NULL,
    previous_hash bytea,
    previous_expires_at timestamp with time zone,
    permissions text[] NOT NULL,
    ip_allowlist text[] DEFAULT '{}'::text[] NOT NULL,
    expires_at timestamp with time zone,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT api_keys_check CHECK (((previous_hash IS NULL) = (previous_expires_at IS NULL))),
    CONSTRAINT api_keys_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT api_keys_previous_hash_check CHECK ((octet_length(previous_hash) = 32)),
    CONSTRAINT api_keys_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'REVOKED'::text])))
);

CREATE SEQUENCE public.appointment_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.appointments (
    id uuid NOT NULL,
    booking_id uuid,
    team_id uuid NOT NULL,
    zone_id uuid NOT NULL,
    name text,
    status text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    busy_until timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    began_at timestamp with time zone,
    outcome text,
    work_reached text,
    reported_at timestamp with time zone,
    CONSTRAINT appointments_check CHECK (((ends_at > starts_at) AND (busy_until >= ends_at) AND ((busy_until - starts_at) <= '32:00:00'::interval))),
    CONSTRAINT appointments_held_check CHECK ((((status = 'Held'::text) = (booking_id IS NULL)) AND ((status = 'Held'::text) = (name IS NULL)))),
    CONSTRAINT appointments_outcome_check CHECK ((outcome = ANY (ARRAY['CUSTOMER_ABSENT'::text, 'NO_ACCESS'::text, 'REFUSED'::text, 'UNSAFE'::text, 'CREW'::text, 'WEATHER'::text]))),
    CONSTRAINT appointments_status_check CHECK ((status = ANY (ARRAY['New'::text, 'Scheduled'::text, 'Confirmed'::text, 'In The Way'::text, 'In The location'::text, 'In Progress'::text, 'Finished'::text, 'Completed'::text, 'Cannot Complete'::text, 'Cancelled'::text, 'Held'::text]))),
    CONSTRAINT appointments_work_reached_check CHECK ((work_reached = ANY (ARRAY['In Progress'::text, 'Finished'::text, 'Completed'::text])))
);

ALTER TABLE public.audit_log ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit_texts (
    entry_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    salt bytea DEFAULT uuid_send(gen_random_uuid()) NOT NULL,
    before jsonb,
    after jsonb
);

CREATE TABLE public.backup_reports (
    kind text NOT NULL,
    at timestamp with time zone NOT NULL,
    succeeded_at timestamp with time zone,
    fault text,
    CONSTRAINT backup_reports_kind_check CHECK ((kind = ANY (ARRAY['BACKUP'::text, 'ARCHIVE'::text, 'DRILL'::text])))
);

CREATE TABLE public.booking_access (
    id uuid NOT NULL,
    value text NOT NULL
);

CREATE TABLE public.bookings (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    address_id uuid NOT NULL,
    service_id uuid NOT NULL,
    external_reference text,
    status text NOT NULL,
    payment_status text NOT NULL,
    payment_responsibility text NOT NULL,
    amount numeric(12,2) NOT NULL,
    service_date date NOT NULL,
    event_count integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    notes text,
    payment_reference text,
    payment_confirmed_at timestamp with time zone,
    cancellation_reason_id uuid,
    cancellation_notes text,
    cancellation_action text,
    cancelled_by text,
    cancelled_at timestamp with time zone,
    created_in xid8 DEFAULT pg_current_xact_id() NOT NULL,
    reference_released boolean DEFAULT false NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    failure_reason text,
    changed_in xid8 DEFAULT pg_current_xact_id(),
    policy_id uuid,
    fees jsonb,
    cancelled_for text,
    sold_name text,
    sold_name_ar text,
    hold_id uuid,
    creation_hash bytea,
    decided_by_request text,
    late_minutes integer,
    late_reported_at timestamp with time zone,
    late_starts_at timestamp with time zone,
    late_untold boolean DEFAULT false NOT NULL,
    series_id uuid,
    series_index integer,
    CONSTRAINT bookings_amount_check CHECK ((amount >= (0)::numeric)),
    CONSTRAINT bookings_cancellation_action_check CHECK ((cancellation_action = ANY (ARRAY['CANCEL_AND_REFUND'::text, 'CANCEL_ONLY'::text]))),
    CONSTRAINT bookings_cancellation_check CHECK ((((status = 'canceled'::text) = (cancelled_at IS NOT NULL)) AND ((cancelled_at IS NULL) = (cancellation_action IS NULL)) AND ((cancelled_at IS NULL) = (cancelled_by IS NULL)))),
    CONSTRAINT bookings_cancellation_notes_check CHECK ((char_length(cancellation_notes) <= 2000)),
    CONSTRAINT bookings_cancelled_for_check CHECK ((cancelled_for = 'CUSTOMER'::text)),
    CONSTRAINT bookings_check CHECK (((status = 'canceled'::text) = (payment_status = 'CANCELLED'::text))),
    CONSTRAINT bookings_external_reference_check CHECK (((char_length(external_reference) >= 1) AND (char_length(external_reference) <= 150))),
    CONSTRAINT bookings_notes_check CHECK ((char_length(notes) <= 2000)),
    CONSTRAINT bookings_payment_reference_check CHECK ((char_length(payment_reference) <= 255)),
    CONSTRAINT bookings_payment_responsibility_check CHECK ((payment_responsibility = ANY (ARRAY['PARTNER'::text, 'PLATFORM'::text]))),
    CONSTRAINT bookings_payment_status_check CHECK ((payment_status = ANY (ARRAY['NOT_REQUIRED'::text, 'PENDING'::text, 'PAID'::text, 'FAILED'::text, 'CANCELLED'::text]))),
    CONSTRAINT bookings_status_check CHECK ((status = ANY (ARRAY['in progress'::text, 'waiting payment'::text, 'success'::text, 'canceled'::text, 'failed'::text])))
)
WITH (fillfactor='85');

CREATE TABLE public.cancellation_reasons (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name_en text NOT NULL,
    name_ar text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    is_customer_facing boolean DEFAULT true NOT NULL,
    sort_order integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT cancellation_reasons_name_ar_check CHECK (((char_length(name_ar) >= 1) AND (char_length(name_ar) <= 200))),
    CONSTRAINT cancellation_reasons_name_en_check CHECK (((char_length(name_en) >= 1) AND (char_length(name_en) <= 200)))
);

CREATE TABLE public.categories (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    code text,
    name_en text NOT NULL,
    name_ar text NOT NULL,
    description_en text DEFAULT ''::text NOT NULL,
    description_ar text DEFAULT ''::text NOT NULL,
    sort_order integer DEFAULT 0 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT categories_code_check CHECK (((char_length(code) >= 1) AND (char_length(code) <= 100))),
    CONSTRAINT categories_description_ar_check CHECK ((char_length(description_ar) <= 2000)),
    CONSTRAINT categories_description_en_check CHECK ((char_length(description_en) <= 2000)),
    CONSTRAINT categories_name_ar_check CHECK (((char_length(name_ar) >= 1) AND (char_length(name_ar) <= 200))),
    CONSTRAINT categories_name_en_check CHECK (((char_length(name_en) >= 1) AND (char_length(name_en) <= 200)))
);

CREATE TABLE public.certifications (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    token text NOT NULL,
    status text DEFAULT 'RUNNING'::text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    steps integer DEFAULT 0 NOT NULL,
    acting_until timestamp with time zone,
    provoked jsonb DEFAULT '[]'::jsonb NOT NULL,
    result jsonb,
    decided jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT certifications_check CHECK (((status = 'FINISHED'::text) = (finished_at IS NOT NULL))),
    CONSTRAINT certifications_check1 CHECK (((finished_at IS NULL) = (result IS NULL))),
    CONSTRAINT certifications_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'FINISHED'::text])))
);

CREATE TABLE public.change_counters (
    name text NOT NULL,
    version bigint DEFAULT 1 NOT NULL
);

CREATE TABLE public.contacts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    partner_id uuid NOT NULL,
    phone text,
    name text NOT NULL,
    utm_source text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    erasure_id uuid,
    language text,
    messages_stopped text,
    CONSTRAINT contacts_erased_check CHECK (((erasure_id IS NULL) = (phone IS NOT NULL))),
    CONSTRAINT contacts_language_check CHECK ((language = ANY (ARRAY['ar'::text, 'en'::text]))),
    CONSTRAINT contacts_messages_stopped_check CHECK ((messages_stopped = ANY (ARRAY['STOP'::text, 'NOT_ME'::text]))),
    CONSTRAINT contacts_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT contacts_phone_check CHECK ((phone ~ '^\+966[0-9]{4,15}$'::text))
);

CREATE TABLE public.crew_links (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    team_id uuid NOT NULL,
    hash bytea NOT NULL,
    pin_hash bytea,
    pin_failures integer DEFAULT 0 NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT crew_links_check CHECK ((expires_at > created_at)),
    CONSTRAINT crew_links_created_by_check CHECK (((char_length(created_by) >= 1) AND (char_length(created_by) <= 200))),
    CONSTRAINT crew_links_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT crew_links_pin_hash_check CHECK ((octet_length(pin_hash) = 32))
);

CREATE TABLE public.crew_sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    link_id uuid NOT NULL,
    hash bytea NOT NULL,
    browser text,
    system text,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    CONSTRAINT crew_sessions_browser_check CHECK ((char_length(browser) <= 50)),
    CONSTRAINT crew_sessions_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT crew_sessions_system_check CHECK ((char_length(system) <= 50))
);

CREATE TABLE public.crew_steps (
    team_id uuid NOT NULL,
    key uuid NOT NULL,
    link_id uuid NOT NULL,
    appointment_id uuid NOT NULL,
    status text NOT NULL,
    reason text,
    notes text,
    happened_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    refusal text,
    starts_at timestamp with time zone,
    is_time_uncertain boolean DEFAULT false NOT NULL,
    decision text,
    late_minutes integer,
    CONSTRAINT crew_steps_decision_check CHECK (((decision IS NULL) OR ((decision = ANY (ARRAY['TAKEN'::text, 'LEFT'::text])) AND (refusal IS NOT NULL)))),
    CONSTRAINT crew_steps_late_check CHECK ((((status = 'Late'::text) = (late_minutes IS NOT NULL)) AND ((late_minutes IS NULL) OR ((late_minutes >= 0) AND (late_minutes <= 240))))),
    CONSTRAINT crew_steps_notes_check CHECK ((char_length(notes) <= 500)),
    CONSTRAINT crew_steps_status_check CHECK ((status = ANY (ARRAY['In The Way'::text, 'In The location'::text, 'In Progress'::text, 'Finished'::text, 'Cannot Complete'::text, 'Late'::text])))
);

CREATE TABLE public.customer_messages (
    id uuid NOT NULL,
    booking_id uuid NOT NULL,
    kind text NOT NULL,
    version integer NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    status text NOT NULL,
    reason text,
    due_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    leased_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    late_minutes integer,
    left_at timestamp with time zone,
    CONSTRAINT customer_messages_check CHECK (((status = 'SENDING'::text) = (leased_until IS NOT NULL))),
    CONSTRAINT customer_messages_check1 CHECK (((status = ANY (ARRAY['QUEUED'::text, 'SENDING'::text])) = (finished_at IS NULL))),
    CONSTRAINT customer_messages_kind_check CHECK ((kind = ANY (ARRAY['BOOKED'::text, 'MOVED'::text, 'DAY_BEFORE'::text, 'ON_THE_WAY'::text, 'NOT_YET'::text, 'LATE'::text, 'ANOTHER_VISIT'::text, 'CANCELLED'::text, 'NOT_DONE'::text, 'UNPAID'::text, 'DONE'::text]))),
    CONSTRAINT customer_messages_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'SENDING'::text, 'SENT'::text, 'FAILED'::text, 'DROPPED'::text, 'UNKNOWN'::text]))),
    CONSTRAINT customer_messages_version_check CHECK ((version > 0))
);

CREATE TABLE public.customer_messages_cursor (
    id boolean DEFAULT true NOT NULL,
    place bigint NOT NULL,
    CONSTRAINT customer_messages_cursor_id_check CHECK (id)
);

CREATE SEQUENCE public.delivery_changes
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE SEQUENCE public.event_feed_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.event_places (
    place bigint NOT NULL,
    partner_id uuid NOT NULL,
    event_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (created_at);

CREATE TABLE public.event_places_default (
    place bigint NOT NULL,
    partner_id uuid NOT NULL,
    event_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE SEQUENCE public.event_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.events (
    id uuid NOT NULL,
    "position" bigint DEFAULT nextval('public.event_position'::regclass) NOT NULL,
    partner_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    sequence integer NOT NULL,
    event text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    actor text DEFAULT 'partner'::text NOT NULL,
    trace_parent text DEFAULT NULLIF(current_setting('partner_booking.trace_parent'::text, true), ''::text)
)
PARTITION BY RANGE (created_at);

CREATE TABLE public.events_default (
    id uuid NOT NULL,
    "position" bigint DEFAULT nextval('public.event_position'::regclass) NOT NULL,
    partner_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    sequence integer NOT NULL,
    event text NOT NULL,
    payload jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    actor text DEFAULT 'partner'::text NOT NULL,
    trace_parent text DEFAULT NULLIF(current_setting('partner_booking.trace_parent'::text, true), ''::text)
);

CREATE TABLE public.gateway_payments (
    payment_id uuid NOT NULL,
    reference text NOT NULL,
    status text NOT NULL,
    currency text NOT NULL,
    amount numeric(12,2) NOT NULL,
    charged numeric(12,2) NOT NULL,
    refunded numeric(12,2) NOT NULL,
    by_hand numeric(12,2) DEFAULT 0 NOT NULL,
    charged_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT gateway_payments_amount_check CHECK ((amount >= (0)::numeric)),
    CONSTRAINT gateway_payments_by_hand_check CHECK ((by_hand >= (0)::numeric)),
    CONSTRAINT gateway_payments_charged_check CHECK ((charged >= (0)::numeric)),
    CONSTRAINT gateway_payments_reference_check CHECK ((reference <> ''::text)),
    CONSTRAINT gateway_payments_refunded_check CHECK ((refunded >= (0)::numeric))
);

CREATE TABLE public.histories (
    number integer NOT NULL,
    id text NOT NULL,
    origin text NOT NULL,
    server_started timestamp with time zone NOT NULL,
    last_place bigint NOT NULL,
    last_reference bigint NOT NULL
);

CREATE TABLE public.holds (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    contact_id uuid,
    address_id uuid,
    service_id uuid NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    price numeric(12,2) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    booking_id uuid,
    created_at timestamp with time zone NOT NULL,
    policy_id uuid,
    latitude numeric,
    longitude numeric,
    reference text,
    displaced_at timestamp with time zone,
    CONSTRAINT holds_check CHECK ((ends_at > starts_at)),
    CONSTRAINT holds_check1 CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '00:30:00'::interval)))),
    CONSTRAINT holds_check2 CHECK (((booking_id IS NULL) OR (ended_at IS NOT NULL))),
    CONSTRAINT holds_place_check CHECK ((((contact_id IS NULL) = (address_id IS NULL)) AND ((latitude IS NULL) = (longitude IS NULL)) AND ((latitude IS NOT NULL) = ((contact_id IS NULL) AND (ended_at IS NULL))))),
    CONSTRAINT holds_price_check CHECK ((price >= (0)::numeric)),
    CONSTRAINT holds_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 150)))
);

CREATE TABLE public.idempotency_keys (
    partner_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    owner uuid NOT NULL,
    response_status integer,
    response_body text,
    claimed_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
);

CREATE TABLE public.operator_enrolments (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_id uuid NOT NULL,
    hash bytea NOT NULL,
    pin_hash bytea NOT NULL,
    pin_failures integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT operator_enrolments_check CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '2160:00:00'::interval)))),
    CONSTRAINT operator_enrolments_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT operator_enrolments_pin_failures_check CHECK (((pin_failures >= 0) AND (pin_failures <= 5))),
    CONSTRAINT operator_enrolments_pin_hash_check CHECK ((octet_length(pin_hash) = 32))
);

CREATE TABLE public.operator_links (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_id uuid NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT operator_links_check CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '72:00:00'::interval)))),
    CONSTRAINT operator_links_hash_check CHECK ((octet_length(hash) = 32))
);

CREATE TABLE public.operator_sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_id uuid,
    first_hash bytea,
    hash bytea NOT NULL,
    browser text,
    system text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    enrolment_id uuid,
    CONSTRAINT operator_sessions_browser_check CHECK ((char_length(browser) <= 50)),
    CONSTRAINT operator_sessions_check CHECK ((expires_at > created_at)),
    CONSTRAINT operator_sessions_check1 CHECK (((token_id IS NULL) <> (first_hash IS NULL))),
    CONSTRAINT operator_sessions_first_hash_check CHECK ((octet_length(first_hash) = 32)),
    CONSTRAINT operator_sessions_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT operator_sessions_system_check CHECK ((char_length(system) <= 50))
);

CREATE TABLE public.operator_tokens (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    hash bytea NOT NULL,
    prefix text NOT NULL,
    last4 text NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    is_person boolean DEFAULT false NOT NULL,
    CONSTRAINT operator_tokens_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT operator_tokens_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT operator_tokens_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'dispatcher'::text, 'viewer'::text]))),
    CONSTRAINT operator_tokens_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'REVOKED'::text])))
);

CREATE TABLE public.page_files (
    base text NOT NULL,
    name text NOT NULL,
    body bytea NOT NULL,
    used_at timestamp with time zone NOT NULL,
    CONSTRAINT page_files_base_check CHECK (((char_length(base) >= 1) AND (char_length(base) <= 50))),
    CONSTRAINT page_files_body_check CHECK ((octet_length(body) <= 16777216)),
    CONSTRAINT page_files_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 150)))
);

CREATE TABLE public.partner_services (
    partner_id uuid NOT NULL,
    service_id uuid NOT NULL,
    price numeric(12,2),
    coming_prices jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT partner_services_coming_prices_check CHECK ((jsonb_typeof(coming_prices) = 'object'::text)),
    CONSTRAINT partner_services_price_check CHECK ((price >= (0)::numeric))
);

CREATE TABLE public.partners (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    payment_responsibility text DEFAULT 'PARTNER'::text NOT NULL,
    rate_limit_per_minute integer,
    allowed_domains text[] DEFAULT '{}'::text[] NOT NULL,
    sandbox_domains text[] DEFAULT '{}'::text[] NOT NULL,
    allowed_webhook_domains text[] DEFAULT '{}'::text[] NOT NULL,
    require_https_webhooks boolean DEFAULT true NOT NULL,
    service_restricted boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    language text DEFAULT 'en'::text NOT NULL,
    services_version integer DEFAULT 1 NOT NULL,
    max_holds integer DEFAULT 50 NOT NULL,
    tracking_page boolean DEFAULT false NOT NULL,
    page_colour text,
    contact_text_en text,
    contact_text_ar text,
    contact_number text,
    customer_messages text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT partners_contact_number_check CHECK ((contact_number ~ '^\+?[0-9]{3,15}$'::text)),
    CONSTRAINT partners_contact_text_ar_check CHECK (((char_length(contact_text_ar) >= 1) AND (char_length(contact_text_ar) <= 300))),
    CONSTRAINT partners_contact_text_en_check CHECK (((char_length(contact_text_en) >= 1) AND (char_length(contact_text_en) <= 300))),
    CONSTRAINT partners_customer_messages_check CHECK ((customer_messages <@ ARRAY['BOOKED'::text, 'DAY_BEFORE'::text, 'ON_THE_WAY'::text, 'LATE'::text, 'DONE'::text])),
    CONSTRAINT partners_language_check CHECK ((language = ANY (ARRAY['en'::text, 'ar'::text]))),
    CONSTRAINT partners_max_holds_check CHECK (((max_holds >= 0) AND (max_holds <= 10000))),
    CONSTRAINT partners_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT partners_page_colour_check CHECK ((page_colour ~ '^#[0-9a-f]{6}$'::text)),
    CONSTRAINT partners_payment_responsibility_check CHECK ((payment_responsibility = ANY (ARRAY['PARTNER'::text, 'PLATFORM'::text]))),
    CONSTRAINT partners_rate_limit_per_minute_check CHECK (((rate_limit_per_minute >= 1) AND (rate_limit_per_minute <= 1000000))),
    CONSTRAINT partners_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text])))
);

CREATE SEQUENCE public.payment_changes
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.policies (
    id uuid NOT NULL,
    policy_id uuid NOT NULL,
    version integer NOT NULL,
    name_en text NOT NULL,
    name_ar text NOT NULL,
    terms jsonb NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT policies_name_ar_check CHECK (((char_length(name_ar) >= 1) AND (char_length(name_ar) <= 200))),
    CONSTRAINT policies_name_en_check CHECK (((char_length(name_en) >= 1) AND (char_length(name_en) <= 200))),
    CONSTRAINT policies_version_check CHECK ((version >= 1))
);

CREATE TABLE public.policy_assignments (
    policy_id uuid NOT NULL,
    version_id uuid NOT NULL,
    partner_id uuid,
    service_id uuid,
    CONSTRAINT policy_assignments_check CHECK (((partner_id IS NOT NULL) OR (service_id IS NOT NULL)))
);

CREATE TABLE public.portal_links (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    partner_id uuid NOT NULL,
    hash bytea NOT NULL,
    read_only boolean NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT portal_links_check CHECK ((expires_at > created_at)),
    CONSTRAINT portal_links_created_by_check CHECK (((char_length(created_by) >= 1) AND (char_length(created_by) <= 200)))
);

CREATE TABLE public.portal_sessions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    partner_id uuid NOT NULL,
    link_id uuid,
    key_id uuid,
    key_hash bytea,
    hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT portal_sessions_check CHECK ((expires_at > created_at)),
    CONSTRAINT portal_sessions_check1 CHECK (((link_id IS NULL) <> (key_id IS NULL))),
    CONSTRAINT portal_sessions_check2 CHECK (((key_id IS NULL) = (key_hash IS NULL)))
);

CREATE TABLE public.pricing_tiers (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    min_minutes integer NOT NULL,
    max_minutes integer,
    factor numeric(6,4) NOT NULL,
    sorting integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT pricing_tiers_check CHECK ((max_minutes >= min_minutes)),
    CONSTRAINT pricing_tiers_factor_check CHECK ((factor > (0)::numeric)),
    CONSTRAINT pricing_tiers_min_minutes_check CHECK ((min_minutes >= 0))
);

CREATE TABLE public.privacy_requests (
    id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    partner_id uuid,
    phone text,
    phone_hash bytea NOT NULL,
    received_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    received_by text NOT NULL,
    reason text,
    finished_at timestamp with time zone,
    finished_by text,
    answer text,
    CONSTRAINT privacy_requests_answer_check CHECK (((char_length(answer) >= 1) AND (char_length(answer) <= 500))),
    CONSTRAINT privacy_requests_check CHECK ((due_at >= received_at)),
    CONSTRAINT privacy_requests_check1 CHECK (((status = 'OPEN'::text) = (phone IS NOT NULL))),
    CONSTRAINT privacy_requests_check2 CHECK (((status = 'OPEN'::text) = (finished_at IS NULL))),
    CONSTRAINT privacy_requests_check3 CHECK (((finished_at IS NULL) = (finished_by IS NULL))),
    CONSTRAINT privacy_requests_finished_by_check CHECK (((char_length(finished_by) >= 1) AND (char_length(finished_by) <= 200))),
    CONSTRAINT privacy_requests_kind_check CHECK ((kind = ANY (ARRAY['ACCESS'::text, 'CORRECTION'::text, 'ERASURE'::text, 'RETENTION'::text]))),
    CONSTRAINT privacy_requests_phone_check CHECK ((phone ~ '^\+966[0-9]{4,15}$'::text)),
    CONSTRAINT privacy_requests_phone_hash_check CHECK ((octet_length(phone_hash) = 32)),
    CONSTRAINT privacy_requests_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
    CONSTRAINT privacy_requests_received_by_check CHECK (((char_length(received_by) >= 1) AND (char_length(received_by) <= 200))),
    CONSTRAINT privacy_requests_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'DONE'::text, 'REFUSED'::text])))
);

CREATE SEQUENCE public.request_log_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.request_log (
    id bigint DEFAULT nextval('public.request_log_id'::regclass) NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone NOT NULL,
    request_id text NOT NULL COLLATE pg_catalog."C",
    partner_id uuid NOT NULL,
    key_id uuid NOT NULL,
    method text NOT NULL,
    route text,
    path text,
    status smallint NOT NULL,
    code text,
    message text,
    failed_check text,
    reason text,
    hints text[] NOT NULL,
    ignored_parameters text[] NOT NULL,
    details json,
    duration_ms real NOT NULL,
    booking_id uuid,
    user_agent text,
    bodies json
)
PARTITION BY RANGE (recorded_at);

CREATE TABLE public.request_log_default (
    id bigint DEFAULT nextval('public.request_log_id'::regclass) NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone NOT NULL,
    request_id text NOT NULL COLLATE pg_catalog."C",
    partner_id uuid NOT NULL,
    key_id uuid NOT NULL,
    method text NOT NULL,
    route text,
    path text,
    status smallint NOT NULL,
    code text,
    message text,
    failed_check text,
    reason text,
    hints text[] NOT NULL,
    ignored_parameters text[] NOT NULL,
    details json,
    duration_ms real NOT NULL,
    booking_id uuid,
    user_agent text,
    bodies json
);

CREATE TABLE public.sandbox_checkouts (
    token text NOT NULL,
    payment_id uuid NOT NULL,
    amount numeric(12,2) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    declines integer DEFAULT 0 NOT NULL,
    paid_at timestamp with time zone,
    refunded numeric(12,2) DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_checkouts_amount_check CHECK ((amount > (0)::numeric)),
    CONSTRAINT sandbox_checkouts_check CHECK (((refunded >= (0)::numeric) AND (refunded <= amount))),
    CONSTRAINT sandbox_checkouts_check1 CHECK (((state = 'paid'::text) = (paid_at IS NOT NULL))),
    CONSTRAINT sandbox_checkouts_check2 CHECK (((refunded = (0)::numeric) OR (state = 'paid'::text))),
    CONSTRAINT sandbox_checkouts_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'failed'::text, 'closed'::text])))
);

CREATE TABLE public.sandbox_clock (
    only_row boolean DEFAULT true NOT NULL,
    offset_seconds bigint DEFAULT 0 NOT NULL,
    CONSTRAINT sandbox_clock_offset_seconds_check CHECK (((offset_seconds >= 0) AND (offset_seconds <= 315360000))),
    CONSTRAINT sandbox_clock_only_row_check CHECK (only_row)
);

CREATE TABLE public.schedule_periods (
    schedule_id uuid NOT NULL,
    first_date date NOT NULL,
    last_date date,
    CONSTRAINT schedule_periods_check CHECK ((last_date >= first_date))
);

CREATE TABLE public.schedules (
    id uuid NOT NULL,
    name_en text NOT NULL,
    name_ar text NOT NULL,
    zone_ids uuid[],
    team_ids uuid[],
    weekly jsonb,
    breaks jsonb DEFAULT '[]'::jsonb NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    yearly jsonb,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    CONSTRAINT schedules_check CHECK (((zone_ids IS NULL) OR (team_ids IS NULL))),
    CONSTRAINT schedules_name_ar_check CHECK (((char_length(name_ar) >= 1) AND (char_length(name_ar) <= 200))),
    CONSTRAINT schedules_name_en_check CHECK (((char_length(name_en) >= 1) AND (char_length(name_en) <= 200)))
);

CREATE TABLE public.schema_functions (
    name text NOT NULL,
    hash text NOT NULL,
    headers text[] NOT NULL,
    release text NOT NULL
);

CREATE TABLE public.schema_migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL,
    compatible_since text
);

CREATE SEQUENCE public.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.schema_migrations_id_seq OWNED BY public.schema_migrations.id;

CREATE TABLE public.sealing_check (
    id uuid DEFAULT '00000000-0000-0000-0000-000000000001'::uuid NOT NULL,
    value text NOT NULL,
    CONSTRAINT sealing_check_id_check CHECK ((id = '00000000-0000-0000-0000-000000000001'::uuid))
);

CREATE TABLE public.series (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    partner_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    address_id uuid NOT NULL,
    service_id uuid NOT NULL,
    external_reference text,
    creation_hash bytea,
    first_date date NOT NULL,
    every_weeks integer NOT NULL,
    until_date date,
    visits integer,
    terms jsonb NOT NULL,
    pauses jsonb DEFAULT '[]'::jsonb NOT NULL,
    team_id uuid,
    notes text,
    access text,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    reason text,
    next_index integer DEFAULT 1 NOT NULL,
    next_date date NOT NULL,
    tried_on date,
    told_with uuid,
    version integer DEFAULT 1 NOT NULL,
    changed_in xid8 DEFAULT pg_current_xact_id() NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    known_before boolean DEFAULT false NOT NULL,
    CONSTRAINT series_check CHECK (((until_date IS NULL) OR (visits IS NULL))),
    CONSTRAINT series_check1 CHECK (((status = 'ACTIVE'::text) = (reason IS NULL))),
    CONSTRAINT series_every_weeks_check CHECK ((every_weeks = ANY (ARRAY[1, 2, 4]))),
    CONSTRAINT series_external_reference_check CHECK (((length(external_reference) >= 1) AND (length(external_reference) <= 150))),
    CONSTRAINT series_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'STOPPED'::text, 'ENDED'::text]))),
    CONSTRAINT series_visits_check CHECK (((visits >= 1) AND (visits <= 260)))
);

CREATE TABLE public.series_visits (
    series_id uuid NOT NULL,
    index integer NOT NULL,
    date date NOT NULL,
    start integer NOT NULL,
    state text NOT NULL,
    booking_id uuid,
    reason text,
    tried_on date NOT NULL,
    is_known boolean DEFAULT true NOT NULL,
    CONSTRAINT series_visits_check1 CHECK (((state <> 'PLACED'::text) OR (booking_id IS NOT NULL))),
    CONSTRAINT series_visits_check2 CHECK (((state = 'UNPLACED'::text) = (reason IS NOT NULL))),
    CONSTRAINT series_visits_index_check CHECK ((index > 0)),
    CONSTRAINT series_visits_state_check CHECK ((state = ANY (ARRAY['PLACED'::text, 'UNPLACED'::text, 'SKIPPED'::text])))
);

CREATE TABLE public.services (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    category_id uuid NOT NULL,
    name text NOT NULL,
    duration_minutes integer NOT NULL,
    default_price numeric(12,2) NOT NULL,
    zero_price_means text DEFAULT 'free'::text NOT NULL,
    assignment text DEFAULT 'instant'::text NOT NULL,
    minimum_notice_minutes integer DEFAULT 120 NOT NULL,
    booking_horizon_days integer DEFAULT 60 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    name_ar text,
    name_before text,
    name_ar_before text,
    coming_prices jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT services_assignment_check CHECK ((assignment = ANY (ARRAY['instant'::text, 'deferred'::text]))),
    CONSTRAINT services_booking_horizon_days_check CHECK (((booking_horizon_days >= 0) AND (booking_horizon_days <= 730))),
    CONSTRAINT services_coming_prices_check CHECK ((jsonb_typeof(coming_prices) = 'object'::text)),
    CONSTRAINT services_default_price_check CHECK ((default_price >= (0)::numeric)),
    CONSTRAINT services_duration_minutes_check CHECK (((duration_minutes >= 1) AND (duration_minutes <= 1440))),
    CONSTRAINT services_minimum_notice_minutes_check CHECK (((minimum_notice_minutes >= 0) AND (minimum_notice_minutes <= 525600))),
    CONSTRAINT services_name_ar_check CHECK (((char_length(name_ar) >= 1) AND (char_length(name_ar) <= 200))),
    CONSTRAINT services_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT services_zero_price_means_check CHECK ((zero_price_means = ANY (ARRAY['free'::text, 'deferred'::text])))
);

CREATE TABLE public.simulator_runs (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    partner_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    script text NOT NULL,
    every_seconds integer NOT NULL,
    started_by text NOT NULL,
    status text DEFAULT 'RUNNING'::text NOT NULL,
    reason_code text,
    reason_message text,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    "position" bigint NOT NULL,
    CONSTRAINT simulator_runs_check CHECK (((status = 'RUNNING'::text) = (finished_at IS NULL))),
    CONSTRAINT simulator_runs_check1 CHECK ((((status = 'FAILED'::text) = (reason_code IS NOT NULL)) AND ((reason_code IS NULL) = (reason_message IS NULL)))),
    CONSTRAINT simulator_runs_every_seconds_check CHECK (((every_seconds >= 0) AND (every_seconds <= 3600))),
    CONSTRAINT simulator_runs_script_check CHECK ((script = ANY (ARRAY['complete'::text, 'cannot-complete'::text, 'late-cancel'::text, 'no-show'::text, 'revisit'::text, 'operator-moves'::text, 'operator-cancels'::text, 'customer-pays'::text, 'payment-fails'::text, 'customer-pays-late'::text, 'customer-declines'::text, 'customer-declines-once'::text]))),
    CONSTRAINT simulator_runs_started_by_check CHECK ((started_by = ANY (ARRAY['request'::text, 'creation'::text, 'phone'::text]))),
    CONSTRAINT simulator_runs_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'STOPPED'::text])))
);

ALTER TABLE public.simulator_runs ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.simulator_runs_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.simulator_steps (
    run_id uuid NOT NULL,
    number integer NOT NULL,
    action text NOT NULL,
    appointment_status text,
    slot jsonb,
    status text DEFAULT 'WAITING'::text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    done_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    lease uuid,
    leased_until timestamp with time zone,
    CONSTRAINT simulator_steps_action_check CHECK ((action = ANY (ARRAY['appointment'::text, 'move'::text, 'cancel'::text, 'pay'::text, 'decline'::text, 'fail-payment'::text, 'late-cancel'::text, 'no-show'::text, 'close'::text, 'revisit'::text]))),
    CONSTRAINT simulator_steps_check CHECK (((action = 'appointment'::text) = (appointment_status IS NOT NULL))),
    CONSTRAINT simulator_steps_check1 CHECK (((slot IS NULL) OR (action = 'move'::text))),
    CONSTRAINT simulator_steps_check2 CHECK (((status = 'DONE'::text) = (done_at IS NOT NULL))),
    CONSTRAINT simulator_steps_number_check CHECK (((number >= 1) AND (number <= 20))),
    CONSTRAINT simulator_steps_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'DONE'::text, 'FAILED'::text, 'SKIPPED'::text])))
);

CREATE TABLE public.statement_accounts (
    partner_id uuid NOT NULL,
    buyer jsonb NOT NULL,
    opened_on date NOT NULL,
    updated_at timestamp with time zone NOT NULL
);

CREATE TABLE public.statement_files (
    statement_id uuid NOT NULL,
    format text NOT NULL,
    part integer NOT NULL,
    content bytea NOT NULL,
    CONSTRAINT statement_files_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'json'::text, 'html'::text])))
);

CREATE TABLE public.statement_lines (
    statement_id uuid NOT NULL,
    line integer NOT NULL,
    booking_id uuid NOT NULL,
    kind text NOT NULL,
    tracking_reference text NOT NULL,
    external_reference text,
    service_id uuid NOT NULL,
    service_name text NOT NULL,
    service_name_ar text,
    service_date date NOT NULL,
    gross numeric(12,2) NOT NULL,
    vat numeric(12,2) NOT NULL,
    vat_category text,
    vat_percent numeric(5,2),
    formula integer NOT NULL,
    document text,
    corrects uuid,
    CONSTRAINT statement_lines_check CHECK ((((document IS NULL) = (vat_category IS NULL)) AND ((vat_category IS NULL) = (vat_percent IS NULL)))),
    CONSTRAINT statement_lines_check1 CHECK (((document IS DISTINCT FROM 'CREDIT'::text) OR (corrects IS NOT NULL))),
    CONSTRAINT statement_lines_document_check CHECK ((document = ANY (ARRAY['INVOICE'::text, 'CREDIT'::text]))),
    CONSTRAINT statement_lines_gross_check CHECK ((gross <> (0)::numeric)),
    CONSTRAINT statement_lines_kind_check CHECK ((kind = ANY (ARRAY['VISIT'::text, 'FEE'::text, 'WAIVER'::text, 'COLLECTED'::text, 'GIVEN_BACK'::text])))
);

CREATE TABLE public.statement_payments (
    statement_id uuid NOT NULL,
    reference text NOT NULL,
    paid_on date NOT NULL,
    marked_by text NOT NULL,
    marked_at timestamp with time zone NOT NULL
);

CREATE TABLE public.statement_settings (
    is_only boolean DEFAULT true NOT NULL,
    seller jsonb NOT NULL,
    vat_rates jsonb NOT NULL,
    categories jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT statement_settings_is_only_check CHECK (is_only)
);

CREATE TABLE public.statements (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    month date NOT NULL,
    status text DEFAULT 'DRAFT'::text NOT NULL,
    number bigint,
    issued_at timestamp with time zone,
    issued_by text,
    seller jsonb,
    buyer jsonb,
    totals jsonb NOT NULL,
    seen_from xid8,
    history bigint,
    created_at timestamp with time zone NOT NULL,
    created_by text NOT NULL,
    CONSTRAINT statements_check CHECK (((status = 'ISSUED'::text) = ((number IS NOT NULL) AND (issued_at IS NOT NULL) AND (issued_by IS NOT NULL) AND (seller IS NOT NULL) AND (buyer IS NOT NULL) AND (seen_from IS NOT NULL) AND (history IS NOT NULL)))),
    CONSTRAINT statements_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
    CONSTRAINT statements_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'ISSUED'::text])))
);

CREATE TABLE public.team_services (
    team_id uuid NOT NULL,
    service_id uuid NOT NULL
);

CREATE TABLE public.team_shifts (
    team_id uuid NOT NULL,
    weekday smallint NOT NULL,
    start_minute smallint NOT NULL,
    end_minute smallint NOT NULL,
    CONSTRAINT team_shifts_end_minute_check CHECK (((end_minute >= 0) AND (end_minute <= 1439))),
    CONSTRAINT team_shifts_start_minute_check CHECK (((start_minute >= 0) AND (start_minute <= 1439))),
    CONSTRAINT team_shifts_weekday_check CHECK (((weekday >= 1) AND (weekday <= 7)))
);

CREATE TABLE public.team_time_off (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    team_id uuid NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT team_time_off_check CHECK ((ends_at > starts_at)),
    CONSTRAINT team_time_off_reason_check CHECK ((char_length(reason) <= 500))
);

CREATE TABLE public.team_zones (
    team_id uuid NOT NULL,
    zone_id uuid NOT NULL
);

CREATE TABLE public.teams (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    lock_number integer NOT NULL,
    name text NOT NULL,
    travel_buffer_minutes integer DEFAULT 0 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    home_zone_id uuid,
    name_ar text,
    phone text,
    CONSTRAINT teams_name_ar_check CHECK (((char_length(name_ar) >= 1) AND (char_length(name_ar) <= 200))),
    CONSTRAINT teams_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT teams_travel_buffer_minutes_check CHECK (((travel_buffer_minutes >= 0) AND (travel_buffer_minutes <= 480)))
);

ALTER TABLE public.teams ALTER COLUMN lock_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.teams_lock_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tracking_keys (
    id uuid DEFAULT '00000000-0000-0000-0000-000000000001'::uuid NOT NULL,
    value text NOT NULL,
    CONSTRAINT tracking_keys_id_check CHECK ((id = '00000000-0000-0000-0000-000000000001'::uuid))
);

CREATE TABLE public.unplaced_events (
    "position" bigint NOT NULL,
    partner_id uuid NOT NULL,
    event_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000');

CREATE TABLE public.visit_calls (
    id bigint NOT NULL,
    appointment_id uuid NOT NULL,
    answer text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    called_at timestamp with time zone NOT NULL,
    called_by text NOT NULL,
    CONSTRAINT visit_calls_answer_check CHECK ((answer = ANY (ARRAY['AGREED'::text, 'DECLINED'::text, 'NO_ANSWER'::text, 'CALL_BACK'::text])))
);

ALTER TABLE public.visit_calls ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.visit_calls_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.webhook_deliveries (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    subscription_id uuid NOT NULL,
    event_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    event text NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    attempt_count integer DEFAULT 0 NOT NULL,
    retries integer DEFAULT 0 NOT NULL,
    status_code integer,
    error text,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    due_at timestamp with time zone,
    finished_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    replay integer DEFAULT 0 NOT NULL,
    failed_at timestamp with time zone GENERATED ALWAYS AS (
CASE
    WHEN (status = 'FAILED'::text) THEN finished_at
    ELSE NULL::timestamp with time zone
END) STORED
)
PARTITION BY RANGE (created_at);

CREATE TABLE public.webhook_deliveries_default (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    subscription_id uuid NOT NULL,
    event_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    event text NOT NULL,
    status text DEFAULT 'PENDING'::text NOT NULL,
    attempt_count integer DEFAULT 0 NOT NULL,
    retries integer DEFAULT 0 NOT NULL,
    status_code integer,
    error text,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    due_at timestamp with time zone,
    finished_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    replay integer DEFAULT 0 NOT NULL,
    failed_at timestamp with time zone GENERATED ALWAYS AS (
CASE
    WHEN (status = 'FAILED'::text) THEN finished_at
    ELSE NULL::timestamp with time zone
END) STORED,
    CONSTRAINT webhook_deliveries_check CHECK (((status = 'PENDING'::text) = (due_at IS NOT NULL))),
    CONSTRAINT webhook_deliveries_check1 CHECK (((status = 'PENDING'::text) = (finished_at IS NULL))),
    CONSTRAINT webhook_deliveries_replay_check CHECK ((replay >= 0)),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.02', fillfactor='30');

CREATE TABLE public.webhook_faults (
    subscription_id uuid NOT NULL,
    kind text NOT NULL,
    remaining integer NOT NULL,
    delay_seconds integer,
    set_at timestamp with time zone NOT NULL,
    CONSTRAINT webhook_faults_check CHECK ((((kind = 'delay'::text) = (delay_seconds IS NOT NULL)) AND ((delay_seconds >= 1) AND (delay_seconds <= 3600)))),
    CONSTRAINT webhook_faults_kind_check CHECK ((kind = ANY (ARRAY['lose'::text, 'delay'::text, 'duplicate'::text, 'reorder'::text, 'bad-signature'::text]))),
    CONSTRAINT webhook_faults_remaining_check CHECK (((remaining >= 1) AND (remaining <= 100)))
);

CREATE TABLE public.webhook_faulty_deliveries (
    delivery_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    overtaken_by uuid,
    treated_at timestamp with time zone NOT NULL,
    "position" bigint NOT NULL,
    CONSTRAINT webhook_faulty_deliveries_state_check CHECK ((state = ANY (ARRAY['HELD'::text, 'TAKEN'::text, 'DONE'::text])))
);

ALTER TABLE public.webhook_faulty_deliveries ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_faulty_deliveries_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.webhook_pending (
    delivery_id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    lease uuid,
    leased_until timestamp with time zone
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000', fillfactor='45');

CREATE TABLE public.webhook_subscriptions (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    partner_id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    status text DEFAULT 'ACTIVE'::text NOT NULL,
    secret text NOT NULL,
    failures_in_a_row integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    previous_secret text,
    previous_secret_until timestamp with time zone,
    CONSTRAINT webhook_subscriptions_events_check CHECK (((cardinality(events) >= 1) AND (cardinality(events) <= 50))),
    CONSTRAINT webhook_subscriptions_previous_secret_check CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL))),
    CONSTRAINT webhook_subscriptions_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text]))),
    CONSTRAINT webhook_subscriptions_url_check CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2048)))
);

CREATE TABLE public.zone_overlaps (
    zone_id uuid NOT NULL,
    other_id uuid NOT NULL,
    confirmed_at timestamp with time zone NOT NULL,
    CONSTRAINT zone_overlaps_check CHECK ((zone_id < other_id))
);

CREATE TABLE public.zone_services (
    zone_id uuid NOT NULL,
    service_id uuid NOT NULL
);

CREATE TABLE public.zones (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    area polygon NOT NULL,
    area_geojson jsonb NOT NULL,
    priority integer DEFAULT 100 NOT NULL,
    slot_grid_minutes integer DEFAULT 30 NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    name_ar text,
    CONSTRAINT zones_name_ar_check CHECK (((char_length(name_ar) >= 1) AND (char_length(name_ar) <= 200))),
    CONSTRAINT zones_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT zones_slot_grid_minutes_check CHECK (((slot_grid_minutes >= 5) AND (slot_grid_minutes <= 1440)))
);

ALTER TABLE ONLY public.event_places ATTACH PARTITION public.event_places_default DEFAULT;

ALTER TABLE ONLY public.events ATTACH PARTITION public.events_default DEFAULT;

ALTER TABLE ONLY public.request_log ATTACH PARTITION public.request_log_default DEFAULT;

ALTER TABLE ONLY public.webhook_deliveries ATTACH PARTITION public.webhook_deliveries_default DEFAULT;

ALTER TABLE ONLY public.schema_migrations ALTER COLUMN id SET DEFAULT nextval('public.schema_migrations_id_seq'::regclass);

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_id_contact_partner_key UNIQUE (id, contact_id, partner_id);

ALTER TABLE ONLY public.addresses REPLICA IDENTITY USING INDEX addresses_id_contact_partner_key;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_previous_hash_key UNIQUE (previous_hash);

ALTER TABLE ONLY public.appointments
    ADD CONSTRAINT appointments_booking_key UNIQUE (booking_id);

ALTER TABLE ONLY public.appointments
    ADD CONSTRAINT appointments_no_overlap EXCLUDE USING gist (team_id WITH =, tstzrange(starts_at, busy_until) WITH &&) WHERE ((status <> 'Cancelled'::text));

ALTER TABLE ONLY public.appointments
    ADD CONSTRAINT appointments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_number_key UNIQUE (number);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_position_key UNIQUE ("position");

ALTER TABLE ONLY public.audit_texts
    ADD CONSTRAINT audit_texts_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.backup_reports
    ADD CONSTRAINT backup_reports_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.booking_access
    ADD CONSTRAINT booking_access_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.cancellation_reasons
    ADD CONSTRAINT cancellation_reasons_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_code_key UNIQUE (code);

ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.certifications
    ADD CONSTRAINT certifications_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.certifications
    ADD CONSTRAINT certifications_token_key UNIQUE (token);

ALTER TABLE ONLY public.change_counters
    ADD CONSTRAINT change_counters_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_id_partner_key UNIQUE (id, partner_id);

ALTER TABLE ONLY public.contacts REPLICA IDENTITY USING INDEX contacts_id_partner_key;

ALTER TABLE ONLY public.crew_links
    ADD CONSTRAINT crew_links_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.crew_links
    ADD CONSTRAINT crew_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crew_sessions
    ADD CONSTRAINT crew_sessions_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.crew_sessions
    ADD CONSTRAINT crew_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.crew_steps
    ADD CONSTRAINT crew_steps_pkey PRIMARY KEY (team_id, key);

ALTER TABLE ONLY public.customer_messages
    ADD CONSTRAINT customer_messages_booking_id_kind_version_key UNIQUE (booking_id, kind, version);

ALTER TABLE ONLY public.customer_messages_cursor
    ADD CONSTRAINT customer_messages_cursor_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.customer_messages
    ADD CONSTRAINT customer_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_places_default
    ADD CONSTRAINT event_places_pkey PRIMARY KEY (place);

ALTER TABLE ONLY public.events_default
    ADD CONSTRAINT events_booking_sequence_key UNIQUE (booking_id, sequence);

ALTER TABLE ONLY public.events_default
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.gateway_payments
    ADD CONSTRAINT gateway_payments_pkey PRIMARY KEY (payment_id, reference);

ALTER TABLE ONLY public.histories
    ADD CONSTRAINT histories_id_key UNIQUE (id);

ALTER TABLE ONLY public.histories
    ADD CONSTRAINT histories_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (partner_id, key);

ALTER TABLE ONLY public.operator_enrolments
    ADD CONSTRAINT operator_enrolments_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.operator_enrolments
    ADD CONSTRAINT operator_enrolments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operator_links
    ADD CONSTRAINT operator_links_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.operator_links
    ADD CONSTRAINT operator_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operator_tokens
    ADD CONSTRAINT operator_tokens_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.operator_tokens
    ADD CONSTRAINT operator_tokens_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.page_files
    ADD CONSTRAINT page_files_pkey PRIMARY KEY (base, name);

ALTER TABLE ONLY public.partner_services
    ADD CONSTRAINT partner_services_pkey PRIMARY KEY (partner_id, service_id);

ALTER TABLE ONLY public.partners
    ADD CONSTRAINT partners_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_booking_key UNIQUE (booking_id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_gateway_reference_key UNIQUE (gateway, gateway_reference);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.policies
    ADD CONSTRAINT policies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.policies
    ADD CONSTRAINT policies_version_key UNIQUE (policy_id, version);

ALTER TABLE ONLY public.policy_assignments
    ADD CONSTRAINT policy_assignments_key UNIQUE NULLS NOT DISTINCT (partner_id, service_id);

ALTER TABLE ONLY public.portal_links
    ADD CONSTRAINT portal_links_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.portal_links
    ADD CONSTRAINT portal_links_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_link_id_key UNIQUE (link_id);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pricing_tiers
    ADD CONSTRAINT pricing_tiers_no_overlap EXCLUDE USING gist (int8range((min_minutes)::bigint, (max_minutes)::bigint, '[]'::text) WITH &&);

ALTER TABLE ONLY public.pricing_tiers
    ADD CONSTRAINT pricing_tiers_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.privacy_requests
    ADD CONSTRAINT privacy_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sandbox_checkouts
    ADD CONSTRAINT sandbox_checkouts_payment_key UNIQUE (payment_id);

ALTER TABLE ONLY public.sandbox_checkouts
    ADD CONSTRAINT sandbox_checkouts_pkey PRIMARY KEY (token);

ALTER TABLE ONLY public.sandbox_clock
    ADD CONSTRAINT sandbox_clock_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.schedule_periods
    ADD CONSTRAINT schedule_periods_pkey PRIMARY KEY (schedule_id, first_date);

ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT schedules_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sealing_check
    ADD CONSTRAINT sealing_check_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.series_visits
    ADD CONSTRAINT series_visits_booking_id_key UNIQUE (booking_id);

ALTER TABLE ONLY public.series_visits
    ADD CONSTRAINT series_visits_pkey PRIMARY KEY (series_id, index);

ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.simulator_runs
    ADD CONSTRAINT simulator_runs_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.simulator_steps
    ADD CONSTRAINT simulator_steps_pkey PRIMARY KEY (run_id, number);

ALTER TABLE ONLY public.statement_accounts
    ADD CONSTRAINT statement_accounts_pkey PRIMARY KEY (partner_id);

ALTER TABLE ONLY public.statement_files
    ADD CONSTRAINT statement_files_pkey PRIMARY KEY (statement_id, format, part);

ALTER TABLE ONLY public.statement_lines
    ADD CONSTRAINT statement_lines_pkey PRIMARY KEY (statement_id, line);

ALTER TABLE ONLY public.statement_payments
    ADD CONSTRAINT statement_payments_pkey PRIMARY KEY (statement_id);

ALTER TABLE ONLY public.statement_settings
    ADD CONSTRAINT statement_settings_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.statements
    ADD CONSTRAINT statements_number_key UNIQUE (number);

ALTER TABLE ONLY public.statements
    ADD CONSTRAINT statements_partner_id_month_key UNIQUE (partner_id, month);

ALTER TABLE ONLY public.statements
    ADD CONSTRAINT statements_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.team_services
    ADD CONSTRAINT team_services_pkey PRIMARY KEY (team_id, service_id);

ALTER TABLE ONLY public.team_shifts
    ADD CONSTRAINT team_shifts_pkey PRIMARY KEY (team_id, weekday, start_minute);

ALTER TABLE ONLY public.team_time_off
    ADD CONSTRAINT team_time_off_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.team_zones
    ADD CONSTRAINT team_zones_pkey PRIMARY KEY (team_id, zone_id);

ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_lock_number_key UNIQUE (lock_number);

ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tracking_keys
    ADD CONSTRAINT tracking_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.visit_calls
    ADD CONSTRAINT visit_calls_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_deliveries_default
    ADD CONSTRAINT webhook_deliveries_event_subscription_key UNIQUE (event_id, subscription_id, replay);

ALTER TABLE ONLY public.webhook_deliveries_default
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook_faults
    ADD CONSTRAINT webhook_faults_pkey PRIMARY KEY (subscription_id, kind);

ALTER TABLE ONLY public.webhook_faulty_deliveries
    ADD CONSTRAINT webhook_faulty_deliveries_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.webhook_pending
    ADD CONSTRAINT webhook_pending_pkey PRIMARY KEY (delivery_id);

ALTER TABLE ONLY public.webhook_subscriptions
    ADD CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.zone_overlaps
    ADD CONSTRAINT zone_overlaps_pkey PRIMARY KEY (zone_id, other_id);

ALTER TABLE ONLY public.zone_services
    ADD CONSTRAINT zone_services_pkey PRIMARY KEY (zone_id, service_id);

ALTER TABLE ONLY public.zones
    ADD CONSTRAINT zones_pkey PRIMARY KEY (id);

CREATE INDEX addresses_contact_idx ON public.addresses USING btree (contact_id, created_at, id);

CREATE UNIQUE INDEX addresses_door_key ON public.addresses USING btree (contact_id, round(latitude, 6), round(longitude, 6), lower(city_name), lower(district_name), lower(street_name), short_address, lower(building_number), lower(unit)) NULLS NOT DISTINCT;

CREATE INDEX addresses_folded_places_idx ON public.addresses USING gin (public.search_fold(((COALESCE(district_name, ''::text) || ' '::text) || COALESCE(street_name, ''::text))) public.gin_trgm_ops);

CREATE INDEX addresses_places_idx ON public.addresses USING gin (public.search_text(((COALESCE(district_name, ''::text) || ' '::text) || COALESCE(street_name, ''::text))) public.gin_trgm_ops);

CREATE INDEX addresses_short_idx ON public.addresses USING btree (short_address) WHERE (short_address IS NOT NULL);

CREATE INDEX api_keys_partner_idx ON public.api_keys USING btree (partner_id, created_at DESC, id DESC);

CREATE INDEX appointments_held_idx ON public.appointments USING btree (team_id, starts_at) WHERE (status = 'Held'::text);

CREATE UNIQUE INDEX appointments_name_key ON public.appointments USING btree (name text_pattern_ops);

CREATE INDEX appointments_open_idx ON public.appointments USING btree (starts_at, id) WHERE (status <> ALL (ARRAY['Completed'::text, 'Cancelled'::text]));

CREATE INDEX appointments_starts_idx ON public.appointments USING btree (starts_at, id) INCLUDE (team_id, ends_at, busy_until, status);

CREATE INDEX appointments_team_starts_idx ON public.appointments USING btree (team_id, starts_at) INCLUDE (busy_until) WHERE (status <> 'Cancelled'::text);

CREATE INDEX appointments_unassigned_idx ON public.appointments USING btree (starts_at) WHERE (status = 'New'::text);

CREATE INDEX appointments_work_reached_idx ON public.appointments USING btree (updated_at) WHERE (work_reached IS NOT NULL);

CREATE INDEX audit_log_group_idx ON public.audit_log USING btree (group_id) WHERE (group_id IS NOT NULL);

CREATE INDEX audit_log_target_idx ON public.audit_log USING btree (target, "position" DESC);

CREATE INDEX audit_texts_booking_id_idx ON public.audit_texts USING btree (booking_id);

CREATE INDEX bookings_contact_idx ON public.bookings USING btree (contact_id);

CREATE INDEX bookings_created_idx ON public.bookings USING btree (created_at DESC, id DESC);

CREATE UNIQUE INDEX bookings_external_reference_key ON public.bookings USING btree (partner_id, external_reference) WHERE ((external_reference IS NOT NULL) AND (NOT reference_released));

CREATE INDEX bookings_late_untold_idx ON public.bookings USING btree (id) WHERE late_untold;

CREATE INDEX bookings_partner_changed_in_idx ON public.bookings USING btree (partner_id, changed_in);

CREATE INDEX bookings_partner_created_idx ON public.bookings USING btree (partner_id, created_at, id) INCLUDE (service_date, status, payment_status, service_id, updated_at);

CREATE INDEX bookings_partner_created_in_idx ON public.bookings USING btree (partner_id, created_in);

CREATE INDEX bookings_partner_date_idx ON public.bookings USING btree (partner_id, service_date, status);

CREATE INDEX bookings_partner_reference_idx ON public.bookings USING btree (partner_id, external_reference, id);

CREATE INDEX bookings_partner_updated_idx ON public.bookings USING btree (partner_id, updated_at, id);

CREATE INDEX bookings_reference_parts_idx ON public.bookings USING gin (external_reference public.gin_trgm_ops);

CREATE INDEX bookings_reference_start_idx ON public.bookings USING btree (lower(external_reference) text_pattern_ops) WHERE (external_reference IS NOT NULL);

CREATE INDEX bookings_undecided_idx ON public.bookings USING btree (cancelled_at) WHERE ((fees @> '[{"undecided": true}]'::jsonb) AND (NOT (fees @> '[{"action": "decide"}]'::jsonb)));

CREATE INDEX bookings_waiting_idx ON public.bookings USING btree (id) WHERE (status = 'waiting payment'::text);

CREATE INDEX bookings_waived_idx ON public.bookings USING btree (updated_at) WHERE (fees @> '[{"action": "waive"}]'::jsonb);

CREATE UNIQUE INDEX certifications_running_key ON public.certifications USING btree (partner_id) WHERE (status = 'RUNNING'::text);

CREATE INDEX contacts_erasure_idx ON public.contacts USING btree (erasure_id) WHERE (erasure_id IS NOT NULL);

CREATE INDEX contacts_folded_name_idx ON public.contacts USING btree (public.search_fold(name) text_pattern_ops) INCLUDE (name, id);

CREATE INDEX contacts_folded_words_idx ON public.contacts USING gin (to_tsvector('simple'::regconfig, ((public.search_plain(name) || ' '::text) || public.search_fold(name))));

CREATE INDEX contacts_name_idx ON public.contacts USING btree (public.search_text(name) text_pattern_ops) INCLUDE (name, id);

CREATE UNIQUE INDEX contacts_partner_phone_key ON public.contacts USING btree (phone text_pattern_ops, partner_id);

CREATE INDEX contacts_phone_end_idx ON public.contacts USING btree (reverse(phone) text_pattern_ops);

CREATE INDEX contacts_words_idx ON public.contacts USING gin (to_tsvector('simple'::regconfig, public.search_text(name)));

CREATE INDEX crew_links_team_idx ON public.crew_links USING btree (team_id, created_at DESC, id DESC);

CREATE INDEX crew_sessions_link_idx ON public.crew_sessions USING btree (link_id);

CREATE INDEX crew_steps_link_idx ON public.crew_steps USING btree (link_id);

CREATE INDEX crew_steps_received_idx ON public.crew_steps USING btree (received_at DESC);

CREATE INDEX crew_steps_refused_idx ON public.crew_steps USING btree (received_at DESC) WHERE (refusal IS NOT NULL);

CREATE INDEX customer_messages_created_idx ON public.customer_messages USING btree (created_at);

CREATE INDEX customer_messages_due_idx ON public.customer_messages USING btree (due_at) WHERE (status = 'QUEUED'::text);

CREATE INDEX customer_messages_failed_idx ON public.customer_messages USING btree (finished_at DESC) WHERE (status = 'FAILED'::text);

CREATE INDEX customer_messages_sending_idx ON public.customer_messages USING btree (leased_until) WHERE (status = 'SENDING'::text);

CREATE INDEX event_places_partner_idx ON public.event_places_default USING btree (partner_id, place);

CREATE UNIQUE INDEX holds_customer_key ON public.holds USING btree (contact_id, service_id) WHERE (ended_at IS NULL);

CREATE INDEX holds_partner_idx ON public.holds USING btree (partner_id, expires_at) WHERE (ended_at IS NULL);

CREATE UNIQUE INDEX holds_reference_key ON public.holds USING btree (partner_id, reference) WHERE ((ended_at IS NULL) AND (reference IS NOT NULL));

CREATE INDEX holds_unbooked_idx ON public.holds USING btree (ended_at) WHERE (booking_id IS NULL);

CREATE INDEX idempotency_keys_expiry_idx ON public.idempotency_keys USING btree (expires_at);

CREATE INDEX operator_enrolments_token_idx ON public.operator_enrolments USING btree (token_id);

CREATE UNIQUE INDEX operator_links_token_key ON public.operator_links USING btree (token_id) WHERE (used_at IS NULL);

CREATE INDEX operator_sessions_enrolment_idx ON public.operator_sessions USING btree (enrolment_id);

CREATE INDEX operator_sessions_token_idx ON public.operator_sessions USING btree (token_id);

CREATE INDEX partner_services_service_idx ON public.partner_services USING btree (service_id);

CREATE INDEX partners_created_at_idx ON public.partners USING btree (created_at DESC, id DESC);

CREATE UNIQUE INDEX partners_name_key ON public.partners USING btree (lower(name));

CREATE INDEX payments_created_idx ON public.payments USING btree (created_at DESC, id DESC);

CREATE INDEX payments_due_idx ON public.payments USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX payments_partner_idx ON public.payments USING btree (partner_id, created_at DESC, id DESC);

CREATE INDEX payments_refund_idx ON public.payments USING btree (refund_status, created_at DESC) WHERE (refund_status <> 'NONE'::text);

CREATE INDEX payments_to_decide_idx ON public.payments USING btree (created_at DESC, id DESC) WHERE refund_to_decide;

CREATE INDEX payments_unsent_idx ON public.payments USING btree (created_at) WHERE ((status = 'CREATED'::text) OR ((status = 'OPEN'::text) AND (sent_at IS NULL)));

CREATE INDEX payments_waiting_idx ON public.payments USING btree (status) WHERE (status = ANY (ARRAY['CREATED'::text, 'OPEN'::text]));

CREATE INDEX policy_assignments_policy_idx ON public.policy_assignments USING btree (policy_id);

CREATE INDEX policy_assignments_service_idx ON public.policy_assignments USING btree (service_id);

CREATE INDEX portal_links_partner_idx ON public.portal_links USING btree (partner_id, created_at DESC, id DESC);

CREATE INDEX portal_sessions_partner_idx ON public.portal_sessions USING btree (partner_id);

CREATE INDEX privacy_requests_due_idx ON public.privacy_requests USING btree (due_at) WHERE (status = 'OPEN'::text);

CREATE UNIQUE INDEX privacy_requests_open_key ON public.privacy_requests USING btree (kind, phone, partner_id) NULLS NOT DISTINCT WHERE (status = 'OPEN'::text);

CREATE INDEX privacy_requests_partner_idx ON public.privacy_requests USING btree (partner_id) WHERE (partner_id IS NOT NULL);

CREATE INDEX privacy_requests_phone_hash_idx ON public.privacy_requests USING btree (phone_hash);

CREATE INDEX privacy_requests_received_idx ON public.privacy_requests USING btree (received_at DESC, id DESC);

CREATE INDEX request_log_answered_idx ON ONLY public.request_log USING btree (partner_id, answered_at);

CREATE INDEX request_log_booking_idx ON ONLY public.request_log USING btree (booking_id) WHERE (booking_id IS NOT NULL);

CREATE INDEX request_log_default_booking_id_idx ON public.request_log_default USING btree (booking_id) WHERE (booking_id IS NOT NULL);

CREATE INDEX request_log_id_idx ON ONLY public.request_log USING btree (id);

CREATE INDEX request_log_default_id_idx ON public.request_log_default USING btree (id);

CREATE INDEX request_log_default_partner_id_answered_at_idx ON public.request_log_default USING btree (partner_id, answered_at);

CREATE INDEX request_log_partner_idx ON ONLY public.request_log USING btree (partner_id, id);

CREATE INDEX request_log_default_partner_id_id_idx ON public.request_log_default USING btree (partner_id, id);

CREATE INDEX request_log_request_idx ON ONLY public.request_log USING btree (request_id);

CREATE INDEX request_log_default_request_id_idx ON public.request_log_default USING btree (request_id);

CREATE INDEX series_contact_idx ON public.series USING btree (contact_id);

CREATE INDEX series_due_idx ON public.series USING btree (next_date) WHERE (status <> 'ENDED'::text);

CREATE UNIQUE INDEX series_external_reference_key ON public.series USING btree (partner_id, external_reference);

CREATE INDEX series_partner_idx ON public.series USING btree (partner_id, created_at, id);

CREATE INDEX series_visits_unplaced_idx ON public.series_visits USING btree (tried_on, date) WHERE (state = 'UNPLACED'::text);

CREATE INDEX services_category_idx ON public.services USING btree (category_id);

CREATE INDEX simulator_runs_booking_idx ON public.simulator_runs USING btree (booking_id, "position");

CREATE UNIQUE INDEX simulator_runs_customer_key ON public.simulator_runs USING btree (booking_id) WHERE (started_by = 'phone'::text);

CREATE UNIQUE INDEX simulator_runs_running_key ON public.simulator_runs USING btree (booking_id) WHERE ((status = 'RUNNING'::text) AND (started_by <> 'phone'::text));

CREATE INDEX simulator_steps_due_idx ON public.simulator_steps USING btree (due_at) WHERE (status = 'WAITING'::text);

CREATE INDEX statement_lines_booking_idx ON public.statement_lines USING btree (booking_id);

CREATE INDEX team_services_service_idx ON public.team_services USING btree (service_id);

CREATE INDEX team_time_off_team_idx ON public.team_time_off USING btree (team_id, starts_at);

CREATE INDEX team_zones_zone_idx ON public.team_zones USING btree (zone_id);

CREATE UNIQUE INDEX teams_name_key ON public.teams USING btree (lower(name));

CREATE INDEX visit_calls_appointment_idx ON public.visit_calls USING btree (appointment_id, id);

CREATE INDEX webhook_deliveries_count_idx ON public.webhook_deliveries_default USING btree (partner_id, subscription_id);

CREATE INDEX webhook_deliveries_failed_at_idx ON public.webhook_deliveries_default USING btree (subscription_id, failed_at) WHERE (failed_at IS NOT NULL);

CREATE INDEX webhook_deliveries_partner_idx ON public.webhook_deliveries_default USING btree (partner_id, created_at DESC, id DESC);

CREATE INDEX webhook_deliveries_subscription_idx ON public.webhook_deliveries_default USING btree (subscription_id, created_at DESC, id DESC);

CREATE INDEX webhook_faulty_deliveries_open_idx ON public.webhook_faulty_deliveries USING btree (subscription_id) WHERE (state <> 'DONE'::text);

CREATE INDEX webhook_faulty_deliveries_subscription_idx ON public.webhook_faulty_deliveries USING btree (subscription_id, "position");

CREATE INDEX webhook_pending_due_idx ON public.webhook_pending USING btree (subscription_id, due_at, delivery_id);

CREATE INDEX webhook_subscriptions_partner_idx ON public.webhook_subscriptions USING btree (partner_id, created_at DESC, id DESC) WHERE (removed_at IS NULL);

CREATE INDEX zone_services_service_idx ON public.zone_services USING btree (service_id);

CREATE INDEX zones_area_idx ON public.zones USING gist (area);

CREATE UNIQUE INDEX zones_name_key ON public.zones USING btree (lower(name));

ALTER INDEX public.request_log_booking_idx ATTACH PARTITION public.request_log_default_booking_id_idx;

ALTER INDEX public.request_log_id_idx ATTACH PARTITION public.request_log_default_id_idx;

ALTER INDEX public.request_log_answered_idx ATTACH PARTITION public.request_log_default_partner_id_answered_at_idx;

ALTER INDEX public.request_log_partner_idx ATTACH PARTITION public.request_log_default_partner_id_id_idx;

ALTER INDEX public.request_log_request_idx ATTACH PARTITION public.request_log_default_request_id_idx;

CREATE TRIGGER api_keys_change BEFORE INSERT OR DELETE OR UPDATE OF hash, previous_hash, previous_expires_at, permissions, ip_allowlist, expires_at, status ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('access');

CREATE TRIGGER appointments_ended AFTER UPDATE ON public.appointments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.expire_payments_of_ended();

CREATE TRIGGER appointments_hasten_payment AFTER UPDATE OF starts_at ON public.appointments FOR EACH ROW WHEN ((new.starts_at < old.starts_at)) EXECUTE FUNCTION public.hasten_payment();

CREATE TRIGGER appointments_refuse_lost_references AFTER INSERT ON public.appointments REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_lost_references();

CREATE TRIGGER appointments_work_began BEFORE UPDATE OF status ON public.appointments FOR EACH ROW WHEN (((new.began_at IS NULL) AND ((new.status = ANY (ARRAY['In Progress'::text, 'Finished'::text, 'Completed'::text])) OR (old.status = ANY (ARRAY['In Progress'::text, 'Finished'::text, 'Completed'::text]))))) EXECUTE FUNCTION public.note_work_began();

CREATE TRIGGER appointments_work_reached BEFORE UPDATE OF status ON public.appointments FOR EACH ROW WHEN (((new.status = 'Cancelled'::text) AND ((old.status = ANY (ARRAY['In Progress'::text, 'Finished'::text, 'Completed'::text])) OR ((old.status = 'Cannot Complete'::text) AND (old.began_at IS NOT NULL))))) EXECUTE FUNCTION public.note_work_reached();

CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION public.refuse_audit_change();

CREATE CONSTRAINT TRIGGER audit_log_chain AFTER INSERT ON public.audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.chain_audit_entry();

CREATE TRIGGER audit_log_never_emptied BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change();

CREATE TRIGGER bookings_cancel_payment AFTER UPDATE OF status ON public.bookings FOR EACH ROW WHEN (((new.status = 'canceled'::text) AND (old.status <> 'canceled'::text) AND (new.payment_responsibility = 'PLATFORM'::text))) EXECUTE FUNCTION public.cancel_payment();

CREATE TRIGGER bookings_lower_payment AFTER UPDATE OF fees ON public.bookings FOR EACH ROW WHEN (((new.status = 'canceled'::text) AND (old.status = 'canceled'::text) AND (new.fees IS DISTINCT FROM old.fees) AND (new.payment_responsibility = 'PLATFORM'::text))) EXECUTE FUNCTION public.lower_payment();

CREATE TRIGGER bookings_release_reference BEFORE INSERT OR UPDATE OF status ON public.bookings FOR EACH ROW WHEN ((new.status = 'failed'::text)) EXECUTE FUNCTION public.release_reference();

CREATE TRIGGER bookings_request_payment AFTER INSERT ON public.bookings FOR EACH ROW WHEN ((new.status = 'waiting payment'::text)) EXECUTE FUNCTION public.request_payment();

CREATE TRIGGER bookings_stamp_change BEFORE UPDATE ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.stamp_change();

CREATE TRIGGER categories_change BEFORE INSERT OR DELETE OR UPDATE ON public.categories FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER events_fan_out AFTER INSERT ON public.events REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION public.fan_out_events();

CREATE TRIGGER holds_forget_place BEFORE UPDATE OF ended_at ON public.holds FOR EACH ROW WHEN (((new.ended_at IS NOT NULL) AND (new.latitude IS NOT NULL))) EXECUTE FUNCTION public.forget_place();

CREATE TRIGGER note_series_change BEFORE UPDATE ON public.series FOR EACH ROW EXECUTE FUNCTION public.note_series_change();

CREATE TRIGGER operator_tokens_change BEFORE INSERT OR DELETE OR UPDATE OF hash, role, status, expires_at ON public.operator_tokens FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('access');

CREATE TRIGGER partner_services_change BEFORE INSERT OR DELETE OR UPDATE ON public.partner_services FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER partners_catalogue_change BEFORE UPDATE OF service_restricted ON public.partners FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER partners_change BEFORE INSERT OR DELETE OR UPDATE ON public.partners FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('access');

CREATE TRIGGER payments_note_change AFTER UPDATE ON public.payments FOR EACH ROW WHEN (((new.status <> old.status) OR (new.refund_status <> old.refund_status) OR (new.refund_to_decide <> old.refund_to_decide) OR (new.paid_amount IS DISTINCT FROM old.paid_amount) OR (new.refunded_amount IS DISTINCT FROM old.refunded_amount))) EXECUTE FUNCTION public.note_change('payment_changes');

CREATE TRIGGER payments_touch_booking AFTER UPDATE ON public.payments FOR EACH ROW WHEN ((((old.link_url IS NULL) AND (new.link_url IS NOT NULL)) OR (new.refund_status <> old.refund_status) OR (new.refund_to_decide <> old.refund_to_decide) OR (new.refund_amount IS DISTINCT FROM old.refund_amount) OR (new.refunded_amount IS DISTINCT FROM old.refunded_amount) OR (new.kept_amount IS DISTINCT FROM old.kept_amount))) EXECUTE FUNCTION public.touch_booking();

CREATE TRIGGER schedule_periods_change BEFORE INSERT OR DELETE OR UPDATE ON public.schedule_periods FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER schedules_change BEFORE INSERT OR DELETE OR UPDATE ON public.schedules FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER schedules_version BEFORE UPDATE ON public.schedules FOR EACH ROW EXECUTE FUNCTION public.count_version();

CREATE TRIGGER services_change BEFORE INSERT OR DELETE OR UPDATE ON public.services FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER services_sold_names BEFORE UPDATE OF name, name_ar ON public.services FOR EACH ROW WHEN (((old.name_before IS NULL) AND ((old.name IS DISTINCT FROM new.name) OR (old.name_ar IS DISTINCT FROM new.name_ar)))) EXECUTE FUNCTION public.keep_sold_names();

CREATE TRIGGER statement_files_never_change BEFORE INSERT OR DELETE OR UPDATE ON public.statement_files FOR EACH ROW EXECUTE FUNCTION public.refuse_statement_change();

CREATE TRIGGER statement_files_never_emptied BEFORE TRUNCATE ON public.statement_files FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_statement_change();

CREATE TRIGGER statement_lines_never_change BEFORE INSERT OR DELETE OR UPDATE ON public.statement_lines FOR EACH ROW EXECUTE FUNCTION public.refuse_statement_change();

CREATE TRIGGER statement_lines_never_emptied BEFORE TRUNCATE ON public.statement_lines FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_statement_change();

CREATE TRIGGER statements_never_change BEFORE DELETE OR UPDATE ON public.statements FOR EACH ROW EXECUTE FUNCTION public.refuse_statement_change();

CREATE TRIGGER statements_never_emptied BEFORE TRUNCATE ON public.statements FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_statement_change();

CREATE TRIGGER team_services_change BEFORE INSERT OR DELETE OR UPDATE ON public.team_services FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER team_shifts_change BEFORE INSERT OR DELETE OR UPDATE ON public.team_shifts FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER team_time_off_change BEFORE INSERT OR DELETE OR UPDATE ON public.team_time_off FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER team_zones_change BEFORE INSERT OR DELETE OR UPDATE ON public.team_zones FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER teams_change BEFORE INSERT OR DELETE OR UPDATE ON public.teams FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER teams_version BEFORE UPDATE ON public.teams FOR EACH ROW EXECUTE FUNCTION public.count_version();

CREATE TRIGGER webhook_deliveries_queued AFTER INSERT ON public.webhook_deliveries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.queue_deliveries();

CREATE TRIGGER webhook_deliveries_requeued AFTER UPDATE ON public.webhook_deliveries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.queue_deliveries();

CREATE TRIGGER zone_services_change BEFORE INSERT OR DELETE OR UPDATE ON public.zone_services FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER zones_change BEFORE INSERT OR DELETE OR UPDATE ON public.zones FOR EACH STATEMENT EXECUTE FUNCTION public.bump_change_counter('catalogue');

CREATE TRIGGER zones_version BEFORE UPDATE ON public.zones FOR EACH ROW EXECUTE FUNCTION public.count_version();

ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT addresses_contact_id_partner_id_fkey FOREIGN KEY (contact_id, partner_id) REFERENCES public.contacts(id, partner_id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.appointments
    ADD CONSTRAINT appointments_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.appointments
    ADD CONSTRAINT appointments_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

ALTER TABLE ONLY public.appointments
    ADD CONSTRAINT appointments_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id);

ALTER TABLE ONLY public.booking_access
    ADD CONSTRAINT booking_access_id_fkey FOREIGN KEY (id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_address_id_contact_id_partner_id_fkey FOREIGN KEY (address_id, contact_id, partner_id) REFERENCES public.addresses(id, contact_id, partner_id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_cancellation_reason_id_fkey FOREIGN KEY (cancellation_reason_id) REFERENCES public.cancellation_reasons(id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES public.policies(id);

ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.certifications
    ADD CONSTRAINT certifications_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.certifications
    ADD CONSTRAINT certifications_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.webhook_subscriptions(id);

ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_erasure_id_fkey FOREIGN KEY (erasure_id) REFERENCES public.privacy_requests(id);

ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT contacts_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.crew_links
    ADD CONSTRAINT crew_links_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crew_sessions
    ADD CONSTRAINT crew_sessions_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.crew_links(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crew_steps
    ADD CONSTRAINT crew_steps_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.crew_links(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.crew_steps
    ADD CONSTRAINT crew_steps_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.customer_messages
    ADD CONSTRAINT customer_messages_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE public.events
    ADD CONSTRAINT events_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.gateway_payments
    ADD CONSTRAINT gateway_payments_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_address_id_contact_id_partner_id_fkey FOREIGN KEY (address_id, contact_id, partner_id) REFERENCES public.addresses(id, contact_id, partner_id);

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES public.policies(id);

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.operator_enrolments
    ADD CONSTRAINT operator_enrolments_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.operator_tokens(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operator_links
    ADD CONSTRAINT operator_links_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.operator_tokens(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES public.operator_enrolments(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.operator_tokens(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.partner_services
    ADD CONSTRAINT partner_services_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.partner_services
    ADD CONSTRAINT partner_services_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.policies
    ADD CONSTRAINT policies_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES public.policies(id);

ALTER TABLE ONLY public.policy_assignments
    ADD CONSTRAINT policy_assignments_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.policy_assignments
    ADD CONSTRAINT policy_assignments_policy_id_fkey FOREIGN KEY (policy_id) REFERENCES public.policies(id);

ALTER TABLE ONLY public.policy_assignments
    ADD CONSTRAINT policy_assignments_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.policy_assignments
    ADD CONSTRAINT policy_assignments_version_id_fkey FOREIGN KEY (version_id) REFERENCES public.policies(id);

ALTER TABLE ONLY public.portal_links
    ADD CONSTRAINT portal_links_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.portal_links(id);

ALTER TABLE ONLY public.portal_sessions
    ADD CONSTRAINT portal_sessions_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.privacy_requests
    ADD CONSTRAINT privacy_requests_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.schedule_periods
    ADD CONSTRAINT schedule_periods_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES public.schedules(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_address_id_contact_id_partner_id_fkey FOREIGN KEY (address_id, contact_id, partner_id) REFERENCES public.addresses(id, contact_id, partner_id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id);

ALTER TABLE ONLY public.series
    ADD CONSTRAINT series_told_with_fkey FOREIGN KEY (told_with) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.series_visits
    ADD CONSTRAINT series_visits_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.series_visits
    ADD CONSTRAINT series_visits_series_id_fkey FOREIGN KEY (series_id) REFERENCES public.series(id);

ALTER TABLE ONLY public.services
    ADD CONSTRAINT services_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.categories(id);

ALTER TABLE ONLY public.simulator_runs
    ADD CONSTRAINT simulator_runs_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.simulator_runs
    ADD CONSTRAINT simulator_runs_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.simulator_steps
    ADD CONSTRAINT simulator_steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.simulator_runs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.statement_accounts
    ADD CONSTRAINT statement_accounts_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.statement_files
    ADD CONSTRAINT statement_files_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES public.statements(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.statement_lines
    ADD CONSTRAINT statement_lines_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES public.bookings(id);

ALTER TABLE ONLY public.statement_lines
    ADD CONSTRAINT statement_lines_corrects_fkey FOREIGN KEY (corrects) REFERENCES public.statements(id);

ALTER TABLE ONLY public.statement_lines
    ADD CONSTRAINT statement_lines_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES public.statements(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.statement_payments
    ADD CONSTRAINT statement_payments_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES public.statements(id);

ALTER TABLE ONLY public.statements
    ADD CONSTRAINT statements_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.team_services
    ADD CONSTRAINT team_services_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.team_services
    ADD CONSTRAINT team_services_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_shifts
    ADD CONSTRAINT team_shifts_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_time_off
    ADD CONSTRAINT team_time_off_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_zones
    ADD CONSTRAINT team_zones_team_id_fkey FOREIGN KEY (team_id) REFERENCES public.teams(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_zones
    ADD CONSTRAINT team_zones_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id);

ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_home_zone_id_fkey FOREIGN KEY (home_zone_id) REFERENCES public.zones(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.visit_calls
    ADD CONSTRAINT visit_calls_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES public.appointments(id);

ALTER TABLE public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.webhook_subscriptions(id);

ALTER TABLE ONLY public.webhook_faults
    ADD CONSTRAINT webhook_faults_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.webhook_subscriptions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_subscriptions
    ADD CONSTRAINT webhook_subscriptions_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES public.partners(id);

ALTER TABLE ONLY public.zone_overlaps
    ADD CONSTRAINT zone_overlaps_other_id_fkey FOREIGN KEY (other_id) REFERENCES public.zones(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.zone_overlaps
    ADD CONSTRAINT zone_overlaps_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.zone_services
    ADD CONSTRAINT zone_services_service_id_fkey FOREIGN KEY (service_id) REFERENCES public.services(id);

ALTER TABLE ONLY public.zone_services
    ADD CONSTRAINT zone_services_zone_id_fkey FOREIGN KEY (zone_id) REFERENCES public.zones(id) ON DELETE CASCADE;
