-- Bookings, their appointments and idempotency keys.

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
  -- The reference of a failed booking is released permanently.
  reference_released boolean not null default false,
  version integer not null default 1,
  constraint bookings_amount_check check (amount >= 0),
  constraint bookings_cancellation_action_check check (cancellation_action in ('CANCEL_AND_REFUND', 'CANCEL_ONLY')),
  constraint bookings_cancellation_check check ((status = 'canceled') = (cancelled_at is not null)
    and (cancelled_at is null) = (cancellation_action is null) and (cancelled_at is null) = (cancelled_by is null)),
  constraint bookings_cancellation_notes_check check (char_length(cancellation_notes) <= 2000),
  constraint bookings_check check ((status = 'canceled') = (payment_status = 'CANCELLED')),
  constraint bookings_external_reference_check check (char_length(external_reference) between 1 and 150),
  constraint bookings_notes_check check (char_length(notes) <= 2000),
  constraint bookings_payment_reference_check check (char_length(payment_reference) <= 255),
  constraint bookings_payment_responsibility_check check (payment_responsibility in ('PARTNER', 'PLATFORM')),
  constraint bookings_payment_status_check
    check (payment_status in ('NOT_REQUIRED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED')),
  constraint bookings_status_check check (status in ('in progress', 'waiting payment', 'success', 'canceled', 'failed')),
  -- The address is the contact's and the contact the partner's: one check instead of three, and a stricter one.
  foreign key (address_id, contact_id, partner_id) references addresses (id, contact_id, partner_id)
) with (fillfactor = 85); -- room for updates that touch no index (status, payment, notes) to stay on their page
create unique index bookings_external_reference_key on bookings (partner_id, external_reference)
  where external_reference is not null and not reference_released;

-- Lists (docs/decisions/list-and-as-of.md). The order of creation, with the columns of filters, so that ids are found
-- by an index-only scan.
create index bookings_partner_created_idx on bookings (partner_id, created_at desc, id desc) include (service_date, status);
-- Dates, and counts of any filter. Without the id, equal entries are deduplicated.
create index bookings_partner_date_idx on bookings (partner_id, service_date, status);
create index bookings_partner_reference_idx on bookings (partner_id, external_reference, id);
-- Bookings newer than a snapshot, which the list's total leaves out.
create index bookings_partner_created_in_idx on bookings (partner_id, created_in);
create index bookings_created_idx on bookings (created_at desc, id desc);
create index bookings_contact_idx on bookings (contact_id);
-- Bookings waiting for payment, for the operator's attention list.
create index bookings_waiting_idx on bookings (id) where status = 'waiting payment';
-- External references by prefix and by any part, case-insensitively.
create index bookings_reference_start_idx on bookings (lower(external_reference) text_pattern_ops)
  where external_reference is not null;
create index bookings_reference_parts_idx on bookings using gin (external_reference gin_trgm_ops);

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
  began_at timestamptz, -- when the work began, also if the appointment was cancelled afterwards
  -- At most 24 hours of service and 8 of buffer: availability reads no further back. Not starts_at plus an interval,
  -- which depends on the session's time zone and is not immutable.
  constraint appointments_check check (ends_at > starts_at and busy_until >= ends_at
    and busy_until - starts_at <= interval '32 hours'),
  constraint appointments_status_check check (status in ('New', 'Scheduled', 'Confirmed', 'In The Way',
    'In The location', 'In Progress', 'Finished', 'Completed', 'Cannot Complete', 'Cancelled')),
  -- The proof that no team is sold twice; claim_team keeps the losers of a race from queueing for it.
  constraint appointments_no_overlap exclude using gist
    (team_id with =, tstzrange(starts_at, busy_until) with &&) where (status <> 'Cancelled')
);
-- One index of names: unique, and by prefix.
create unique index appointments_name_key on appointments (name text_pattern_ops);
create index appointments_team_starts_idx on appointments (team_id, starts_at) include (busy_until)
  where status <> 'Cancelled';
-- Held ranges of a day by an index-only scan, and the operator's list.
create index appointments_starts_idx on appointments (starts_at, id) include (team_id, ends_at, busy_until, status);
create index appointments_unassigned_idx on appointments (starts_at) where status = 'New';
-- Open appointments, also overdue ones without a status change, however long ago (docs/decisions/sold-appointments.md).
create index appointments_open_idx on appointments (starts_at, id) where status not in ('Completed', 'Cancelled');

-- Idempotency keys of POST /partners/bookings.
create table idempotency_keys (
  partner_id uuid not null references partners (id),
  key text not null check (char_length(key) between 1 and 255),
  request_hash bytea not null,
  -- The request that processes it; another takes over when it has been silent for too long.
  owner uuid not null,
  -- null while the first request is still running.
  response_status integer,
  response_body text,
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (partner_id, key)
);
create index idempotency_keys_expiry_idx on idempotency_keys (expires_at);
