-- Payments under PLATFORM: the link, the money, the refund. The rows are the worker's queue.

-- One for each booking that waits for its customer's payment. Business time, but for the lease (see webhook_deliveries).
create table payments (
  id uuid primary key default gen_random_uuid(),
  booking_id uuid not null constraint payments_booking_key unique references bookings (id),
  partner_id uuid not null, -- the booking's
  amount numeric(12, 2) not null check (amount > 0), -- SAR
  -- CREATED: no link yet. OPEN: a link that can be paid. The others are what became of it.
  status text not null default 'CREATED'
    check (status in ('CREATED', 'OPEN', 'PAID', 'FAILED', 'EXPIRED', 'CANCELED')),
  gateway text,
  gateway_reference text,
  link_url text,
  -- At the latest; never later than the start of the appointment, which may move.
  expires_at timestamptz not null,
  -- How often the gateway was asked to make the link: an answer may have been lost.
  link_asks integer not null default 0,
  -- How often the step that is due has been begun, and when it is due (null: nothing is).
  tries integer not null default 0,
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  -- When the gateway last said that there is news.
  notified_at timestamptz,
  -- Counts what happened that must be looked at: the gateway told something, the appointment moved forward. A number,
  -- because two of these can happen at one moment of the clock: whoever looked at the first has not seen the second.
  news integer not null default 0,
  sent_at timestamptz, -- the last message with the link
  -- When the operator asked for one more message that is not out yet. What has been sent stays in sent_at: a message
  -- that cannot be repeated does not fail the payment.
  resend_asked_at timestamptz,
  link_closed_at timestamptz, -- nothing can be paid by the link any more
  failure_reason text,
  -- The money that arrived, also when it came too late.
  paid_at timestamptz,
  paid_amount numeric(12, 2),
  refund_status text not null default 'NONE' check (refund_status in ('NONE', 'PENDING', 'DONE', 'FAILED')),
  refund_reference text,
  refund_error text,
  refunded_at timestamptz,
  refunded_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payments_gateway_reference_key unique (gateway, gateway_reference),
  check ((gateway_reference is null) = (link_url is null) and (gateway_reference is null) = (gateway is null)),
  check (status not in ('OPEN', 'PAID') or gateway_reference is not null),
  check ((paid_at is null) = (paid_amount is null)),
  check (status <> 'PAID' or paid_at is not null),
  -- Nothing is given back that was not paid.
  check (refund_status = 'NONE' or paid_at is not null),
  check ((refund_status = 'DONE') = (refunded_at is not null)),
  check ((lease is null) = (leased_until is null))
);
create index payments_due_idx on payments (due_at) where due_at is not null;
create index payments_created_idx on payments (created_at desc, id desc);
create index payments_partner_idx on payments (partner_id, created_at desc, id desc);
create index payments_refund_idx on payments (refund_status, created_at desc) where refund_status <> 'NONE';

-- The link job is written with the booking.
create function request_payment() returns trigger
language plpgsql as $$
begin
  insert into payments (booking_id, partner_id, amount, expires_at, due_at, created_at, updated_at)
  values (new.id, new.partner_id, new.amount, new.created_at + interval '24 hours', new.created_at, new.created_at,
    new.created_at);
  return null;
end
$$;
create trigger bookings_request_payment after insert on bookings
  for each row when (new.status = 'waiting payment') execute function request_payment();

-- Bookings that waited before there were payments: the link is overdue for most, and then they fail as any other.
insert into payments (booking_id, partner_id, amount, expires_at, due_at, created_at, updated_at)
select id, partner_id, amount, created_at + interval '24 hours', created_at, created_at, created_at
from bookings where status = 'waiting payment';

-- What cancelling does with the money, in the transaction that cancels: an unpaid link ends, paid money goes back.
create function cancel_payment() returns trigger
language plpgsql as $$
begin
  update payments set
    status = case when status in ('CREATED', 'OPEN') then 'CANCELED' else status end,
    refund_status = case when paid_at is not null and refund_status = 'NONE' then 'PENDING' else refund_status end,
    tries = case when refund_status = 'NONE' then 0 else tries end,
    due_at = new.updated_at,
    updated_at = new.updated_at
  where booking_id = new.id and (status in ('CREATED', 'OPEN') or (paid_at is not null and refund_status = 'NONE'));
  return null;
end
$$;
create trigger bookings_cancel_payment after update of status on bookings
  for each row when (new.status = 'canceled' and old.status <> 'canceled') execute function cancel_payment();

-- An appointment that moves forward takes the end of its link with it; also while a worker is at the payment, who would
-- else go on by the old time.
create function hasten_payment() returns trigger
language plpgsql as $$
begin
  update payments set due_at = least(due_at, new.starts_at), news = news + 1, updated_at = new.updated_at
  where booking_id = new.booking_id and status in ('CREATED', 'OPEN');
  return null;
end
$$;
create trigger appointments_hasten_payment after update of starts_at on appointments
  for each row when (new.starts_at < old.starts_at) execute function hasten_payment();

-- The sandbox gateway's own books, as an external gateway would keep them. Its reference is the token.
create table sandbox_checkouts (
  token text primary key,
  payment_id uuid not null constraint sandbox_checkouts_payment_key unique,
  amount numeric(12, 2) not null check (amount > 0),
  expires_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'paid', 'failed', 'closed')),
  declines integer not null default 0,
  paid_at timestamptz,
  refunded numeric(12, 2) not null default 0 check (refunded >= 0 and refunded <= amount),
  created_at timestamptz not null,
  check ((state = 'paid') = (paid_at is not null)),
  check (refunded = 0 or state = 'paid')
);
