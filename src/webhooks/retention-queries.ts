import type { Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { keepPartitions, type PartitionedTable, type PartitionPlan } from '../db/partitions.ts';
import { first, hotStatement, int } from '../db/statement.ts';

/** By the time at which they were made, which of all but replays is that of their event. */
export const DELIVERY_PARTITIONS: PartitionedTable = {
  name: 'webhook_deliveries',
  key: 'created_at',
  forget: [
    // Nothing is folded meanwhile, so nothing of a dropped month comes later.
    'lock table delivery_totals in share row exclusive mode',
    'delete from delivery_totals where month < month_of($1)',
    'delete from delivery_total_changes where month < month_of($1)',
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

/** Changes that one statement moves over. */
const AT_ONCE = 5_000;

export const FOLD_DELIVERY_TOTALS = hotStatement({
  name: 'fold-delivery-totals',
  takes: { limit: int },
  returns: { folded: int },
  text: 'select fold_delivery_totals(:limit) as folded',
});

/** Moves the changes of how many deliveries are over into the totals that lists read; returns how many there were. */
export async function foldDeliveryTotals(db: Db): Promise<number> {
  for (let all = 0; ; ) {
    const { folded } = (await first(db, FOLD_DELIVERY_TOTALS, { limit: AT_ONCE }))!;
    all += folded;
    if (folded < AT_ONCE) return all;
  }
}
