import { DAY, type Instant } from '../clock.ts';
import type { Db } from '../db/connection.ts';
import { deleteBatchesBefore } from './queries.ts';

const BATCH = 100;

/**
 * Deletes what is older than so many days of real time, because a sandbox's clock may go back; returns how many batches.
 */
export async function forgetOldRequests(db: Db, realNow: Instant, days: number): Promise<number> {
  let forgotten = 0;
  for (let batch = BATCH; batch === BATCH; forgotten += batch) {
    batch = await deleteBatchesBefore(db, realNow - days * DAY, BATCH);
  }
  return forgotten;
}
