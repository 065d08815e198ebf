import type { Queryable } from './connection.ts';
import type { SealedColumn } from './sealed-columns.ts';
import { SealError, type Sealer } from './sealing.ts';

/** The row that identifies the current key (docs/decisions/secrets-at-rest.md). */
export const SEALING_CHECK: SealedColumn = {
  table: 'sealing_check',
  column: 'value',
  context: () => 'sealing-check',
};
const CHECK = 'partner-booking';

/** Whether the keys open the check value; null: there is none yet. */
export async function checkOpens(db: Queryable, sealer: Sealer): Promise<boolean | null> {
  const row = await db.first<{ value: string }>({ text: 'select value from sealing_check' });
  return row && opens(sealer, row.value, SEALING_CHECK.context(''));
}

/** Writes the check value under the current key; `overwrite` replaces an existing one. */
export async function writeCheck(
  db: Queryable,
  sealer: Sealer,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  await db.rows({
    text: `
      insert into sealing_check (value) values ($1)
      on conflict (id) do ${overwrite ? 'update set value = excluded.value' : 'nothing'}`,
    values: [sealer.seal(CHECK, SEALING_CHECK.context(''))],
  });
}

/** Of the column's newest values under known keys, up to a limit: those that cannot be opened. */
export async function unopened(
  db: Queryable,
  sealer: Sealer,
  { table, column, context }: SealedColumn,
  sample: number,
): Promise<number> {
  const rows = await db.rows<{ id: string; value: string }>({
    text: `
      select id, ${column} as value from ${table}
      where ${column} like 'v1.%' and split_part(${column}, '.', 2) = any ($1) order by id desc limit $2`,
    values: [sealer.keys, sample],
  });
  return rows.filter(({ id, value }) => !opens(sealer, value, context(id))).length;
}

function opens(sealer: Sealer, value: string, context: string): boolean {
  try {
    sealer.open(value, context);
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
}
