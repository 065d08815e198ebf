-- compatible since: 0.1.0
-- Outside of a transaction. Links to make and to send: few, and read with every scrape of the metrics.
create index concurrently payments_unsent_idx on payments (created_at)
  where status = 'CREATED' or (status = 'OPEN' and sent_at is null);
