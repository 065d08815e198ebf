import type { Instant } from '../base/clock.ts';
import type { Queryable } from './connection.ts';
import { hotStatement, pg, rows } from './statement.ts';

/**
 * Stores the last uses of rows in the column. Times only move forward, whichever process writes last; rows are locked in
 * one order, so that processes that write at the same time do not deadlock.
 */
export const touchStatement = (name: string, table: string, column: string) =>
  hotStatement({
    name,
    takes: { ids: pg.uuids, times: pg.timestamps },
    returns: {},
    text: `
    with used as (
      select * from unnest(:ids::uuid[], :times::timestamptz[]) as used (id, at)
    ), locked as (
      select id from ${table} where id in (select id from used) order by id for no key update
    )
    update ${table} set ${column} = greatest(${column}, used.at)
    from used join locked using (id) where ${table}.id = used.id`,
  });

/** Runs such a statement with the times by id. */
export async function touch(
  db: Queryable,
  statement: ReturnType<typeof touchStatement>,
  used: ReadonlyMap<string, Instant>,
): Promise<void> {
  await rows(db, statement, { ids: [...used.keys()], times: [...used.values()] });
}
