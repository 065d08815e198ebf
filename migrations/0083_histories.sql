-- The histories of the data (docs/decisions/histories.md). Where data went back, positions of the feed and numbers of tracking
-- references that were lost would be given out again. A promotion, a restore and a restored dump begin a history, and so does
-- every start of the server, which may follow a copy of its folder. A cursor of an earlier one is true up to what both share.
create table histories (
  number integer primary key,
  id text not null unique, -- random: after the next restore another history may have the same number
  origin text not null, -- where it was begun (history_origin)
  server_started timestamptz not null, -- when the server was, on which it was begun
  last_place bigint not null, -- of the feed, when it began: what it shares with the histories before it
  last_reference bigint not null -- up to it numbers of tracking references may have been given out before it
);

-- A promotion and a restore to a point in time begin a timeline; a new cluster has another identifier, another database of the
-- same cluster and a table restored in place have other OIDs.
create function history_origin() returns text
language plpgsql as $$
begin
  return (pg_control_system()).system_identifier
    || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
    || '/' || (select oid from pg_database where datname = current_database())
    || '/' || 'histories'::regclass::oid;
end
$$;

-- Begins a history unless the last one began here, or in any case when it is forced; returns the id of the one that holds. A
-- mere start of the server skips no references: it would at each one.
create function begin_history(p_forced boolean default false, p_skipped_references bigint default 1000000) returns text
language plpgsql as $$
declare
  v_last histories;
  v_origin text := history_origin();
  v_id text := left(gen_random_uuid()::text, 8);
  v_reference bigint;
begin
  -- As place_events: nothing is placed while the end of what is shared is read.
  perform pg_advisory_xact_lock(3, 0);
  select * into v_last from histories order by number desc limit 1;
  if v_last.origin = v_origin and v_last.server_started = pg_postmaster_start_time() and not p_forced then
    return v_last.id;
  end if;
  v_reference := coalesce(v_last.last_reference, 0);
  if v_last.origin <> v_origin or p_forced then
    v_reference := (select last_value from appointment_number) + p_skipped_references;
    -- Stays when the transaction does not: then the next one skips as many again.
    perform setval('appointment_number', v_reference);
  end if;
  insert into histories (number, id, origin, server_started, last_place, last_reference)
  values (coalesce(v_last.number, 0) + 1, v_id, v_origin, pg_postmaster_start_time(),
    -- Events may all be too old to be kept.
    greatest((select max(place) from event_places), v_last.last_place, 0), v_reference);
  return v_id;
end
$$;

-- The id of the history that holds, begun if need be; null on a standby.
create function current_history() returns text
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

-- As before (0039), after the history of what is placed has begun.
create or replace function place_events() returns integer
  language plpgsql
as $$
declare
  v_placed integer;
begin
  -- Whoever comes second waits, and then finds placed what it came for.
  perform pg_advisory_xact_lock(3, 0);
  perform current_history();
  with placed as (
    delete from unplaced_events returning position, partner_id, event_id, created_at
  )
  insert into event_places (place, partner_id, event_id, created_at)
  select nextval('event_feed_position'), partner_id, event_id, created_at
  from (select * from placed order by position) in_order;
  get diagnostics v_placed = row_count;
  return v_placed;
end
$$;

-- No appointment gets a number that was taken before its history began: the transaction is to be tried again. The first of all
-- begins the first history.
create function refuse_lost_references() returns trigger
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
create trigger appointments_refuse_lost_references after insert on appointments
  referencing new table as made for each statement execute function refuse_lost_references();

-- A database that was in use begins with what it has.
select current_history() where exists (select from bookings);
