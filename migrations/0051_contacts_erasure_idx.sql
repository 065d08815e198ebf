-- compatible since: 0.1.0
-- Outside of a transaction.

create index concurrently contacts_erasure_idx on contacts (erasure_id) where erasure_id is not null;
