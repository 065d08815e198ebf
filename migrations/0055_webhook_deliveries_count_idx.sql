-- compatible since: 0.1.0
-- Outside of a transaction. Counts the deliveries of a partner or subscription: PostgreSQL stores equal keys once, so a million
-- takes 7 MB, not 56. Months that exist are counted through the index of their order until they are dropped.
create index concurrently webhook_deliveries_count_idx on webhook_deliveries_default (partner_id, subscription_id);
