import { DAY, type Instant } from '../clock.ts';
import type { Db } from '../db/connection.ts';
import { keepPartitions, type PartitionedTable } from '../db/partitions.ts';

export const REQUEST_PARTITIONS: PartitionedTable = { name: 'request_batches', key: 'id', kind: 'id' };

/** Days up to which the log has a partition for each: it is kept for one day, or one month, longer at most. */
const MAX_DAILY = 31;

/**
 * Makes the partitions that the log needs next, and drops those in which everything is older than so many days of real
 * time, because a sandbox's clock may go back.
 */
export function keepRequestPartitions(
  db: Db,
  realNow: Instant,
  days: number,
): Promise<{ made: number; dropped: number }> {
  const step = days <= MAX_DAILY ? 'day' : 'month';
  return keepPartitions(db, REQUEST_PARTITIONS, step, realNow, realNow - days * DAY);
}
