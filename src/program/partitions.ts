import type { Clock } from '../base/clock.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { type PartitionState, readPartitionState } from '../db/partitions.ts';
import { eventPartitionPlans, RETENTION } from '../events/feed.ts';
import { requestPartitionPlan } from '../requests/retention.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { deliveryPartitionPlan } from '../webhooks/retention-queries.ts';

/** The lag of the jobs with the partitions of every table, by its name (docs/decisions/schema-baseline.md). */
export async function readPartitionStates(
  db: Queryable,
  clock: Clock,
  requestLogDays: number,
): Promise<Map<string, PartitionState>> {
  const now = clock.now();
  const states = new Map<string, PartitionState>();
  for (const plan of [
    ...eventPartitionPlans(now),
    deliveryPartitionPlan(now, now - RETENTION),
    requestPartitionPlan(now - clock.offset(), requestLogDays),
  ])
    states.set(plan.table.name, await readPartitionState(db, plan));
  return states;
}

export function partitionMetrics(metrics: Metrics, db: Db, clock: Clock, requestLogDays: number): void {
  const gauge = (name: string, help: string, of: keyof PartitionState): void =>
    metrics.gauge(name, help, 'table', async () => {
      const states = await readPartitionStates(db, clock, requestLogDays);
      return Object.fromEntries([...states].map(([table, state]) => [table, state[of] / 1000]));
    });
  gauge(
    'partitions_late_seconds',
    'For how long the next partition has been missing; 0: it is there',
    'late',
  );
  gauge(
    'partitions_overdue_seconds',
    'For how long a partition has been there that should have been dropped; 0: there is none',
    'overdue',
  );
}
