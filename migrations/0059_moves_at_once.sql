-- What a change of bookings or appointments leads to is done once for all rows of a statement, as for new ones
-- (0048_triggers_for_all_rows.sql). A cancellation had five triggers that began a statement or two each: two fifths of what one
-- of 16 took of PostgreSQL.
--
-- Plans are made once and kept, so their kind is forced: rows before and after are joined by hash, because a loop in a loop
-- takes minutes for 100,000; tables are read by their keys, however few rows they had. A function inherits what its caller has
-- switched off, and a plan of which no kind is left on is compiled at each run (jit), which takes 100 ms.
create function note_booking_moves(
  p_ids uuid[], p_created_at timestamptz[], p_partner_ids uuid[], p_statuses text[], p_service_dates date[],
  p_old_partner_ids uuid[], p_old_statuses text[], p_old_service_dates date[]
) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_nestloop = on
as $$
declare
  v_known integer;
begin
  insert into booking_total_changes (partner_id, status, service_date, change)
  select *, -1 from unnest(p_old_partner_ids, p_old_statuses, p_old_service_dates)
  union all
  select *, 1 from unnest(p_partner_ids, p_statuses, p_service_dates);
  update booking_statuses s
  set partner_id = m.partner_id, status = m.status, service_date = m.service_date, created_at = m.created_at
  from unnest(p_ids, p_created_at, p_partner_ids, p_statuses, p_service_dates, p_old_partner_ids, p_old_statuses)
    as m (id, created_at, partner_id, status, service_date, old_partner_id, old_status)
  where s.partner_id = m.old_partner_id and s.status = m.old_status and s.booking_id = m.id;
  get diagnostics v_known = row_count;
  if v_known < cardinality(p_ids) then
    -- Of before this table, and not filled in yet. With the old status it would wait for who fills it in.
    insert into booking_statuses (partner_id, status, service_date, created_at, booking_id)
    select m.partner_id, m.status, m.service_date, m.created_at, m.id
    from unnest(p_ids, p_created_at, p_partner_ids, p_statuses, p_service_dates, p_old_partner_ids, p_old_statuses)
      as m (id, created_at, partner_id, status, service_date, old_partner_id, old_status)
    where (m.partner_id, m.status) <> (m.old_partner_id, m.old_status)
    on conflict do nothing;
  end if;
end
$$;
create function note_bookings_moved() returns trigger
language plpgsql
set enable_hashjoin = on set enable_nestloop = off set enable_mergejoin = off
as $$
declare
  v record;
begin
  select array_agg(n.id) as ids, array_agg(n.created_at) as created_at, array_agg(n.partner_id) as partner_ids,
    array_agg(n.status) as statuses, array_agg(n.service_date) as service_dates,
    array_agg(o.partner_id) as old_partner_ids, array_agg(o.status) as old_statuses,
    array_agg(o.service_date) as old_service_dates
  into v
  from old_rows o join new_rows n on n.id = o.id
  where (n.status, n.service_date, n.partner_id, n.created_at)
    is distinct from (o.status, o.service_date, o.partner_id, o.created_at);
  if v.ids is not null then
    perform note_booking_moves(v.ids, v.created_at, v.partner_ids, v.statuses, v.service_dates, v.old_partner_ids, v.old_statuses,
      v.old_service_dates);
  end if;
  return null;
end
$$;
drop trigger bookings_total_moved on bookings;
create trigger bookings_total_moved after update on bookings
  referencing old table as old_rows new table as new_rows for each statement execute function note_bookings_moved();

-- Of deletions alone.
create or replace function note_booking_total() returns trigger
language plpgsql
set enable_seqscan = off
as $$
begin
  insert into booking_total_changes values (old.partner_id, old.status, old.service_date, -1);
  delete from booking_statuses
  where partner_id = old.partner_id and status = old.status and booking_id = old.id;
  return null;
end
$$;

-- Only what is paid by a link has a payment.
drop trigger bookings_cancel_payment on bookings;
create trigger bookings_cancel_payment after update of status on bookings for each row
  when (new.status = 'canceled' and old.status <> 'canceled' and new.payment_responsibility = 'PLATFORM')
  execute function cancel_payment();

create function note_appointments_moved() returns trigger
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_nestloop = on
as $$
begin
  insert into busy_changes (day)
  select distinct (moved.starts_at at time zone 'Asia/Riyadh')::date
  from (select starts_at from old_rows union all select starts_at from new_rows) moved;
  -- What has ended is not paid for any more.
  update payments p set expires_at = least(p.expires_at, n.updated_at), due_at = least(p.due_at, n.updated_at),
    news = p.news + 1, updated_at = n.updated_at
  from new_rows n join bookings b on b.id = n.booking_id
  where n.status in ('Finished', 'Completed', 'Cannot Complete', 'Cancelled')
    and b.status = 'waiting payment' and p.booking_id = b.id and p.status in ('CREATED', 'OPEN');
  return null;
end
$$;
drop trigger appointments_end_link on appointments;
drop function end_link_of_ended_appointment();
drop trigger appointments_busy_change on appointments;
create trigger appointments_moved after update on appointments
  referencing old table as old_rows new table as new_rows for each statement execute function note_appointments_moved();
create trigger appointments_busy_gone after delete on appointments
  for each row execute function note_busy_change();

-- Of deletions alone.
create or replace function note_busy_change() returns trigger
language plpgsql as $$
begin
  insert into busy_changes (day) values ((old.starts_at at time zone 'Asia/Riyadh')::date);
  return null;
end
$$;
