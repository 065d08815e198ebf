-- Webhook subscriptions, and deliveries: the rows are the queue.

create table webhook_subscriptions (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  url text not null check (char_length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) between 1 and 6),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'INACTIVE')),
  secret text not null,
  -- The circuit breaker: failures since the last success, how often it has paused since, and until when it does.
  failures_in_a_row integer not null default 0,
  pauses integer not null default 0,
  paused_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz -- the history of its deliveries stays
);
create index webhook_subscriptions_partner_idx on webhook_subscriptions (partner_id, created_at desc, id desc)
  where removed_at is null;

-- One for each event and subscription. due_at and finished_at are business time; leases are real time, because a
-- sandbox that moves its clock must not take work away from the worker that is doing it.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references webhook_subscriptions (id),
  event_id uuid not null references events (id) on delete cascade,
  partner_id uuid not null, -- the subscription's and the event's
  booking_id uuid not null,
  event text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempt_count integer not null default 0,
  retries integer not null default 0, -- made of the schedule that is running
  status_code integer,
  error text,
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  constraint webhook_deliveries_event_subscription_key unique (event_id, subscription_id),
  check ((status = 'PENDING') = (due_at is not null)),
  check ((status = 'PENDING') = (finished_at is null)),
  check ((lease is null) = (leased_until is null)),
  check (lease is null or status = 'PENDING')
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_deliveries_queue_idx on webhook_deliveries (subscription_id, due_at) where status = 'PENDING';
create index webhook_deliveries_leased_idx on webhook_deliveries (subscription_id) where lease is not null;
create index webhook_deliveries_failed_idx on webhook_deliveries (subscription_id, finished_at)
  where status = 'FAILED';
create index webhook_deliveries_partner_idx on webhook_deliveries (partner_id, created_at desc, id desc);
create index webhook_deliveries_booking_idx on webhook_deliveries (booking_id);

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  number integer not null, -- from 1 within the delivery
  attempted_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  status_code integer,
  error text,
  response_body text not null,
  primary key (delivery_id, number)
);

-- An event becomes its deliveries in the transaction that writes it, whichever statement that is.
create function fan_out_event() returns trigger
language plpgsql as $$
begin
  insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, due_at, created_at)
  select id, new.id, new.partner_id, new.booking_id, new.event, new.created_at, new.created_at
  from webhook_subscriptions
  where partner_id = new.partner_id and removed_at is null and status = 'ACTIVE' and new.event = any (events);
  return null;
end
$$;
create trigger events_fan_out after insert on events for each row execute function fan_out_event();

-- Claims due deliveries for one worker, taking turns between subscriptions: first the oldest of each, then the second
-- oldest of each. A subscription never has more than p_per_subscription attempts under way, whichever workers make
-- them, and one alone while its circuit breaker only tries whether the endpoint is back.
create function claim_deliveries(
  p_now timestamptz, p_real_now timestamptz, p_capacity integer, p_per_subscription integer,
  p_breaker_after integer, p_lease uuid, p_leased_until timestamptz
) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, attempt_count integer,
  due_at timestamptz, url text, secret text, allowed_webhook_domains text[], require_https_webhooks boolean
)
language plpgsql
-- The queue is empty one minute and long the next, and a plan made while it was empty reads all of it: 100 to 500 ms
-- for 32 of 10,000 waiting, 1 to 2 ms by the indexes.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_ids uuid[];
begin
  -- One claim at a time: what is under way is counted before more is taken. A statement of its own, so that the next
  -- one sees what the claim before it left.
  perform pg_advisory_xact_lock(4, 0);
  with recursive waiting as (
    -- Every subscription that has pending deliveries, by one look into the index for each.
    (select d.subscription_id from webhook_deliveries d where d.status = 'PENDING' order by d.subscription_id limit 1)
    union all
    select (
      select d.subscription_id from webhook_deliveries d
      where d.status = 'PENDING' and d.subscription_id > waiting.subscription_id
      order by d.subscription_id limit 1
    )
    from waiting where waiting.subscription_id is not null
  ), endpoint as (
    select s.id,
      case when s.failures_in_a_row >= p_breaker_after then 1 else p_per_subscription end - (
        select count(*) from webhook_deliveries d
        where d.subscription_id = s.id and d.lease is not null and d.leased_until > p_real_now
      ) as room
    from waiting
    join webhook_subscriptions s on s.id = waiting.subscription_id
    join partners p on p.id = s.partner_id
    where s.status = 'ACTIVE' and s.removed_at is null and p.status = 'ACTIVE'
      and (s.paused_until is null or s.paused_until <= p_now)
  ), candidate as (
    select d.id, d.due_at, row_number() over (partition by endpoint.id order by d.due_at, d.id) as place
    from endpoint cross join lateral (
      select q.id, q.due_at from webhook_deliveries q
      where q.subscription_id = endpoint.id and q.status = 'PENDING' and q.due_at <= p_now
        and (q.lease is null or q.leased_until <= p_real_now)
      order by q.due_at limit greatest(endpoint.room, 0)
      for update skip locked
    ) d
  ), chosen as (
    select candidate.id from candidate order by candidate.place, candidate.due_at limit p_capacity
  )
  select array_agg(chosen.id) into v_ids from chosen;
  if v_ids is null then
    return;
  end if;
  return query
  update webhook_deliveries d set lease = p_lease, leased_until = p_leased_until
  from webhook_subscriptions s, partners p, events e
  where d.id = any (v_ids) and s.id = d.subscription_id and p.id = s.partner_id and e.id = d.event_id
  returning d.id, d.lease, d.subscription_id, d.partner_id, d.event, e.payload, d.attempt_count, d.due_at,
    s.url, s.secret, p.allowed_webhook_domains, p.require_https_webhooks;
end
$$;

-- Writes what came of attempts, all arrays alike: the delivery's next state, the attempt, and the circuit breaker of
-- its subscription. A result whose lease has gone to another worker is dropped. Answers the ids of what was written.
create function settle_attempts(
  p_now timestamptz, p_ids uuid[], p_leases uuid[], p_attempted_at timestamptz[], p_durations integer[],
  p_status_codes integer[], p_errors text[], p_bodies text[],
  p_retry_after_seconds integer[], p_breaker_after integer, p_pause_seconds integer[]
) returns setof uuid
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  return query
  with result as (
    select * from unnest(p_ids, p_leases, p_attempted_at, p_durations, p_status_codes, p_errors, p_bodies)
      as r (id, lease, attempted_at, duration_ms, status_code, error, response_body)
  ), settled as (
    update webhook_deliveries d set
      attempt_count = d.attempt_count + 1,
      status_code = result.status_code,
      error = result.error,
      status = case when result.error is null then 'DELIVERED'
        when d.retries >= cardinality(p_retry_after_seconds) then 'FAILED' else 'PENDING' end,
      due_at = case when result.error is null or d.retries >= cardinality(p_retry_after_seconds) then null
        else p_now + make_interval(secs => p_retry_after_seconds[d.retries + 1]) end,
      finished_at = case when result.error is null or d.retries >= cardinality(p_retry_after_seconds)
        then p_now end,
      retries = d.retries + case when result.error is null then 0 else 1 end,
      lease = null,
      leased_until = null
    from result
    where d.id = result.id and d.lease = result.lease
    returning d.id, d.subscription_id, d.attempt_count, result.attempted_at, result.duration_ms,
      result.status_code, result.error, result.response_body
  ), attempt as (
    insert into webhook_attempts (delivery_id, number, attempted_at, duration_ms, status_code, error, response_body)
    select settled.id, settled.attempt_count, settled.attempted_at, settled.duration_ms, settled.status_code,
      settled.error, settled.response_body
    from settled
  ), run as (
    select settled.subscription_id, bool_or(settled.error is null) as any_success, count(*)::integer as failures
    from settled group by settled.subscription_id
  ), breaker as (
    update webhook_subscriptions s set
      failures_in_a_row = case when run.any_success then 0 else s.failures_in_a_row + run.failures end,
      pauses = case when run.any_success then 0
        when s.failures_in_a_row + run.failures < p_breaker_after or s.paused_until > p_now then s.pauses
        else s.pauses + 1 end,
      paused_until = case when run.any_success then null
        when s.failures_in_a_row + run.failures < p_breaker_after or s.paused_until > p_now then s.paused_until
        else p_now + make_interval(secs => p_pause_seconds[least(s.pauses + 1, cardinality(p_pause_seconds))]) end
    from run
    -- An endpoint that is well has nothing to write: no row of all its deliveries that is changed every time.
    where s.id = run.subscription_id and (not run.any_success or s.failures_in_a_row > 0)
  )
  select settled.id from settled;
end
$$;

-- One turn of a worker: settle_attempts, then claim_deliveries, in one transaction and one round trip. It does not
-- wait for the disk: should the database server crash, what it forgets is sent again, which is "at least once".
create function turn_deliveries(
  p_now timestamptz, p_real_now timestamptz, p_capacity integer, p_per_subscription integer,
  p_breaker_after integer, p_lease uuid, p_leased_until timestamptz,
  p_ids uuid[], p_leases uuid[], p_attempted_at timestamptz[], p_durations integer[],
  p_status_codes integer[], p_errors text[], p_bodies text[],
  p_retry_after_seconds integer[], p_pause_seconds integer[]
) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, attempt_count integer,
  due_at timestamptz, url text, secret text, allowed_webhook_domains text[], require_https_webhooks boolean
)
language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(p_ids) > 0 then
    perform settle_attempts(p_now, p_ids, p_leases, p_attempted_at, p_durations, p_status_codes, p_errors, p_bodies,
      p_retry_after_seconds, p_breaker_after, p_pause_seconds);
  end if;
  if p_capacity > 0 then
    return query
    select * from claim_deliveries(p_now, p_real_now, p_capacity, p_per_subscription, p_breaker_after, p_lease,
      p_leased_until);
  end if;
end
$$;
