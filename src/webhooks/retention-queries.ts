import type { Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { keepPartitions, type PartitionedTable, type PartitionPlan } from '../db/partitions.ts';

/** By the time at which they were made, which of all but replays is that of their event. */
export const DELIVERY_PARTITIONS: PartitionedTable = {
  name: 'webhook_deliveries',
  key: 'created_at',
  forget: [
    'delete from webhook_pending where created_at < $1',
    'delete from webhook_faulty_deliveries where treated_at < $1',
  ],
};

/** The months that deliveries need, kept from an instant on. */
export const deliveryPartitionPlan = (now: Instant, keptSince: Instant): PartitionPlan => ({
  table: DELIVERY_PARTITIONS,
  step: 'month',
  now,
  keptSince,
});

/** Makes the months that deliveries need next, and drops those in which everything is older than `keptSince`. */
export const keepDeliveryPartitions = (
  db: Db,
  now: Instant,
  keptSince: Instant,
): Promise<{ made: number; dropped: number }> => keepPartitions(db, deliveryPartitionPlan(now, keptSince));
