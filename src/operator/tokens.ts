import { timingSafeEqual } from 'node:crypto';
import type { Instant } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { CREDENTIALS, newToken, sha256 } from '../base/tokens.ts';
import type { Actor } from '../db/audit.ts';
import { auditOf } from '../db/audited-rows.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import { touch } from '../db/last-times.ts';
import { changesTo, columnsOf } from '../db/tables.ts';
import { viewBy } from '../http/fields.ts';
import { mayBecome, parseExpiry } from '../partners/key-rules.ts';
import { withTimestamp } from '../partners/keys.ts';
import { createCredentialCache } from '../runtime/credential-cache.ts';
import { recordLastUses } from '../runtime/last-uses.ts';
import type { VersionWatch } from '../runtime/versions.ts';
import type { Role } from './roles.ts';
import { deleteSignIns } from './session-queries.ts';
import type { TokenRow } from './table.ts';
import { findTokenAccess, listTokenFingerprints, TOUCH_TOKENS, tokenRows } from './tokens-queries.ts';
import { type CreateToken, Token, type UpdateToken } from './tokens-schema.ts';

// ---------------------------------------------------------------------------
// The caller with a token

/** `tokenId` null: the first token, from the configuration. */
export type OperatorCaller = {
  actor: Actor;
  role: Role;
  tokenId: string | null;
  /** When the token expires, in real time; null: never. */
  expiresAt: Instant | null;
};

/** The name of the token's holder in the audit log and in histories; null: of the first one. */
export const actorOf = (tokenId: string | null): Actor =>
  tokenId === null ? 'operator:first-token' : `operator-token:${tokenId}`;

export type TokenCache = {
  /** The caller with the token, or null: unknown, revoked or expired (by `realNow`). Cached. */
  find(token: string, now: Instant, realNow?: Instant): Promise<OperatorCaller | null>;
  /** Stores a use of the token. */
  touch(tokenId: string, now: Instant): void;
  close(): Promise<void>;
};

const START = CREDENTIALS.operatorToken;
const MAX_CACHED = 1_000;

/** Caches operator tokens. The first one comes from the configuration, while it is replaced two, and is always an admin. */
export function createTokenCache(
  db: Db,
  versions: VersionWatch,
  firstTokens: readonly string[],
  onError: (error: Error) => void,
): TokenCache {
  const first = firstTokens.map(sha256);
  const tokens = createCredentialCache(
    versions,
    () => listTokenFingerprints(db),
    (hash) => findTokenAccess(db, hash),
    MAX_CACHED,
  );
  const lastUses = recordLastUses((used) => touch(db, TOUCH_TOKENS, used), onError);

  return {
    async find(token, now, realNow = now) {
      const digest = sha256(token);
      if (first.some((hash) => timingSafeEqual(digest, hash)))
        return { actor: actorOf(null), role: 'admin', tokenId: null, expiresAt: null };
      const access = await tokens.find(
        digest.toString('hex'),
        now,
        ({ expires_at }) => expires_at === null || expires_at > realNow,
      );
      if (access === null) return null;
      lastUses.touch(access.id, now);
      return {
        actor: actorOf(access.id),
        role: access.role,
        tokenId: access.id,
        expiresAt: access.expires_at,
      };
    },
    touch: lastUses.touch,
    close: lastUses.close,
  };
}

// ---------------------------------------------------------------------------
// Tokens as a resource

/** A token in the operator API and the audit log: never the secret, nor its hash. */
export const tokenView = (row: TokenRow) => viewBy(Token, row);

const record = auditOf('token', tokenView);

/** The token's name; null for the first one, and for one that was removed meanwhile. */
export async function tokenName(db: Queryable, tokenId: string | null): Promise<string | null> {
  return tokenId === null ? null : ((await tokenRows.find(db, tokenId))?.name ?? null);
}

/** Creates a token; `token` is its plain text, which is not stored. */
export async function createToken(
  tx: Tx,
  now: Instant,
  actor: Actor,
  input: CreateToken,
): Promise<{ row: TokenRow; token: string }> {
  const { token, hash } = newToken(START);
  const row = await tokenRows.insert(tx, now, {
    ...withTimestamp(tokenColumns(input)),
    name: input.name.trim(),
    role: input.role,
    hash,
    prefix: token.slice(0, START.length + 4),
    last4: token.slice(-4),
  });
  await record(tx, now, { actor, after: row });
  return { row, token };
}

/**
 * Renames or revokes a token, or changes its role or expiry; without a difference it does nothing. Throws RESOURCE_NOT_FOUND, and INVALID_TRANSITION
 * when a revoked one should become active again.
 */
export async function changeToken(
  tx: Tx,
  now: Instant,
  actor: Actor,
  { id, changes }: { id: string; changes: UpdateToken },
): Promise<TokenRow> {
  const before = await orNotFound(tokenRows.lock(tx, id), 'Token');
  if (changes.status !== undefined && !mayBecome(before.status, changes.status))
    throw new ApiError('INVALID_TRANSITION', 'A revoked token stays revoked: create a new one');
  const columns = changesTo(before, tokenColumns(changes));
  if (columns === null) return before;
  const after = await tokenRows.update(tx, now, before.id, withTimestamp(columns));
  await record(tx, now, { actor, before, after });
  return after;
}

/** The normalized fields: the name trimmed, the expiry an instant. */
function tokenColumns({ name, expiresAt, ...rest }: UpdateToken) {
  return columnsOf({
    ...rest,
    name: name?.trim(),
    expiresAt: typeof expiresAt === 'string' ? parseExpiry(expiresAt)! : expiresAt,
  });
}

/** Removes a token, which stops working; its actions stay in the audit log. Throws RESOURCE_NOT_FOUND. */
export async function removeToken(tx: Tx, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const before = await orNotFound(tokenRows.lock(tx, id), 'Token');
  await deleteSignIns(tx, before.id);
  await tokenRows.remove(tx, before.id);
  await record(tx, now, { actor, before });
  return { id: before.id };
}
