import type { ClientBase } from 'pg';
import type { Queryable } from './connection.ts';

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
