-- Outside of a transaction.
-- A page of the deliveries of one subscription.
create index concurrently webhook_deliveries_subscription_idx
  on webhook_deliveries (subscription_id, created_at desc, id desc);
