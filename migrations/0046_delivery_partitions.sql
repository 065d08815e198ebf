-- Deliveries in partitions by month (src/db/partitions.ts, docs/decisions/partitions.md): what was the table is the first of
-- them, unbounded, so nothing is read or written here. The queue (0045) says in which month a pending one lies.
alter table webhook_faulty_deliveries drop constraint webhook_faulty_deliveries_delivery_id_fkey;

drop trigger webhook_deliveries_failed_made on webhook_deliveries;
drop trigger webhook_deliveries_failed_moved on webhook_deliveries;
drop trigger webhook_deliveries_queued on webhook_deliveries;
drop trigger webhook_deliveries_requeued on webhook_deliveries;
drop trigger webhook_deliveries_forgotten on webhook_deliveries;
alter table webhook_deliveries rename to webhook_deliveries_first;
-- Room for the attempts, which come later, in the same page.
alter table webhook_deliveries_first set (fillfactor = 30);
create table webhook_deliveries (like webhook_deliveries_first including defaults including storage)
  partition by range (created_at);
alter table webhook_deliveries attach partition webhook_deliveries_first for values from (minvalue) to (maxvalue);
alter table webhook_deliveries
  add constraint webhook_deliveries_subscription_id_fkey foreign key (subscription_id) references webhook_subscriptions;

create trigger webhook_deliveries_failed_made before insert on webhook_deliveries
  for each row when (new.status = 'FAILED') execute function note_delivery_failed();
create trigger webhook_deliveries_failed_moved before update on webhook_deliveries
  for each row when (new.status = 'FAILED' or old.status = 'FAILED') execute function note_delivery_failed();
create trigger webhook_deliveries_queued after insert on webhook_deliveries
  for each row when (new.status = 'PENDING') execute function queue_new_delivery();
create trigger webhook_deliveries_requeued after update on webhook_deliveries
  referencing new table as new_rows for each statement execute function queue_changed_deliveries();
create trigger webhook_deliveries_forgotten after delete on webhook_deliveries
  referencing old table as old_rows for each statement execute function forget_deliveries();
