import type { Instant } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { newToken, sha256 } from '../base/tokens.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { hashKey, isWellFormedKey, PERMISSIONS, type Permission } from '../partners/key-rules.ts';
import {
  deleteSession,
  findKeyOfSecret,
  findSession,
  insertSession,
  type SessionRow,
  useLink,
} from './queries.ts';
import { type Limit, limitOf, SESSION_DURATION, TOKENS } from './rules.ts';

/** A session with its partner and rights. */
export type Visitor = {
  sessionId: string;
  partnerId: string;
  partnerName: string;
  /** Whether the partner's customers have a page. */
  trackingPage: boolean;
  /** The key of the session; null: a link opened it. */
  keyId: string | null;
  keyName: string | null;
  readOnly: boolean;
  permissions: ReadonlySet<Permission>;
  /** The reason for which only refused requests are shown; null: all are. */
  limit: Limit | null;
  expiresAt: Instant;
};

export type NewSession = { token: string; expiresAt: Instant };

/** Opens a session with a link, which works once. Throws UNAUTHORIZED. */
export function signInByLink(db: Db, now: Instant, token: string): Promise<NewSession> {
  return db.transaction(async (tx) => {
    const link = await useLink(tx, now, sha256(token));
    if (link === null) {
      throw new ApiError('UNAUTHORIZED', 'The link was used already, has expired or was revoked', {
        check: 'link',
        reason: 'not-valid',
        hints: ['ask the operator of the service for a new link, or sign in with an API key'],
      });
    }
    const made = newToken(TOKENS.session);
    const expiresAt = now + SESSION_DURATION;
    await insertSession(tx, now, {
      partnerId: link.partner_id,
      linkId: link.id,
      keyId: null,
      keyHash: null,
      hash: made.hash,
      expiresAt,
    });
    return { token: made.token, expiresAt };
  });
}

/**
 * Opens a session with an API key, also with one that is refused under /v1: its session is limited (limitOf). Throws
 * UNAUTHORIZED for an unknown key.
 */
export async function signInByKey(db: Db, now: Instant, key: string): Promise<NewSession> {
  const keyHash = Buffer.from(hashKey(key), 'hex');
  const found = isWellFormedKey(key) ? await findKeyOfSecret(db, keyHash) : null;
  if (found === null) {
    throw new ApiError('UNAUTHORIZED', 'The API key is not known', {
      check: 'key',
      reason: isWellFormedKey(key) ? 'not-valid' : 'malformed',
    });
  }
  const made = newToken(TOKENS.session);
  const expiresAt = now + SESSION_DURATION;
  const session = { partnerId: found.partner_id, linkId: null, keyId: found.id, keyHash };
  await db.transaction((tx) => insertSession(tx, now, { ...session, hash: made.hash, expiresAt }));
  return { token: made.token, expiresAt };
}

/** The session of the token with its rights for the address; null: there is none, or it has ended. */
export async function findVisitor(
  db: Queryable,
  now: Instant,
  token: string,
  address: string,
): Promise<Visitor | null> {
  const row = await findSession(db, now, sha256(token));
  return row === null ? null : toVisitor(row, now, address);
}

function toVisitor(row: SessionRow, now: Instant, address: string): Visitor {
  return {
    sessionId: row.id,
    partnerId: row.partner_id,
    partnerName: row.partner_name,
    trackingPage: row.tracking_page,
    keyId: row.key_id,
    keyName: row.key_name,
    readOnly: row.read_only ?? false,
    permissions: new Set(row.key_id === null ? PERMISSIONS : row.permissions),
    limit: limitOf(row, address, now),
    expiresAt: row.expires_at,
  };
}

/** Ends the session; idempotent. */
export function signOut(db: Queryable, sessionId: string): Promise<void> {
  return deleteSession(db, sessionId);
}
