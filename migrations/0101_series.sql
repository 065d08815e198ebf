-- compatible since: 0.1.0
-- Series: a customer's visits on one weekday. Each visit is an ordinary booking, made as the horizon reaches its date.

-- Before what refers to bookings, whose lock it would raise.
alter table bookings
  add column series_id uuid,
  add column series_index int;

create table series (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partners,
  contact_id uuid not null,
  address_id uuid not null,
  service_id uuid not null references services,
  external_reference text check (length(external_reference) between 1 and 150),
  -- SHA-256 of the body of its creation.
  creation_hash bytea,
  first_date date not null,
  every_weeks int not null check (every_weeks in (1, 2, 4)),
  -- Both null: without an end.
  until_date date,
  visits int check (visits between 1 and 260),
  -- [{"from": index, "weekday": 1 (Monday) to 7, "start": minutes, "sameCrew": boolean}], by index.
  terms jsonb not null,
  -- [{"from": date, "to": date}]
  pauses jsonb not null default '[]',
  -- The crew that comes if it can; null: that of the first visit, once there is one.
  team_id uuid references teams,
  notes text,
  -- Sealed: how the crews get in.
  access text,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'STOPPED', 'ENDED')),
  reason text,
  -- The first index that nothing was decided about, and its date.
  next_index int not null default 1,
  next_date date not null,
  -- The Riyadh date on which a stopped series was tried last.
  tried_on date,
  -- The booking with which its customer is told of the series.
  told_with uuid references bookings,
  -- Counts the changes of what it is, not its placements.
  version int not null default 1,
  -- The transaction of the last change. A trigger maintains it.
  changed_in xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (address_id, contact_id, partner_id) references addresses (id, contact_id, partner_id),
  check (until_date is null or visits is null),
  check ((status = 'ACTIVE') = (reason is null))
);
create unique index series_external_reference_key on series (partner_id, external_reference);
create index series_partner_idx on series (partner_id, created_at, id);
create index series_contact_idx on series (contact_id);
create index series_due_idx on series (next_date) where status <> 'ENDED';

-- Dates of a series that something was decided about.
create table series_visits (
  series_id uuid not null references series,
  index int not null check (index > 0),
  date date not null,
  -- Minutes after midnight.
  start int not null,
  state text not null check (state in ('PLACED', 'UNPLACED', 'SKIPPED')),
  -- Of a visit that was placed once, also when it is skipped since.
  booking_id uuid unique references bookings,
  -- Why it is not placed.
  reason text,
  -- The Riyadh date on which it was tried last.
  tried_on date not null,
  -- Whether the customer was told of this date by the series.
  is_known boolean not null default true,
  primary key (series_id, index),
  check (state <> 'PLACED' or booking_id is not null),
  check ((state = 'UNPLACED') = (reason is not null))
);
create index series_visits_unplaced_idx on series_visits (tried_on, date) where state = 'UNPLACED';
