-- What partners try in a sandbox: runs that play the field and the customer, and faults of webhook deliveries
-- (docs/decisions/simulator.md). A production deployment never reads or writes these tables.

create table simulator_runs (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners,
  booking_id uuid not null references bookings on delete cascade,
  script text not null check (script in (
    'complete', 'cannot-complete', 'operator-moves', 'operator-cancels', 'customer-pays', 'payment-fails',
    'customer-pays-late', 'customer-declines', 'customer-declines-once'
  )),
  every_seconds integer not null check (every_seconds between 0 and 3600),
  started_by text not null check (started_by in ('request', 'creation', 'phone')),
  status text not null default 'RUNNING' check (status in ('RUNNING', 'COMPLETED', 'FAILED', 'STOPPED')),
  -- Why it ended before its last step: a code and a sentence.
  reason_code text,
  reason_message text,
  created_at timestamptz not null,
  finished_at timestamptz,
  position bigint generated always as identity,
  check ((status = 'RUNNING') = (finished_at is null)),
  check ((status = 'FAILED') = (reason_code is not null) and (reason_code is null) = (reason_message is null))
);
create index simulator_runs_booking_idx on simulator_runs (booking_id, position);
-- One at a time that was asked for; and one customer, who acts once however often the link is sent.
create unique index simulator_runs_running_key on simulator_runs (booking_id)
  where status = 'RUNNING' and started_by <> 'phone';
create unique index simulator_runs_customer_key on simulator_runs (booking_id) where started_by = 'phone';

create table simulator_steps (
  run_id uuid not null references simulator_runs on delete cascade,
  number integer not null check (number between 1 and 20),
  action text not null check (action in ('appointment', 'move', 'cancel', 'pay', 'decline', 'fail-payment')),
  -- Where an appointment goes: its status, or the time that was chosen when the step began.
  appointment_status text check ((action = 'appointment') = (appointment_status is not null)),
  slot jsonb check (slot is null or action = 'move'),
  status text not null default 'WAITING' check (status in ('WAITING', 'DONE', 'FAILED', 'SKIPPED')),
  -- Business time.
  due_at timestamptz not null,
  done_at timestamptz,
  tries integer not null default 0,
  lease uuid,
  -- By the clock of the database.
  leased_until timestamptz,
  primary key (run_id, number),
  check ((status = 'DONE') = (done_at is not null))
);
create index simulator_steps_due_idx on simulator_steps (due_at) where status = 'WAITING';

-- Claims the next step of each run that is due. A claim that its worker does not end, ends by itself.
create function claim_simulator_steps(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_limit integer
) returns table (
  run_id uuid, number integer, action text, appointment_status text, slot jsonb, tries integer, lease uuid,
  booking_id uuid, partner_id uuid
)
language plpgsql as $$
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

-- The next so many deliveries of a subscription that are treated so.
create table webhook_faults (
  subscription_id uuid not null references webhook_subscriptions on delete cascade,
  kind text not null check (kind in ('lose', 'delay', 'duplicate', 'reorder', 'bad-signature')),
  remaining integer not null check (remaining between 1 and 100),
  delay_seconds integer check ((kind = 'delay') = (delay_seconds is not null) and delay_seconds between 1 and 3600),
  set_at timestamptz not null,
  primary key (subscription_id, kind)
);

-- Which fault a delivery got, at most one for each. HELD: it waits for its time, or for the one that overtakes it.
-- TAKEN: its next attempt is made so. DONE: nothing more is made of it.
create table webhook_faulty_deliveries (
  delivery_id uuid primary key references webhook_deliveries on delete cascade,
  subscription_id uuid not null,
  booking_id uuid not null,
  kind text not null,
  state text not null check (state in ('HELD', 'TAKEN', 'DONE')),
  overtaken_by uuid,
  treated_at timestamptz not null,
  position bigint generated always as identity
);
create index webhook_faulty_deliveries_open_idx on webhook_faulty_deliveries (subscription_id) where state <> 'DONE';
create index webhook_faulty_deliveries_subscription_idx on webhook_faulty_deliveries (subscription_id, position);

-- What becomes of a delivery that is claimed for its first attempt: null, it is sent as always; duplicate or
-- bad-signature, it is sent twice; kept, it is not sent now. The caller holds the lock of claims.
create function take_webhook_fault(
  p_now timestamptz, p_delivery_id uuid, p_subscription_id uuid, p_booking_id uuid, p_hold_seconds integer
) returns text
language plpgsql as $$
declare
  v_treated webhook_faulty_deliveries;
  v_fault webhook_faults;
begin
  select * into v_treated from webhook_faulty_deliveries where delivery_id = p_delivery_id;
  if v_treated.state = 'TAKEN' then
    -- Its worker died before it had written what came of it.
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
      -- The record says what happened: nothing was sent. A retry by hand sends it.
      update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = p_now, status_code = null,
        error = 'SIMULATED_LOSS', attempt_count = attempt_count + 1,
        attempts = attempts || jsonb_build_object('attemptedAt', floor(extract(epoch from p_now) * 1000),
          'durationMs', 0, 'statusCode', null, 'error', 'SIMULATED_LOSS', 'responseBody', '')
        where id = p_delivery_id;
    elsif v_fault.kind in ('delay', 'reorder') then
      update webhook_deliveries
        set due_at = p_now + make_interval(secs => coalesce(v_fault.delay_seconds, p_hold_seconds))
        where id = p_delivery_id;
    end if;
    if v_fault.kind in ('lose', 'delay', 'reorder') then
      delete from webhook_leases where delivery_id = p_delivery_id;
      return 'kept';
    end if;
  end if;
  -- It is sent, so those of its booking that wait to be overtaken are.
  update webhook_faulty_deliveries set overtaken_by = p_delivery_id
    where subscription_id = p_subscription_id and state = 'HELD' and kind = 'reorder' and booking_id = p_booking_id
      and overtaken_by is null;
  return v_fault.kind;
end
$$;

-- settle_and_claim_due of 0015 for the workers of a sandbox, with the fault that an attempt is to be made with.
create function settle_and_claim_with_faults(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_fast jsonb, p_held jsonb,
  p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[], p_hold_seconds integer
) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, url text, secret text,
  previous_secret text, allowed_webhook_domains text[], require_https_webhooks boolean, fault text
)
language plpgsql
-- As claim_due_deliveries: a plan made while the queue was empty would read all of it.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_ids uuid[];
  v_claimed record;
  v_faulty uuid[];
begin
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(p_ids) > 0 then
    perform settle_results(p_now, p_ids, p_leases, p_status_codes, p_errors, p_attempts, p_retry_after_seconds);
    -- Of what was sent twice both attempts were written.
    with done as (
      update webhook_faulty_deliveries f set state = 'DONE' from webhook_deliveries d
      where f.delivery_id = any (p_ids) and f.state = 'TAKEN' and d.id = f.delivery_id and d.attempt_count > 0
      returning f.delivery_id
    )
    update webhook_deliveries d set attempt_count = jsonb_array_length(d.attempts)
    from done where d.id = done.delivery_id;
    update webhook_deliveries d set due_at = p_now from webhook_faulty_deliveries f
    where f.state = 'HELD' and f.overtaken_by = any (p_ids) and d.id = f.delivery_id and d.status = 'PENDING'
      and d.due_at > p_now;
  end if;
  if p_room <= 0 then
    return;
  end if;
  -- Apart from the statement that reads them: a claim waits for others, and what was made meanwhile is claimed too.
  v_ids := array(
    select c.id from claim_due_deliveries(p_now, p_lease, p_lease_seconds, p_room, p_slow_room, p_per_subscription,
      p_failing_after, p_failing_weight, p_fast, p_held) c
  );
  for v_claimed in
    select d.id, d.subscription_id, d.partner_id, d.event, d.booking_id, d.attempt_count, e.payload, s.url, s.secret,
      case when s.previous_secret_until > p_now then s.previous_secret end as previous_secret,
      p.allowed_webhook_domains, p.require_https_webhooks
    from webhook_deliveries d
    join webhook_subscriptions s on s.id = d.subscription_id
    join partners p on p.id = d.partner_id
    join events e on e.id = d.event_id
    where d.id = any (v_ids)
    order by e.position
  loop
    v_faulty := coalesce(v_faulty, array(
      select f.subscription_id from webhook_faults f
      union
      select f.subscription_id from webhook_faulty_deliveries f where f.state <> 'DONE'
    ));
    fault := null;
    if v_claimed.attempt_count = 0 and v_claimed.subscription_id = any (v_faulty) then
      fault := take_webhook_fault(p_now, v_claimed.id, v_claimed.subscription_id, v_claimed.booking_id, p_hold_seconds);
      continue when fault = 'kept';
    end if;
    id := v_claimed.id;
    lease := p_lease;
    subscription_id := v_claimed.subscription_id;
    partner_id := v_claimed.partner_id;
    event := v_claimed.event;
    payload := v_claimed.payload;
    url := v_claimed.url;
    secret := v_claimed.secret;
    previous_secret := v_claimed.previous_secret;
    allowed_webhook_domains := v_claimed.allowed_webhook_domains;
    require_https_webhooks := v_claimed.require_https_webhooks;
    return next;
  end loop;
end
$$;
