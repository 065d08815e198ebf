import { type Clock, type Instant, realTime, toRiyadhIso } from '../base/clock.ts';
import { ApiError, notFound, orNotFound } from '../base/errors.ts';
import { CREDENTIALS, newToken, sha256 } from '../base/tokens.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Tx } from '../db/connection.ts';
import { touch } from '../db/last-times.ts';
import type { Page } from '../db/pages.ts';
import { browserOf } from '../http/browsers.ts';
import { type PageQueryValues, paging } from '../http/envelope.ts';
import { viewBy } from '../http/fields.ts';
import { type LastUses, recordLastUses } from '../runtime/last-uses.ts';
import { type Role, roleAllows } from './roles.ts';
import {
  deleteSession,
  findSession,
  insertSession,
  listSessionRows,
  lockSession,
  replaceLink,
  type SessionListRow,
  TOUCH_SESSIONS,
  useLink,
} from './session-queries.ts';
import { LINK_DURATION, SESSION_DURATION } from './session-rules.ts';
import { Session } from './session-schema.ts';
import { actorOf, type OperatorCaller, type TokenCache } from './tokens.ts';
import { tokenRows } from './tokens-queries.ts';

const PREFIXES = { link: CREDENTIALS.operatorLink, session: CREDENTIALS.operatorSession } as const;

export type SessionCaller = OperatorCaller & { session: { id: string; expiresAt: Instant } };

export type Sessions = {
  /** The caller with the session's secret, or null: unknown, ended, or its token is revoked or has expired. */
  find(secret: string): Promise<SessionCaller | null>;
  /** Opens a session with a token, or with a link, which works once. Throws UNAUTHORIZED. */
  open(by: SignedInBy, userAgent: string): Promise<OpenedSession>;
  list(query: PageQueryValues, of: { tokenId: string | null } | 'all'): Promise<Page<SessionListRow>>;
  close(): Promise<void>;
};
export type SignedInBy = { token: string } | { link: string };
export type OpenedSession = { id: string; secret: string; expiresAt: Instant };

/** The sessions of the console. They live in the database, so that ending one is effective in every process at once. */
export function createSessions(
  { db, clock }: { db: Db; clock: Clock },
  tokens: TokenCache,
  firstToken: string,
  onError: (error: Error) => void,
): Sessions {
  const firstHash = sha256(firstToken);
  const lastSeen: LastUses = recordLastUses((seen) => touch(db, TOUCH_SESSIONS, seen), onError);
  return {
    async find(secret) {
      const now = realTime(clock);
      const row = await findSession(db, now, sha256(secret), firstHash);
      if (row === null) return null;
      lastSeen.touch(row.id, now);
      if (row.token_id !== null) tokens.touch(row.token_id, clock.now());
      return {
        actor: actorOf(row.token_id),
        role: row.role ?? 'admin',
        tokenId: row.token_id,
        expiresAt: row.expires_at,
        session: { id: row.id, expiresAt: row.expires_at },
      };
    },
    async open(by, userAgent) {
      const now = realTime(clock);
      const known = 'token' in by ? await tokens.find(by.token, clock.now(), now) : null;
      if ('token' in by && known === null) throw notValid('token');
      return db.transaction(async (tx) => {
        const holder = 'link' in by ? await holderOfLink(tx, now, by.link) : known!;
        const { token: secret, hash } = newToken(PREFIXES.session);
        const expiresAt = Math.min(now + SESSION_DURATION, holder.expiresAt ?? Infinity);
        const { tokenId } = holder;
        const id = await insertSession(tx, now, {
          tokenId,
          firstHash: tokenId === null ? firstHash : null,
          hash,
          ...browserOf(userAgent),
          expiresAt,
        });
        return { id, secret, expiresAt };
      });
    },
    list: (query, of) => listSessionRows(db, realTime(clock), { firstHash, of }, paging(query)),
    close: lastSeen.close,
  };
}

const notValid = (check: 'token' | 'link'): ApiError =>
  check === 'token'
    ? new ApiError('UNAUTHORIZED', 'The operator token is not valid', { check, reason: 'not-valid' })
    : new ApiError('UNAUTHORIZED', 'The link was used already, or has expired', {
        check,
        reason: 'not-valid',
        hints: ['ask an administrator for a new link'],
      });

/** Uses the link. Throws UNAUTHORIZED, also when its token is revoked or has expired. */
async function holderOfLink(
  tx: Tx,
  now: Instant,
  link: string,
): Promise<{ tokenId: string; expiresAt: Instant | null }> {
  const tokenId = await useLink(tx, now, sha256(link));
  const token = tokenId === null ? null : await tokenRows.lock(tx, tokenId);
  if (token === null || token.status !== 'ACTIVE') throw notValid('link');
  if (token.expires_at !== null && token.expires_at <= now) throw notValid('link');
  return { tokenId: token.id, expiresAt: token.expires_at };
}

/**
 * Makes a link that opens one session of the token's holder within 72 hours, in place of an unused one; `secret` cannot
 * be read again. Throws RESOURCE_NOT_FOUND, and INVALID_TRANSITION for a token that has ended.
 */
export async function createSignInLink(
  tx: Tx,
  clock: Clock,
  actor: Actor,
  tokenId: string,
): Promise<{ secret: string; expiresAt: Instant }> {
  const now = realTime(clock);
  const token = await orNotFound(tokenRows.lock(tx, tokenId), 'Token');
  if (token.status !== 'ACTIVE' || (token.expires_at !== null && token.expires_at <= now))
    throw new ApiError('INVALID_TRANSITION', 'A revoked or expired token opens no session');
  const { token: secret, hash } = newToken(PREFIXES.link);
  const expiresAt = Math.min(now + LINK_DURATION, token.expires_at ?? Infinity);
  await replaceLink(tx, now, { tokenId: token.id, hash, expiresAt });
  const after = { expiresAt: toRiyadhIso(expiresAt) };
  await audit(tx, clock.now(), { actor, action: 'sign-in-link.create', target: `token:${token.id}`, after });
  return { secret, expiresAt };
}

type Ender = { actor: Actor; role: Role; tokenId: string | null };

/**
 * Ends a session: one of the caller's own token, or, for an admin, any. Throws RESOURCE_NOT_FOUND. Ending somebody
 * else's is in the audit log.
 */
export async function endSession(tx: Tx, now: Instant, by: Ender, id: string): Promise<void> {
  const session = await orNotFound(lockSession(tx, id), 'Session');
  const isOwn = session.token_id === by.tokenId;
  if (!isOwn && !roleAllows(by.role, 'admin')) throw notFound('Session');
  await deleteSession(tx, session.id);
  if (isOwn) return;
  const before = { holder: actorOf(session.token_id) };
  await audit(tx, now, {
    actor: by.actor,
    action: 'session.revoke',
    target: `session:${session.id}`,
    before,
  });
}

/** A session in the operator API, without its secret and its hash. */
export const sessionView = (row: SessionListRow, currentId: string | null) =>
  viewBy(Session, row, { name: row.token_name, isCurrent: row.id === currentId });
