-- No endpoint and no partner takes all attempts of a worker, and a secret can be replaced with an overlap.

-- While the overlap lasts, attempts are signed with both secrets. Business time.
alter table webhook_subscriptions
  add column previous_secret text,
  add column previous_secret_until timestamptz,
  add constraint webhook_subscriptions_previous_secret_check
    check ((previous_secret is null) = (previous_secret_until is null));

-- turn_deliveries, claim_deliveries, settle_attempts, pauses and paused_until of 0003 are for processes of the version
-- before this one; nothing pauses any more.

-- Claims due deliveries for one worker. p_room is how many attempts it can still begin, p_slow_room how many of them
-- for endpoints that are slow or keep failing: the rest is kept for those that answer fast. Of what is free a partner
-- takes no more than it leaves, and within a partner a subscription takes no more than it leaves of that, so the next
-- one always finds a part. An endpoint that keeps failing counts p_failing_weight times, but its first attempt once.
-- A subscription never has more than p_per_subscription attempts under way, whichever workers make them.
--
-- p_slow has the subscriptions that this worker found slow: { "<id>": true }. p_held has its attempts under way, by
-- partner: { "<id>": [to fast endpoints, to slow ones] }. Business time is p_now; leases are the database's clock.
create function claim_deliveries_by_share(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_slow jsonb, p_held jsonb
) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, url text, secret text,
  previous_secret text, allowed_webhook_domains text[], require_https_webhooks boolean
)
language plpgsql
-- The queue is empty one minute and long the next, and a plan made while it was empty reads all of it (0003).
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_ids uuid[];
  v_real_now timestamptz;
begin
  -- One claim at a time, those of 0003 included: what is under way is counted before more is taken.
  perform pg_advisory_xact_lock(4, 0);
  v_real_now := clock_timestamp();
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
    select s.id, s.partner_id, kind.slow, case when kind.failing then p_failing_weight else 1 end as weight,
      case when kind.slow then least(p_slow_room, p_room) else p_room end as room,
      coalesce((p_held -> s.partner_id::text ->> kind.slow::integer)::integer, 0) as held,
      (
        select count(*) from webhook_leases l where l.subscription_id = s.id and l.leased_until > v_real_now
      )::integer as under_way
    from waiting
    join webhook_subscriptions s on s.id = waiting.subscription_id
    join partners p on p.id = s.partner_id
    cross join lateral (
      select s.failures_in_a_row >= p_failing_after as failing,
        s.failures_in_a_row >= p_failing_after or p_slow ? s.id::text as slow
    ) kind
    where s.status = 'ACTIVE' and s.removed_at is null and p.status = 'ACTIVE'
  ), candidate as (
    select d.id, d.due_at, endpoint.partner_id, endpoint.slow, endpoint.room, endpoint.held,
      (endpoint.under_way + row_number() over (partition by endpoint.id order by d.due_at, d.id) - 1)
        * endpoint.weight + 1 as share
    from endpoint cross join lateral (
      select q.id, q.due_at from webhook_deliveries q
      where q.subscription_id = endpoint.id and q.status = 'PENDING' and q.due_at <= p_now
        and not exists (
          select 1 from webhook_leases l where l.delivery_id = q.id and l.leased_until > v_real_now
        )
      -- No more than could be chosen below: each of these rows is locked.
      order by q.due_at
      limit greatest(0, least(
        p_per_subscription - endpoint.under_way,
        endpoint.room - endpoint.held,
        (endpoint.room - 1) / endpoint.weight + 1 - endpoint.under_way
      ))
      for update skip locked
    ) d
  ), ranked as (
    select candidate.*, candidate.share + candidate.held + row_number() over (
        partition by candidate.partner_id, candidate.slow order by candidate.share, candidate.due_at, candidate.id
      ) as level
    from candidate
  ), fitting as (
    -- The level is what the partner has with this attempt, and the subscription; free is what is left before it.
    select ranked.*, row_number() over (partition by ranked.slow order by ranked.level, ranked.due_at, ranked.id) as place
    from ranked
  ), chosen as (
    select fitting.id, fitting.level, row_number() over (order by fitting.level, fitting.due_at, fitting.id) as place
    from fitting where fitting.place <= fitting.room and fitting.level <= fitting.room - fitting.place + 2
  )
  select array_agg(chosen.id) into v_ids from chosen
  where chosen.place <= p_room and chosen.level <= p_room - chosen.place + 2;
  if v_ids is null then
    return;
  end if;
  insert into webhook_leases as l (delivery_id, subscription_id, lease, leased_until)
  select d.id, d.subscription_id, p_lease, v_real_now + make_interval(secs => p_lease_seconds)
  from webhook_deliveries d where d.id = any (v_ids)
  on conflict (delivery_id) do update set lease = excluded.lease, leased_until = excluded.leased_until;
  return query
  select d.id, p_lease, d.subscription_id, d.partner_id, d.event, e.payload, s.url, s.secret,
    case when s.previous_secret_until > p_now then s.previous_secret end, p.allowed_webhook_domains,
    p.require_https_webhooks
  from webhook_deliveries d
  join webhook_subscriptions s on s.id = d.subscription_id
  join partners p on p.id = s.partner_id
  join events e on e.id = d.event_id
  where d.id = any (v_ids);
end
$$;

-- settle_attempts without pauses: the delivery's next state with the attempt, and how often the subscription has
-- failed since its last success. All arrays alike. A result whose lease has gone to another worker is dropped.
create function settle_results(
  p_now timestamptz, p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[]
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
    pauses = 0, paused_until = null
  from run
  -- An endpoint that is well has nothing to write: no row of all its deliveries that is changed every time.
  where s.id = run.subscription_id and (not run.any_success or s.failures_in_a_row > 0);
end
$$;

-- One round trip of a worker: settle_results, then claim_deliveries_by_share, in one transaction. It does not wait for
-- the disk: should the database server crash, what it forgets is sent again, which is "at least once".
create function settle_and_claim(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_slow jsonb, p_held jsonb,
  p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[]
) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, url text, secret text,
  previous_secret text, allowed_webhook_domains text[], require_https_webhooks boolean
)
language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(p_ids) > 0 then
    perform settle_results(p_now, p_ids, p_leases, p_status_codes, p_errors, p_attempts, p_retry_after_seconds);
  end if;
  if p_room > 0 then
    return query
    select * from claim_deliveries_by_share(p_now, p_lease, p_lease_seconds, p_room, p_slow_room, p_per_subscription,
      p_failing_after, p_failing_weight, p_slow, p_held);
  end if;
end
$$;
