-- Payments change in the transaction that changes their booking or appointment; the worker takes the due steps.

-- The payment link is due with the booking.
create or replace function request_payment() returns trigger
language plpgsql as $$
begin
  insert into payments (booking_id, partner_id, amount, expires_at, due_at, created_at, updated_at)
  values (new.id, new.partner_id, new.amount, new.created_at + interval '24 hours', new.created_at, new.created_at,
    new.created_at);
  return null;
end
$$;
create or replace trigger bookings_request_payment after insert on bookings
  for each row when (new.status = 'waiting payment') execute function request_payment();

-- SAR of the price that may be kept by a booking's ledger of fees (policies/ledger.ts); null: nobody has decided.
create or replace function kept_by(p_fees jsonb) returns numeric
language sql immutable as $$
  select case
    when p_fees @> '[{"action": "decide"}]' or p_fees @> '[{"action": "cancel"}]' and not p_fees @> '[{"undecided": true}]' then (
      select greatest(0, sum((f.fee ->> 'amount')::numeric - coalesce((f.fee ->> 'lowers')::numeric, 0)))
      from jsonb_array_elements(p_fees) as f (fee)) end
$$;

-- A cancellation ends an unpaid link. What was paid is refunded but for the fees of a policy, if one decides; without one all
-- of it, unless the work has begun: then the operator decides.
-- The worker reads the gateway's status first and computes the amount.
create or replace function cancel_payment() returns trigger
language plpgsql as $$
declare
  v_began boolean; -- or nobody knows why the visit was not done
  v_fees numeric := kept_by(new.fees); -- null: no policy decides
begin
  select a.began_at is not null or a.status in ('In Progress', 'Finished', 'Completed') into v_began
  from appointments a where a.booking_id = new.id;
  v_began := v_began or v_fees is null and coalesce(new.fees @> '[{"undecided": true}]', false);
  update payments p set
    status = case when p.status in ('CREATED', 'OPEN') then 'CANCELED' else p.status end,
    refund_to_decide = money.kept and money.owed and v_began and v_fees is null,
    kept_amount = case when money.by_policy then v_fees else p.kept_amount end,
    decided_by = case when money.by_policy then 'policy' else p.decided_by end,
    decided_at = case when money.by_policy then new.updated_at else p.decided_at end,
    decision_reason = case when money.by_policy
      then (select name_en || ', version ' || version from policies where id = new.policy_id) else p.decision_reason end,
    refund_status = case when money.goes_back then 'PENDING' else p.refund_status end,
    refund_amount = case when money.goes_back then p.paid_amount - case when money.by_policy then v_fees else 0 end
      else p.refund_amount end,
    refund_error = case when money.goes_back then null else p.refund_error end,
    refunded_at = case when money.goes_back then null else p.refunded_at end,
    tries = 0,
    due_at = new.updated_at,
    updated_at = new.updated_at
  from (
    select k.id, k.remainder > 0 as kept, k.owed, k.remainder > 0 and k.owed and v_fees is not null as by_policy,
      -- A failed refund of a failed booking is left to the operator.
      k.remainder > 0 and case when not k.owed then k.refund_status = 'NONE'
        when v_fees is null then not v_began else k.remainder > v_fees end as goes_back
    from (
      select q.id, q.refund_status, old.status in ('in progress', 'success') as owed,
        case when q.paid_at is null then 0 else q.paid_amount
          - coalesce(q.refunded_amount, case when q.refund_status = 'DONE' then q.paid_amount else 0 end) end as remainder
      from payments q where q.booking_id = new.id
    ) k
  ) money
  where p.id = money.id and (p.status in ('CREATED', 'OPEN') or money.kept);
  return null;
end
$$;
-- Only a booking that is paid by a link has a payment.
create or replace trigger bookings_cancel_payment after update of status on bookings
  for each row when (new.status = 'canceled' and old.status <> 'canceled' and new.payment_responsibility = 'PLATFORM')
  execute function cancel_payment();

-- After the end what is kept is what the ledger says: decided later, and lowered by waivers, corrections and the gateway. The rest
-- goes back.
create or replace function lower_payment() returns trigger
language plpgsql as $$
declare
  v_kept numeric := kept_by(new.fees);
begin
  update payments p set
    refund_to_decide = false,
    kept_amount = v_kept,
    decided_by = coalesce(new.fees -> -1 ->> 'by', p.decided_by, 'policy'),
    decided_at = new.updated_at,
    decision_reason = coalesce(p.decision_reason, (select name_en || ', version ' || version from policies where id = new.policy_id), ''),
    refund_status = case when money.goes_back then 'PENDING' else p.refund_status end,
    refund_amount = case when money.goes_back then p.paid_amount - v_kept else p.refund_amount end,
    refund_error = case when money.goes_back then null else p.refund_error end,
    refunded_at = case when money.goes_back then null else p.refunded_at end,
    tries = 0,
    news = p.news + 1,
    due_at = new.updated_at,
    updated_at = new.updated_at
  from (
    select q.id, q.paid_amount - coalesce(q.refunded_amount, case when q.refund_status = 'DONE' then q.paid_amount else 0 end)
      > v_kept as goes_back
    from payments q where q.booking_id = new.id and q.paid_at is not null
  ) money
  where p.id = money.id and v_kept is not null and p.kept_amount is distinct from v_kept and (p.kept_amount is not null or p.refund_to_decide);
  return null;
end
$$;
create or replace trigger bookings_lower_payment after update of fees on bookings
  for each row when (new.status = 'canceled' and old.status = 'canceled' and new.fees is distinct from old.fees
    and new.payment_responsibility = 'PLATFORM')
  execute function lower_payment();

-- A link ends no later than its appointment starts: an earlier start makes the payment due earlier, also while a worker
-- has claimed it.
create or replace function hasten_payment() returns trigger
language plpgsql as $$
begin
  update payments set due_at = least(due_at, new.starts_at), news = news + 1, updated_at = new.updated_at
  where booking_id = new.booking_id and status in ('CREATED', 'OPEN');
  return null;
end
$$;
create or replace trigger appointments_hasten_payment after update of starts_at on appointments
  for each row when (new.starts_at < old.starts_at) execute function hasten_payment();

create or replace trigger payments_note_change after update on payments
  for each row when (new.status <> old.status or new.refund_status <> old.refund_status
    or new.refund_to_decide <> old.refund_to_decide or new.paid_amount is distinct from old.paid_amount
    or new.refunded_amount is distinct from old.refunded_amount)
  execute function note_change('payment_changes');

-- The payment as it is now. In plpgsql, which reads the newest commits: a statement that has waited for the lock of a booking
-- sees the payment from before.
create or replace function payment_of(p_booking_id uuid) returns payments
language plpgsql as $$
declare
  v_payment payments;
begin
  select * into v_payment from payments where booking_id = p_booking_id;
  return v_payment;
end
$$;

-- A link or a refund is a part of what partners see of a booking: its row changes with them, unless this transaction has
-- changed it. Whatever updates them locks the booking first.
create or replace function touch_booking() returns trigger
language plpgsql as $$
begin
  update bookings set updated_at = new.updated_at, version = version + 1
  where id = new.booking_id and xmin <> pg_current_xact_id()::xid;
  return null;
end
$$;
create or replace trigger payments_touch_booking after update on payments
  for each row when (old.link_url is null and new.link_url is not null or new.refund_status <> old.refund_status
    or new.refund_to_decide <> old.refund_to_decide or new.refund_amount is distinct from old.refund_amount
    or new.refunded_amount is distinct from old.refunded_amount or new.kept_amount is distinct from old.kept_amount)
  execute function touch_booking();
