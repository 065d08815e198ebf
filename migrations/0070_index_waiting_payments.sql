-- Outside of a transaction. What waits for its customer is counted; paid links are looked at again for a month.
create index concurrently payments_waiting_idx on payments (status) where status in ('CREATED', 'OPEN');
