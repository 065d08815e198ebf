-- Payments under PLATFORM: the link, the money, the refund. The rows are the worker's queue.

-- One for each booking that waits for its customer's payment. Business time, but for the lease.
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
  -- How often the step that is due has been begun, and when it is due (null: none is).
  tries integer not null default 0,
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  -- When the gateway last said that there is news.
  notified_at timestamptz,
  -- Counts what must be looked at: the gateway told something, the appointment moved forward. A number, because two of these can
  -- happen at one moment of the clock: whoever looked at the first has not seen the second.
  news integer not null default 0,
  sent_at timestamptz, -- the last message with the link
  -- When the operator asked for one more message that is not out yet. A message that cannot be repeated does not fail the payment.
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
  refunded_amount numeric(12, 2), -- SAR that went back so far
  refund_amount numeric(12, 2), -- SAR that are to go back in all; null: all that was paid
  -- The booking was cancelled when its work had begun: the operator decides what goes back.
  refund_to_decide boolean not null default false,
  kept_amount numeric(12, 2), -- SAR that the operator has decided to keep; null: nothing was decided
  decision_reason text,
  decided_by text,
  decided_at timestamptz,
  looked_at timestamptz, -- when the gateway was last asked what became of the link
  -- Of the message with the link, which has its own tries: looking at the gateway does not wait for them.
  send_tries integer not null default 0,
  send_due_at timestamptz,
  constraint payments_gateway_reference_key unique (gateway, gateway_reference),
  check ((gateway_reference is null) = (link_url is null) and (gateway_reference is null) = (gateway is null)),
  check (status not in ('OPEN', 'PAID') or gateway_reference is not null),
  check ((paid_at is null) = (paid_amount is null)),
  check (status <> 'PAID' or paid_at is not null),
  -- Nothing is given back that was not paid.
  check (refund_status = 'NONE' or paid_at is not null),
  check ((refund_status = 'DONE') = (refunded_at is not null)),
  check ((lease is null) = (leased_until is null)),
  constraint payments_to_decide_check check (not refund_to_decide or paid_at is not null),
  constraint payments_decision_check check ((kept_amount is null) = (decided_at is null)
    and (decided_at is null) = (decided_by is null) and (decided_at is null) = (decision_reason is null))
);
create index payments_due_idx on payments (due_at) where due_at is not null;
create index payments_created_idx on payments (created_at desc, id desc);
create index payments_partner_idx on payments (partner_id, created_at desc, id desc);
create index payments_refund_idx on payments (refund_status, created_at desc) where refund_status <> 'NONE';
-- What the operator is shown to decide.
create index payments_to_decide_idx on payments (created_at desc, id desc) where refund_to_decide;
-- What waits for its customer is counted; paid links are looked at again for a month.
create index payments_waiting_idx on payments (status) where status in ('CREATED', 'OPEN');

-- What workers do to payments has neither an event nor an audit entry: this number grows with it, so that streams of changes
-- notice (src/operator/change-stream.ts). A sequence, because nobody waits for its lock; a number can be seen before its change is
-- committed. Until the first number is taken a sequence looks as after it.
create sequence payment_changes;
select nextval('payment_changes');

-- The payments in a link, as the gateway said last; one link can be paid more than once. Amounts are of the currency.
create table gateway_payments (
  payment_id uuid not null references payments (id),
  reference text not null check (reference <> ''), -- the gateway's ID of it
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

-- The sandbox gateway's own books, as an external gateway would keep them.
create table sandbox_checkouts (
  token text primary key,
  payment_id uuid not null constraint sandbox_checkouts_payment_key unique,
  amount numeric(12, 2) not null check (amount > 0),
  expires_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'paid', 'failed', 'closed')),
  declines integer not null default 0,
  paid_at timestamptz,
  refunded numeric(12, 2) not null default 0,
  created_at timestamptz not null,
  check (refunded >= 0 and refunded <= amount),
  check ((state = 'paid') = (paid_at is not null)),
  check (refunded = 0 or state = 'paid')
);
