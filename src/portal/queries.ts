import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { columnsOf, firstOf, firstOrThrow, instant, pageOf, rowsOf, tablesOf } from '../db/tables.ts';
import type { KeyTable, PartnerTable } from '../partners/table.ts';
import { LINK_COLUMNS, type LinkRow, type LinkTable, type SessionTable } from './table.ts';

const tables = tablesOf<{
  portal_links: LinkTable;
  portal_sessions: SessionTable;
  partners: PartnerTable;
  api_keys: KeyTable;
}>();

// ---------------------------------------------------------------------------
// Links

export type NewLink = {
  partnerId: string;
  hash: Buffer;
  readOnly: boolean;
  createdBy: string;
  expiresAt: Instant;
};

/** The new link; only the hash of its token is stored. */
export function insertLink(tx: Tx, now: Instant, link: NewLink): Promise<LinkRow> {
  const times = { created_at: toUtcIso(now), expires_at: toUtcIso(link.expiresAt) };
  const values = { ...columnsOf(link), ...times };
  return firstOrThrow(tx, tables.insertInto('portal_links').values(values).returning(LINK_COLUMNS));
}

/** The partner's links, newest first. */
export function listLinkRows(db: Queryable, partnerId: string, page: Window): Promise<Page<LinkRow>> {
  const query = tables
    .selectFrom('portal_links')
    .select(LINK_COLUMNS)
    .where('partner_id', '=', partnerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  return pageOf(db, query, page);
}

/** Locks the link until the end of the transaction; null: there is none. */
export function lockLink(tx: Tx, id: string): Promise<LinkRow | null> {
  return firstOf(tx, tables.selectFrom('portal_links').select(LINK_COLUMNS).where('id', '=', id).forUpdate());
}

/** Ends the link and its session. */
export async function revokeLinkRow(tx: Tx, now: Instant, id: string): Promise<LinkRow> {
  await rowsOf(tx, tables.deleteFrom('portal_sessions').where('link_id', '=', id));
  const query = tables
    .updateTable('portal_links')
    .set({ revoked_at: toUtcIso(now) })
    .where('id', '=', id);
  return firstOrThrow(tx, query.returning(LINK_COLUMNS));
}

/** Marks the link as used; null when there is none that may be used. Of two simultaneous calls one gets it. */
export function useLink(tx: Tx, now: Instant, hash: Buffer): Promise<LinkRow | null> {
  const query = tables
    .updateTable('portal_links')
    .set({ used_at: toUtcIso(now) })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', instant(now))
    .returning(LINK_COLUMNS);
  return firstOf(tx, query);
}

// ---------------------------------------------------------------------------
// Sessions

export type NewSession = {
  partnerId: string;
  linkId: string | null;
  keyId: string | null;
  keyHash: Buffer | null;
  hash: Buffer;
  expiresAt: Instant;
};

/** Inserts a session and deletes the partner's expired ones. */
export async function insertSession(tx: Tx, now: Instant, session: NewSession): Promise<void> {
  const expired = tables
    .deleteFrom('portal_sessions')
    .where('partner_id', '=', session.partnerId)
    .where('expires_at', '<=', instant(now));
  await rowsOf(tx, expired);
  const times = { created_at: toUtcIso(now), expires_at: toUtcIso(session.expiresAt) };
  const values = { ...columnsOf(session), ...times };
  await rowsOf(tx, tables.insertInto('portal_sessions').values(values));
}

/**
 * The key of any status with this SHA-256 of its secret, the one before its last rotation included; null: there is
 * none.
 */
export function findKeyOfSecret(
  db: Queryable,
  keyHash: Buffer,
): Promise<{ id: string; partner_id: string } | null> {
  const query = tables
    .selectFrom('api_keys')
    .select(['id', 'partner_id'])
    .where((row) => row.or([row('hash', '=', keyHash), row('previous_hash', '=', keyHash)]));
  return firstOf(db, query);
}

/** The session with its partner, key and rights; null: there is none, or it has ended. */
export function findSession(db: Queryable, now: Instant, hash: Buffer) {
  const query = tables
    .selectFrom('portal_sessions as s')
    .innerJoin('partners as p', 'p.id', 's.partner_id')
    .leftJoin('portal_links as l', 'l.id', 's.link_id')
    .leftJoin('api_keys as k', 'k.id', 's.key_id')
    .select(['s.id', 's.partner_id', 's.key_id', 's.created_at', 's.expires_at'])
    .select(['p.name as partner_name', 'p.status as partner_status', 'p.tracking_page', 'l.read_only'])
    .select(['k.name as key_name', 'k.status as key_status', 'k.permissions', 'k.ip_allowlist'])
    .select(['k.expires_at as key_expires_at', 'k.previous_expires_at'])
    .select(sql<boolean>`s.key_hash = k.hash`.as('is_current'))
    .select(sql<boolean>`s.key_hash = k.previous_hash`.as('is_previous'))
    .where('s.hash', '=', hash)
    .where('s.expires_at', '>', instant(now));
  return firstOf(db, query);
}
export type SessionRow = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** Ends the session, if there is one. */
export async function deleteSession(db: Queryable, id: string): Promise<void> {
  await rowsOf(db, tables.deleteFrom('portal_sessions').where('id', '=', id));
}
