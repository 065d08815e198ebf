-- Migrates from the tables of the last migration before release 0.1 to those of the baseline. Triggers and functions
-- are dropped before.

-- Lists count by indexes of bookings.
drop table if exists booking_total_changes, booking_totals, booking_month_totals, booking_statuses;
drop index if exists bookings_late_idx, bookings_partner_created_idx, bookings_partner_date_idx;
create index bookings_partner_created_idx on bookings (partner_id, created_at desc, id desc) include (service_date, status);
create index bookings_partner_date_idx on bookings (partner_id, service_date, status);
create index if not exists bookings_waiting_idx on bookings (id) where status = 'waiting payment';

-- Reads use only the primary.
drop table if exists database_servers;

-- Held ranges are read with each query of free slots.
drop table if exists busy_changes;

-- Migration 0013_requests.sql creates the log of requests again; earlier entries are dropped.
drop table if exists request_batches;
drop function if exists request_batch_id(timestamptz);
drop sequence if exists request_batch_number;
drop table if exists request_log;
drop sequence if exists request_log_id;

-- Every partitioned table has a default partition (src/db/partitions.ts). The last partition, which had no end, becomes
-- it.
do $$
declare
  v_table text;
  v_open text;
begin
  foreach v_table in array array['event_places', 'events', 'webhook_deliveries'] loop
    select c.relname into v_open from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = v_table::regclass and pg_get_expr(c.relpartbound, c.oid) like '%TO (MAXVALUE)';
    continue when v_open is null;
    execute format('alter table %I detach partition %I', v_table, v_open);
    execute format('alter table %I rename to %I', v_open, v_table || '_default');
    execute format('alter table %I attach partition %I default', v_table, v_table || '_default');
  end loop;
end
$$;

-- The queue of deliveries is webhook_pending alone, with the lease in the row.
drop table if exists webhook_leases, delivery_totals, delivery_total_changes;
drop function if exists month_of(timestamptz);
alter table webhook_pending drop column if exists event, add column if not exists lease uuid,
  add column if not exists leased_until timestamptz;
alter table webhook_pending set (fillfactor = 45);
drop index webhook_pending_due_idx;
create index webhook_pending_due_idx on webhook_pending (subscription_id, due_at, delivery_id);
alter table webhook_subscriptions drop column if exists pauses, drop column if exists paused_until;
alter table webhook_deliveries drop column failed_at;
alter table webhook_deliveries add column failed_at timestamptz
  generated always as (case when status = 'FAILED' then finished_at end) stored;
do $$
declare
  v_partition regclass;
begin
  for v_partition in select inhrelid from pg_inherits where inhparent = 'webhook_deliveries'::regclass loop
    execute format(
      'create index %s on %s (subscription_id, failed_at) where failed_at is not null',
      case when v_partition = 'webhook_deliveries_default'::regclass then 'webhook_deliveries_failed_at_idx' end, v_partition
    );
  end loop;
end
$$;

-- Each check of a row once, by its name.
alter table bookings
  drop constraint if exists bookings_valid_check,
  drop constraint if exists bookings_amount_check,
  drop constraint if exists bookings_cancellation_action_check,
  drop constraint if exists bookings_cancellation_check,
  drop constraint if exists bookings_cancellation_notes_check,
  drop constraint if exists bookings_check,
  drop constraint if exists bookings_external_reference_check,
  drop constraint if exists bookings_notes_check,
  drop constraint if exists bookings_payment_reference_check,
  drop constraint if exists bookings_payment_responsibility_check,
  drop constraint if exists bookings_payment_status_check,
  drop constraint if exists bookings_status_check,
  add constraint bookings_amount_check check (amount >= 0),
  add constraint bookings_cancellation_action_check check (cancellation_action in ('CANCEL_AND_REFUND', 'CANCEL_ONLY')),
  add constraint bookings_cancellation_check check ((status = 'canceled') = (cancelled_at is not null)
    and (cancelled_at is null) = (cancellation_action is null) and (cancelled_at is null) = (cancelled_by is null)),
  add constraint bookings_cancellation_notes_check check (char_length(cancellation_notes) <= 2000),
  add constraint bookings_check check ((status = 'canceled') = (payment_status = 'CANCELLED')),
  add constraint bookings_external_reference_check check (char_length(external_reference) between 1 and 150),
  add constraint bookings_notes_check check (char_length(notes) <= 2000),
  add constraint bookings_payment_reference_check check (char_length(payment_reference) <= 255),
  add constraint bookings_payment_responsibility_check check (payment_responsibility in ('PARTNER', 'PLATFORM')),
  add constraint bookings_payment_status_check
    check (payment_status in ('NOT_REQUIRED', 'PENDING', 'PAID', 'FAILED', 'CANCELLED')),
  add constraint bookings_status_check check (status in ('in progress', 'waiting payment', 'success', 'canceled', 'failed'));
alter table appointments
  drop constraint if exists appointments_valid_check,
  drop constraint if exists appointments_check,
  drop constraint if exists appointments_status_check,
  -- At most 24 hours of service and 8 of buffer: availability reads no further back. Not starts_at plus an interval,
  -- which depends on the session's time zone and is not immutable.
  add constraint appointments_check check (ends_at > starts_at and busy_until >= ends_at
    and busy_until - starts_at <= interval '32 hours'),
  add constraint appointments_status_check check (status in ('New', 'Scheduled', 'Confirmed', 'In The Way',
    'In The location', 'In Progress', 'Finished', 'Completed', 'Cannot Complete', 'Cancelled'));
alter table contacts
  drop constraint if exists contacts_valid_check,
  drop constraint if exists contacts_name_check,
  drop constraint if exists contacts_phone_check,
  add constraint contacts_name_check check (char_length(name) between 1 and 200),
  add constraint contacts_phone_check check (phone ~ '^\+966[0-9]{4,15}$');
alter table addresses
  drop constraint if exists addresses_valid_check,
  drop constraint if exists addresses_check,
  drop constraint if exists addresses_check1,
  drop constraint if exists addresses_city_name_check,
  drop constraint if exists addresses_district_name_check,
  drop constraint if exists addresses_latitude_check,
  drop constraint if exists addresses_longitude_check,
  drop constraint if exists addresses_street_name_check,
  add constraint addresses_check check ((latitude is null) = (longitude is null)),
  add constraint addresses_check1 check (latitude is not null or coalesce(city_name, district_name, street_name) is not null),
  add constraint addresses_city_name_check check (char_length(city_name) between 1 and 200),
  add constraint addresses_district_name_check check (char_length(district_name) between 1 and 200),
  add constraint addresses_latitude_check check (latitude between -90 and 90),
  add constraint addresses_longitude_check check (longitude between -180 and 180),
  add constraint addresses_street_name_check check (char_length(street_name) between 1 and 200);
drop function if exists booking_is_valid;
drop function if exists appointment_is_valid;
drop function if exists contact_is_valid;
drop function if exists address_is_valid;

-- The new function has other parameters.
drop function if exists claim_team(uuid[], integer[], timestamptz, timestamptz[], uuid);
