-- What an insert leads to is done once for all its rows: a booking has three triggers that wrote a row each, which with
-- what each statement of them costs to begin were a fifth of what a shared creation takes of PostgreSQL.
create function note_bookings_made() returns trigger
language plpgsql as $$
begin
  insert into booking_total_changes (partner_id, status, service_date, change)
  select partner_id, status, service_date, count(*) from made group by partner_id, status, service_date;
  return null;
end
$$;
drop trigger bookings_total_made on bookings;
create trigger bookings_total_made after insert on bookings
  referencing new table as made for each statement execute function note_bookings_made();
create trigger bookings_total_gone after delete on bookings
  for each row execute function note_booking_total();

create function note_busy_days() returns trigger
language plpgsql as $$
begin
  insert into busy_changes (day) select distinct (starts_at at time zone 'Asia/Riyadh')::date from made;
  return null;
end
$$;
drop trigger appointments_busy_change on appointments;
create trigger appointments_busy_made after insert on appointments
  referencing new table as made for each statement execute function note_busy_days();
create trigger appointments_busy_change after delete or update of team_id, starts_at, busy_until, status on appointments
  for each row execute function note_busy_change();

create function fan_out_events() returns trigger
language plpgsql as $$
begin
  insert into unplaced_events (position, partner_id, event_id, created_at)
  select position, partner_id, id, created_at from made;
  insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, due_at, created_at)
  select s.id, made.id, made.partner_id, made.booking_id, made.event, made.created_at, made.created_at
  from made join webhook_subscriptions s on s.partner_id = made.partner_id
  where s.removed_at is null and s.status = 'ACTIVE' and made.event = any (s.events);
  return null;
end
$$;
drop trigger events_fan_out on events;
create trigger events_fan_out after insert on events
  referencing new table as made for each statement execute function fan_out_events();
drop function fan_out_event();

create function queue_new_deliveries() returns trigger
language plpgsql as $$
begin
  insert into webhook_pending (delivery_id, subscription_id, event, created_at, due_at)
  select id, subscription_id, event, created_at, due_at from made where status = 'PENDING'
  on conflict (delivery_id) do nothing;
  return null;
end
$$;
drop trigger webhook_deliveries_queued on webhook_deliveries;
-- A delivery that moves to another month is an update (queue_changed_deliveries).
create trigger webhook_deliveries_queued after insert on webhook_deliveries
  referencing new table as made for each statement execute function queue_new_deliveries();
drop function queue_new_delivery();

-- Those who look on hear of it here, once for all rows; and of deliveries of every month: the trigger on each row had stayed
-- with the first of the partitions (0046).
drop trigger webhook_deliveries_note_change on webhook_deliveries_first;
create or replace function queue_changed_deliveries() returns trigger
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_over uuid[];
  v_waiting boolean;
begin
  select array_agg(id) filter (where status <> 'PENDING'), bool_or(status = 'PENDING')
  into v_over, v_waiting from new_rows;
  if v_waiting is null then
    return null;
  end if;
  perform nextval('delivery_changes');
  if v_over is not null then
    delete from webhook_pending where delivery_id = any (v_over);
  end if;
  if v_waiting then
    insert into webhook_pending as q (delivery_id, subscription_id, event, created_at, due_at)
    select id, subscription_id, event, created_at, due_at from new_rows where status = 'PENDING'
    on conflict (delivery_id) do update set created_at = excluded.created_at, due_at = excluded.due_at
    where (q.created_at, q.due_at) is distinct from (excluded.created_at, excluded.due_at);
  end if;
  insert into delivery_total_changes
  select subscription_id, month_of(created_at), status, event, sum(change) from (
    select subscription_id, created_at, status, event, 1 as change from new_rows where status <> 'PENDING'
    union all
    select subscription_id, created_at, status, event, -1 from old_rows where status <> 'PENDING'
  ) changed
  group by 1, 2, 3, 4 having sum(change) <> 0;
  return null;
end
$$;
