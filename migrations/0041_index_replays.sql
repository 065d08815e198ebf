-- Outside of a transaction.
-- The key of the next but one, which takes it over: made under its lock it would hold up a million deliveries for seconds.
create unique index concurrently webhook_deliveries_replay_idx
  on webhook_deliveries (event_id, subscription_id, replay);
