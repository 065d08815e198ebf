-- The status of each booking once more, in a narrow table of its own with the indexes that lists by status read
-- (docs/decisions/booking-statuses.md). No index of bookings has the status any more, so that a change of it writes its row alone,
-- in its page, and not a new entry in each of eleven indexes.

create table booking_statuses (
  partner_id uuid not null,
  status text not null,
  service_date date not null,
  created_at timestamptz not null,
  booking_id uuid not null,
  constraint booking_statuses_pkey primary key (partner_id, status, booking_id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index booking_statuses_created_idx
  on booking_statuses (partner_id, status, created_at desc, booking_id desc) include (service_date);
create index booking_statuses_date_idx
  on booking_statuses (partner_id, status, service_date, booking_id) include (created_at);
create index booking_statuses_waiting_idx on booking_statuses (booking_id) where status = 'waiting payment';

create or replace function note_bookings_made() returns trigger
language plpgsql as $$
begin
  with changes as (
    insert into booking_total_changes (partner_id, status, service_date, change)
    select partner_id, status, service_date, count(*) from made group by partner_id, status, service_date
  )
  insert into booking_statuses (partner_id, status, service_date, created_at, booking_id)
  select partner_id, status, service_date, created_at, id from made;
  return null;
end
$$;

create or replace function note_booking_total() returns trigger
language plpgsql
-- By its key, however few there were when it planned.
set enable_seqscan = off
as $$
begin
  if tg_op = 'DELETE' then
    insert into booking_total_changes values (old.partner_id, old.status, old.service_date, -1);
    delete from booking_statuses
    where partner_id = old.partner_id and status = old.status and booking_id = old.id;
    return null;
  end if;
  insert into booking_total_changes values
    (old.partner_id, old.status, old.service_date, -1), (new.partner_id, new.status, new.service_date, 1);
  update booking_statuses
  set partner_id = new.partner_id, status = new.status, service_date = new.service_date, created_at = new.created_at
  where partner_id = old.partner_id and status = old.status and booking_id = old.id;
  if not found and (new.partner_id, new.status) <> (old.partner_id, old.status) then
    -- Of before this table, and not filled in yet. With the old status it would wait for who fills it in.
    insert into booking_statuses values (new.partner_id, new.status, new.service_date, new.created_at, new.id)
    on conflict do nothing;
  end if;
  return null;
end
$$;
-- Waits for whoever writes bookings now and has not noted their status; who comes later notes it.
drop trigger bookings_total_moved on bookings;
create trigger bookings_total_moved after update on bookings
  for each row when ((old.partner_id, old.status, old.service_date, old.created_at) is distinct from
    (new.partner_id, new.status, new.service_date, new.created_at))
  execute function note_booking_total();
