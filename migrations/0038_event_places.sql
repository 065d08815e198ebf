-- The place of an event in the feed in a narrow table of its own: giving a place rewrote the event with its payload and
-- all its index entries, 70 microseconds and 1.4 KB of the log each; a row here takes 15 and 0.3 KB. It lies in partitions as
-- events do (0039). A million rows are copied in seconds, in which events are written and placed as before; the next
-- migration adds what came meanwhile.
create table event_places_first (
  place bigint constraint event_places_pkey primary key, -- as place_events gives it, after the commit
  partner_id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null -- the event's, which leads to its partition
);
insert into event_places_first (place, partner_id, event_id, created_at)
select feed_position, partner_id, id, created_at from events where feed_position is not null;
create index event_places_partner_idx on event_places_first (partner_id, place);

create table event_places (like event_places_first) partition by range (created_at);
alter table event_places attach partition event_places_first for values from (minvalue) to (maxvalue);

-- What has no place yet. All of it is read at once, and numbers from a sequence need no index to be unique.
create table unplaced_events (
  position bigint not null, -- of the event: the order of writing
  partner_id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
