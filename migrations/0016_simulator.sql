-- Simulations in a sandbox: runs that play the field and the customer, and faults of webhook deliveries
-- (docs/decisions/simulator.md). A production deployment never reads or writes these tables.

create table simulator_runs (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  booking_id uuid not null references bookings (id) on delete cascade,
  script text not null check (script in (
    'complete', 'cannot-complete', 'operator-moves', 'operator-cancels', 'customer-pays', 'payment-fails',
    'customer-pays-late', 'customer-declines', 'customer-declines-once'
  )),
  every_seconds integer not null check (every_seconds between 0 and 3600),
  started_by text not null check (started_by in ('request', 'creation', 'phone')),
  status text not null default 'RUNNING' check (status in ('RUNNING', 'COMPLETED', 'FAILED', 'STOPPED')),
  -- Why it ended before its last step: a code and a sentence.
  reason_code text,
  reason_message text,
  created_at timestamptz not null,
  finished_at timestamptz,
  position bigint generated always as identity,
  check ((status = 'RUNNING') = (finished_at is null)),
  check ((status = 'FAILED') = (reason_code is not null) and (reason_code is null) = (reason_message is null))
);
create index simulator_runs_booking_idx on simulator_runs (booking_id, position);
-- One requested run at a time; and one customer, who acts once however often the link is sent.
create unique index simulator_runs_running_key on simulator_runs (booking_id)
  where status = 'RUNNING' and started_by <> 'phone';
create unique index simulator_runs_customer_key on simulator_runs (booking_id) where started_by = 'phone';

create table simulator_steps (
  run_id uuid not null references simulator_runs (id) on delete cascade,
  number integer not null check (number between 1 and 20),
  action text not null check (action in ('appointment', 'move', 'cancel', 'pay', 'decline', 'fail-payment')),
  -- The target of a step: a status of the appointment, or the time that was chosen when the step began.
  appointment_status text,
  slot jsonb,
  status text not null default 'WAITING' check (status in ('WAITING', 'DONE', 'FAILED', 'SKIPPED')),
  due_at timestamptz not null, -- business time
  done_at timestamptz,
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz, -- by the clock of the database
  primary key (run_id, number),
  check ((action = 'appointment') = (appointment_status is not null)),
  check (slot is null or action = 'move'),
  check ((status = 'DONE') = (done_at is not null))
);
create index simulator_steps_due_idx on simulator_steps (due_at) where status = 'WAITING';

-- The number of next deliveries of a subscription that get this fault.
create table webhook_faults (
  subscription_id uuid not null references webhook_subscriptions (id) on delete cascade,
  kind text not null check (kind in ('lose', 'delay', 'duplicate', 'reorder', 'bad-signature')),
  remaining integer not null check (remaining between 1 and 100),
  delay_seconds integer,
  set_at timestamptz not null,
  primary key (subscription_id, kind),
  check ((kind = 'delay') = (delay_seconds is not null) and delay_seconds between 1 and 3600)
);

-- The fault of a delivery, at most one for each. HELD: it waits for its time, or for the one that overtakes it. TAKEN:
-- its next attempt is made with it. DONE: it is over.
create table webhook_faulty_deliveries (
  delivery_id uuid primary key,
  subscription_id uuid not null,
  booking_id uuid not null,
  kind text not null,
  state text not null check (state in ('HELD', 'TAKEN', 'DONE')),
  overtaken_by uuid,
  treated_at timestamptz not null,
  position bigint generated always as identity
);
create index webhook_faulty_deliveries_open_idx on webhook_faulty_deliveries (subscription_id) where state <> 'DONE';
create index webhook_faulty_deliveries_subscription_idx on webhook_faulty_deliveries (subscription_id, position);
