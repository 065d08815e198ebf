import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import { actorName } from '../db/actors.ts';
import type { AuditRow, AuditTable } from '../db/audit.ts';
import { AUDIT_TEXTS, withTexts } from '../db/audit-texts.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page, Sorting, Window } from '../db/pages.ts';
import { contains, instant, pageOf, tablesOf } from '../db/tables.ts';
import type { TokenTable } from './table.ts';

const tables = tablesOf<{
  audit_log: AuditTable;
  operator_tokens: TokenTable;
}>();

/** The names that the token or the crew of an entry has now; null: it is of none, or of one that was removed. */
export type NamedAuditRow = AuditRow & { actor_name: string | null; holder_name: string | null };

const ID = '([0-9a-f-]{36})$';
/** Of a link or a token the target, of a session its holder. */
const HOLDER = sql<string>`coalesce(substring(target from ${sql.lit(`^token:${ID}`)}),
  substring(before ->> 'holder' from ${sql.lit(`^operator-token:${ID}`)}))::uuid`;

export const AUDIT_ORDERS = ['at'] as const;

export type AuditFilter = Sorting<(typeof AUDIT_ORDERS)[number]> & {
  actor?: string;
  action?: string;
  target?: string;
  groupId?: string;
  /** A part of the action or the target, case-insensitive. */
  search?: string;
  /** Inclusive. */
  from?: Instant;
  /** Exclusive. */
  to?: Instant;
};

/** Audit entries with their texts, newest first unless sorted otherwise, by position: a sandbox's clock may go back. */
export async function listAuditRows(
  db: Queryable,
  { actor, action, target, groupId, search, from, to, sortOrder }: AuditFilter,
  page: Window,
): Promise<Page<NamedAuditRow>> {
  const named = tables.selectFrom('operator_tokens as t').select('t.name');
  const query = tables
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor', 'action', 'target', 'before', 'after', 'group_id'])
    .select([
      actorName('actor').as('actor_name'),
      named.where('t.id', '=', HOLDER).as('holder_name'),
      AUDIT_TEXTS,
    ])
    .$if(actor !== undefined, (found) => found.where('actor', '=', actor!))
    .$if(action !== undefined, (found) => found.where('action', '=', action!))
    .$if(target !== undefined, (found) => found.where('target', '=', target!))
    .$if(groupId !== undefined, (found) => found.where('group_id', '=', groupId!))
    .$if(search !== undefined, (found) =>
      found.where((row) => row.or([contains('action', search!), contains('target', search!)])),
    )
    .$if(from !== undefined, (found) => found.where('at', '>=', instant(from!)))
    .$if(to !== undefined, (found) => found.where('at', '<', instant(to!)))
    .orderBy('position', sortOrder === 'ASC' ? 'asc' : 'desc');
  const { rows, total } = await pageOf(db, query, page);
  return { rows: rows.map(withTexts), total };
}
