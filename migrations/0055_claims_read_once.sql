-- A claim in two, what is claimed and what an attempt needs to know of it: a sandbox read that twice, then row by row,
-- for faults that mostly nobody asked for. Both took 8 % of the time of its claims and results.
create function claim_deliveries(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_fast jsonb, p_held jsonb
) returns uuid[]
language plpgsql
-- By their keys, whatever the planner knew of the tables when it planned.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_ids uuid[];
  v_real_now timestamptz;
begin
  -- One claim at a time, those of 0003 and 0006 included: what is under way is counted before more is taken.
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
    select s.id, s.partner_id, kind.slow and busy.under_way > 0 as slow,
      -- Slow or not known, and none under way: one attempt from the room of all, which shows how fast it answers.
      case when kind.slow and busy.under_way = 0 then 1 else p_per_subscription - busy.under_way end as most,
      case when kind.failing then p_failing_weight else 1 end as weight,
      case when kind.slow and busy.under_way > 0 then least(p_slow_room, p_room) else p_room end as room,
      coalesce((p_held -> s.partner_id::text ->> (kind.slow and busy.under_way > 0)::integer)::integer, 0) as held,
      busy.under_way
    from waiting
    join webhook_subscriptions s on s.id = waiting.subscription_id
    join partners p on p.id = s.partner_id
    cross join lateral (
      select s.failures_in_a_row >= p_failing_after as failing,
        s.failures_in_a_row >= p_failing_after or not p_fast ? s.id::text as slow
    ) kind
    cross join lateral (
      select count(*)::integer as under_way from webhook_leases l
      where l.subscription_id = s.id and l.leased_until > v_real_now
    ) busy
    where s.status = 'ACTIVE' and s.removed_at is null and p.status = 'ACTIVE'
  ), candidate as (
    select d.id, d.due_at, endpoint.partner_id, endpoint.slow, endpoint.room, endpoint.held,
      (endpoint.under_way + row_number() over (partition by endpoint.id order by d.due_at, d.id) - 1)
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
  if v_ids is not null then
    insert into webhook_leases as l (delivery_id, subscription_id, lease, leased_until)
    select q.delivery_id, q.subscription_id, p_lease, v_real_now + make_interval(secs => p_lease_seconds)
    from webhook_pending q where q.delivery_id = any (v_ids)
    on conflict (delivery_id) do update set lease = excluded.lease, leased_until = excluded.leased_until;
  end if;
  return v_ids;
end
$$;

-- Of what was claimed; what is over or gone is not among it.
create function read_claimed_deliveries(p_ids uuid[], p_lease uuid, p_now timestamptz) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, url text, secret text,
  previous_secret text, allowed_webhook_domains text[], require_https_webhooks boolean
)
language plpgsql
-- By their keys, whatever the planner knew of the tables when it planned.
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_read integer;
begin
  return query
  select d.id, p_lease, d.subscription_id, d.partner_id, d.event, e.payload, s.url, s.secret,
    case when s.previous_secret_until > p_now then s.previous_secret end, p.allowed_webhook_domains,
    p.require_https_webhooks
  from webhook_pending q
  cross join lateral (
    select w.* from webhook_deliveries w
    where w.id = q.delivery_id and w.created_at = q.created_at and w.due_at is not null offset 0
  ) d
  join webhook_subscriptions s on s.id = d.subscription_id
  join partners p on p.id = s.partner_id
  cross join lateral (
      select e.payload from events e where e.id = d.event_id and e.created_at = d.created_at
      union all
      -- A replay (0041) is younger than its event.
      select e.payload from events e
      where d.replay > 0 and e.id = d.event_id and e.created_at <> d.created_at
    ) e
  where q.delivery_id = any (p_ids);
  get diagnostics v_read = row_count;
  if v_read < cardinality(p_ids) then
    -- Over or gone: an entry of a month that was dropped, or from before the triggers of the queue.
    delete from webhook_pending q where q.delivery_id = any (p_ids) and not exists (
      select 1 from webhook_deliveries d
      where d.id = q.delivery_id and d.created_at = q.created_at and d.due_at is not null
    );
  end if;
end
$$;

create or replace function settle_and_claim_due(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_fast jsonb, p_held jsonb,
  p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[]
) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, url text, secret text,
  previous_secret text, allowed_webhook_domains text[], require_https_webhooks boolean
)
language plpgsql as $$
declare
  v_ids uuid[];
begin
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(p_ids) > 0 then
    perform settle_results(p_now, p_ids, p_leases, p_status_codes, p_errors, p_attempts, p_retry_after_seconds);
  end if;
  if p_room > 0 then
    v_ids := claim_deliveries(p_now, p_lease, p_lease_seconds, p_room, p_slow_room, p_per_subscription, p_failing_after,
      p_failing_weight, p_fast, p_held);
    if v_ids is not null then
      return query select * from read_claimed_deliveries(v_ids, p_lease, p_now);
    end if;
  end if;
end
$$;

create or replace function settle_and_claim_with_faults(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_fast jsonb, p_held jsonb,
  p_ids uuid[], p_leases uuid[], p_status_codes integer[], p_errors text[], p_attempts jsonb[],
  p_retry_after_seconds integer[], p_hold_seconds integer
) returns table (
  id uuid, lease uuid, subscription_id uuid, partner_id uuid, event text, payload jsonb, url text, secret text,
  previous_secret text, allowed_webhook_domains text[], require_https_webhooks boolean, fault text
)
language plpgsql
-- By their keys, whatever the planner knew of the tables when it planned.
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
  if p_room <= 0 then
    return;
  end if;
  -- Apart from the statement that reads them: a claim waits for others, and what was made meanwhile is claimed too.
  v_ids := claim_deliveries(p_now, p_lease, p_lease_seconds, p_room, p_slow_room, p_per_subscription, p_failing_after,
    p_failing_weight, p_fast, p_held);
  if v_ids is null then
    return;
  end if;
  v_faulty := array(
    select f.subscription_id from webhook_faults f
    union
    select f.subscription_id from webhook_faulty_deliveries f where f.state <> 'DONE'
  );
  if not exists (
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

drop function claim_due_deliveries;
