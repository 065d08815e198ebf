-- The queue of deliveries (docs/decisions/webhook-delivery.md). Every change of a delivery passes through triggers that keep the
-- queue (webhook_pending) and the totals; workers claim from the queue and settle results.
--
-- The queue is empty one minute and long the next, and a plan that was made while it was empty would read all of it: `set
-- enable_…` forces plans by the keys. A plan of which a part is switched off looks too dear to be interpreted, so that it would
-- be compiled at each run: jit is off.

-- ---------------------------------------------------------------------------
-- The queue and the totals follow the deliveries

create or replace function note_delivery_failed() returns trigger
language plpgsql as $$
begin
  new.failed_at := case when new.status = 'FAILED' then new.finished_at end;
  return new;
end
$$;
create or replace trigger webhook_deliveries_failed_made before insert on webhook_deliveries
  for each row when (new.status = 'FAILED') execute function note_delivery_failed();
create or replace trigger webhook_deliveries_failed_moved before update on webhook_deliveries
  for each row when (new.status = 'FAILED' or old.status = 'FAILED') execute function note_delivery_failed();

-- A delivery that moves to another partition is an update (queue_changed_deliveries).
create or replace function queue_new_deliveries() returns trigger
language plpgsql as $$
begin
  insert into webhook_pending (delivery_id, subscription_id, event, created_at, due_at)
  select id, subscription_id, event, created_at, due_at from made where status = 'PENDING'
  on conflict (delivery_id) do nothing;
  return null;
end
$$;
create or replace trigger webhook_deliveries_queued after insert on webhook_deliveries
  referencing new table as made for each statement execute function queue_new_deliveries();

-- The month that totals are kept by (UTC): months are dropped whole.
create or replace function month_of(p_at timestamptz) returns date
  language sql stable
  return date_trunc('month', p_at at time zone 'UTC')::date;

create or replace function queue_changed_deliveries() returns trigger
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_over uuid[];
  v_waiting boolean;
begin
  select array_agg(id) filter (where status <> 'PENDING'), bool_or(status = 'PENDING')
  into v_over, v_waiting from new_rows;
  if v_waiting is null then
    return null;
  end if;
  perform nextval('delivery_changes');
  if v_over is not null then
    delete from webhook_pending where delivery_id = any (v_over);
  end if;
  if v_waiting then
    insert into webhook_pending as q (delivery_id, subscription_id, event, created_at, due_at)
    select id, subscription_id, event, created_at, due_at from new_rows where status = 'PENDING'
    on conflict (delivery_id) do update set created_at = excluded.created_at, due_at = excluded.due_at
    where (q.created_at, q.due_at) is distinct from (excluded.created_at, excluded.due_at);
  end if;
  insert into delivery_total_changes
  select subscription_id, month_of(created_at), status, event, sum(change) from (
    select subscription_id, created_at, status, event, 1 as change from new_rows where status <> 'PENDING'
    union all
    select subscription_id, created_at, status, event, -1 from old_rows where status <> 'PENDING'
  ) changed
  group by 1, 2, 3, 4 having sum(change) <> 0;
  return null;
end
$$;
create or replace trigger webhook_deliveries_requeued after update on webhook_deliveries
  referencing old table as old_rows new table as new_rows
  for each statement execute function queue_changed_deliveries();

create or replace function forget_deliveries() returns trigger
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_ids uuid[];
begin
  select array_agg(id) into v_ids from old_rows;
  if v_ids is not null then
    delete from webhook_pending where delivery_id = any (v_ids);
    delete from webhook_faulty_deliveries where delivery_id = any (v_ids);
    insert into delivery_total_changes
    select subscription_id, month_of(created_at), status, event, -count(*) from old_rows where status <> 'PENDING'
    group by 1, 2, 3, 4;
  end if;
  return null;
end
$$;
create or replace trigger webhook_deliveries_forgotten after delete on webhook_deliveries
  referencing old table as old_rows for each statement execute function forget_deliveries();

-- Moves up to p_limit changes into the totals and returns how many. Of two at once, each takes others.
create or replace function fold_delivery_totals(p_limit integer) returns integer
language plpgsql as $$
declare
  v_folded integer;
begin
  with taken as (
    select ctid from delivery_total_changes limit p_limit for update skip locked
  ), gone as (
    delete from delivery_total_changes where ctid = any (array(select ctid from taken)) returning *
  ), folded as (
    insert into delivery_totals as t (subscription_id, month, status, event, deliveries)
    select subscription_id, month, status, event, sum(change) from gone
    group by subscription_id, month, status, event having sum(change) <> 0
    -- In one order, so that two at once cannot wait for each other.
    order by subscription_id, month, status, event
    on conflict on constraint delivery_totals_pkey do update set deliveries = t.deliveries + excluded.deliveries
  )
  select count(*) into v_folded from gone;
  return v_folded;
end
$$;

-- ---------------------------------------------------------------------------
-- Claims and results

-- Is there something to claim: deliveries, payments, steps of sandbox runs? Every change wakes the workers, and almost none makes
-- work for them: one look at the heads of three indexes costs a fraction of three claims that find nothing. Deliveries that wait
-- for their time are not read.
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


-- Claims due deliveries for one worker and returns their IDs. p_room is how many attempts it can still begin, p_slow_room how many
-- of them for endpoints that are slow, not yet known, or failing: the rest is kept for those that answer fast. Of the free room a
-- partner takes no more than it leaves, and within a partner a subscription takes no more than it leaves of that, so that the next
-- one always finds a part. An endpoint that keeps failing counts p_failing_weight times, but its first attempt once; a first
-- attempt is never held up by those that hang.
--
-- A subscription never has more than p_per_subscription attempts claimed, whichever workers make them; but as many as p_fast says
-- of it ({ "<id>": number }) when it answers fast and no other worker has any of it. p_held has this worker's attempts by partner,
-- { "<id>": [to fast endpoints, to slow ones] }, p_leases_held its claims. Business time is p_now; leases run by the database's clock.
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
  -- One claim at a time: what is claimed is counted before more is taken.
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

-- What an attempt needs to know of claimed deliveries. What is over or gone is not among them.
create or replace function read_claimed_deliveries(p_ids uuid[], p_lease uuid, p_now timestamptz) returns table (
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
      -- A replay is younger than its event.
      select e.payload from events e
      where d.replay > 0 and e.id = d.event_id and e.created_at <> d.created_at
    ) e
  where q.delivery_id = any (p_ids);
  get diagnostics v_read = row_count;
  if v_read < cardinality(p_ids) then
    -- Over or gone: an entry of a month that was dropped.
    delete from webhook_pending q where q.delivery_id = any (p_ids) and not exists (
      select 1 from webhook_deliveries d
      where d.id = q.delivery_id and d.created_at = q.created_at and d.due_at is not null
    );
  end if;
end
$$;

-- Writes the results of attempts, all arrays alike: the delivery's next state with the attempt, and how often the subscription has
-- failed since its last success. A result whose lease has gone to another worker is dropped. Results are found in their arrays and
-- not joined: an index scan by one key that had to look among all keys too would sort them again for every row.
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

-- One round trip of a worker in one transaction: settle_results, then claim_deliveries_ahead. It does not wait for the disk: what a
-- crash of the database server forgets is sent again ("at least once"). In a sandbox there are p_hold_seconds, and the attempts
-- that faults were asked for get them (take_webhook_fault).
create or replace function settle_and_claim_ahead(
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
      -- A replay is younger than its event.
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
