-- Deliveries of one transaction are listed in the order of their events, by (created_at, id) as before, which an index has: the
-- first bits of an id after its time are the number of its event within the booking. The rest of it stays random.
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
