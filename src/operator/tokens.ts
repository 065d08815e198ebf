import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Instant, toRiyadhIso } from '../base/clock.ts';
import { ApiError, orNotFound } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { changesTo, columnsOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import { mayBecome } from '../partners/key-rules.ts';
import { createCredentialCache } from '../runtime/credential-cache.ts';
import { recordLastUses } from '../runtime/last-uses.ts';
import type { VersionWatch } from '../runtime/versions.ts';
import type { Role } from './roles.ts';
import type { TokenRow } from './table.ts';
import {
  findTokenAccess,
  listTokenFingerprints,
  listTokenRows,
  tokenRows,
  touchTokens,
} from './tokens-queries.ts';
import type { CreateToken, TokensQuery, UpdateToken } from './tokens-schema.ts';

// ---------------------------------------------------------------------------
// The caller with a token

/** `tokenId` null: the first token, from the configuration. */
export type OperatorCaller = { actor: Actor; role: Role; tokenId: string | null };

export type TokenCache = {
  /** The caller with the token, or null: unknown or revoked. Cached. */
  find(token: string, now: Instant): Promise<OperatorCaller | null>;
  close(): Promise<void>;
};

const START = 'pbs_operator_';
const MAX_CACHED = 1_000;

/** Caches operator tokens. The first one comes from the configuration and is always an admin. */
export function createTokenCache(
  db: Db,
  versions: VersionWatch,
  firstToken: string,
  onError: (error: Error) => void,
): TokenCache {
  const first = sha256(firstToken);
  const tokens = createCredentialCache(
    versions,
    () => listTokenFingerprints(db),
    (hash) => findTokenAccess(db, hash),
    MAX_CACHED,
  );
  const lastUses = recordLastUses((used) => touchTokens(db, used), onError);

  return {
    async find(token, now) {
      const digest = sha256(token);
      if (timingSafeEqual(digest, first))
        return { actor: 'operator:first-token', role: 'admin', tokenId: null };
      const access = await tokens.find(digest.toString('hex'), now, () => true);
      if (access === null) return null;
      lastUses.touch(access.id, now);
      return { actor: `operator-token:${access.id}`, role: access.role, tokenId: access.id };
    },
    close: lastUses.close,
  };
}

function sha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

// ---------------------------------------------------------------------------
// Tokens as a resource

/** A token in the operator API and the audit log: never the secret, nor its hash. */
export function tokenView(row: TokenRow) {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    status: row.status,
    prefix: row.prefix,
    last4: row.last4,
    lastUsedAt: row.last_used_at === null ? null : toRiyadhIso(row.last_used_at),
    createdAt: toRiyadhIso(row.created_at),
    updatedAt: toRiyadhIso(row.updated_at),
  };
}

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
  const token = START + randomBytes(32).toString('base64url');
  const row = await tokenRows.insert(tx, now, {
    ...input,
    name: input.name.trim(),
    hash: sha256(token),
    prefix: token.slice(0, START.length + 4),
    last4: token.slice(-4),
  });
  await audit(tx, now, { actor, action: 'token.create', target: `token:${row.id}`, after: tokenView(row) });
  return { row, token };
}

/** A page of the tokens except the first one, newest first. */
export function listTokens(db: Queryable, query: TokensQuery): Promise<Page<TokenRow>> {
  return listTokenRows(db, query, paging(query));
}

/**
 * Renames or revokes a token; without a difference it does nothing. Throws RESOURCE_NOT_FOUND, and INVALID_TRANSITION
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
  const columns = changesTo(before, columnsOf({ ...changes, name: changes.name?.trim() }));
  if (columns === null) return before;
  const after = await tokenRows.update(tx, now, before.id, columns);
  await audit(tx, now, {
    actor,
    action: 'token.update',
    target: `token:${before.id}`,
    before: tokenView(before),
    after: tokenView(after),
  });
  return after;
}

/** Removes a token, which stops working; its actions stay in the audit log. Throws RESOURCE_NOT_FOUND. */
export async function removeToken(tx: Tx, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  const before = await orNotFound(tokenRows.lock(tx, id), 'Token');
  await tokenRows.remove(tx, before.id);
  const target = `token:${before.id}`;
  await audit(tx, now, { actor, action: 'token.delete', target, before: tokenView(before) });
  return { id: before.id };
}
