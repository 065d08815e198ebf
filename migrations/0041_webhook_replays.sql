-- One delivery for each event, subscription and replay, by the index that was made for it.
alter table webhook_deliveries
  drop constraint webhook_deliveries_event_subscription_key,
  add constraint webhook_deliveries_event_subscription_key unique using index webhook_deliveries_replay_idx;
