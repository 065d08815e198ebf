import type { Instant } from '../clock.ts';
import type { Db } from '../db/connection.ts';
import { deleteDeliveriesBefore } from './delivery-queries.ts';

const BATCH = 1_000;

/** Deletes the deliveries that are older; returns how many. */
export async function forgetOldDeliveries(db: Db, keptSince: Instant): Promise<number> {
  let forgotten = 0;
  for (let batch = BATCH; batch === BATCH; forgotten += batch) {
    batch = await deleteDeliveriesBefore(db, keptSince, BATCH);
  }
  return forgotten;
}
