-- The payload of a creation with the name that its appointment has got; also while the partner sees no appointment.
create function payload_with_name(p_payload jsonb, p_name text) returns jsonb language sql immutable
-- Where `appointment` is null, the path leads nowhere.
return jsonb_set(p_payload || jsonb_build_object('trackingReference', p_name), '{appointment,name}', to_jsonb(p_name));

-- As before (0001) but for the payload.
create or replace function book_appointment(
  p_catalogue_version bigint, p_team_ids uuid[], p_team_numbers integer[], p_busy_until timestamptz[],
  p_booking_id uuid, p_partner_id uuid, p_contact_id uuid, p_address_id uuid, p_service_id uuid,
  p_external_reference text, p_status text, p_payment_status text, p_payment_responsibility text,
  p_amount numeric, p_service_date date,
  p_appointment_id uuid, p_zone_id uuid, p_appointment_status text,
  p_starts_at timestamptz, p_ends_at timestamptz,
  p_event_id uuid, p_event text, p_payload jsonb, p_now timestamptz,
  out outcome text, out appointment_name text
)
language plpgsql as $$
declare
  v_place integer;
  v_number text;
begin
  perform pg_advisory_xact_lock_shared(1, 0);
  if (select version from change_counters where name = 'catalogue') <> p_catalogue_version then
    outcome := 'STALE';
    return;
  end if;
  v_place := claim_team(p_team_ids, p_team_numbers, p_starts_at, p_busy_until);
  if v_place is null then
    outcome := 'TAKEN';
    return;
  end if;
  v_number := nextval('appointment_number')::text;
  appointment_name := 'SA-' || lpad(v_number, greatest(4, length(v_number)), '0');
  p_payload := payload_with_name(p_payload, appointment_name);
  insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
      payment_status, payment_responsibility, amount, service_date, event_count, created_at, updated_at)
    values (p_booking_id, p_partner_id, p_contact_id, p_address_id, p_service_id, p_external_reference, p_status,
      p_payment_status, p_payment_responsibility, p_amount, p_service_date, 1, p_now, p_now);
  insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
      created_at, updated_at)
    values (p_appointment_id, p_booking_id, p_team_ids[v_place], p_zone_id, appointment_name, p_appointment_status,
      p_starts_at, p_ends_at, p_busy_until[v_place], p_now, p_now);
  insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
    values (p_event_id, p_partner_id, p_booking_id, 1, p_event, p_payload, p_now);
  outcome := 'BOOKED';
end
$$;

-- As before (0033) but for the payload.
create or replace function book_appointments(
  p_catalogue_versions bigint[], p_candidate_counts integer[], p_team_ids uuid[], p_team_numbers integer[],
  p_busy_until timestamptz[],
  p_booking_ids uuid[], p_partner_ids uuid[], p_contact_ids uuid[], p_address_ids uuid[], p_service_ids uuid[],
  p_external_references text[], p_statuses text[], p_payment_statuses text[], p_payment_responsibilities text[],
  p_amounts numeric[], p_service_dates date[],
  p_appointment_ids uuid[], p_zone_ids uuid[], p_appointment_statuses text[],
  p_starts_at timestamptz[], p_ends_at timestamptz[],
  p_event_ids uuid[], p_events text[], p_payloads jsonb[], p_times timestamptz[]
) returns table (place integer, outcome text, appointment_name text)
language plpgsql as $$
#variable_conflict use_column
declare
  v_version bigint;
  v record;
  v_day integer;
  v_number text;
  v_next integer := 1;
  v_is_ours boolean;
  v_places integer[] := '{}';
  v_names text[] := '{}';
  v_teams uuid[] := '{}';
  v_starts timestamptz[] := '{}';
  v_untils timestamptz[] := '{}';
  i integer;
  j integer;
begin
  -- What waits for long is done alone: here it would hold all the others.
  perform set_config('lock_timeout', '100', true);
  perform pg_advisory_xact_lock_shared(1, 0);
  v_version := (select version from change_counters where name = 'catalogue');
  for v in
    select w.version, w.candidates, w.starts_at, w.place::integer as place
    from unnest(p_catalogue_versions, p_candidate_counts, p_starts_at)
      with ordinality as w (version, candidates, starts_at, place)
    order by w.place
  loop
    place := v.place;
    outcome := case when v.version = v_version then 'TAKEN' else 'STALE' end;
    if outcome = 'TAKEN' then
      v_day := (v.starts_at at time zone 'Asia/Riyadh')::date - date '2000-01-01';
      for i in v_next .. v_next + v.candidates - 1 loop
        -- What was claimed for another of these is not in the table yet.
        v_is_ours := false;
        if p_team_ids[i] = any (v_teams) then
          for j in 1 .. cardinality(v_teams) loop
            v_is_ours := v_is_ours or
              (v_teams[j] = p_team_ids[i] and v_starts[j] < p_busy_until[i] and v_untils[j] > v.starts_at);
          end loop;
        end if;
        continue when v_is_ours or not team_is_free(p_team_ids[i], v.starts_at, p_busy_until[i], null);
        -- The same key as claim_team.
        if not pg_try_advisory_xact_lock(2, hashint8(p_team_numbers[i] * 100000::bigint + v_day)) then
          outcome := 'LEFT';
        elsif team_is_free(p_team_ids[i], v.starts_at, p_busy_until[i], null) then
          outcome := null;
          v_number := nextval('appointment_number')::text;
          v_places := v_places || v.place;
          v_names := v_names || ('SA-' || lpad(v_number, greatest(4, length(v_number)), '0'));
          v_teams := v_teams || p_team_ids[i];
          v_starts := v_starts || v.starts_at;
          v_untils := v_untils || p_busy_until[i];
          exit;
        end if;
      end loop;
    end if;
    v_next := v_next + v.candidates;
    if outcome is not null then
      return next;
    end if;
  end loop;
  return query
  with claimed as materialized (
    select c.place, c.name, c.team_id, c.busy_until, w.*
    from unnest(v_places, v_names, v_teams, v_untils) as c (place, name, team_id, busy_until)
    join unnest(p_booking_ids, p_partner_ids, p_contact_ids, p_address_ids, p_service_ids, p_external_references,
        p_statuses, p_payment_statuses, p_payment_responsibilities, p_amounts, p_service_dates, p_appointment_ids,
        p_zone_ids, p_appointment_statuses, p_starts_at, p_ends_at, p_event_ids, p_events, p_payloads, p_times)
      with ordinality as w (booking_id, partner_id, contact_id, address_id, service_id, external_reference, status,
        payment_status, payment_responsibility, amount, service_date, appointment_id, zone_id, appointment_status,
        starts_at, ends_at, event_id, event, payload, now, nth)
      on w.nth = c.place
  ), booking as (
    insert into bookings (id, partner_id, contact_id, address_id, service_id, external_reference, status,
      payment_status, payment_responsibility, amount, service_date, event_count, created_at, updated_at)
    select booking_id, partner_id, contact_id, address_id, service_id, external_reference, status, payment_status,
      payment_responsibility, amount, service_date, 1, now, now
    -- In one order, so that no two of these wait for each other's references.
    from claimed order by partner_id, external_reference
    on conflict (partner_id, external_reference) where external_reference is not null and not reference_released
      do nothing
    returning id
  ), written as materialized (
    select claimed.* from claimed join booking on booking.id = claimed.booking_id
  ), appointment as (
    insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
      created_at, updated_at)
    select appointment_id, booking_id, team_id, zone_id, name, appointment_status, starts_at, ends_at, busy_until, now, now
    from written
  ), event as (
    insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
    select event_id, partner_id, booking_id, 1, event,
      payload_with_name(payload, name),
      now
    from written
  )
  select c.place, case when written.place is null then 'LEFT' else 'BOOKED' end, c.name
  from claimed c left join written using (place);
end
$$;
