-- Outside of a transaction.
-- What is to be retried of a subscription, oldest first.
create index concurrently webhook_deliveries_failed_at_idx on webhook_deliveries (subscription_id, failed_at)
  where failed_at is not null;
