import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Sorting, Window } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import {
  contains,
  firstOrThrow,
  isOneOf,
  nameOrder,
  pageOf,
  rowsOf,
  sortedBy,
  tablesOf,
} from '../db/tables.ts';
import type { KEY_ORDERS, KeyStatus, NewKey } from './key-rules.ts';
import type { KeyRow, KeyTable } from './table.ts';

const tables = tablesOf<{ api_keys: KeyTable }>();

export const keyRows = stampedRows<KeyTable>('api_keys');

type KeySecret = Omit<NewKey, 'key'>;

/** Replaces the key's secret; the old one works until `previousExpiresAt` (null: not any more). */
export function replaceKeySecret(
  tx: Tx,
  now: Instant,
  id: string,
  { hash, prefix, last4, previousExpiresAt }: KeySecret & { previousExpiresAt: Instant | null },
): Promise<KeyRow> {
  const query = tables.updateTable('api_keys').set((row) => ({
    previous_hash: previousExpiresAt === null ? null : row.ref('hash'),
    previous_expires_at: previousExpiresAt === null ? null : toUtcIso(previousExpiresAt),
    hash,
    prefix,
    last4,
    updated_at: toUtcIso(now),
  }));
  return firstOrThrow(tx, query.where('id', '=', id).returningAll());
}

export type KeyFilter = Sorting<(typeof KEY_ORDERS)[number]> & { search?: string; status?: KeyStatus };

const SORTED_KEYS = {
  createdAt: ['created_at'],
  name: [nameOrder('name')],
  // null: it never expires, or was never used.
  expiresAt: [sql`coalesce(expires_at, 'infinity')`],
  lastUsedAt: [sql`coalesce(last_used_at, '-infinity')`],
};

/** The partner's keys, newest first unless sorted otherwise; `search` is a part of the name. */
export function listKeys(
  db: Queryable,
  partnerId: string,
  { search, status, ...sorting }: KeyFilter,
  page: Window,
): Promise<Page<KeyRow>> {
  const query = tables
    .selectFrom('api_keys')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .$if(search !== undefined, (found) => found.where(contains('name', search!)))
    .$if(status !== undefined, (found) => found.where('status', '=', status!));
  return pageOf(db, sortedBy(query, SORTED_KEYS, sorting, { by: 'createdAt', order: 'DESC' }), page);
}

export type KeyName = Pick<KeyRow, 'id' | 'name' | 'prefix' | 'last4'>;

/** Names of the keys with these ids, by id. */
export async function listKeyNames(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeyName>> {
  const query = tables
    .selectFrom('api_keys')
    .select(['id', 'name', 'prefix', 'last4'])
    .where(isOneOf('id', ids));
  return new Map((await rowsOf(db, query)).map((key) => [key.id, key]));
}
