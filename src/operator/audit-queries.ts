import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';

export type AuditRow = {
  id: string;
  at: Instant;
  actor: string;
  action: string;
  target: string;
  before: unknown;
  after: unknown;
};

export type AuditFilter = {
  actor?: string;
  action?: string;
  target?: string;
  /** A part of the action or the target, whatever its case. */
  search?: string;
  /** From this instant on. */
  from?: Instant;
  /** Before this instant. */
  to?: Instant;
};

/** What operators did, newest first in the order it was written: a sandbox's clock may go back. */
export async function listAuditRows(
  db: Queryable,
  filter: AuditFilter,
  page: { limit: number; offset: number },
): Promise<Page<AuditRow>> {
  const where = `
    where ($1::text is null or actor = $1)
      and ($2::text is null or action = $2)
      and ($3::text is null or target = $3)
      and ($4::text is null or strpos(lower(action), lower($4)) > 0 or strpos(lower(target), lower($4)) > 0)
      and ($5::timestamptz is null or at >= $5)
      and ($6::timestamptz is null or at < $6)`;
  const values = [
    filter.actor ?? null,
    filter.action ?? null,
    filter.target ?? null,
    filter.search ?? null,
    filter.from === undefined ? null : toUtcIso(filter.from),
    filter.to === undefined ? null : toUtcIso(filter.to),
  ];
  const rows = await db.rows<AuditRow>({
    text: `
      select id, at, actor, action, target, before, after from audit_log ${where}
      order by position desc limit $7 offset $8`,
    values: [...values, page.limit, page.offset],
  });
  const count = await db.first<{ total: number }>({
    text: `select count(*) as total from audit_log ${where}`,
    values,
  });
  return { rows, total: count!.total };
}
