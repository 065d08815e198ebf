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

-- One for each event and subscription; the pending ones are the queue. due_at and finished_at are business time.
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
  -- Oldest first: { attemptedAt (epoch milliseconds), durationMs, statusCode, error, responseBody }. In the row, which
  -- is written anyway when an attempt ends.
  attempts jsonb not null default '[]',
  due_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  constraint webhook_deliveries_event_subscription_key unique (event_id, subscription_id),
  check ((status = 'PENDING') = (due_at is not null)),
  check ((status = 'PENDING') = (finished_at is null))
) with (autovacuum_vacuum_scale_factor = 0.02);
create index webhook_deliveries_queue_idx on webhook_deliveries (subscription_id, due_at) where status = 'PENDING';
create index webhook_deliveries_failed_idx on webhook_deliveries (subscription_id, finished_at)
  where status = 'FAILED';
create index webhook_deliveries_partner_idx on webhook_deliveries (partner_id, created_at desc, id desc);

-- Who is sending what, until when. Apart from the deliveries, so that a claim rewrites none of their indexes; unlogged,
-- because after a crash of the database server nobody sends any more. Real time: a sandbox that moves its clock must
-- not take work away from the worker that is doing it.
create unlogged table webhook_leases (
  delivery_id uuid primary key,
  subscription_id uuid not null,
  lease uuid not null,
  leased_until timestamptz not null
);
create index webhook_leases_subscription_idx on webhook_leases (subscription_id);

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
  id uuid, lease uuid, subscription_id uuid, event text, payload jsonb, url text, secret text,
  allowed_webhook_domains text[], require_https_webhooks boolean
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
        select count(*) from webhook_leases l where l.subscription_id = s.id and l.leased_until > p_real_now
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
        and not exists (
          select 1 from webhook_leases l where l.delivery_id = q.id and l.leased_until > p_real_now
        )
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
  insert into webhook_leases as l (delivery_id, subscription_id, lease, leased_until)
  select d.id, d.subscription_id, p_lease, p_leased_until from webhook_deliveries d where d.id = any (v_ids)
  on conflict (delivery_id) do update set lease = excluded.lease, leased_until = excluded.leased_until;
  return query
  select d.id, p_lease, d.subscription_id, d.event, e.payload, s.url, s.secret, p.allowed_webhook_domains,
    p.require_https_webhooks
  from webhook_deliveries d
  join webhook_subscriptions s on s.id = d.subscription_id
  join partners p on p.id = s.partner_id
  join events e on e.id = d.event_id
  where d.id = any (v_ids);
end
$$;

-- Writes what came of attempts, all arrays alike: the delivery's next state with the attempt, and the circuit breaker
-- of its subscription. A result whose lease has gone to another worker is dropped. One row after the other: as one
-- statement the planner, who takes an emptied queue for empty, read all of it.
create function settle_attempts(
  p_now timestamptz, p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[], p_breaker_after integer, p_pause_seconds integer[]
) returns void
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_subscription uuid;
  v_subscriptions uuid[] := '{}';
  v_successes boolean[] := '{}';
  v_last integer := cardinality(p_retry_after_seconds);
  i integer;
begin
  for i in 1 .. cardinality(p_ids) loop
    delete from webhook_leases where delivery_id = p_ids[i] and lease = p_leases[i];
    continue when not found;
    update webhook_deliveries d set
      attempt_count = d.attempt_count + 1,
      attempts = d.attempts || p_attempts[i],
      status_code = p_status_codes[i],
      error = p_errors[i],
      status = case when p_errors[i] is null then 'DELIVERED' when d.retries >= v_last then 'FAILED' else 'PENDING' end,
      due_at = case when p_errors[i] is not null and d.retries < v_last
        then p_now + make_interval(secs => p_retry_after_seconds[d.retries + 1]) end,
      finished_at = case when p_errors[i] is null or d.retries >= v_last then p_now end,
      retries = d.retries + case when p_errors[i] is null then 0 else 1 end
    where d.id = p_ids[i] and d.status = 'PENDING'
    returning d.subscription_id into v_subscription;
    continue when not found;
    v_subscriptions := v_subscriptions || v_subscription;
    v_successes := v_successes || (p_errors[i] is null);
  end loop;
  with run as (
    select subscription_id, bool_or(success) as any_success, count(*)::integer as failures
    from unnest(v_subscriptions, v_successes) as result (subscription_id, success) group by subscription_id
  )
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
  where s.id = run.subscription_id and (not run.any_success or s.failures_in_a_row > 0);
end
$$;

-- One turn of a worker: settle_attempts, then claim_deliveries, in one transaction and one round trip. It does not
-- wait for the disk: should the database server crash, what it forgets is sent again, which is "at least once".
create function turn_deliveries(
  p_now timestamptz, p_real_now timestamptz, p_capacity integer, p_per_subscription integer,
  p_breaker_after integer, p_lease uuid, p_leased_until timestamptz,
  p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[], p_pause_seconds integer[]
) returns table (
  id uuid, lease uuid, subscription_id uuid, event text, payload jsonb, url text, secret text,
  allowed_webhook_domains text[], require_https_webhooks boolean
)
language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(p_ids) > 0 then
    perform settle_attempts(p_now, p_ids, p_leases, p_status_codes, p_errors, p_attempts, p_retry_after_seconds,
      p_breaker_after, p_pause_seconds);
  end if;
  if p_capacity > 0 then
    return query
    select * from claim_deliveries(p_now, p_real_now, p_capacity, p_per_subscription, p_breaker_after, p_lease,
      p_leased_until);
  end if;
end
$$;
