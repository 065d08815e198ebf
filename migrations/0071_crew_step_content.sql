-- compatible since: 0.1.0
-- The key of a crew's step stands for its content: the start that the telephone showed is a part of it. null: a step of before.

alter table crew_steps add column starts_at timestamptz;
