import type { ClientBase } from 'pg';
import type { Queryable } from './connection.ts';

export type Identity = { system: string; standby: boolean; database: string };

const IDENTITY = {
  text: `select system_identifier::text as system, pg_is_in_recovery() as standby, current_database() as database
    from pg_control_system()`,
};

/** The cluster of a server, and whether it is a standby. */
export async function readIdentity(db: Queryable): Promise<Identity> {
  return (await db.first<Identity>(IDENTITY))!;
}

/** Why the server past the pooler is not the one of the database; null: it is. */
export async function directFault(ours: Identity, direct: ClientBase): Promise<string | null> {
  const theirs: Identity = (await direct.query(IDENTITY)).rows[0];
  return ours.system === theirs.system && ours.database === theirs.database && ours.standby === theirs.standby
    ? null
    : 'DATABASE_DIRECT_URL leads to another database: name the one at DATABASE_URL, past the pooler';
}
