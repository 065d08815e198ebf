import { type Instant, MINUTE, toUtcIso } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import type { Actor } from '../db/audit.ts';
import { auditOf } from '../db/audited-rows.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { changesTo, columnsOf } from '../db/tables.ts';
import { partnerRows } from './account-queries.ts';
import { type KeyFilter, keyRows, listKeys, replaceKeySecret } from './key-queries.ts';
import { createKey, mayBecome, normalizeAddressRange, parseExpiry } from './key-rules.ts';
import type { CreateKey, UpdateKey } from './key-schema.ts';
import type { KeyRow } from './table.ts';
import { keyView } from './view.ts';

/** The deployment of keys, which their prefix shows. */
export type Deployment = 'sandbox' | 'production';

/** A key and its plain text, which is not stored. */
export type IssuedKey = { row: KeyRow; key: string };

const record = auditOf('key', keyView);

/** Creates a key of the partner. Throws RESOURCE_NOT_FOUND (partner). */
export async function issueKey(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { partnerId, deployment, ...input }: CreateKey & { partnerId: string; deployment: Deployment },
): Promise<IssuedKey> {
  const { key, ...secret } = createKey(deployment);
  const partner = await orNotFound(partnerRows.find(tx, partnerId), 'Partner');
  const row = await keyRows.insert(tx, now, {
    ...withTimestamp(keyColumns(input)),
    ...secret,
    partner_id: partner.id,
    name: input.name.trim(),
    permissions: input.permissions,
  });
  await record(tx, now, { actor, after: row });
  return { row, key };
}

/** The partner's keys, newest first; `search` is a part of the name. Throws RESOURCE_NOT_FOUND (partner). */
export async function searchKeys(
  db: Queryable,
  partnerId: string,
  filter: KeyFilter,
  page: Window,
): Promise<Page<KeyRow>> {
  const partner = await orNotFound(partnerRows.find(db, partnerId), 'Partner');
  return listKeys(db, partner.id, filter, page);
}

/**
 * Changes the given fields; without a difference nothing is written. Throws RESOURCE_NOT_FOUND and INVALID_TRANSITION
 * when a revoked key should become active again.
 */
export async function changeKey(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: UpdateKey },
): Promise<KeyRow> {
  const before = await orNotFound(keyRows.lock(tx, id), 'Key');
  if (changes.status !== undefined && !mayBecome(before.status, changes.status)) {
    throw new ApiError('INVALID_TRANSITION', 'A revoked key stays revoked: create a new one');
  }
  const columns = changesTo(before, keyColumns(changes));
  if (columns === null) return before;
  const after = await keyRows.update(tx, now, before.id, withTimestamp(columns));
  await record(tx, now, { actor, before, after });
  return after;
}

/**
 * Replaces the key's secret. The previous one works for `overlapMinutes` more; an older one stops at once. Throws
 * RESOURCE_NOT_FOUND and INVALID_TRANSITION (revoked key).
 */
export async function rotateKey(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, overlapMinutes = 0, deployment }: { id: string; overlapMinutes?: number; deployment: Deployment },
): Promise<IssuedKey> {
  const { key, ...secret } = createKey(deployment);
  const before = await orNotFound(keyRows.lock(tx, id), 'Key');
  if (before.status === 'REVOKED') {
    throw new ApiError('INVALID_TRANSITION', 'A revoked key cannot be rotated: create a new one');
  }
  const overlapEnd = overlapMinutes === 0 ? null : now + overlapMinutes * MINUTE;
  const row = await replaceKeySecret(tx, now, before.id, { ...secret, previousExpiresAt: overlapEnd });
  await record(tx, now, { actor, before, after: row, verb: 'rotate' });
  return { row, key };
}

/** The normalized fields: the name trimmed, each address once and in one spelling, the expiry an instant. */
function keyColumns({ name, ipAllowlist, expiresAt, ...rest }: UpdateKey) {
  return columnsOf({
    ...rest,
    name: name?.trim(),
    ipAllowlist: ipAllowlist && [...new Set(ipAllowlist.map((entry) => normalizeAddressRange(entry)!))],
    expiresAt: typeof expiresAt === 'string' ? parseExpiry(expiresAt)! : expiresAt,
  });
}

/** The columns for a write, with the expiry as text. */
export function withTimestamp<Columns extends { expires_at?: Instant | null }>({
  expires_at,
  ...rest
}: Columns) {
  if (expires_at === undefined) return rest;
  return { ...rest, expires_at: expires_at === null ? null : toUtcIso(expires_at) };
}
