-- The events of bookings and their places in the feed (docs/decisions/event-feed.md), in partitions by month. The
-- default partition of each table takes rows without a partition; new ones copy it, with its keys and indexes
-- (src/db/partitions.ts, docs/decisions/partitions.md).

-- The order of insertion. Numbers of a sequence need no index to be unique.
create sequence event_position;

create table events_default (
  id uuid not null,
  position bigint not null default nextval('event_position'),
  partner_id uuid not null, -- the booking's
  booking_id uuid not null,
  sequence integer not null, -- within the booking, from 1 on
  event text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  -- The actor: shown to the operator in a booking's history, never to partners.
  actor text not null default 'partner',
  -- Its trace, as the header `traceparent`; null: none. A traced transaction sets it (src/runtime/traced-database.ts),
  -- so that statements that write events need not.
  trace_parent text default nullif(current_setting('partner_booking.trace_parent', true), ''),
  constraint events_pkey primary key (id),
  constraint events_booking_sequence_key unique (booking_id, sequence)
);
create table events (like events_default including defaults) partition by range (created_at);
alter table events attach partition events_default default;
alter table events add foreign key (booking_id) references bookings (id);

-- The order of the feed, assigned after the commit.
create sequence event_feed_position;

-- An event's place in the feed, in a narrow table: events are never rewritten.
create table event_places_default (
  place bigint constraint event_places_pkey primary key,
  partner_id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null -- the event's, which leads to its partition
);
create index event_places_partner_idx on event_places_default (partner_id, place);
create table event_places (like event_places_default) partition by range (created_at);
alter table event_places attach partition event_places_default default;

-- Events without a place; all of them are read at once (place_events).
create table unplaced_events (
  position bigint not null,
  partner_id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
