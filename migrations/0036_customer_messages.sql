-- compatible since: 0.1.0
-- Messages to customers about their visits (docs/decisions/customer-page.md). A row is
-- a message; neither its text nor the number is stored.

alter table partners
  add column customer_messages text[] not null default '{}'
    check (customer_messages <@ array['BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'DONE']);

create table customer_messages (
  id uuid primary key,
  booking_id uuid not null references bookings (id),
  kind text not null check (kind in ('BOOKED', 'DAY_BEFORE', 'ON_THE_WAY', 'DONE')),
  -- Counts the starts of the visit that this kind was planned for.
  version integer not null check (version > 0),
  starts_at timestamptz not null, -- the start of the visit that it tells about
  status text not null check (status in ('QUEUED', 'SENDING', 'SENT', 'FAILED', 'DROPPED', 'UNKNOWN')),
  reason text, -- of FAILED, DROPPED and a retry
  due_at timestamptz not null,
  tries integer not null default 0,
  leased_until timestamptz, -- real time; the message may have been sent when it passes
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (booking_id, kind, version),
  check ((status = 'SENDING') = (leased_until is not null)),
  check ((status in ('QUEUED', 'SENDING')) = (finished_at is null))
);
create index customer_messages_due_idx on customer_messages (due_at) where status = 'QUEUED';
create index customer_messages_sending_idx on customer_messages (leased_until) where status = 'SENDING';
create index customer_messages_created_idx on customer_messages (created_at);

-- The place in the feed up to which messages were planned. Nobody has messages before this migration.
create table customer_messages_cursor (
  id boolean primary key default true check (id),
  place bigint not null
);
insert into customer_messages_cursor (place) select coalesce(max(place), 0) from event_places;
