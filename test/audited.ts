import { AUDIT_TEXTS, withTexts } from '../src/db/audit-texts.ts';
import type { Db } from '../src/db/connection.ts';
import { rowsOf, tablesOf } from '../src/db/tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into entries freely
type Audited = { actor: string; action: string; before: any; after: any };

const tables = tablesOf<{ audit_log: Audited & { id: string; position: number; target: string } }>();

/** Entries of the audit log about the target with their texts, oldest first. */
export async function auditedOf(db: Db, target: string): Promise<Audited[]> {
  const query = tables
    .selectFrom('audit_log')
    .select(['actor', 'action', 'before', 'after', AUDIT_TEXTS])
    .where('target', '=', target);
  return (await rowsOf(db, query.orderBy('position'))).map(withTexts);
}
