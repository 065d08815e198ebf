import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existing } from '../catalogue/admin.ts';
import { type Instant, toRiyadhIso } from '../clock.ts';
import { ApiError } from '../errors.ts';
import { mayBecome } from '../partners/rules.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable } from '../platform/db.ts';
import { type Page, paging } from '../platform/envelope.ts';
import type { VersionWatch } from '../platform/versions.ts';
import type { Role } from './roles.ts';
import {
  deleteTokenRow,
  findTokenAccess,
  insertToken,
  listTokenRows,
  lockToken,
  type TokenRow,
  touchTokens,
  updateTokenRow,
} from './tokens-queries.ts';
import type { CreateToken, TokensQuery, UpdateToken } from './tokens-schema.ts';

// ---------------------------------------------------------------------------
// Who is behind a token

export type OperatorCaller = { actor: Actor; role: Role };

export type TokenBook = {
  /** Who the token belongs to, or null: unknown or revoked. Answers from memory when it can. */
  find(token: string, now: Instant): Promise<OperatorCaller | null>;
  close(): Promise<void>;
};

const START = 'pbs_operator_';
const TOKEN = /^pbs_operator_[\w-]{43}$/;
const MAX_CACHED = 1_000;
const FLUSH_EVERY = 5_000;

/**
 * Operator tokens in memory. The first one comes from the configuration and is always an admin; what is
 * cached of the others is believed for one version of the change counter `access` (versions.ts).
 */
export function createTokenBook(
  db: Db,
  versions: VersionWatch,
  firstToken: string,
  onError: (error: Error) => void,
): TokenBook {
  const first = sha256(firstToken);
  let cache = new Map<string, { id: string; role: Role } | null>();
  let cachedVersion: number | null = null;
  let used = new Map<string, Instant>();

  async function flush(): Promise<void> {
    if (used.size === 0) return;
    const batch = used;
    used = new Map();
    await touchTokens(db, batch).catch(onError);
  }
  const timer = setInterval(flush, FLUSH_EVERY);

  return {
    async find(token, now) {
      const digest = sha256(token);
      if (timingSafeEqual(digest, first)) return { actor: 'operator:first-token', role: 'admin' };
      // What cannot be one of ours is not asked for.
      if (!TOKEN.test(token)) return null;
      const version = versions.current('access');
      if (version === null || version !== cachedVersion) {
        cache = new Map();
        cachedVersion = version;
      }
      // The map of the version that is current as the query begins: a newer version has a new map.
      const target = cache;
      const hash = digest.toString('hex');
      let access = target.get(hash);
      if (access === undefined) {
        access = await findTokenAccess(db, hash);
        if (target.size >= MAX_CACHED) target.clear();
        target.set(hash, access);
      }
      if (access === null) return null;
      used.set(access.id, now);
      return { actor: `operator-token:${access.id}`, role: access.role };
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

function sha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

// ---------------------------------------------------------------------------
// Tokens as a resource

/** A token as the operator's interface and the audit log show it: never the secret, nor what is stored of it. */
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

/** Makes a token; `token` is its plain text, which nothing can show again. */
export async function createToken(
  db: Db,
  now: Instant,
  actor: Actor,
  input: CreateToken,
): Promise<{ row: TokenRow; token: string }> {
  const token = START + randomBytes(32).toString('base64url');
  return db.transaction(async (tx) => {
    const row = await insertToken(tx, now, {
      name: input.name.trim(),
      role: input.role,
      hash: sha256(token),
      prefix: token.slice(0, START.length + 4),
      last4: token.slice(-4),
    });
    await audit(tx, now, { actor, action: 'token.create', target: `token:${row.id}`, after: tokenView(row) });
    return { row, token };
  });
}

/** A page of the tokens beside the first one, newest first. */
export function listTokens(db: Queryable, query: TokensQuery): Promise<Page<TokenRow>> {
  return listTokenRows(db, query, paging(query));
}

/**
 * Renames or revokes a token; nothing new, nothing done. Throws RESOURCE_NOT_FOUND, and INVALID_TRANSITION when
 * a revoked one should be active again.
 */
export function changeToken(
  db: Db,
  now: Instant,
  actor: Actor,
  id: string,
  input: UpdateToken,
): Promise<TokenRow> {
  return db.transaction(async (tx) => {
    const before = await existing(lockToken(tx, id), 'Token');
    const name = input.name?.trim() ?? before.name;
    const status = input.status ?? before.status;
    if (!mayBecome(before.status, status))
      throw new ApiError('INVALID_TRANSITION', 'A revoked token stays revoked: create a new one');
    if (name === before.name && status === before.status) return before;
    const after = await updateTokenRow(tx, now, before.id, { name, status });
    await audit(tx, now, {
      actor,
      action: 'token.update',
      target: `token:${before.id}`,
      before: tokenView(before),
      after: tokenView(after),
    });
    return after;
  });
}

/** Removes a token, which stops it; what it did stays in the audit log. Throws RESOURCE_NOT_FOUND. */
export function removeToken(db: Db, now: Instant, actor: Actor, id: string): Promise<{ id: string }> {
  return db.transaction(async (tx) => {
    const before = await existing(lockToken(tx, id), 'Token');
    await deleteTokenRow(tx, before.id);
    const target = `token:${before.id}`;
    await audit(tx, now, { actor, action: 'token.delete', target, before: tokenView(before) });
    return { id: before.id };
  });
}
