-- compatible since: 0.1.0
-- Steps whose time is uncertain, and what the office decided about refused ones.

alter table crew_steps
  add column is_time_uncertain boolean not null default false,
  add column decision text;

alter table crew_steps
  add constraint crew_steps_decision_check check (decision is null or decision in ('TAKEN', 'LEFT') and refusal is not null) not valid;
