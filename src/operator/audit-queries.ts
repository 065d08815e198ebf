import type { Instant } from '../base/clock.ts';
import type { AuditRow, AuditTable } from '../db/audit.ts';
import type { Queryable } from '../db/connection.ts';
import type { Page, Sorting, Window } from '../db/pages.ts';
import { contains, instant, pageOf, tablesOf } from '../db/tables.ts';

const tables = tablesOf<{ audit_log: AuditTable }>();

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

/** Audit entries, newest first unless sorted otherwise, by position: a sandbox's clock may go back. */
export function listAuditRows(
  db: Queryable,
  { actor, action, target, groupId, search, from, to, sortOrder }: AuditFilter,
  page: Window,
): Promise<Page<AuditRow>> {
  const query = tables
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor', 'action', 'target', 'before', 'after', 'group_id'])
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
  return pageOf(db, query, page);
}
