-- An endpoint that was found slow while all slow attempts were taken got none until one ended, and so could not show
-- that it is well again. claim_deliveries_by_share of 0006, but for one thing: the first attempt to an endpoint, when
-- none is under way to it, is never held up by those that hang.
create or replace function claim_deliveries_by_share(
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
    select s.id, s.partner_id, kind.slow and busy.under_way > 0 as slow,
      -- Found slow and none under way: one attempt from the room of all shows whether it still is.
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
        s.failures_in_a_row >= p_failing_after or p_slow ? s.id::text as slow
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
      select q.id, q.due_at from webhook_deliveries q
      where q.subscription_id = endpoint.id and q.status = 'PENDING' and q.due_at <= p_now
        and not exists (
          select 1 from webhook_leases l where l.delivery_id = q.id and l.leased_until > v_real_now
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
