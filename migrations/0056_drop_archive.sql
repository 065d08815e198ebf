-- compatible since: 0.1.0
-- Outside of a transaction. Closed bookings come back from the archive, which ends: each batch in a transaction of its own, so that
-- nobody waits for long, and a try that is cut off goes on. The last one locks the tables, to which a process of the build before may
-- still move bookings, and drops them.
do $$
declare
  v_ids uuid[];
  v_last uuid := '00000000-0000-0000-0000-000000000000';
  v_is_rest boolean := false;
begin
  if to_regclass('archived_bookings') is null then
    return; -- It was cut off after the drop.
  end if;
  if exists (select from archived_bookings) then
    -- In a restored database appointments are refused before.
    perform current_history();
  end if;
  while not v_is_rest loop
    set local lock_timeout = '100ms';
    v_ids := array(select id from archived_bookings where id > v_last order by id limit 200);
    v_last := v_ids[200];
    v_is_rest := v_last is null;
    if v_is_rest then
      lock table archived_bookings, archived_appointments, archived_payments, archived_gateway_payments
        in access exclusive mode;
      v_ids := array(
        select id from archived_bookings
        union select booking_id from archived_appointments union select booking_id from archived_payments
      );
    else
      perform from archived_bookings where id = any (v_ids) order by id for update;
    end if;
    -- While a dump was restored without its archive, references were free: the later booking keeps the reference.
    update archived_bookings a set reference_released = true
    where id = any (v_ids) and external_reference is not null and not reference_released and (
      exists (
        select from bookings b where b.partner_id = a.partner_id and b.external_reference = a.external_reference
          and not b.reference_released
      ) or exists (
        select from archived_bookings b where b.partner_id = a.partner_id and b.external_reference = a.external_reference
          and not b.reference_released and b.id > a.id
      )
    );
    -- In a sandbox whose clock went back the time of a team was sold again: it did not make the visit of before.
    update archived_appointments a set status = 'Cancelled'
    where booking_id = any (v_ids) and status <> 'Cancelled' and (
      exists (
        select from appointments b where b.team_id = a.team_id and b.status <> 'Cancelled'
          and tstzrange(b.starts_at, b.busy_until) && tstzrange(a.starts_at, a.busy_until)
      ) or exists (
        select from archived_appointments b where b.booking_id = any (v_ids) and b.booking_id > a.booking_id and b.team_id = a.team_id
          and b.status <> 'Cancelled' and tstzrange(b.starts_at, b.busy_until) && tstzrange(a.starts_at, a.busy_until)
      )
    );
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
    if not v_is_rest then
      commit;
    end if;
  end loop;
  insert into gateway_payments select * from archived_gateway_payments;
  drop table archived_bookings, archived_appointments, archived_payments, archived_gateway_payments;
  delete from change_counters where name = 'archive';
  if to_regproc('refuse_archived_reference') is not null then
    -- Bookings call it until it is dropped, when the functions are applied.
    create or replace function refuse_archived_reference() returns trigger
    language plpgsql as $function$ begin return null; end $function$;
  end if;
end
$$;
