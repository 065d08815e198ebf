-- compatible since: 0.1.0
-- Telephones of teams, the calls about visits, and visits that the office reported as done.

-- E.164; null: none.
alter table teams add column phone text;

-- When the office reported its work as done, by telephone; its crew's own later steps repeat that.
alter table appointments add column reported_at timestamptz;

-- Answers of customers who were called about a visit. Rows are only added: the last one counts.
create table visit_calls (
  id bigint generated always as identity primary key,
  appointment_id uuid not null references appointments,
  answer text not null check (answer in ('AGREED', 'DECLINED', 'NO_ANSWER', 'CALL_BACK')),
  -- The start that the customer was called about: the visit's own, or a proposed one.
  starts_at timestamptz not null,
  called_at timestamptz not null,
  called_by text not null
);
create index visit_calls_appointment_idx on visit_calls (appointment_id, id);
