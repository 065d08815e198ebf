-- compatible since: 0.1.0
-- The archive: rows of closed bookings, as they were (docs/SCALING.md#the-archive). A later column goes into both tables.

create table archived_bookings (
  like bookings,
  primary key (id),
  foreign key (address_id, contact_id, partner_id) references addresses (id, contact_id, partner_id),
  foreign key (service_id) references services (id),
  foreign key (cancellation_reason_id) references cancellation_reasons (id),
  foreign key (policy_id) references policies (id)
);
create index archived_bookings_contact_idx on archived_bookings (contact_id);
create index archived_bookings_reference_idx on archived_bookings (external_reference, partner_id) where external_reference is not null;
create index archived_bookings_date_idx on archived_bookings (partner_id, service_date);

create table archived_appointments (
  like appointments,
  primary key (id),
  foreign key (team_id) references teams (id),
  foreign key (zone_id) references zones (id)
);
create unique index archived_appointments_booking_idx on archived_appointments (booking_id);
create unique index archived_appointments_name_idx on archived_appointments (name);
-- They come in the order of their times.
create index archived_appointments_starts_idx on archived_appointments using brin (starts_at);

create table archived_payments (like payments, primary key (id));
create unique index archived_payments_booking_idx on archived_payments (booking_id);
create index archived_payments_reference_idx on archived_payments (gateway_reference) where gateway_reference is not null;

create table archived_gateway_payments (like gateway_payments, primary key (payment_id, reference));

-- Lists keep totals of which no booking is missing until it moves (src/bookings/known-totals.ts).
insert into change_counters (name) values ('archive');
