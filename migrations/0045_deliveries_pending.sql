-- The queue of deliveries in a narrow table of its own (docs/decisions/webhook-delivery.md): what is pending. So the history
-- needs no index of the queue, lies in months (0046), and a result that changes no indexed column rewrites no index.
create table webhook_pending (
  delivery_id uuid constraint webhook_pending_pkey primary key,
  subscription_id uuid not null,
  event text not null,
  created_at timestamptz not null, -- the delivery's, which leads to its month
  due_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, fillfactor = 80);
create index webhook_pending_due_idx on webhook_pending (subscription_id, due_at);

-- finished_at of what is FAILED, and nothing else: an index that a success does not touch.
alter table webhook_deliveries add column failed_at timestamptz;

-- Whoever writes a delivery, of whichever version: the queue follows.
create function note_delivery_failed() returns trigger
language plpgsql as $$
begin
  new.failed_at := case when new.status = 'FAILED' then new.finished_at end;
  return new;
end
$$;
create trigger webhook_deliveries_failed_made before insert on webhook_deliveries
  for each row when (new.status = 'FAILED') execute function note_delivery_failed();
create trigger webhook_deliveries_failed_moved before update on webhook_deliveries
  for each row when (new.status = 'FAILED' or old.status = 'FAILED') execute function note_delivery_failed();

create function queue_new_delivery() returns trigger
language plpgsql as $$
begin
  insert into webhook_pending (delivery_id, subscription_id, event, created_at, due_at)
  values (new.id, new.subscription_id, new.event, new.created_at, new.due_at)
  -- One that moves to another month is inserted there.
  on conflict (delivery_id) do nothing;
  return null;
end
$$;
create trigger webhook_deliveries_queued after insert on webhook_deliveries
  for each row when (new.status = 'PENDING') execute function queue_new_delivery();

create function queue_changed_deliveries() returns trigger
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
  return null;
end
$$;
create trigger webhook_deliveries_requeued after update on webhook_deliveries
  referencing new table as new_rows for each statement execute function queue_changed_deliveries();

create function forget_deliveries() returns trigger
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
  end if;
  return null;
end
$$;
create trigger webhook_deliveries_forgotten after delete on webhook_deliveries
  referencing old table as old_rows for each statement execute function forget_deliveries();
