-- Bookings, their appointments and idempotency keys.

-- All checks of a row in one function, as with contacts (0006_contacts.sql).
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

create table bookings (
  id uuid primary key,
  partner_id uuid not null,
  contact_id uuid not null,
  address_id uuid not null,
  service_id uuid not null references services (id),
  external_reference text,
  status text not null,
  payment_status text not null,
  payment_responsibility text not null, -- the partner's, at creation
  amount numeric(12, 2) not null, -- SAR, locked at creation
  service_date date not null, -- the Riyadh date on which the appointment starts
  event_count integer not null default 0, -- the sequence number of the booking's newest event
  created_at timestamptz not null,
  updated_at timestamptz not null,
  notes text,
  payment_reference text,
  payment_confirmed_at timestamptz,
  cancellation_reason_id uuid references cancellation_reasons (id),
  cancellation_notes text,
  cancellation_action text,
  cancelled_by text,
  cancelled_at timestamptz,
  -- The transaction that created the row: a list can be read as of the moment of its first page.
  created_in xid8 not null default pg_current_xact_id(),
  -- The reference of a booking that has failed is free for good.
  reference_released boolean not null default false,
  version integer not null default 1,
  constraint bookings_valid_check check (booking_is_valid(status, payment_status, payment_responsibility, amount,
    external_reference, notes, payment_reference, cancellation_action, cancellation_notes, cancelled_at, cancelled_by)),
  -- The address is the contact's and the contact the partner's: one check instead of three, and a stricter one.
  foreign key (address_id, contact_id, partner_id) references addresses (id, contact_id, partner_id)
) with (fillfactor = 85); -- room for updates that touch no index (status, payment, notes) to stay on their page
create unique index bookings_external_reference_key on bookings (partner_id, external_reference)
  where external_reference is not null and not reference_released;

-- Lists (docs/decisions/list-and-as-of.md). The order of creation, with what filters look at beside it, so that ids are found
-- in the index alone.
create index bookings_partner_created_idx on bookings (partner_id, created_at desc, id desc) include (service_date, status);
-- Dates, and counts of any filter. Without the id equal entries share one: 8 MB for a million bookings.
create index bookings_partner_date_idx on bookings (partner_id, service_date, status);
create index bookings_partner_reference_idx on bookings (partner_id, external_reference, id);
-- What was made since an earlier page, which its total leaves out.
create index bookings_partner_created_in_idx on bookings (partner_id, created_in);
create index bookings_created_idx on bookings (created_at desc, id desc);
create index bookings_contact_idx on bookings (contact_id);
-- What waits for payment, for the operator's attention.
create index bookings_waiting_idx on bookings (id) where status = 'waiting payment';
-- External references by their beginning and by any part, whatever the case.
create index bookings_reference_start_idx on bookings (lower(external_reference) text_pattern_ops)
  where external_reference is not null;
create index bookings_reference_parts_idx on bookings using gin (external_reference gin_trgm_ops);

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

-- The numbers of tracking references (SA-0042).
create sequence appointment_number;

-- Exactly one for each booking. A team is held from starts_at until busy_until (end and travel buffer).
create table appointments (
  id uuid primary key,
  booking_id uuid not null constraint appointments_booking_key unique references bookings (id),
  team_id uuid not null references teams (id),
  zone_id uuid not null references zones (id),
  name text not null, -- the tracking reference
  status text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  busy_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  began_at timestamptz, -- when the work began, whatever became of the appointment afterwards
  constraint appointments_valid_check check (appointment_is_valid(status, starts_at, ends_at, busy_until)),
  -- The proof that no team is sold twice; claim_team keeps those who lose from queueing for it.
  constraint appointments_no_overlap exclude using gist
    (team_id with =, tstzrange(starts_at, busy_until) with &&) where (status <> 'Cancelled')
);
-- One index of names: each once, and by their beginning.
create unique index appointments_name_key on appointments (name text_pattern_ops);
create index appointments_team_starts_idx on appointments (team_id, starts_at) include (busy_until)
  where status <> 'Cancelled';
-- What holds any team on a day, read from the index alone; and the operator's list.
create index appointments_starts_idx on appointments (starts_at, id) include (team_id, ends_at, busy_until, status);
create index appointments_unassigned_idx on appointments (starts_at) where status = 'New';
-- Appointments that should have ended, or that nobody has decided on, however long ago (docs/decisions/sold-appointments.md).
create index appointments_open_idx on appointments (starts_at, id) where status not in ('Completed', 'Cancelled');

-- Idempotency keys of POST /partners/bookings.
create table idempotency_keys (
  partner_id uuid not null references partners (id),
  key text not null check (char_length(key) between 1 and 255),
  request_hash bytea not null,
  -- The request that works on it; another takes over when it has been silent for too long.
  owner uuid not null,
  -- null while the first request is still running.
  response_status integer,
  response_body text,
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (partner_id, key)
);
create index idempotency_keys_expiry_idx on idempotency_keys (expires_at);
