-- Changes to bookings, cancellation reasons, pricing tiers, the event feed, idempotency keys, operator tokens.

-- ---------------------------------------------------------------------------
-- Cancellation reasons and pricing tiers

create table cancellation_reasons (
  id uuid primary key default gen_random_uuid(),
  name_en text not null check (char_length(name_en) between 1 and 200),
  name_ar text not null check (char_length(name_ar) between 1 and 200),
  is_active boolean not null default true,
  is_customer_facing boolean not null default true,
  sort_order integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table pricing_tiers (
  id uuid primary key default gen_random_uuid(),
  min_minutes integer not null check (min_minutes >= 0),
  max_minutes integer check (max_minutes >= min_minutes), -- null: no upper limit
  factor numeric(6, 4) not null check (factor > 0),
  sorting integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint pricing_tiers_no_overlap exclude using gist
    (int8range(min_minutes, max_minutes, '[]') with &&)
);

-- ---------------------------------------------------------------------------
-- Bookings after their creation

alter table bookings
  add column notes text check (char_length(notes) <= 2000),
  add column payment_reference text check (char_length(payment_reference) <= 255),
  add column payment_confirmed_at timestamptz,
  add column cancellation_reason_id uuid references cancellation_reasons (id),
  add column cancellation_notes text check (char_length(cancellation_notes) <= 2000),
  add column cancellation_action text check (cancellation_action in ('CANCEL_AND_REFUND', 'CANCEL_ONLY')),
  add column cancelled_by text,
  add column cancelled_at timestamptz,
  -- The transaction that created the row: a list can be read as of the moment its first page was.
  add column created_in xid8 not null default pg_current_xact_id(),
  add constraint bookings_cancellation_check check (
    (status = 'canceled') = (cancelled_at is not null)
    and (cancelled_at is null) = (cancellation_action is null)
    and (cancelled_at is null) = (cancelled_by is null)
  );

-- One index for each order and filter of the list, so that no page of it reads the whole table.
create index bookings_partner_date_idx on bookings (partner_id, service_date, id);
create index bookings_partner_status_idx on bookings (partner_id, status, created_at desc, id desc);
create index bookings_partner_status_id_idx on bookings (partner_id, status, id);
create index bookings_partner_reference_idx on bookings (partner_id, external_reference, id);
-- For the totals of the list. Nothing unique in it, so equal entries share their keys: a twentieth of the table.
create index bookings_partner_count_idx on bookings (partner_id, service_date, status);
-- What was made since an earlier page, which its total leaves out.
create index bookings_partner_created_in_idx on bookings (partner_id, created_in);
create index bookings_created_idx on bookings (created_at desc, id desc);
create index bookings_contact_idx on bookings (contact_id);

-- ---------------------------------------------------------------------------
-- The event feed. Rows become readable in the order of feed_position, which is given after the commit, to all
-- committed rows at once and by one transaction at a time: so nothing ever appears behind a position that a
-- reader has seen, however late its transaction committed.

alter table events add column feed_position bigint constraint events_feed_position_key unique;
create index events_unplaced_idx on events (position) where feed_position is null;
create index events_partner_feed_idx on events (partner_id, feed_position) where feed_position is not null;
create index events_created_idx on events (created_at);
create sequence event_feed_position;

create function place_events() returns integer
language plpgsql as $$
declare
  v_placed integer;
begin
  -- Whoever comes second waits, and then finds placed what it came for.
  perform pg_advisory_xact_lock(3, 0);
  with unplaced as (
    select id from events where feed_position is null order by position
  ), placed as (
    update events set feed_position = numbered.number
    from (select id, nextval('event_feed_position') as number from unplaced) numbered
    where events.id = numbered.id
    returning 1
  )
  select count(*) into v_placed from placed;
  return v_placed;
end
$$;

-- ---------------------------------------------------------------------------
-- Moves an appointment to another time, keeping a team claimed for it, or does nothing: MOVED, TAKEN, STALE as
-- book_appointment answers. The booking's row must be locked by the transaction.

create function move_appointment(
  p_catalogue_version bigint, p_team_ids uuid[], p_busy_until timestamptz[],
  p_appointment_id uuid, p_zone_id uuid, p_starts_at timestamptz, p_ends_at timestamptz, p_now timestamptz
) returns text
language plpgsql as $$
declare
  v_place integer;
begin
  perform pg_advisory_xact_lock_shared(1, 0);
  if (select version from change_counters where name = 'catalogue') <> p_catalogue_version then
    return 'STALE';
  end if;
  v_place := claim_team(
    p_team_ids,
    array(select lock_number from unnest(p_team_ids) with ordinality as wanted (id, place)
      join teams using (id) order by place),
    p_starts_at, p_busy_until, p_appointment_id);
  if v_place is null then
    return 'TAKEN';
  end if;
  update appointments set team_id = p_team_ids[v_place], zone_id = p_zone_id, starts_at = p_starts_at,
      ends_at = p_ends_at, busy_until = p_busy_until[v_place], updated_at = p_now
    where id = p_appointment_id;
  return 'MOVED';
end
$$;

-- ---------------------------------------------------------------------------
-- Idempotency keys of POST /partners/bookings

create table idempotency_keys (
  partner_id uuid not null references partners (id),
  key text not null check (char_length(key) between 1 and 255),
  request_hash bytea not null,
  -- The request that works on it; another takes over when it has been silent for too long.
  owner uuid not null,
  -- null while the first request is still running
  response_status integer,
  response_body text,
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (partner_id, key)
);
create index idempotency_keys_expiry_idx on idempotency_keys (expires_at);

-- ---------------------------------------------------------------------------
-- Operator tokens beside the first one

create table operator_tokens (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 200),
  role text not null check (role in ('admin', 'dispatcher', 'viewer')),
  hash bytea not null constraint operator_tokens_hash_key unique check (octet_length(hash) = 32),
  prefix text not null,
  last4 text not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'REVOKED')),
  last_used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create trigger operator_tokens_change before insert or delete or update of hash, role, status on operator_tokens
  for each statement execute function bump_change_counter('access');

-- ---------------------------------------------------------------------------
-- The sandbox clock: how far business time runs ahead of real time. One row, read with the change counters.

create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  offset_seconds bigint not null default 0 check (offset_seconds between 0 and 315360000) -- 10 years
);
insert into sandbox_clock default values;

-- Who caused an event: shown to the operator in a booking's history, never to partners.
alter table events add column actor text not null default 'partner';
