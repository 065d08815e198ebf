-- How many deliveries of a subscription are over, so that a list need not count them for its total. What is pending is counted
-- in the queue. By month, because months are dropped whole.
create table delivery_totals (
  subscription_id uuid not null,
  month date not null, -- in which they were made (UTC)
  status text not null,
  event text not null,
  deliveries bigint not null,
  constraint delivery_totals_pkey primary key (subscription_id, month, status, event)
) with (fillfactor = 70);

-- What has changed since, as with bookings (0036): a total is the sum of both, exact at any moment.
create table delivery_total_changes (
  subscription_id uuid not null,
  month date not null,
  status text not null,
  event text not null,
  change integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index delivery_total_changes_subscription_idx on delivery_total_changes (subscription_id);

create function month_of(p_at timestamptz) returns date
  language sql stable
  return date_trunc('month', p_at at time zone 'UTC')::date;

-- As in 0045, with the totals: deliveries are made pending, and end by an update.
create or replace function queue_changed_deliveries() returns trigger
language plpgsql
-- By the key, whatever the planner knew of the queue when it planned.
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_over uuid[];
  v_waiting boolean;
begin
  select array_agg(id) filter (where status <> 'PENDING'), coalesce(bool_or(status = 'PENDING'), false)
  into v_over, v_waiting from new_rows;
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
drop trigger webhook_deliveries_requeued on webhook_deliveries;
create trigger webhook_deliveries_requeued after update on webhook_deliveries
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

-- Moves up to p_limit changes into the totals and answers how many. Of two at once, each takes others.
create function fold_delivery_totals(p_limit integer) returns integer
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
