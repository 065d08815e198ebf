-- Counts what happened to a payment that must be looked at: the gateway told something, the appointment moved forward.
-- A number, because two of these can happen at one moment of the clock: whoever looked at the first has not seen the
-- second.
alter table payments add column news integer not null default 0;

-- As before, and also while a worker is at it, who would else go on by the old time.
create or replace function hasten_payment() returns trigger
language plpgsql as $$
begin
  update payments set due_at = least(due_at, new.starts_at), news = news + 1, updated_at = new.updated_at
  where booking_id = new.booking_id and status in ('CREATED', 'OPEN');
  return null;
end
$$;
