import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { touchStatement } from '../db/last-times.ts';
import type { Window } from '../db/pages.ts';
import { columnsOf, firstOf, firstOrThrow, instant, pageOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { SessionTable, SignInLinkTable, TokenTable } from './table.ts';

const tables = tablesOf<{
  operator_links: SignInLinkTable;
  operator_sessions: SessionTable;
  operator_tokens: TokenTable;
}>();

/** Inserts the link, in place of the token's unused one. */
export async function replaceLink(
  tx: Tx,
  now: Instant,
  { tokenId, hash, expiresAt }: { tokenId: string; hash: Buffer; expiresAt: Instant },
): Promise<string> {
  const unused = tables
    .deleteFrom('operator_links')
    .where('token_id', '=', tokenId)
    .where('used_at', 'is', null);
  await rowsOf(tx, unused);
  const values = { token_id: tokenId, hash, created_at: toUtcIso(now), expires_at: toUtcIso(expiresAt) };
  return (await firstOrThrow(tx, tables.insertInto('operator_links').values(values).returning('id'))).id;
}

/** Marks the link as used; null when there is none that may be used. Of two simultaneous calls one gets it. */
export async function useLink(tx: Tx, now: Instant, hash: Buffer): Promise<string | null> {
  const query = tables
    .updateTable('operator_links')
    .set({ used_at: toUtcIso(now) })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', instant(now))
    .returning('token_id');
  return (await firstOf(tx, query))?.token_id ?? null;
}

export type NewSession = {
  tokenId: string | null;
  firstHash: Buffer | null;
  hash: Buffer;
  browser: string | null;
  system: string | null;
  expiresAt: Instant;
};

/** Inserts a session, and deletes all that have expired. */
export async function insertSession(tx: Tx, now: Instant, session: NewSession): Promise<string> {
  await rowsOf(tx, tables.deleteFrom('operator_sessions').where('expires_at', '<=', instant(now)));
  const at = toUtcIso(now);
  const times = { created_at: at, expires_at: toUtcIso(session.expiresAt), last_seen_at: at };
  const values = { ...columnsOf(session), ...times };
  return (await firstOrThrow(tx, tables.insertInto('operator_sessions').values(values).returning('id'))).id;
}

/** Sessions with their tokens that have not ended; those of the first token end with it. */
function liveSessions(now: Instant, firstHash: Buffer) {
  return tables
    .selectFrom('operator_sessions as s')
    .leftJoin('operator_tokens as t', 't.id', 's.token_id')
    .where('s.expires_at', '>', instant(now))
    .where((row) =>
      row.or([
        row('s.first_hash', '=', firstHash),
        row.and([
          row('t.status', '=', 'ACTIVE'),
          row.or([row('t.expires_at', 'is', null), row('t.expires_at', '>', instant(now))]),
        ]),
      ]),
    );
}

/** The session of the hash with the role of its token; null: there is none, or it has ended. */
export function findSession(db: Queryable, now: Instant, hash: Buffer, firstHash: Buffer) {
  const query = liveSessions(now, firstHash)
    .select(['s.id', 's.token_id', 's.expires_at', 't.role'])
    .where('s.hash', '=', hash);
  return firstOf(db, query);
}

/** Sessions that have not ended, the latest seen first: of the token (null: the first one), or of all tokens. */
export function listSessionRows(
  db: Queryable,
  now: Instant,
  { firstHash, of }: { firstHash: Buffer; of: { tokenId: string | null } | 'all' },
  page: Window,
) {
  const query = liveSessions(now, firstHash)
    .select(['s.id', 's.token_id', 's.browser', 's.system', 's.created_at', 's.expires_at', 's.last_seen_at'])
    .select([
      't.name as token_name',
      sql<'admin' | 'dispatcher' | 'viewer'>`coalesce(t.role, 'admin')`.as('role'),
    ])
    .$if(of !== 'all', (found) =>
      found.where('s.token_id', 'is not distinct from', (of as { tokenId: string | null }).tokenId),
    )
    .orderBy('s.last_seen_at', 'desc')
    .orderBy('s.id');
  return pageOf(db, query, page);
}
export type SessionListRow = Awaited<ReturnType<typeof listSessionRows>>['rows'][number];

/** Locks the session until the end of the transaction; null: there is none. */
export function lockSession(tx: Tx, id: string) {
  const query = tables.selectFrom('operator_sessions').select(['id', 'token_id']).where('id', '=', id);
  return firstOf(tx, query.forUpdate());
}

/** Ends the session. */
export async function deleteSession(tx: Tx, id: string): Promise<void> {
  await rowsOf(tx, tables.deleteFrom('operator_sessions').where('id', '=', id));
}

export const TOUCH_SESSIONS = touchStatement('touch-sessions', 'operator_sessions', 'last_seen_at');
