-- Shared functions of all slices: change counters, versions of rows, ordered IDs, the audit log's chain, and the
-- histories of the data.
--
-- Advisory locks of the whole schema, by the first key of the two-key form: 1 catalogue against bookings, 2 team and
-- day, 3 places of events, 4 claims of deliveries, 11 chain of the audit log, 12 partitions.

-- ---------------------------------------------------------------------------
-- Change counters and versions

-- Increments the counter that its argument names (change_counters). A number is never reused: a failover can lose the
-- last ones, and a cache of a lost version must not pass for the next one with that number. Each promotion starts a
-- timeline of the write-ahead log; the version contains the timeline from its billions on.
create or replace function bump_change_counter() returns trigger
  language plpgsql
as $$
declare
  v_timeline bigint := ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint;
begin
  if tg_argv[0] = 'catalogue' then
    -- Waits for the bookings being written, and makes later ones see the new version (book_appointment).
    perform pg_advisory_xact_lock(1, 0);
  end if;
  update change_counters set version = greatest(version, v_timeline * 1000000000) + 1 where name = tg_argv[0];
  return null;
end
$$;

-- The version that If-Match compares. Not updated_at: business time may stand still or go back.
create or replace function count_version() returns trigger
language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

-- Advances the sequence that its argument names, so that streams of changes read again.
create or replace function note_change() returns trigger
language plpgsql as $$
begin
  perform nextval(tg_argv[0]::regclass);
  return null;
end
$$;

-- ---------------------------------------------------------------------------
-- IDs

-- A UUID of version 4 whose first 48 bits are the time in milliseconds, as newId in ids.ts: rows written together are
-- adjacent in indexes. The other bits are random.
create or replace function id_at(p_at timestamptz) returns uuid
language sql volatile as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from p_at) * 1000)::bigint)), 12, '0')
    || substr(gen_random_uuid()::text, 14))::uuid
$$;

-- ---------------------------------------------------------------------------
-- Audit log (docs/decisions/roles-and-audit.md)

-- The hash of an entry over its content and the previous entry's hash. An entry without a group has no field for one.
create or replace function audit_hash(entry audit_log) returns bytea language sql immutable as $$
  select sha256(coalesce(entry.previous_hash, '') || convert_to((jsonb_build_array(
    entry.number, entry.id, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor, entry.action, entry.target,
    entry.before, entry.after
  ) || case when entry.group_id is null then '[]' else jsonb_build_array(entry.group_id) end)::text, 'UTF8'))
$$;

-- The hash of an entry's texts, which the entry has as textsHash: they can be deleted, and not be changed.
create or replace function audit_texts_hash(salt bytea, before jsonb, after jsonb) returns bytea language sql immutable as $$
  select sha256(salt || convert_to(jsonb_build_array(before, after)::text, 'UTF8'))
$$;

create or replace function chain_audit_entry() returns trigger language plpgsql as $$
declare
  entry audit_log;
  newest record;
begin
  -- Deferred to the commit, when the transaction waits for nothing else: no deadlock is possible.
  perform pg_advisory_xact_lock(11, 0);
  select number, hash into newest from audit_log where number is not null order by number desc limit 1;
  select * into entry from audit_log where id = new.id;
  entry.number := coalesce(newest.number, 0) + 1;
  entry.previous_hash := newest.hash;
  update audit_log set number = entry.number, previous_hash = entry.previous_hash, hash = audit_hash(entry)
    where id = entry.id;
  return null;
end $$;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    -- The only permitted change: a new row gets its position in the chain.
    if old.number is null and new.number is not null
      and row(new.id, new.position, new.at, new.actor, new.action, new.target, new.before, new.after, new.group_id)
        is not distinct from
        row(old.id, old.position, old.at, old.actor, old.action, old.target, old.before, old.after, old.group_id)
    then return new; end if;
  end if;
  raise exception 'the audit log can only be added to' using errcode = 'insufficient_privilege';
end $$;

create constraint trigger audit_log_chain after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_entry();
create or replace trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create or replace trigger audit_log_never_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();

-- ---------------------------------------------------------------------------
-- Histories (docs/decisions/event-feed.md)

-- Identifies the origin of the data. A promotion and a restore to a point in time start a timeline of the write-ahead
-- log; a new cluster has another identifier; another database of the same cluster and a table restored in place have
-- other OIDs.
create or replace function history_origin() returns text
language plpgsql as $$
declare
  -- Cached: a session has one server for its life, and the function reads a file.
  v_server text := nullif(current_setting('partner_booking.server', true), '');
begin
  if v_server is null then
    v_server := (pg_control_system()).system_identifier;
    perform set_config('partner_booking.server', v_server, false);
  end if;
  return v_server
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (select oid from pg_database where datname = current_database())
    || '/' || 'histories'::regclass::oid;
end
$$;

-- Starts a history unless the last one has this origin, or in any case when forced; returns the ID of the current one.
-- A mere restart of the server skips no tracking references: else each one would.
create or replace function begin_history(p_forced boolean default false, p_skipped_references bigint default 1000000) returns text
language plpgsql as $$
declare
  v_last histories;
  v_origin text := history_origin();
  v_id text := left(gen_random_uuid()::text, 8);
  v_reference bigint;
begin
  -- As place_events: no event gets a place while the end of the shared ones is read.
  perform pg_advisory_xact_lock(3, 0);
  select * into v_last from histories order by number desc limit 1;
  if v_last.origin = v_origin and v_last.server_started = pg_postmaster_start_time() and not p_forced then
    return v_last.id;
  end if;
  v_reference := coalesce(v_last.last_reference, 0);
  if v_last.origin <> v_origin or p_forced then
    v_reference := (select last_value from appointment_number) + p_skipped_references;
    -- Stays after a rollback: then the next one skips as many again.
    perform setval('appointment_number', v_reference);
  end if;
  insert into histories (number, id, origin, server_started, last_place, last_reference)
  values (coalesce(v_last.number, 0) + 1, v_id, v_origin, pg_postmaster_start_time(),
    -- Retention may have dropped all events.
    greatest((select max(place) from event_places), v_last.last_place, 0), v_reference);
  return v_id;
end
$$;

-- The ID of the current history, started if needed; null on a standby.
create or replace function current_history() returns text
language plpgsql as $$
declare
  v_last histories;
begin
  if pg_is_in_recovery() then
    return null;
  end if;
  select * into v_last from histories order by number desc limit 1;
  if v_last.origin = history_origin() and v_last.server_started = pg_postmaster_start_time() then
    return v_last.id;
  end if;
  return begin_history();
end
$$;

-- Refuses an appointment whose tracking reference was taken before its history started: the transaction must be
-- retried. The first appointment starts the first history.
create or replace function refuse_lost_references() returns trigger
language plpgsql as $$
declare
  v_last histories;
begin
  select * into v_last from histories order by number desc limit 1;
  if v_last.number is null then
    perform begin_history();
  elsif v_last.origin <> history_origin()
    or v_last.last_reference > 0 and exists (select from made where substr(name, 4)::bigint <= v_last.last_reference) then
    raise exception 'the data went back: a new history begins first' using errcode = 'serialization_failure';
  end if;
  return null;
end
$$;

-- How a backup, a check of the archive or a restore drill ended; no fault: it succeeded.
create or replace function report_backup(p_kind text, p_fault text) returns void
language plpgsql as $$
declare
  v_real_now timestamptz;
begin
  v_real_now := clock_timestamp();
  insert into backup_reports as known (kind, at, succeeded_at, fault)
  values (p_kind, v_real_now, case when p_fault is null then v_real_now end, p_fault)
  on conflict (kind) do update set at = excluded.at, succeeded_at = coalesce(excluded.succeeded_at, known.succeeded_at),
    fault = excluded.fault;
end
$$;
