import type { ClientBase } from 'pg';
import type { Queryable, Statement } from './connection.ts';

/** Positions in PostgreSQL's log of changes, and how far a replica has followed it. */

export type Position = {
  /** When the server was started that said so, in microseconds since 1970: positions of two servers do not compare. */
  server: number;
  /** Bytes. */
  lsn: number;
};

/**
 * A commit that was acknowledged is on disk, and what is on disk is on its way to replicas; with asynchronous commits it
 * may be neither.
 */
const POSITION = {
  name: 'primary-position',
  text: `
    select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint as server,
      ((case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
        else pg_current_wal_flush_lsn() end) - '0/0'::pg_lsn)::bigint as lsn`,
};

export type Identity = { system: string; standby: boolean; database: string };

const IDENTITY = {
  text: `select system_identifier::text as system, pg_is_in_recovery() as standby, current_database() as database
    from pg_control_system()`,
};

/** Which cluster a server has a copy of, and whether it takes no writes because it follows another. */
export async function readIdentity(db: Queryable): Promise<Identity> {
  return (await db.first<Identity>(IDENTITY))!;
}

/** What is wrong with the server past the pooler, which is to be that of the database; null: nothing. */
export async function directFault(ours: Identity, direct: ClientBase): Promise<string | null> {
  const theirs: Identity = (await direct.query(IDENTITY)).rows[0];
  return ours.system === theirs.system && ours.database === theirs.database && ours.standby === theirs.standby
    ? null
    : 'DATABASE_DIRECT_URL leads to another database: name the one at DATABASE_URL, past the pooler';
}

/** Everything that was committed before the question lies before it. Throws while the server takes no writes. */
export async function readPosition(primary: Queryable): Promise<Position> {
  return (await primary.first<Position>(POSITION))!;
}

/** From the position after it on, a replica that has the row follows this server. */
export async function noteServer(primary: Queryable, { server }: Position): Promise<void> {
  await primary.rows({
    text: 'insert into database_servers (started_us) values ($1) on conflict do nothing',
    values: [server],
  });
}

export type Replayed = {
  /** It takes no writes: nobody has promoted it. */
  standby: boolean;
  /** It has the changes of the server that was asked for, or will have them. */
  follows: boolean;
  /** Bytes; null when it has replayed nothing since its start. */
  lsn: number | null;
};

/** How far a replica has replayed the log of the server. What runs after it on the same server sees at least that. */
export const replayedOf = (server: number): Statement => ({
  name: 'replica-position',
  text: `
    select pg_is_in_recovery() as standby, exists (select from database_servers where started_us = $1) as follows,
      (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as lsn`,
  values: [server],
});
