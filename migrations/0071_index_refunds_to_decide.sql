-- Outside of a transaction. The operator is shown what to decide.
create index concurrently payments_to_decide_idx on payments (created_at desc, id desc) where refund_to_decide;
