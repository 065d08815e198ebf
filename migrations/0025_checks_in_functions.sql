-- The checks of a row in one function for each hot table. PostgreSQL parses the text of every check anew for every
-- statement that writes the table, eleven of them for bookings; what a plpgsql function has planned stays in the session.
--
-- The functions refuse as the checks did: check_violation with the name of the check that was there, the first by name.
-- NOT VALID spares a look at every row under the lock: each has passed the same conditions; every write is checked.

create function booking_is_valid(
  p_status text, p_payment_status text, p_payment_responsibility text, p_amount numeric, p_external_reference text,
  p_notes text, p_payment_reference text, p_cancellation_action text, p_cancellation_notes text,
  p_cancelled_at timestamptz, p_cancelled_by text
) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if (p_status in ('in progress', 'waiting payment', 'success', 'canceled', 'failed')
    and p_payment_status in ('NOT_REQUIRED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED')
    and p_payment_responsibility in ('PARTNER', 'PLATFORM')
    and p_amount >= 0
    and (p_status = 'canceled') = (p_payment_status = 'CANCELLED')
    and (p_status = 'canceled') = (p_cancelled_at is not null)
    and (p_cancelled_at is null) = (p_cancellation_action is null)
    and (p_cancelled_at is null) = (p_cancelled_by is null)
    and (p_external_reference is null or char_length(p_external_reference) between 1 and 150)
    and (p_notes is null or char_length(p_notes) <= 2000)
    and (p_payment_reference is null or char_length(p_payment_reference) <= 255)
    and (p_cancellation_notes is null or char_length(p_cancellation_notes) <= 2000)
    and (p_cancellation_action is null or p_cancellation_action in ('CANCEL_AND_REFUND', 'CANCEL_ONLY'))
  ) is not false then
    return true;
  end if;
  raise check_violation using
    message = 'the booking violates a check',
    schema = 'public', table = 'bookings', constraint = case
      when not p_amount >= 0 then 'bookings_amount_check'
      when p_cancellation_action not in ('CANCEL_AND_REFUND', 'CANCEL_ONLY') then 'bookings_cancellation_action_check'
      when (p_status = 'canceled') <> (p_cancelled_at is not null)
        or (p_cancelled_at is null) <> (p_cancellation_action is null)
        or (p_cancelled_at is null) <> (p_cancelled_by is null) then 'bookings_cancellation_check'
      when char_length(p_cancellation_notes) > 2000 then 'bookings_cancellation_notes_check'
      when (p_status = 'canceled') <> (p_payment_status = 'CANCELLED') then 'bookings_check'
      when char_length(p_external_reference) not between 1 and 150 then 'bookings_external_reference_check'
      when char_length(p_notes) > 2000 then 'bookings_notes_check'
      when char_length(p_payment_reference) > 255 then 'bookings_payment_reference_check'
      when p_payment_responsibility not in ('PARTNER', 'PLATFORM') then 'bookings_payment_responsibility_check'
      when p_payment_status not in ('NOT_REQUIRED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED')
        then 'bookings_payment_status_check'
      else 'bookings_status_check'
    end;
end
$$;
alter table bookings
  drop constraint bookings_amount_check, drop constraint bookings_cancellation_action_check,
  drop constraint bookings_cancellation_check, drop constraint bookings_cancellation_notes_check,
  drop constraint bookings_check, drop constraint bookings_external_reference_check,
  drop constraint bookings_notes_check, drop constraint bookings_payment_reference_check,
  drop constraint bookings_payment_responsibility_check, drop constraint bookings_payment_status_check,
  drop constraint bookings_status_check,
  add constraint bookings_valid_check check (booking_is_valid(status, payment_status, payment_responsibility, amount,
    external_reference, notes, payment_reference, cancellation_action, cancellation_notes, cancelled_at, cancelled_by))
    not valid;

create function appointment_is_valid(
  p_status text, p_starts_at timestamptz, p_ends_at timestamptz, p_busy_until timestamptz
) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if (p_status in ('New', 'Scheduled', 'Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished',
      'Completed', 'Cannot Complete', 'Cancelled')
    -- 24 hours of service and 8 of buffer at the most: availability reads no further back than that. Not starts_at plus
    -- an interval, which depends on the session's time zone and is no immutable sum.
    and p_ends_at > p_starts_at and p_busy_until >= p_ends_at and p_busy_until - p_starts_at <= interval '32 hours'
  ) is not false then
    return true;
  end if;
  raise check_violation using
    message = 'the appointment violates a check',
    schema = 'public', table = 'appointments', constraint = case
      when p_ends_at > p_starts_at and p_busy_until >= p_ends_at and p_busy_until - p_starts_at <= interval '32 hours'
        then 'appointments_status_check'
      else 'appointments_check'
    end;
end
$$;
alter table appointments
  drop constraint appointments_check, drop constraint appointments_status_check,
  add constraint appointments_valid_check check (appointment_is_valid(status, starts_at, ends_at, busy_until)) not valid;

create function contact_is_valid(p_phone text, p_name text) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if (p_phone ~ '^\+966[0-9]{4,15}$' and char_length(p_name) between 1 and 200) is not false then
    return true;
  end if;
  raise check_violation using
    message = 'the contact violates a check',
    schema = 'public', table = 'contacts', constraint = case
      when char_length(p_name) not between 1 and 200 then 'contacts_name_check'
      else 'contacts_phone_check'
    end;
end
$$;
alter table contacts
  drop constraint contacts_name_check, drop constraint contacts_phone_check,
  add constraint contacts_valid_check check (contact_is_valid(phone, name)) not valid;

create function address_is_valid(
  p_latitude numeric, p_longitude numeric, p_city_name text, p_district_name text, p_street_name text
) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if ((p_latitude is null) = (p_longitude is null)
    and (p_latitude is not null or coalesce(p_city_name, p_district_name, p_street_name) is not null)
    and (p_latitude is null or p_latitude between -90 and 90)
    and (p_longitude is null or p_longitude between -180 and 180)
    and (p_city_name is null or char_length(p_city_name) between 1 and 200)
    and (p_district_name is null or char_length(p_district_name) between 1 and 200)
    and (p_street_name is null or char_length(p_street_name) between 1 and 200)
  ) is not false then
    return true;
  end if;
  raise check_violation using
    message = 'the address violates a check',
    schema = 'public', table = 'addresses', constraint = case
      when (p_latitude is null) <> (p_longitude is null) then 'addresses_check'
      when p_latitude is null and coalesce(p_city_name, p_district_name, p_street_name) is null then 'addresses_check1'
      when char_length(p_city_name) not between 1 and 200 then 'addresses_city_name_check'
      when char_length(p_district_name) not between 1 and 200 then 'addresses_district_name_check'
      when p_latitude not between -90 and 90 then 'addresses_latitude_check'
      when p_longitude not between -180 and 180 then 'addresses_longitude_check'
      else 'addresses_street_name_check'
    end;
end
$$;
alter table addresses
  drop constraint addresses_check, drop constraint addresses_check1, drop constraint addresses_city_name_check,
  drop constraint addresses_district_name_check, drop constraint addresses_latitude_check,
  drop constraint addresses_longitude_check, drop constraint addresses_street_name_check,
  add constraint addresses_valid_check check (address_is_valid(latitude, longitude, city_name, district_name, street_name))
    not valid;
