-- Payments under PLATFORM: the link, the money, the refund. The rows are the worker's queue.

-- One for each booking that waits for its customer's payment. Business time, except the lease.
create table payments (
  id uuid primary key default gen_random_uuid(),
  booking_id uuid not null constraint payments_booking_key unique references bookings (id),
  partner_id uuid not null, -- the booking's
  amount numeric(12, 2) not null check (amount > 0), -- SAR
  -- CREATED: no link yet. OPEN: a link that can be paid. The others are its results.
  status text not null default 'CREATED'
    check (status in ('CREATED', 'OPEN', 'PAID', 'FAILED', 'EXPIRED', 'CANCELED')),
  gateway text,
  gateway_reference text,
  link_url text,
  -- At the latest; never later than the start of the appointment, which may move.
  expires_at timestamptz not null,
  -- Requests to the gateway to create the link: a response may have been lost.
  link_asks integer not null default 0,
  -- Tries of the due step, and when it is due (null: none is).
  tries integer not null default 0,
  due_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  -- The gateway's last notification.
  notified_at timestamptz,
  -- Counts reasons to read the gateway's status: a notification, an earlier start of the appointment. A number, because
  -- two of these can happen at one moment of the clock: whoever has read the first has not seen the second.
  news integer not null default 0,
  sent_at timestamptz, -- the last message with the link
  -- The operator's request of another message, until it is sent. Its failure does not fail the payment.
  resend_asked_at timestamptz,
  link_closed_at timestamptz, -- from then on nothing can be paid by the link
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
  refunded_amount numeric(12, 2), -- SAR refunded so far
  refund_amount numeric(12, 2), -- SAR to refund in all; null: everything that was paid
  -- The booking was cancelled after its work had begun: the operator decides on the refund.
  refund_to_decide boolean not null default false,
  kept_amount numeric(12, 2), -- SAR that the operator has decided to keep; null: no decision
  decision_reason text,
  decided_by text,
  decided_at timestamptz,
  looked_at timestamptz, -- the last read of the link's status at the gateway
  -- Tries of the message with the link, apart from those of the due step, which does not wait for them.
  send_tries integer not null default 0,
  send_due_at timestamptz,
  constraint payments_gateway_reference_key unique (gateway, gateway_reference),
  check ((gateway_reference is null) = (link_url is null) and (gateway_reference is null) = (gateway is null)),
  check (status not in ('OPEN', 'PAID') or gateway_reference is not null),
  check ((paid_at is null) = (paid_amount is null)),
  check (status <> 'PAID' or paid_at is not null),
  -- A refund requires a payment.
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
-- The operator's pending decisions.
create index payments_to_decide_idx on payments (created_at desc, id desc) where refund_to_decide;
-- Payments that wait for their customers are counted; paid links are polled for a month.
create index payments_waiting_idx on payments (status) where status in ('CREATED', 'OPEN');

-- Changes by workers have neither an event nor an audit entry: this number grows with them, so that streams of changes
-- notice (src/operator/change-stream.ts). A sequence, because it has no lock to wait for; a number can be seen before
-- its change is committed. Before the first number a sequence looks like after it.
create sequence payment_changes;
select nextval('payment_changes');

-- The payments of a link, by the gateway's last status; one link can be paid more than once. Amounts are of the
-- currency.
create table gateway_payments (
  payment_id uuid not null references payments (id),
  reference text not null check (reference <> ''), -- the gateway's ID of it
  status text not null, -- the gateway's status
  currency text not null,
  amount numeric(12, 2) not null check (amount >= 0),
  charged numeric(12, 2) not null check (charged >= 0), -- charged to the customer
  refunded numeric(12, 2) not null check (refunded >= 0), -- refunded or voided at the gateway
  by_hand numeric(12, 2) not null default 0 check (by_hand >= 0), -- refunded past the gateway, as the operator recorded
  charged_at timestamptz not null, -- by the gateway's clock
  seen_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (payment_id, reference)
);

-- The sandbox gateway's own records, as an external gateway would keep them.
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
