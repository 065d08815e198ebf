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
import { enrol, provePin } from './enrolments.ts';
import { type Role, roleAllows } from './roles.ts';
import {
  deleteEnrolment,
  deleteSession,
  deleteSignIns,
  findSession,
  insertSession,
  listSessionRows,
  lockSession,
  replaceLink,
  type SessionListRow,
  TOUCH_SESSIONS,
  tokenOfLink,
  useLink,
} from './session-queries.ts';
import { LINK_DURATION, SESSION_DURATION } from './session-rules.ts';
import { type OpenSession, Session } from './session-schema.ts';
import { actorOf, type OperatorCaller, type TokenCache } from './tokens.ts';
import { tokenRows } from './tokens-queries.ts';

const PREFIXES = { link: CREDENTIALS.operatorLink, session: CREDENTIALS.operatorSession } as const;

export type SessionCaller = OperatorCaller & { session: { id: string; expiresAt: Instant } };

export type Sessions = {
  /** The caller with the secret, whose session a use prolongs; null: it is unknown, or it or its token has ended. */
  find(secret: string, isUse: boolean): Promise<SessionCaller | null>;
  /** Opens a session with a token, a link, which enrols the browser, or the PIN of one with the cookie. Throws UNAUTHORIZED. */
  open(by: OpenSession, browser: { userAgent: string; cookie: string | null }): Promise<OpenedSession>;
  list(query: PageQueryValues, of: { tokenId: string | null } | 'all'): Promise<Page<SessionListRow>>;
  close(): Promise<void>;
};
/** `cookie`: of a browser that it enrolled. It ends at `endsAt`, and unused at `expiresAt`. */
export type OpenedSession = { id: string; secret: string; cookie: string | null } & Record<Ends, Instant>;
type Ends = 'expiresAt' | 'endsAt';

/** The sessions of the console. They live in the database, so that ending one is effective in every process at once. */
export function createSessions(
  { db, clock }: { db: Db; clock: Clock },
  tokens: TokenCache,
  firstTokens: readonly [string, ...string[]],
  onError: (error: Error) => void,
): Sessions {
  const firstHashes = firstTokens.map(sha256);
  const lastSeen: LastUses = recordLastUses((seen) => touch(db, TOUCH_SESSIONS, seen), onError);
  return {
    async find(secret, isUse) {
      const now = realTime(clock);
      const row = await findSession(db, now, sha256(secret), firstHashes);
      if (row === null) return null;
      if (isUse) lastSeen.touch(row.id, now);
      if (row.token_id !== null) tokens.touch(row.token_id, clock.now());
      const expiresAt = endUnused(row.last_seen_at, row.expires_at);
      return {
        actor: actorOf(row.token_id),
        role: row.role ?? 'admin',
        tokenId: row.token_id,
        expiresAt,
        session: { id: row.id, expiresAt },
      };
    },
    async open({ token, link, pin = '', newPin }, { userAgent, cookie }) {
      const now = realTime(clock);
      const known = token === undefined ? null : await tokens.find(token.trim(), clock.now(), now);
      if (token !== undefined && known === null) throw notValid('token');
      const accept =
        known === null && link === undefined ? await provePin(db, now, cookie, { pin, newPin }) : null;
      return db.transaction(async (tx) => {
        const { tokenId, ...holder } =
          known !== null
            ? { ...known, enrolmentId: null, endsAt: endUnused(now, known.expiresAt), cookie: null }
            : await (accept?.(tx) ?? enrol(tx, now, await holderOfLink(tx, now, link!), pin));
        const { token: secret, hash } = newToken(PREFIXES.session);
        const id = await insertSession(tx, now, {
          tokenId,
          firstHash: tokenId === null ? firstHashes[0]! : null,
          enrolmentId: holder.enrolmentId,
          hash,
          ...browserOf(userAgent),
          expiresAt: holder.endsAt,
        });
        if (newPin !== undefined) {
          const target = `token:${tokenId}`;
          await audit(tx, clock.now(), { actor: actorOf(tokenId), action: 'token.change_pin', target });
        }
        return { ...holder, id, secret, expiresAt: endUnused(now, holder.endsAt) };
      });
    },
    list: (query, of) => listSessionRows(db, realTime(clock), { firstHashes, of }, paging(query)),
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

/** When a session ends that is not used again; `endsAt`: at the latest. */
const endUnused = (lastSeen: Instant, endsAt: Instant | null): Instant =>
  Math.min(lastSeen + SESSION_DURATION, endsAt ?? Infinity);

/** Uses the link. Throws UNAUTHORIZED, also when its token is revoked or has expired. */
async function holderOfLink(
  tx: Tx,
  now: Instant,
  link: string,
): Promise<{ tokenId: string; expiresAt: Instant | null }> {
  const hash = sha256(link);
  const tokenId = await tokenOfLink(tx, hash);
  const token = tokenId === null ? null : await tokenRows.lock(tx, tokenId);
  if (token === null || token.status !== 'ACTIVE' || (await useLink(tx, now, hash)) === null)
    throw notValid('link');
  if (token.expires_at !== null && token.expires_at <= now) throw notValid('link');
  return { tokenId: token.id, expiresAt: token.expires_at };
}

/**
 * Makes a link that enrols one browser of a person within 72 hours, in place of an unused one; `secret` cannot be read
 * again. Her sessions and other browsers end, unless it adds one. A token becomes a person's, and opens nothing itself then.
 * Throws RESOURCE_NOT_FOUND, and INVALID_TRANSITION for a token that has ended.
 */
export async function createSignInLink(
  tx: Tx,
  clock: Clock,
  actor: Actor,
  { tokenId, addsBrowser = false }: { tokenId: string; addsBrowser?: boolean },
): Promise<{ secret: string; expiresAt: Instant }> {
  const now = realTime(clock);
  const token = await orNotFound(tokenRows.lock(tx, tokenId), 'Token');
  if (token.status !== 'ACTIVE' || (token.expires_at !== null && token.expires_at <= now))
    throw new ApiError('INVALID_TRANSITION', 'A revoked or expired token opens no session');
  const toPerson = { is_person: true, hash: newToken(CREDENTIALS.operatorToken).hash };
  if (!token.is_person) await tokenRows.update(tx, clock.now(), token.id, toPerson);
  if (!addsBrowser) await deleteSignIns(tx, token.id);
  const { token: secret, hash } = newToken(PREFIXES.link);
  const expiresAt = Math.min(now + LINK_DURATION, token.expires_at ?? Infinity);
  await replaceLink(tx, now, { tokenId: token.id, hash, expiresAt });
  const after = { expiresAt: toRiyadhIso(expiresAt), addsBrowser };
  await audit(tx, clock.now(), { actor, action: 'sign-in-link.create', target: `token:${token.id}`, after });
  return { secret, expiresAt };
}

/** Ends sessions and enrolled browsers of a person at once, and her unused link. Throws RESOURCE_NOT_FOUND. */
export async function endSignIns(tx: Tx, now: Instant, actor: Actor, id: string): Promise<void> {
  await orNotFound(tokenRows.lock(tx, id), 'Token');
  await deleteSignIns(tx, id);
  await audit(tx, now, { actor, action: 'token.sign_out', target: `token:${id}` });
}

type Ender = { actor: Actor; role: Role; tokenId: string | null; session: { id: string } | null };

/**
 * Ends a session: one of the caller's own token, or, for an admin, any. The enrolment of its browser ends too, unless the
 * caller signs out. Throws RESOURCE_NOT_FOUND. Ending somebody else's is in the audit log.
 */
export async function endSession(tx: Tx, now: Instant, by: Ender, id: string): Promise<void> {
  const session = await orNotFound(lockSession(tx, id), 'Session');
  const isOwn = session.token_id === by.tokenId;
  if (!isOwn && !roleAllows(by.role, 'admin')) throw notFound('Session');
  await deleteSession(tx, session.id);
  if (session.enrolment_id !== null && session.id !== by.session?.id)
    await deleteEnrolment(tx, session.enrolment_id);
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
export const sessionView = (row: SessionListRow, currentId: string | null) => {
  const expiresAt = toRiyadhIso(endUnused(row.last_seen_at, row.expires_at));
  return viewBy(Session, row, { name: row.token_name, isCurrent: row.id === currentId, expiresAt });
};
