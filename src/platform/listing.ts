import type { Queryable } from './db.ts';
import type { Page } from './envelope.ts';

/** What statements have in common that list by optional filters. */

export type Window = { limit: number; offset: number };

/** The conditions whose value is given, so that each filter finds its index; `?` stands for the value. */
export function whereOf(given: readonly (readonly [condition: string, value: unknown])[]): {
  where: string;
  values: unknown[];
} {
  const values: unknown[] = [];
  const conditions: string[] = [];
  for (const [condition, value] of given) {
    if (value === undefined) continue;
    values.push(value);
    conditions.push(condition.replaceAll('?', `$${values.length}`));
  }
  return { where: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`, values };
}

/**
 * A page and the number of all rows, read in one statement and so of one moment. The statement answers `total` in
 * every row, and one row with `id` null when the page is empty.
 */
export async function pageOf<Row extends { id: string }>(
  db: Queryable,
  text: string,
  values: unknown[],
): Promise<Page<Row>> {
  const rows = await db.rows<{ total: number } & (Row | { id: null })>({ text, values });
  return {
    rows: rows.filter((row): row is { total: number } & Row => row.id !== null),
    total: rows[0]!.total,
  };
}
