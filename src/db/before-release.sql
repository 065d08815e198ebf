-- From the tables of the last migration before release 0.1 to those of the baseline. Triggers and functions are gone already.

-- Lists count and find by indexes of bookings.
drop table if exists booking_total_changes, booking_totals, booking_month_totals, booking_statuses;
drop index if exists bookings_late_idx, bookings_partner_created_idx, bookings_partner_date_idx;
create index bookings_partner_created_idx on bookings (partner_id, created_at desc, id desc) include (service_date, status);
create index bookings_partner_date_idx on bookings (partner_id, service_date, status);
create index if not exists bookings_waiting_idx on bookings (id) where status = 'waiting payment';

-- Reads go to the primary alone.
drop table if exists database_servers;

-- Held ranges are read with each question for free slots.
drop table if exists busy_changes;

-- A row for each logged request; what was logged before is dropped.
drop table if exists request_batches;
drop function if exists request_batch_id(timestamptz);
drop sequence if exists request_batch_number;
create sequence if not exists request_log_id;
create table if not exists request_log (
  id bigint not null default nextval('request_log_id'), -- in the order of writing
  recorded_at timestamptz not null, -- real time, which the retention goes by
  answered_at timestamptz not null, -- business time
  request_id text collate "C" not null, -- looked for by its beginning
  partner_id uuid not null,
  key_id uuid not null,
  method text not null,
  route text, -- the pattern; null: there is none
  path text,
  status smallint not null,
  code text,
  message text,
  failed_check text,
  reason text,
  hints text[] not null,
  ignored_parameters text[] not null,
  details json,
  duration_ms real not null,
  booking_id uuid,
  user_agent text,
  bodies json -- sandbox only
) partition by range (recorded_at);
create table if not exists request_log_default partition of request_log default;

create index if not exists request_log_id_idx on request_log (id);
create index if not exists request_log_partner_idx on request_log (partner_id, id);
create index if not exists request_log_answered_idx on request_log (partner_id, answered_at);
create index if not exists request_log_request_idx on request_log (request_id);
create index if not exists request_log_booking_idx on request_log (booking_id) where booking_id is not null;

-- Every table in partitions has a default one (src/db/partitions.ts). It is what was the last one, which had no end.
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

-- The queue of deliveries is webhook_pending alone, with the lease of an entry in its row.
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
