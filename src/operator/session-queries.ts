import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import { touchStatement } from '../db/last-times.ts';
import type { Window } from '../db/pages.ts';
import { columnsOf, firstOf, firstOrThrow, instant, pageOf, rowsOf, tablesOf } from '../db/tables.ts';
import { MAX_PIN_FAILURES, SESSION_DURATION } from './session-rules.ts';
import type { EnrolmentTable, SessionTable, SignInLinkTable, TokenTable } from './table.ts';

// Locked in one order: the token, its links, enrolments, sessions by id. Rows of others that have ended are left to those
// who hold them.

const tables = tablesOf<{
  operator_enrolments: EnrolmentTable;
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

/** The token that the link is of; null: there is no such link. */
export async function tokenOfLink(tx: Tx, hash: Buffer): Promise<string | null> {
  const query = tables.selectFrom('operator_links').select('token_id').where('hash', '=', hash);
  return (await firstOf(tx, query))?.token_id ?? null;
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

/** Inserts an enrolment, and deletes all that have expired. */
export async function insertEnrolment(
  tx: Tx,
  now: Instant,
  { expiresAt, ...enrolment }: { tokenId: string; hash: Buffer; pinHash: Buffer; expiresAt: Instant },
): Promise<string> {
  const expired = tables
    .selectFrom('operator_enrolments')
    .select('id')
    .where('expires_at', '<=', instant(now));
  await rowsOf(
    tx,
    tables.deleteFrom('operator_enrolments').where('id', 'in', expired.forUpdate().skipLocked()),
  );
  const times = { created_at: toUtcIso(now), expires_at: toUtcIso(expiresAt) };
  const values = { ...columnsOf(enrolment), ...times };
  return (await firstOrThrow(tx, tables.insertInto('operator_enrolments').values(values).returning('id'))).id;
}

/** Whether the token `t` is active. */
const isActive = (now: Instant) =>
  sql<boolean>`(t.status = 'ACTIVE' and (t.expires_at is null or t.expires_at > ${instant(now)}))`;

/**
 * Counts a try of the PIN and returns the enrolment; null: there is none, it or its person has ended, or no try is left.
 * Of simultaneous tries each is counted before the next.
 */
export function countPinTry(db: Queryable, now: Instant, hash: Buffer) {
  const query = tables
    .updateTable('operator_enrolments as e')
    .from('operator_tokens as t')
    .set({ pin_failures: sql<number>`pin_failures + 1` })
    .whereRef('t.id', '=', 'e.token_id')
    .where('e.hash', '=', hash)
    .where('e.expires_at', '>', instant(now))
    .where('e.pin_failures', '<', MAX_PIN_FAILURES)
    .where(isActive(now))
    .returning(['e.id', 'e.token_id', 'e.pin_hash', 'e.pin_failures', 'e.expires_at']);
  return firstOf(db, query);
}

/** Takes the counted tries back, and stores the PIN; false: the enrolment has ended meanwhile. */
export async function acceptPin(tx: Tx, id: string, hash: Buffer): Promise<boolean> {
  const values = { pin_failures: 0, pin_hash: hash };
  const query = tables.updateTable('operator_enrolments').set(values).where('id', '=', id);
  return (await firstOf(tx, query.returning('id'))) !== null;
}

/** Ends the enrolment and its session, if it has so many wrong PINs. */
export async function deleteEnrolment(db: Queryable, id: string, failures = 0): Promise<void> {
  const query = tables.deleteFrom('operator_enrolments').where('id', '=', id);
  await rowsOf(db, query.where('pin_failures', '>=', failures));
}

/** Ends the sessions, enrolments and unused link of the token. */
export async function deleteSignIns(tx: Tx, tokenId: string): Promise<void> {
  await rowsOf(tx, tables.deleteFrom('operator_links').where('token_id', '=', tokenId));
  const rows = ['operator_enrolments', 'operator_sessions'] as const;
  for (const table of rows) {
    const its = tables.selectFrom(table).select('id').where('token_id', '=', tokenId);
    await rowsOf(tx, its.orderBy('id').forUpdate());
  }
  for (const table of rows) await rowsOf(tx, tables.deleteFrom(table).where('token_id', '=', tokenId));
}

export type NewSession = {
  tokenId: string | null;
  firstHash: Buffer | null;
  enrolmentId: string | null;
  hash: Buffer;
  browser: string | null;
  system: string | null;
  expiresAt: Instant;
};

const unusedSince = (now: Instant) => instant(now - SESSION_DURATION);

/** Inserts a session in place of the browser's, and deletes all that have ended by themselves. */
export async function insertSession(tx: Tx, now: Instant, session: NewSession): Promise<string> {
  const ended = tables
    .selectFrom('operator_sessions')
    .select('id')
    .where((row) =>
      row.or([row('expires_at', '<=', instant(now)), row('last_seen_at', '<=', unusedSince(now))]),
    )
    .forUpdate()
    .skipLocked();
  const replaced = tables.deleteFrom('operator_sessions').where(
    (row) => row.or([row('id', 'in', ended), row('enrolment_id', '=', session.enrolmentId)]), // null: none
  );
  await rowsOf(tx, replaced);
  const at = toUtcIso(now);
  const times = { created_at: at, expires_at: toUtcIso(session.expiresAt), last_seen_at: at };
  const values = { ...columnsOf(session), ...times };
  return (await firstOrThrow(tx, tables.insertInto('operator_sessions').values(values).returning('id'))).id;
}

/** Sessions with their tokens that have not ended; those of the first token end with it. */
function liveSessions(now: Instant, firstHashes: readonly Buffer[]) {
  return tables
    .selectFrom('operator_sessions as s')
    .leftJoin('operator_tokens as t', 't.id', 's.token_id')
    .where('s.expires_at', '>', instant(now))
    .where('s.last_seen_at', '>', unusedSince(now))
    .where((row) => row.or([row('s.first_hash', 'in', firstHashes), isActive(now)]));
}

/** The session of the hash with the role of its token; null: there is none, or it has ended. */
export function findSession(db: Queryable, now: Instant, hash: Buffer, firstHashes: readonly Buffer[]) {
  const query = liveSessions(now, firstHashes)
    .select(['s.id', 's.token_id', 's.expires_at', 's.last_seen_at', 't.role'])
    .where('s.hash', '=', hash);
  return firstOf(db, query);
}

/** Sessions that have not ended, the latest seen first: of the token (null: the first one), or of all tokens. */
export function listSessionRows(
  db: Queryable,
  now: Instant,
  { firstHashes, of }: { firstHashes: readonly Buffer[]; of: { tokenId: string | null } | 'all' },
  page: Window,
) {
  const query = liveSessions(now, firstHashes)
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

/** Locks the session, and its enrolment before it, until the end of the transaction; null: there is none. */
export async function lockSession(tx: Tx, id: string) {
  const enrolment = tables
    .selectFrom('operator_enrolments as e')
    .innerJoin('operator_sessions as s', 's.enrolment_id', 'e.id')
    .select('e.id')
    .where('s.id', '=', id);
  await rowsOf(tx, enrolment.forUpdate('e'));
  const query = tables
    .selectFrom('operator_sessions')
    .select(['id', 'token_id', 'enrolment_id'])
    .where('id', '=', id);
  return firstOf(tx, query.forUpdate());
}

/** Ends the session. */
export async function deleteSession(tx: Tx, id: string): Promise<void> {
  await rowsOf(tx, tables.deleteFrom('operator_sessions').where('id', '=', id));
}

export const TOUCH_SESSIONS = touchStatement('touch-sessions', 'operator_sessions', 'last_seen_at');
