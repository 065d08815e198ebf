-- compatible since: 0.1.0
-- A subscription may name more events than the first six. Which ones are known is the program's.

alter table webhook_subscriptions drop constraint webhook_subscriptions_events_check;
alter table webhook_subscriptions
  add constraint webhook_subscriptions_events_check check (cardinality(events) between 1 and 50);
