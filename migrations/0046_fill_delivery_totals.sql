-- The deliveries that were over before the triggers, in a transaction of its own: the triggers' lock is not held meanwhile. One
-- statement, so one view of the database: what it counts has no change left, what it does not see has.
with counted as (
  delete from delivery_total_changes returning 1
)
insert into delivery_totals (subscription_id, month, status, event, deliveries)
select subscription_id, month_of(created_at), status, event, count(*) from webhook_deliveries where status <> 'PENDING'
group by 1, 2, 3, 4;

-- Nothing counts by it any more; without it a success changes no column that an index has.
drop index webhook_deliveries_count_idx;
