import type { Clock } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { type ErasureDeps, eraseContact } from './erasure.ts';
import { listForRetention } from './request-queries.ts';

const BATCH = 500;
const WHY = { kind: 'RETENTION' as const, reason: null, actor: 'retention' };

/**
 * Erases the customers who were made, and were last served, more than `months` months ago, each in a transaction of its own;
 * not those with open bookings. Returns their number.
 */
export async function eraseAfterRetention(
  deps: ErasureDeps & { clock: Clock },
  months: number,
): Promise<number> {
  const { db, clock } = deps;
  const now = clock.now();
  let erased = 0;
  for (let last: string | null = null, isMore = true; isMore; ) {
    const batch = await listForRetention(db, now, { months, last }, BATCH);
    for (const { id, is_due } of batch) {
      last = id;
      if (!is_due) continue;
      try {
        await eraseContact(deps, now, { partnerId: null, id }, WHY);
        erased++;
      } catch (error) {
        // An open booking stands in the way.
        if (!(error instanceof ApiError)) throw error;
      }
    }
    isMore = batch.length === BATCH;
  }
  return erased;
}
