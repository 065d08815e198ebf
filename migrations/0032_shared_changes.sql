-- Saves changes of several bookings that were decided at the same time, each on the condition that its booking still has
-- the version that was read. Answers for each, by its place in the arrays, SAVED, CHANGED (the booking was written since) or
-- LOCKED: another transaction has it, and nobody here waits for it. What one kind does not set is null in its arrays. What
-- raises undoes all of them.
--
-- A loop and not one statement for all: each row is found by its primary key whatever the planner knew of the table when it
-- planned.
create function save_changes(
  p_kinds text[], p_booking_ids uuid[], p_versions integer[], p_times timestamptz[], p_event_counts integer[],
  p_external_references text[], p_notes text[], p_service_dates date[],
  p_payment_statuses text[], p_payment_references text[],
  p_statuses text[], p_appointment_statuses text[], p_reason_ids uuid[], p_actions text[],
  p_actor text, p_event_places integer[], p_event_ids uuid[], p_event_names text[], p_payloads jsonb[]
) returns table (place integer, outcome text)
language plpgsql as $$
#variable_conflict use_column
declare
  v record;
  v_saved integer[] := '{}';
  v_partner uuid;
  v_partners uuid[] := '{}';
  v_count integer;
  v_counts integer[] := '{}';
begin
  -- Nor for long for anything else, a reference that another booking is about to take for instance.
  perform set_config('lock_timeout', '100', true);
  -- In one order, so that no two of these wait for each other.
  for v in
    select * from unnest(p_kinds, p_booking_ids, p_versions, p_times, p_event_counts, p_external_references, p_notes,
      p_service_dates, p_payment_statuses, p_payment_references, p_statuses, p_appointment_statuses, p_reason_ids, p_actions)
      with ordinality as w (kind, id, version, now, events, external_reference, notes, service_date, payment_status,
        payment_reference, status, appointment_status, reason_id, action, place)
    order by w.id
  loop
    place := v.place;
    perform from bookings b where b.id = v.id and b.version = v.version for no key update skip locked;
    if not found then
      outcome := case when exists (select from bookings b where b.id = v.id and b.version = v.version)
        then 'LOCKED' else 'CHANGED' end;
      return next;
      continue;
    end if;
    case v.kind
      when 'update' then
        update bookings b set external_reference = v.external_reference, notes = v.notes, service_date = v.service_date,
          updated_at = v.now, event_count = b.event_count + v.events
          where b.id = v.id returning b.partner_id, b.event_count into v_partner, v_count;
      when 'confirm' then
        update bookings b set payment_status = v.payment_status, payment_reference = v.payment_reference,
          payment_confirmed_at = v.now, updated_at = v.now, event_count = b.event_count + v.events
          where b.id = v.id returning b.partner_id, b.event_count into v_partner, v_count;
      when 'cancel' then
        update bookings b set status = v.status, payment_status = v.payment_status, cancellation_reason_id = v.reason_id,
          cancellation_notes = v.notes, cancellation_action = v.action, cancelled_by = p_actor, cancelled_at = v.now,
          updated_at = v.now, event_count = b.event_count + v.events
          where b.id = v.id returning b.partner_id, b.event_count into v_partner, v_count;
        update appointments a set status = v.appointment_status, updated_at = v.now
          where a.booking_id = v.id and a.status <> v.appointment_status;
    end case;
    v_saved := v_saved || v.place::integer;
    v_partners := v_partners || v_partner;
    -- What the first of its events comes after.
    v_counts := v_counts || v_count - v.events;
    outcome := 'SAVED';
    return next;
  end loop;
  insert into events (id, partner_id, booking_id, sequence, event, payload, created_at, actor)
  select e.id, s.partner_id, p_booking_ids[e.place],
    s.count + row_number() over (partition by e.place order by e.nth), e.name, e.payload, p_times[e.place], p_actor
  from unnest(p_event_places, p_event_ids, p_event_names, p_payloads) with ordinality as e (place, id, name, payload, nth)
  join unnest(v_saved, v_partners, v_counts) as s (place, partner_id, count) on s.place = e.place
  order by e.nth;
end
$$;
