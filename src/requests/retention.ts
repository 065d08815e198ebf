import { DAY, type Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { keepPartitions, type PartitionedTable, type PartitionPlan } from '../db/partitions.ts';

export const REQUEST_PARTITIONS: PartitionedTable = { name: 'request_log', key: 'recorded_at' };

/** Days up to which the log has a partition for each: it is kept for one day, or one month, longer at most. */
const MAX_DAILY = 31;

/** The partitions of the log, kept for so many days of real time, because a sandbox's clock may go back. */
export const requestPartitionPlan = (realNow: Instant, days: number): PartitionPlan => ({
  table: REQUEST_PARTITIONS,
  step: days <= MAX_DAILY ? 'day' : 'month',
  now: realNow,
  keptSince: realNow - days * DAY,
});

/** Makes the partitions that the log needs next, and drops those in which everything is older than it is kept. */
export const keepRequestPartitions = (
  db: Db,
  realNow: Instant,
  days: number,
): Promise<{ made: number; dropped: number }> => keepPartitions(db, requestPartitionPlan(realNow, days));
