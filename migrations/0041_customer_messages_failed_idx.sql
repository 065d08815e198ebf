-- compatible since: 0.1.0
-- Outside of a transaction. Messages to customers that could not be sent, for the operator's attention.
create index concurrently customer_messages_failed_idx on customer_messages (finished_at desc) where status = 'FAILED';
