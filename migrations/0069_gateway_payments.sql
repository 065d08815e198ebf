-- Every payment of a link is accounted for: what the gateway has charged, what went back, and what is owed.

-- The payments in a link, as the gateway said last; one link can be paid more than once. Amounts are of the currency.
create table gateway_payments (
  payment_id uuid not null references payments (id),
  reference text not null check (reference <> ''), -- the gateway's id of it
  status text not null, -- the gateway's word
  currency text not null,
  amount numeric(12, 2) not null check (amount >= 0),
  charged numeric(12, 2) not null check (charged >= 0), -- really taken from the customer
  refunded numeric(12, 2) not null check (refunded >= 0), -- given back or voided at the gateway
  by_hand numeric(12, 2) not null default 0 check (by_hand >= 0), -- given back past the gateway, as the operator said
  charged_at timestamptz not null, -- by the gateway's clock
  seen_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (payment_id, reference)
);

alter table payments
  -- SAR that went back so far; null: by a version that gave back everything at once or nothing.
  add column refunded_amount numeric(12, 2),
  -- SAR that were to go back in all, when a refund was asked for last; null: all that was paid.
  add column refund_amount numeric(12, 2),
  -- The booking was cancelled when its work had begun: the operator decides what goes back.
  add column refund_to_decide boolean not null default false,
  -- SAR that the operator has decided to keep; null: nothing was decided.
  add column kept_amount numeric(12, 2),
  add column decision_reason text,
  add column decided_by text,
  add column decided_at timestamptz,
  -- When the gateway was last asked what became of the link.
  add column looked_at timestamptz,
  -- Of the message with the link, which has its own tries: looking at the gateway does not wait for them.
  add column send_tries integer not null default 0,
  add column send_due_at timestamptz,
  add constraint payments_to_decide_check check (not refund_to_decide or paid_at is not null) not valid,
  add constraint payments_decision_check check ((kept_amount is null) = (decided_at is null)
    and (decided_at is null) = (decided_by is null) and (decided_at is null) = (decision_reason is null)) not valid;

-- Whether the work has begun, whatever became of the appointment afterwards.
alter table appointments add column began_at timestamptz;

create function note_work_began() returns trigger
language plpgsql as $$
begin
  new.began_at := new.updated_at;
  return new;
end
$$;
create trigger appointments_work_began before update of status on appointments
  for each row when (new.began_at is null and (new.status in ('In Progress', 'Finished', 'Completed')
    or old.status in ('In Progress', 'Finished', 'Completed')))
  execute function note_work_began();

-- What cancelling does with the money: an unpaid link ends. What was paid goes back, unless the work has begun: then the
-- operator decides. The worker asks the gateway first, and computes what really goes back.
create or replace function cancel_payment() returns trigger
language plpgsql as $$
declare
  v_began boolean;
begin
  select a.began_at is not null or a.status in ('In Progress', 'Finished', 'Completed') into v_began
  from appointments a where a.booking_id = new.id;
  update payments p set
    status = case when p.status in ('CREATED', 'OPEN') then 'CANCELED' else p.status end,
    refund_to_decide = money.kept and money.owed and v_began,
    refund_status = case when money.goes_back then 'PENDING' else p.refund_status end,
    refund_amount = case when money.goes_back then p.paid_amount else p.refund_amount end,
    refund_error = case when money.goes_back then null else p.refund_error end,
    refunded_at = case when money.goes_back then null else p.refunded_at end,
    tries = 0,
    due_at = new.updated_at,
    updated_at = new.updated_at
  from (
    select k.id, k.kept, k.owed,
      -- A refund of a failed booking that was given up waits for the operator.
      k.kept and (k.owed and not v_began or not k.owed and k.refund_status = 'NONE') as goes_back
    from (
      select q.id, q.refund_status, old.status in ('in progress', 'success') as owed,
        q.paid_at is not null and q.paid_amount
          > coalesce(q.refunded_amount, case when q.refund_status = 'DONE' then q.paid_amount else 0 end) as kept
      from payments q where q.booking_id = new.id
    ) k
  ) money
  where p.id = money.id and (p.status in ('CREATED', 'OPEN') or money.kept);
  return null;
end
$$;

-- Streams of changes also notice what went back and what is to be decided.
drop trigger payments_note_change on payments;
create trigger payments_note_change after update on payments
  for each row when (new.status <> old.status or new.refund_status <> old.refund_status
    or new.refund_to_decide <> old.refund_to_decide or new.paid_amount is distinct from old.paid_amount
    or new.refunded_amount is distinct from old.refunded_amount)
  execute function note_change('payment_changes');
