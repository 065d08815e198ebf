-- The feed (docs/decisions/event-feed.md) and the deliveries that events make.

-- Gives committed events their places in the feed, in one transaction at a time: no event ever gets a place before one
-- that a reader has seen, however late its transaction commits. Returns their number. A new history begins before the
-- placing.
create or replace function place_events() returns integer
  language plpgsql
as $$
declare
  v_placed integer;
begin
  -- A second caller waits and then finds the events placed.
  perform pg_advisory_xact_lock(3, 0);
  perform current_history();
  with placed as (
    delete from unplaced_events returning position, partner_id, event_id, created_at
  )
  insert into event_places (place, partner_id, event_id, created_at)
  select nextval('event_feed_position'), partner_id, event_id, created_at
  from (select * from placed order by position) in_order;
  get diagnostics v_placed = row_count;
  return v_placed;
end
$$;

-- Inserts the deliveries of an event in its transaction. Deliveries of one transaction are ordered by (created_at, id)
-- as their events: the first bits of an ID after its time are the event's number within the booking, the others are
-- random.
create or replace function fan_out_events() returns trigger
language plpgsql as $$
begin
  insert into unplaced_events (position, partner_id, event_id, created_at)
  select position, partner_id, id, created_at from made;
  insert into webhook_deliveries (id, subscription_id, event_id, partner_id, booking_id, event, due_at, created_at)
  select overlay(id_at(made.created_at)::text placing lpad(to_hex(made.sequence % 4096), 3, '0') from 16 for 3)::uuid,
    s.id, made.id, made.partner_id, made.booking_id, made.event, made.created_at, made.created_at
  from made join webhook_subscriptions s on s.partner_id = made.partner_id
  where s.removed_at is null and s.status = 'ACTIVE' and made.event = any (s.events);
  return null;
end
$$;
create or replace trigger events_fan_out after insert on events
  referencing new table as made for each statement execute function fan_out_events();
