-- compatible since: 0.1.0
-- A slot that is held with its price until a booking takes it (docs/decisions/holds.md). What it holds is a row of
-- appointments without a booking, with the same id, so that one constraint guards holds and visits.

alter table partners add column max_holds integer not null default 50 check (max_holds between 0 and 10000);

alter table appointments alter column booking_id drop not null, alter column name drop not null,
  drop constraint appointments_status_check,
  add constraint appointments_status_check check (status in ('New', 'Scheduled', 'Confirmed', 'In The Way',
    'In The location', 'In Progress', 'Finished', 'Completed', 'Cannot Complete', 'Cancelled', 'Held')) not valid,
  -- An appointment has a booking and a name; what is held has neither.
  add constraint appointments_held_check check ((status = 'Held') = (booking_id is null)
    and (status = 'Held') = (name is null)) not valid;

create table holds (
  id uuid primary key,
  partner_id uuid not null,
  contact_id uuid not null,
  address_id uuid not null,
  service_id uuid not null references services (id),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  price numeric(12, 2) not null check (price >= 0), -- SAR, of the booking that takes it
  expires_at timestamptz not null,
  -- Released, replaced, booked, or its time was over when somebody looked; null: its row of appointments is there.
  ended_at timestamptz,
  -- Checked at the end of the transaction: the claim of the team ends the hold before the booking is inserted.
  booking_id uuid references bookings (id) deferrable initially deferred,
  created_at timestamptz not null,
  foreign key (address_id, contact_id, partner_id) references addresses (id, contact_id, partner_id),
  check (ends_at > starts_at),
  check (expires_at > created_at and expires_at <= created_at + interval '30 minutes'),
  check (booking_id is null or ended_at is not null)
);
create index holds_partner_idx on holds (partner_id, expires_at) where ended_at is null;
create index holds_ended_idx on holds (ended_at);
-- A customer has one for a service.
create unique index holds_customer_key on holds (contact_id, service_id) where ended_at is null;
