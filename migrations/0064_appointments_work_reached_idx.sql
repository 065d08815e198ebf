-- compatible since: 0.1.0
-- Outside of a transaction. Visits that were cancelled after their work had begun: few, and read for attention.
create index concurrently appointments_work_reached_idx on appointments (updated_at) where work_reached is not null;
