import type { Db } from '../db/connection.ts';
import { first, hotStatement, int } from '../db/statement.ts';

/** Changes that one statement moves over. */
const AT_ONCE = 5_000;

export const FOLD_TOTALS = hotStatement({
  name: 'fold-booking-totals',
  takes: { limit: int },
  returns: { folded: int },
  text: 'select fold_booking_totals(:limit) as folded',
});

/**
 * Moves the changes of how many bookings there are into the totals that lists read: a list is exact without it, but has
 * all changes to add up. Answers how many there were.
 */
export async function foldTotals(db: Db): Promise<number> {
  for (let all = 0; ; ) {
    const { folded } = (await first(db, FOLD_TOTALS, { limit: AT_ONCE }))!;
    all += folded;
    if (folded < AT_ONCE) return all;
  }
}
