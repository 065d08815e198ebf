import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import type { BookingTable } from '../bookings/table.ts';
import type { Queryable } from '../db/connection.ts';
import { first, hotStatement, pg } from '../db/statement.ts';
import { instant, rowsOf, tablesOf } from '../db/tables.ts';

const tables = tablesOf<{ bookings: BookingTable }>();

/** SQL over a row `b` of bookings, the predicate of an index: the operator still decides on its fee (policies/ledger.ts). */
export const IS_UNDECIDED = sql<boolean>`(
  b.fees @> '[{"undecided": true}]' and not b.fees @> '[{"action": "decide"}]')`;

/** SQL over a row `b` of bookings: fees were given back since then. */
export const gaveBackSince = (since: Instant): RawBuilder<boolean> =>
  sql<boolean>`(b.fees @> '[{"action": "waive"}]' and b.updated_at >= ${instant(since)} and exists (
    select from jsonb_array_elements(b.fees) as f (entry)
    where f.entry ->> 'action' = 'waive' and (f.entry ->> 'at')::bigint >= ${since}))`;

/** Bookings cancelled until then, on whose fee nobody has decided, the oldest first. */
export async function listUndecided(db: Queryable, until: Instant, limit: number): Promise<string[]> {
  const query = tables
    .selectFrom('bookings as b')
    .select('b.id')
    .where(IS_UNDECIDED)
    .where('b.cancelled_at', '<=', instant(until));
  return (await rowsOf(db, query.orderBy('b.cancelled_at').limit(limit))).map(({ id }) => id);
}

export const SUM_GIVEN_BACK = hotStatement({
  name: 'sum-given-back',
  takes: { since: pg.timestamptz },
  returns: { sum: pg.numeric },
  text: `
    select coalesce(sum((f.entry ->> 'lowers')::numeric), 0) as sum
    from bookings b, jsonb_array_elements(b.fees) as f (entry)
    where b.fees @> '[{"action": "waive"}]' and b.updated_at >= :since and f.entry ->> 'action' = 'waive'
      and (f.entry ->> 'at')::numeric >= extract(epoch from :since::timestamptz) * 1000`,
});

/** SAR, exact: the sum of the fees that were given back since then. */
export async function sumGivenBack(db: Queryable, since: Instant): Promise<string> {
  return (await first(db, SUM_GIVEN_BACK, { since }))!.sum;
}
