-- Webhook subscriptions, their deliveries, and the queue of pending deliveries (docs/decisions/webhook-delivery.md).

create table webhook_subscriptions (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners (id),
  url text not null check (char_length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) between 1 and 6),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'INACTIVE')),
  secret text not null, -- sealed
  failures_in_a_row integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz, -- the history of its deliveries stays
  -- During the overlap of a rotation attempts are signed with both secrets. Business time.
  previous_secret text,
  previous_secret_until timestamptz,
  constraint webhook_subscriptions_previous_secret_check
    check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhook_subscriptions_partner_idx on webhook_subscriptions (partner_id, created_at desc, id desc)
  where removed_at is null;

-- One for each event, subscription and replay, in partitions by month of the event's time (src/db/partitions.ts).
-- due_at and finished_at are business time. A success changes no indexed column.
create table webhook_deliveries_default (
  id uuid not null default gen_random_uuid(),
  subscription_id uuid not null,
  event_id uuid not null,
  partner_id uuid not null, -- the subscription's and the event's
  booking_id uuid not null,
  event text not null,
  status text not null default 'PENDING',
  attempt_count integer not null default 0,
  retries integer not null default 0, -- of the current schedule
  status_code integer,
  error text,
  -- Oldest first: { attemptedAt (epoch milliseconds), durationMs, statusCode, error, responseBody }.
  attempts jsonb not null default '[]',
  due_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  replay integer not null default 0, -- a replay of a delivered one is a separate delivery
  -- An index on the status would be written for every success, too.
  failed_at timestamptz generated always as (case when status = 'FAILED' then finished_at end) stored,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_event_subscription_key unique (event_id, subscription_id, replay),
  constraint webhook_deliveries_status_check check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  constraint webhook_deliveries_check check ((status = 'PENDING') = (due_at is not null)),
  constraint webhook_deliveries_check1 check ((status = 'PENDING') = (finished_at is null)),
  constraint webhook_deliveries_replay_check check (replay >= 0)
) with (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 30); -- room for the attempts, which come later
create index webhook_deliveries_partner_idx on webhook_deliveries_default (partner_id, created_at desc, id desc);
create index webhook_deliveries_subscription_idx
  on webhook_deliveries_default (subscription_id, created_at desc, id desc);
-- Failed deliveries of a subscription that can be retried, oldest first.
create index webhook_deliveries_failed_at_idx on webhook_deliveries_default (subscription_id, failed_at)
  where failed_at is not null;
create table webhook_deliveries (like webhook_deliveries_default including defaults including generated) partition by range (created_at);
alter table webhook_deliveries attach partition webhook_deliveries_default default;
alter table webhook_deliveries add foreign key (subscription_id) references webhook_subscriptions (id);

-- The queue: an entry for each pending delivery, with the lease of the worker that sends it. Triggers maintain it for
-- every write of a delivery (src/webhooks/functions.sql). Leases run by real time: a sandbox that moves its clock must
-- not end the lease of an active worker. A page has room for the leases of all its entries, so that no index is written
-- for one.
create table webhook_pending (
  delivery_id uuid constraint webhook_pending_pkey primary key,
  subscription_id uuid not null,
  created_at timestamptz not null, -- the delivery's, which leads to its partition
  due_at timestamptz not null,
  lease uuid,
  leased_until timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, fillfactor = 45);
-- Entries of one transaction are due at once: the id keeps their order.
create index webhook_pending_due_idx on webhook_pending (subscription_id, due_at, delivery_id);

-- Grows with what workers do to deliveries, for streams of changes (payment_changes in 0011_payments.sql).
create sequence delivery_changes;
select nextval('delivery_changes');
