-- What was pending before the triggers of the queue. What ends meanwhile leaves an entry, which its claim removes.
insert into webhook_pending (delivery_id, subscription_id, event, created_at, due_at)
select id, subscription_id, event, created_at, due_at from webhook_deliveries where status = 'PENDING'
on conflict (delivery_id) do nothing;

-- Fires what notes it.
update webhook_deliveries set failed_at = finished_at where status = 'FAILED' and failed_at is null;
