-- Claims and results of deliveries are statements of queue-queries.ts (docs/decisions/webhook-delivery.md).

-- The queue has an entry for every pending delivery.
create or replace function queue_deliveries() returns trigger
language plpgsql
-- The length of the queue varies: a plan that was made while it was empty would read all of it later.
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_over uuid[];
begin
  if tg_op = 'UPDATE' then
    if not exists (select from new_rows) then
      return null;
    end if;
    -- The operator's stream of changes reads this counter.
    perform nextval('delivery_changes');
    v_over := array(select id from new_rows where status <> 'PENDING');
    delete from webhook_pending where delivery_id = any (v_over);
  end if;
  insert into webhook_pending as q (delivery_id, subscription_id, created_at, due_at)
  select id, subscription_id, created_at, due_at from new_rows where status = 'PENDING'
  on conflict (delivery_id) do update set created_at = excluded.created_at, due_at = excluded.due_at
  where (q.created_at, q.due_at) is distinct from (excluded.created_at, excluded.due_at);
  return null;
end
$$;
create or replace trigger webhook_deliveries_queued after insert on webhook_deliveries
  referencing new table as new_rows for each statement execute function queue_deliveries();
create or replace trigger webhook_deliveries_requeued after update on webhook_deliveries
  referencing new table as new_rows for each statement execute function queue_deliveries();
