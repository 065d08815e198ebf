import type { Queryable } from './connection.ts';
import { isSealed, openOrNull, type Sealer } from './sealing.ts';

/** A column of secrets, in a table whose rows have an `id`. */
export type SealedColumn = { table: string; column: string; context(id: string): string };

/** The number of values by the fingerprint of their key; `plain`: not sealed. */
export async function countByKey(
  db: Queryable,
  { table, column }: SealedColumn,
): Promise<Map<string, number>> {
  const rows = await db.rows<{ key: string; count: number }>({
    text: `
      select case when ${column} like 'v1.%' then split_part(${column}, '.', 2) else 'plain' end as key, count(*) as count
      from ${table} where ${column} is not null group by 1`,
  });
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/** Rows that are read together. */
const BATCH = 500;

/**
 * Seals every value of the column that is not under the current key; returns how many. Processes may be running: a
 * value that changes meanwhile is skipped, because it is then sealed already. A value that no key opens is skipped too.
 */
export async function resealColumn(db: Queryable, sealer: Sealer, sealed: SealedColumn): Promise<number> {
  const { table, column, context } = sealed;
  let after = '00000000-0000-0000-0000-000000000000';
  let count = 0;
  for (;;) {
    const rows = await db.rows<{ id: string; value: string }>({
      text: `
        select id, ${column} as value from ${table}
        where id > $1 and ${column} is not null and ${column} not like $2 order by id limit ${BATCH}`,
      values: [after, `v1.${sealer.keys[0]}.%`],
    });
    if (rows.length === 0) return count;
    after = rows.at(-1)!.id;
    for (const { id, value } of rows) {
      const plain = isSealed(value) ? openOrNull(sealer, value, context(id)) : value;
      if (plain === null) continue;
      // One row at a time, so that this holds no row lock while it waits for another.
      const row = await db.first({
        text: `update ${table} set ${column} = $3 where id = $1 and ${column} = $2 returning 1 as sealed`,
        values: [id, value, sealer.seal(plain, context(id))],
      });
      if (row !== null) count++;
    }
  }
}
