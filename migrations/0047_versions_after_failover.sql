-- As in 0001, but a version is never given twice: a failover can lose the last ones, and what processes keep of a lost version
-- must not be taken for that of the next one with its number. Each promotion begins a new timeline of the log, which is the
-- version from its billions on.
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
