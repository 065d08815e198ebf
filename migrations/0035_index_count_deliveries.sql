-- Outside of a transaction.
-- How many deliveries a subscription has: without unique columns, so that the index has them in little room.
create index concurrently webhook_deliveries_count_idx on webhook_deliveries (subscription_id, status, event);
