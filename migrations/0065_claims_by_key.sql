-- Claims whose plan is the same whatever is known of the queue. Of tables that were seen empty and kept their pages, the planner
-- expects one row: it went through all that was waiting, and for each through all claims, by indexes of other columns. 128 of
-- 9,000 took a second (docs/decisions/webhook-delivery.md).
create or replace function claim_deliveries_ahead(
  p_now timestamptz, p_lease uuid, p_lease_seconds double precision, p_room integer, p_slow_room integer,
  p_per_subscription integer, p_failing_after integer, p_failing_weight integer, p_fast jsonb, p_held jsonb,
  p_leases_held uuid[]
) returns uuid[]
language plpgsql
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
  -- One claim at a time, those of versions before included: what is claimed is counted before more is taken.
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
    select d.id, d.due_at, endpoint.id as subscription_id, endpoint.partner_id, endpoint.slow, endpoint.room,
      endpoint.held,
      (endpoint.claimed + row_number() over (partition by endpoint.id order by d.due_at, d.id) - 1)
        * endpoint.weight + 1 as share
    from endpoint cross join lateral (
      select q.delivery_id as id, q.due_at from webhook_pending q
      where q.subscription_id = endpoint.id and q.due_at <= p_now
        -- For each by its key: a join would be planned by what is known of the two tables.
        and not exists (
          select 1 from webhook_leases l where l.delivery_id = q.delivery_id and l.leased_until > v_real_now offset 0
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
    select fitting.id, fitting.subscription_id, fitting.level,
      row_number() over (order by fitting.level, fitting.due_at, fitting.id) as place
    from fitting where fitting.place <= fitting.room and fitting.level <= fitting.room - fitting.place + 2
  ), claimed as materialized (
    select chosen.id, chosen.subscription_id, chosen.place from chosen
    where chosen.place <= p_room and chosen.level <= p_room - chosen.place + 2
  ), leased as (
    insert into webhook_leases as l (delivery_id, subscription_id, lease, leased_until)
    select claimed.id, claimed.subscription_id, p_lease, v_real_now + make_interval(secs => p_lease_seconds) from claimed
    on conflict (delivery_id) do update set lease = excluded.lease, leased_until = excluded.leased_until
  )
  select array_agg(claimed.id order by claimed.place) into v_ids from claimed;
  return v_ids;
end
$$;

-- Likewise: of deliveries that wait for their time, nothing is read.
create or replace function look_for_due_work(
  p_now timestamptz, p_real_now timestamptz, out deliveries boolean, out payments boolean, out steps boolean
)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_real_now timestamptz;
  v_subscription uuid;
begin
  v_real_now := clock_timestamp();
  payments := exists (
    select from payments p where p.due_at <= p_now and (p.lease is null or p.leased_until <= p_real_now)
  );
  steps := exists (
    select from simulator_steps s
    where s.status = 'WAITING' and s.due_at <= p_now and (s.leased_until is null or s.leased_until <= v_real_now)
  );
  -- Every subscription that has pending deliveries, by one look into the index for each.
  select q.subscription_id into v_subscription from webhook_pending q order by q.subscription_id limit 1;
  while v_subscription is not null loop
    deliveries := exists (
      select from webhook_subscriptions s join partners p on p.id = s.partner_id
      where s.id = v_subscription and s.status = 'ACTIVE' and s.removed_at is null and p.status = 'ACTIVE'
    ) and exists (
      select from webhook_pending q
      where q.subscription_id = v_subscription and q.due_at <= p_now
        and not exists (
          select from webhook_leases l where l.delivery_id = q.delivery_id and l.leased_until > v_real_now offset 0
        )
    );
    exit when deliveries;
    v_subscription := (
      select q.subscription_id from webhook_pending q
      where q.subscription_id > v_subscription order by q.subscription_id limit 1
    );
  end loop;
  deliveries := coalesce(deliveries, false);
end
$$;
