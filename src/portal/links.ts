import type { Instant } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { newToken } from '../base/tokens.ts';
import type { Actor } from '../db/audit.ts';
import { auditOf } from '../db/audited-rows.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { type PageQueryValues, paging } from '../http/envelope.ts';
import { viewBy } from '../http/fields.ts';
import { partnerRows } from '../partners/account-queries.ts';
import { insertLink, listLinkRows, lockLink, revokeLinkRow } from './queries.ts';
import { LINK_SECONDS, linkStatus, TOKENS } from './rules.ts';
import { type CreateLink, Link } from './schema.ts';
import type { LinkRow } from './table.ts';

/** A link in the operator's interface and the audit log, without its token and the hash. */
export const linkView = (row: LinkRow, now: Instant) => viewBy(Link, row, { status: linkStatus(row, now) });

const record = auditOf('portal-link', linkView);

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
  await record(tx, now, { actor, after: row });
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
  await record(tx, now, { actor, before, after, verb: 'revoke' });
  return after;
}
