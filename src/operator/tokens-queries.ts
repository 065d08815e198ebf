import { sql } from 'kysely';
import type { Queryable } from '../db/connection.ts';
import { touchStatement } from '../db/last-times.ts';
import type { Page } from '../db/pages.ts';
import { stampedRows } from '../db/stamped-rows.ts';
import { first, hotStatement, pg, type Row } from '../db/statement.ts';
import { contains, nameOrder, pageOf, sortedBy, tablesOf } from '../db/tables.ts';
import { paging } from '../http/envelope.ts';
import { ROLES, type Role } from './roles.ts';
import type { TokenRow, TokenTable } from './table.ts';
import type { TokensQuery } from './tokens-schema.ts';

const tables = tablesOf<{ operator_tokens: TokenTable }>();

export const FIND_TOKEN_ACCESS = hotStatement({
  name: 'find-token-access',
  takes: { hash: pg.text },
  returns: { id: pg.uuid, role: pg.typed<Role>(pg.text), expires_at: pg.nullable(pg.timestamptz) },
  text: `
    select id, role, expires_at from operator_tokens where hash = decode(:hash, 'hex') and status = 'ACTIVE'`,
});

/** The active token with this SHA-256 (hex), which may have expired; else null. */
export function findTokenAccess(db: Queryable, hash: string): Promise<Row<typeof FIND_TOKEN_ACCESS> | null> {
  return first(db, FIND_TOKEN_ACCESS, { hash });
}

export const LIST_TOKEN_FINGERPRINTS = hotStatement({
  name: 'list-token-fingerprints',
  takes: {},
  returns: { fingerprints: pg.nullable(pg.bytea) },
  text: `
    select string_agg(substring(hash from 1 for 8), ''::bytea) as fingerprints
    from operator_tokens where status = 'ACTIVE'`,
});

/** The first 8 bytes of the hashes of all active tokens, concatenated. */
export async function listTokenFingerprints(db: Queryable): Promise<Buffer> {
  return (await first(db, LIST_TOKEN_FINGERPRINTS, {}))?.fingerprints ?? Buffer.alloc(0);
}

export const TOUCH_TOKENS = touchStatement('touch-tokens', 'operator_tokens', 'last_used_at');

export const tokenRows = stampedRows<TokenTable>('operator_tokens');

const ORDERS = {
  createdAt: ['created_at'],
  name: [nameOrder('name')],
  role: [sql`array_position(${sql.lit(`{${ROLES.join(',')}}`)}::text[], role)`, nameOrder('name')],
  status: ['status', nameOrder('name')],
  lastUsedAt: [sql`coalesce(last_used_at, '-infinity')`],
};

/** A page of the tokens except the first one, newest first unless sorted otherwise; `search` matches a part of the name. */
export function listTokens(
  db: Queryable,
  { search, role, isPerson, status, ...sorting }: TokensQuery,
): Promise<Page<TokenRow>> {
  const query = tables
    .selectFrom('operator_tokens')
    .selectAll()
    .$if(search !== undefined, (found) => found.where(contains('name', search!)))
    .$if(role !== undefined, (found) => found.where('role', '=', role!))
    .$if(isPerson !== undefined, (found) => found.where('is_person', '=', isPerson === 'true'))
    .$if(status !== undefined, (found) => found.where('status', '=', status!));
  const sorted = sortedBy(query, ORDERS, sorting, { by: 'createdAt', order: 'DESC' });
  return pageOf(db, sorted, paging(sorting));
}
