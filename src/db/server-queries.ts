import type { Queryable } from './connection.ts';

/** Health of the database server: connections, archive, standbys. */
export type ServerLoad = {
  connections: { used: number; max: number };
  /** null: WAL is not archived. `waiting`: segments behind the one that is written. */
  archive: { isFailing: boolean; waiting: number } | null;
  /** `synchronous`: those connected as such; null: the role may not see it (`pg_read_all_stats`). */
  standbys: { isConfigured: boolean; synchronous: number | null };
};

type LoadRow = {
  used: number;
  max: number;
  archives: boolean;
  fails: boolean;
  waiting: number;
  expects_standby: boolean;
  may_see: boolean;
  synchronous: number;
};

// The first 24 characters of an archived name are its segment: timeline, and the number in two parts of 32 bits.
const LOAD = {
  text: `
    with archived as (
      select *, (pg_size_bytes(current_setting('wal_segment_size'))) as segment_size from pg_stat_archiver
    )
    select
      (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as used,
      current_setting('max_connections')::int as max,
      current_setting('archive_mode') <> 'off' as archives,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as fails,
      case when pg_is_in_recovery() or last_archived_wal !~ '^[0-9A-F]{24}' then 0 else greatest(0, floor(
        pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / segment_size
        - (('x' || substr(last_archived_wal, 9, 8))::bit(32)::bigint * (4294967296 / segment_size)
          + ('x' || substr(last_archived_wal, 17, 8))::bit(32)::bigint) - 1)) end::float8 as waiting,
      current_setting('synchronous_standby_names') <> '' as expects_standby,
      pg_has_role('pg_read_all_stats', 'usage') as may_see,
      (select count(*) from pg_stat_replication where state = 'streaming' and sync_state in ('sync', 'quorum'))::int
        as synchronous
    from archived`,
};

/** Connections, archiving and standbys of the PostgreSQL server. */
export async function readServerLoad(db: Queryable): Promise<ServerLoad> {
  const row = (await db.first<LoadRow>(LOAD))!;
  return {
    connections: { used: row.used, max: row.max },
    archive: row.archives ? { isFailing: row.fails, waiting: row.waiting } : null,
    standbys: { isConfigured: row.expects_standby, synchronous: row.may_see ? row.synchronous : null },
  };
}
