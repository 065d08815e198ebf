-- compatible since: 0.1.0
-- Outside of a transaction.
create index concurrently appointments_held_idx on appointments (team_id, starts_at) where status = 'Held';
