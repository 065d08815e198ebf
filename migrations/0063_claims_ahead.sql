-- Claims ahead of what is under way, and one function for both kinds of service, with faults and without.

-- As in 0055, but a worker may have more of a fast endpoint's deliveries than are under way at once: as many as p_fast says
-- of the subscription, when no other worker has any of it. p_leases_held are this worker's claims.
create function claim_deliveries_ahead(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_fast jsonb, p_held jsonb,
  p_leases_held uuid[]
) returns uuid[]
language plpgsql
-- By their keys, whatever the planner knew of the tables when it planned. A plan of which a part is switched off looks too
-- dear to be worth interpreting, so it would be compiled at each run.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  v_ids uuid[];
  v_real_now timestamptz;
begin
  -- One claim at a time, those of 0003 and 0006 included: what is claimed is counted before more is taken.
  perform pg_advisory_xact_lock(4, 0);
  v_real_now := clock_timestamp();
  with recursive waiting as (
    -- Every subscription that has pending deliveries, by one look into the index for each.
    (select q.subscription_id from webhook_pending q order by q.subscription_id limit 1)
    union all
    select (
      select q.subscription_id from webhook_pending q
      where q.subscription_id > waiting.subscription_id order by q.subscription_id limit 1
    )
    from waiting where waiting.subscription_id is not null
  ), endpoint as (
    select s.id, s.partner_id, kind.slow and busy.claimed > 0 as slow,
      case
        -- Slow or not known, and none under way: one attempt from the room of all, which shows how fast it answers.
        when kind.slow and busy.claimed = 0 then 1
        when not kind.slow and busy.by_others = 0 then (p_fast ->> s.id::text)::integer - busy.claimed
        else p_per_subscription - busy.claimed
      end as most,
      case when kind.failing then p_failing_weight else 1 end as weight,
      case when kind.slow and busy.claimed > 0 then least(p_slow_room, p_room) else p_room end as room,
      coalesce((p_held -> s.partner_id::text ->> (kind.slow and busy.claimed > 0)::integer)::integer, 0) as held,
      busy.claimed
    from waiting
    join webhook_subscriptions s on s.id = waiting.subscription_id
    join partners p on p.id = s.partner_id
    cross join lateral (
      select s.failures_in_a_row >= p_failing_after as failing,
        s.failures_in_a_row >= p_failing_after or not p_fast ? s.id::text as slow
    ) kind
    cross join lateral (
      select count(*)::integer as claimed,
        count(*) filter (where l.lease <> all (p_leases_held))::integer as by_others
      from webhook_leases l where l.subscription_id = s.id and l.leased_until > v_real_now
    ) busy
    where s.status = 'ACTIVE' and s.removed_at is null and p.status = 'ACTIVE'
  ), candidate as (
    select d.id, d.due_at, endpoint.partner_id, endpoint.slow, endpoint.room, endpoint.held,
      (endpoint.claimed + row_number() over (partition by endpoint.id order by d.due_at, d.id) - 1)
        * endpoint.weight + 1 as share
    from endpoint cross join lateral (
      select q.delivery_id as id, q.due_at from webhook_pending q
      where q.subscription_id = endpoint.id and q.due_at <= p_now
        and not exists (
          select 1 from webhook_leases l where l.delivery_id = q.delivery_id and l.leased_until > v_real_now
        )
      -- No more than could be chosen below: each of these rows is locked.
      order by q.due_at
      limit greatest(0, least(
        endpoint.most,
        endpoint.room - endpoint.held,
        (endpoint.room - 1) / endpoint.weight + 1 - endpoint.claimed
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
  select array_agg(chosen.id order by chosen.place) into v_ids from chosen
  where chosen.place <= p_room and chosen.level <= p_room - chosen.place + 2;
  if v_ids is not null then
    insert into webhook_leases as l (delivery_id, subscription_id, lease, leased_until)
    select q.delivery_id, q.subscription_id, p_lease, v_real_now + make_interval(secs => p_lease_seconds)
    from webhook_pending q where q.delivery_id = any (v_ids)
    on conflict (delivery_id) do update set lease = excluded.lease, leased_until = excluded.leased_until;
  end if;
  return v_ids;
end
$$;

-- For processes of the versions before, which claim no more than may be under way.
create or replace function claim_deliveries(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_fast jsonb, p_held jsonb
) returns uuid[]
language sql as $$
  select claim_deliveries_ahead(
    p_now, p_lease, p_lease_seconds, p_room, p_slow_room, p_per_subscription, p_failing_after, p_failing_weight,
    (select coalesce(jsonb_object_agg(id, p_per_subscription), '{}') from jsonb_object_keys(p_fast) id), p_held, '{}'
  );
$$;

-- As in 0045, but the results are found in their arrays instead of joined: an index scan by one key that was to look among
-- all of the keys too sorted them again for every row, in every partition (69 of the 118 us of a delivery).
create or replace function settle_results(
  p_now timestamptz, p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[]
) returns void
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  v_last integer := cardinality(p_retry_after_seconds);
  v_ids uuid[];
  v_oldest timestamptz;
  v_newest timestamptz;
  v_subscriptions uuid[];
  v_successes boolean[];
begin
  with ended as (
    delete from webhook_leases l
    where l.delivery_id = any (p_ids) and l.lease = p_leases[array_position(p_ids, l.delivery_id)]
    returning l.delivery_id
  )
  select array_agg(q.delivery_id), min(q.created_at), max(q.created_at) into v_ids, v_oldest, v_newest
  from ended cross join lateral (
    -- By its key, whatever the planner knew of the queue when it planned.
    select * from webhook_pending p where p.delivery_id = ended.delivery_id offset 0
  ) q;
  with settled as (
    update webhook_deliveries d set
      (attempt_count, attempts, status_code, error, status, due_at, finished_at, retries) = (
        select d.attempt_count + 1, d.attempts || p_attempts[result.at], p_status_codes[result.at], result.error,
          case when result.error is null then 'DELIVERED' when d.retries >= v_last then 'FAILED' else 'PENDING' end,
          case when result.error is not null and d.retries < v_last
            then p_now + make_interval(secs => p_retry_after_seconds[d.retries + 1]) end,
          case when result.error is null or d.retries >= v_last then p_now end,
          d.retries + case when result.error is null then 0 else 1 end
        from (
          select place.at, p_errors[place.at] as error from (select array_position(p_ids, d.id) as at offset 0) place
          offset 0
        ) result
      )
    where d.id = any (v_ids) and d.created_at between v_oldest and v_newest and d.due_at is not null
    returning d.subscription_id, d.error is null as success
  )
  select array_agg(subscription_id), array_agg(success) into v_subscriptions, v_successes from settled;
  with run as (
    select subscription_id, bool_or(success) as any_success, count(*)::integer as failures
    from unnest(v_subscriptions, v_successes) as result (subscription_id, success) group by subscription_id
  ), locked as materialized (
    -- An endpoint that is well has nothing to write: no row of all its deliveries that is changed every time. In one order, so
    -- that two workers cannot wait for each other.
    select s.id, run.any_success, run.failures
    from run join webhook_subscriptions s on s.id = run.subscription_id
    where not run.any_success or s.failures_in_a_row > 0
    order by s.id for no key update of s
  )
  update webhook_subscriptions s set
    failures_in_a_row = case when locked.any_success then 0 else s.failures_in_a_row + locked.failures end,
    pauses = 0, paused_until = null
  from locked where s.id = locked.id;
end
$$;

-- As settle_and_claim_due and settle_and_claim_with_faults in 0055; the latter when there are p_hold_seconds.
create function settle_and_claim_ahead(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_fast jsonb, p_held jsonb,
  p_leases_held uuid[], p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[], p_hold_seconds integer
) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, url text, secret text,
  previous_secret text, allowed_webhook_domains text[], require_https_webhooks boolean, fault text
)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
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
    if p_hold_seconds is not null then
      -- Of what was sent twice both attempts were written.
      if exists (select 1 from webhook_faulty_deliveries f where f.delivery_id = any (p_ids) and f.state = 'TAKEN') then
        with done as (
          update webhook_faulty_deliveries f set state = 'DONE' from webhook_deliveries d
          where f.delivery_id = any (p_ids) and f.state = 'TAKEN' and d.id = f.delivery_id and d.attempt_count > 0
          returning f.delivery_id
        )
        update webhook_deliveries d set attempt_count = jsonb_array_length(d.attempts)
        from done where d.id = done.delivery_id;
      end if;
      if exists (select 1 from webhook_faulty_deliveries f where f.state = 'HELD' and f.overtaken_by = any (p_ids)) then
        update webhook_deliveries d set due_at = p_now
        from webhook_faulty_deliveries f join webhook_pending q on q.delivery_id = f.delivery_id
        where f.state = 'HELD' and f.overtaken_by = any (p_ids) and d.id = f.delivery_id and d.created_at = q.created_at
          and d.due_at > p_now;
      end if;
    end if;
  end if;
  if p_room <= 0 then
    return;
  end if;
  -- Apart from the statement that reads them: a claim waits for others, and what was made meanwhile is claimed too.
  v_ids := claim_deliveries_ahead(p_now, p_lease, p_lease_seconds, p_room, p_slow_room, p_per_subscription,
    p_failing_after, p_failing_weight, p_fast, p_held, p_leases_held);
  if v_ids is null then
    return;
  end if;
  if p_hold_seconds is not null then
    v_faulty := array(
      select f.subscription_id from webhook_faults f
      union
      select f.subscription_id from webhook_faulty_deliveries f where f.state <> 'DONE'
    );
  end if;
  if p_hold_seconds is null or not exists (
    select from webhook_pending q where q.delivery_id = any (v_ids) and q.subscription_id = any (v_faulty)
  ) then
    return query select c.*, null::text from read_claimed_deliveries(v_ids, p_lease, p_now) c;
    return;
  end if;
  -- What is over or gone takes no fault; the others take theirs by the events in their order.
  v_ids := array(select c.id from read_claimed_deliveries(v_ids, p_lease, p_now) c);
  for v_claimed in
    select d.id, d.subscription_id, d.partner_id, d.event, d.booking_id, d.attempt_count, e.payload, s.url, s.secret,
      case when s.previous_secret_until > p_now then s.previous_secret end as previous_secret,
      p.allowed_webhook_domains, p.require_https_webhooks
    from webhook_pending q
    -- By its key, whatever the planner knew of the table when it planned.
    cross join lateral (
      select * from webhook_deliveries w where w.id = q.delivery_id and w.created_at = q.created_at offset 0
    ) d
    join webhook_subscriptions s on s.id = d.subscription_id
    join partners p on p.id = d.partner_id
    cross join lateral (
      select e.payload, e.position from events e where e.id = d.event_id and e.created_at = d.created_at
      union all
      -- A replay (0041) is younger than its event.
      select e.payload, e.position from events e
      where d.replay > 0 and e.id = d.event_id and e.created_at <> d.created_at
    ) e
    where q.delivery_id = any (v_ids)
    order by e.position
  loop
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
