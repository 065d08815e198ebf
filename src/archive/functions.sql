-- The archive (docs/SCALING.md#the-archive).

-- Moves closed bookings to the archive whose visit began, and which changed last, before the time: those among the
-- next `p_limit` appointments after the given one. A booking stays that anything else refers to (events, messages,
-- holds, runs of the simulator), whose money is not settled, or that another transaction has locked. Returns how many it looked
-- at and moved, and the last one.
create or replace function archive_bookings(
  p_before timestamptz, p_after_start timestamptz, p_after_id uuid, p_limit bigint,
  out looked_at bigint, out moved bigint, out last_start timestamptz, out last_id uuid
)
language plpgsql as $$
declare
  v_ids uuid[];
  v_settled uuid[];
begin
  with next as (
    select a.id, a.booking_id, a.starts_at from appointments a
    where a.starts_at < p_before and (a.starts_at, a.id) > (p_after_start, p_after_id)
    order by a.starts_at, a.id limit p_limit
  )
  select count(*), array_agg(booking_id) filter (where booking_id is not null),
    (array_agg(starts_at order by starts_at desc, id desc))[1], (array_agg(id order by starts_at desc, id desc))[1]
    into looked_at, v_ids, last_start, last_id from next;
  v_ids := array(
    select b.id from bookings b join appointments a on a.booking_id = b.id
    where b.id = any (v_ids) and b.updated_at < p_before and a.updated_at < p_before
      and (b.status in ('canceled', 'failed') or a.status = 'Completed')
      and not exists (select from events e where e.booking_id = b.id)
      and not exists (select from customer_messages m where m.booking_id = b.id)
      and not exists (select from holds h where h.booking_id = b.id)
      and not exists (select from simulator_runs r where r.booking_id = b.id)
      and not exists (select from booking_access c where c.id = b.id)
    order by b.id for update of b, a skip locked
  );
  v_settled := array(
    select booking_id from payments
    where booking_id = any (v_ids) and due_at is null and lease is null
      and send_due_at is null and refund_status in ('NONE', 'DONE') and not refund_to_decide and updated_at < p_before
    order by id for update skip locked
  );
  v_ids := array(
    select unpaid.id from unnest(v_ids) as unpaid (id)
    where unpaid.id = any (v_settled) or not exists (select from payments p where p.booking_id = unpaid.id)
  );
  moved := cardinality(v_ids);
  if moved = 0 then
    return;
  end if;
  with gone as (
    delete from gateway_payments g using payments p where p.booking_id = any (v_ids) and g.payment_id = p.id returning g.*
  )
  insert into archived_gateway_payments select * from gone;
  with gone as (delete from payments where booking_id = any (v_ids) returning *)
  insert into archived_payments select * from gone;
  with gone as (delete from appointments where booking_id = any (v_ids) returning *)
  insert into archived_appointments select * from gone order by starts_at, id;
  with gone as (delete from bookings where id = any (v_ids) returning *)
  insert into archived_bookings select * from gone;
  update change_counters set version = version + 1 where name = 'archive';
end
$$;

-- Moves bookings back from the archive: those with an id, or that of the appointment or payment, or with a tracking
-- reference, an external reference or one at the gateway. Returns whether one of these ids is here now, also when another process moved it.
create or replace function recall_bookings(p_ids uuid[], p_references text[]) returns boolean
language plpgsql as $$
declare
  v_ids uuid[] := array(
    select id from archived_bookings where id = any (p_ids) or external_reference = any (p_references)
    union select booking_id from archived_appointments where id = any (p_ids) or name = any (p_references)
    union select booking_id from archived_payments where id = any (p_ids) or gateway_reference = any (p_references)
  );
  v_horizon xid8 := pg_snapshot_xmax(pg_current_snapshot());
begin
  if cardinality(v_ids) > 0 then
    perform from archived_bookings where id = any (v_ids) order by id for update;
    with gone as (delete from archived_bookings where id = any (v_ids) returning *)
    insert into bookings select * from gone;
    with gone as (delete from archived_appointments where booking_id = any (v_ids) returning *)
    insert into appointments select * from gone;
    with gone as (delete from archived_payments where booking_id = any (v_ids) returning *)
    insert into payments select * from gone;
    with gone as (
      delete from archived_gateway_payments g using payments p
      where p.booking_id = any (v_ids) and g.payment_id = p.id returning g.*
    )
    insert into gateway_payments select * from gone;
    -- Of a dump of another cluster (src/bookings/restored-queries.ts).
    update bookings set created_in = pg_current_xact_id()
    where id = any (v_ids) and (created_in >= v_horizon or changed_in >= v_horizon);
    update change_counters set version = version + 1 where name = 'archive';
    return true;
  end if;
  return exists (select from bookings where id = any (p_ids))
    or exists (select from appointments where id = any (p_ids))
    or exists (select from payments where id = any (p_ids));
end
$$;

-- An external reference is the partner's only one in the archive, too.
create or replace function refuse_archived_reference() returns trigger
language plpgsql as $$
begin
  if exists (
    select from archived_bookings where external_reference = new.external_reference and partner_id = new.partner_id
      and not reference_released
  ) then
    raise exception 'a booking in the archive holds the external reference'
      using errcode = 'unique_violation', constraint = 'bookings_external_reference_key';
  end if;
  return null;
end
$$;
create or replace trigger bookings_refuse_archived_reference after insert or update of external_reference on bookings
  for each row when (new.external_reference is not null and not new.reference_released)
  execute function refuse_archived_reference();
