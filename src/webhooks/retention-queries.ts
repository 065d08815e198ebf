import type { Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { keepPartitions, type PartitionedTable, type PartitionPlan } from '../db/partitions.ts';

/** By creation, which is the event's time except for replays. */
export const DELIVERY_PARTITIONS: PartitionedTable = {
  name: 'webhook_deliveries',
  key: 'created_at',
  forget: [
    'delete from webhook_pending where created_at < $1',
    'delete from webhook_faulty_deliveries where treated_at < $1',
  ],
};

/** The months of deliveries from `keptSince` on. */
export const deliveryPartitionPlan = (now: Instant, keptSince: Instant): PartitionPlan => ({
  table: DELIVERY_PARTITIONS,
  step: 'month',
  now,
  keptSince,
});

/** Creates the partitions of the next months and drops those that end before `keptSince`. */
export const keepDeliveryPartitions = (
  db: Db,
  now: Instant,
  keptSince: Instant,
): Promise<{ made: number; dropped: number }> => keepPartitions(db, deliveryPartitionPlan(now, keptSince));
