import { DAY, type Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { keepPartitions, type PartitionedTable, type PartitionPlan } from '../db/partitions.ts';

export const REQUEST_PARTITIONS: PartitionedTable = { name: 'request_log', key: 'recorded_at' };

/**
 * The longest retention with daily partitions; longer ones have monthly. Rows are kept for one partition longer at
 * most.
 */
const MAX_DAILY = 31;

/** The partitions of the log, kept for that many days of real time, because a sandbox's clock may go back. */
export const requestPartitionPlan = (realNow: Instant, days: number): PartitionPlan => ({
  table: REQUEST_PARTITIONS,
  step: days <= MAX_DAILY ? 'day' : 'month',
  now: realNow,
  keptSince: realNow - days * DAY,
});

/** Creates the next partitions of the log, and drops expired ones. */
export const keepRequestPartitions = (
  db: Db,
  realNow: Instant,
  days: number,
): Promise<{ made: number; dropped: number }> => keepPartitions(db, requestPartitionPlan(realNow, days));
