import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { newToken } from '../base/tokens.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { type PageQueryValues, paging } from '../http/envelope.ts';
import { partnerRows } from '../partners/account-queries.ts';
import { insertLink, listLinkRows, lockLink, revokeLinkRow } from './queries.ts';
import { LINK_SECONDS, linkStatus, TOKENS } from './rules.ts';
import type { CreateLink } from './schema.ts';
import type { LinkRow } from './table.ts';

const stampOrNull = (at: Instant | null): string | null => (at === null ? null : toRiyadhIso(at));

/** A link in the operator's interface and the audit log, without its token and the hash. */
export function linkView(row: LinkRow, now: Instant) {
  return {
    id: row.id,
    partnerId: row.partner_id,
    status: linkStatus(row, now),
    readOnly: row.read_only,
    createdBy: row.created_by,
    expiresAt: toRiyadhIso(row.expires_at),
    usedAt: stampOrNull(row.used_at),
    revokedAt: stampOrNull(row.revoked_at),
    createdAt: toRiyadhIso(row.created_at),
  };
}

/**
 * Makes a link to the portal for a partner; `token` cannot be read again. Also for a suspended partner, whose session
 * shows the reason. Throws RESOURCE_NOT_FOUND (partner).
 */
export async function createLink(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { partnerId, expiresInSeconds = LINK_SECONDS.usual, readOnly = false }: CreateLink & { partnerId: string },
): Promise<{ row: LinkRow; token: string }> {
  const partner = await orNotFound(partnerRows.find(tx, partnerId), 'Partner');
  const { token, hash } = newToken(TOKENS.link);
  const row = await insertLink(tx, now, {
    partnerId: partner.id,
    hash,
    readOnly,
    createdBy: actor,
    expiresAt: now + expiresInSeconds * 1000,
  });
  const target = `portal-link:${row.id}`;
  await audit(tx, now, { actor, action: 'portal-link.create', target, after: linkView(row, now) });
  return { row, token };
}

/** A page of the partner's links, newest first. Throws RESOURCE_NOT_FOUND (partner). */
export async function listLinks(
  db: Queryable,
  partnerId: string,
  query: PageQueryValues,
): Promise<Page<LinkRow>> {
  const partner = await orNotFound(partnerRows.find(db, partnerId), 'Partner');
  return listLinkRows(db, partner.id, paging(query));
}

/**
 * Ends a link and its session; idempotent. Throws RESOURCE_NOT_FOUND, and INVALID_TRANSITION when it expired unused.
 */
export async function revokeLink(tx: Tx, now: Instant, actor: Actor, id: string): Promise<LinkRow> {
  const before = await orNotFound(lockLink(tx, id), 'Portal link');
  if (before.revoked_at !== null) return before;
  if (linkStatus(before, now) === 'EXPIRED')
    throw new ApiError('INVALID_TRANSITION', 'The link has expired: it opens nothing any more');
  const after = await revokeLinkRow(tx, now, before.id);
  await audit(tx, now, {
    actor,
    action: 'portal-link.revoke',
    target: `portal-link:${before.id}`,
    before: linkView(before, now),
    after: linkView(after, now),
  });
  return after;
}
