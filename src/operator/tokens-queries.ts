import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import type { Role } from './roles.ts';

export type TokenStatus = 'ACTIVE' | 'REVOKED';

export type TokenRow = {
  id: string;
  name: string;
  role: Role;
  status: TokenStatus;
  prefix: string;
  last4: string;
  last_used_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

const TOKEN = 'id, name, role, status, prefix, last4, last_used_at, created_at, updated_at';

/** Whose token has this SHA-256 (hex), while it is active; else null. */
export function findTokenAccess(db: Queryable, hash: string): Promise<{ id: string; role: Role } | null> {
  return db.first({
    name: 'find-token-access',
    text: `select id, role from operator_tokens where hash = decode($1, 'hex') and status = 'ACTIVE'`,
    values: [hash],
  });
}

/** Notes when tokens were last used. Times only move forward, whichever process writes last. */
export async function touchTokens(db: Queryable, used: ReadonlyMap<string, Instant>): Promise<void> {
  await db.rows({
    text: `
      update operator_tokens set last_used_at = greatest(last_used_at, used.at)
      from unnest($1::uuid[], $2::timestamptz[]) as used (id, at) where operator_tokens.id = used.id`,
    values: [[...used.keys()], [...used.values()].map(toUtcIso)],
  });
}

export async function insertToken(
  tx: Tx,
  now: Instant,
  fields: { name: string; role: Role; hash: Buffer; prefix: string; last4: string },
): Promise<TokenRow> {
  const rows = await tx.rows<TokenRow>({
    text: `
      insert into operator_tokens (name, role, hash, prefix, last4, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6) returning ${TOKEN}`,
    values: [fields.name, fields.role, fields.hash, fields.prefix, fields.last4, toUtcIso(now)],
  });
  return rows[0]!;
}

export function lockToken(tx: Tx, id: string): Promise<TokenRow | null> {
  return tx.first<TokenRow>({
    text: `select ${TOKEN} from operator_tokens where id = $1 for update`,
    values: [id],
  });
}

export async function updateTokenRow(
  tx: Tx,
  now: Instant,
  id: string,
  fields: { name: string; status: TokenStatus },
): Promise<TokenRow> {
  const rows = await tx.rows<TokenRow>({
    text: `
      update operator_tokens set name = $2, status = $3, updated_at = $4 where id = $1 returning ${TOKEN}`,
    values: [id, fields.name, fields.status, toUtcIso(now)],
  });
  return rows[0]!;
}

export async function deleteTokenRow(tx: Tx, id: string): Promise<void> {
  await tx.rows({ text: 'delete from operator_tokens where id = $1', values: [id] });
}

/** Tokens, newest first; `search` looks for a part of the name. */
export async function listTokenRows(
  db: Queryable,
  filter: { search?: string; role?: Role; status?: TokenStatus },
  page: { limit: number; offset: number },
): Promise<Page<TokenRow>> {
  const where = `
    where ($1::text is null or strpos(lower(name), lower($1)) > 0)
      and ($2::text is null or role = $2)
      and ($3::text is null or status = $3)`;
  const values = [filter.search ?? null, filter.role ?? null, filter.status ?? null];
  const rows = await db.rows<TokenRow>({
    text: `
      select ${TOKEN} from operator_tokens ${where} order by created_at desc, id desc limit $4 offset $5`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from operator_tokens ${where}`,
    values,
  });
  return { rows, total: count!.total };
}
