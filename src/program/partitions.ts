import type { Clock } from '../base/clock.ts';
import type { Db, Queryable } from '../db/connection.ts';
import { type PartitionState, readPartitionState } from '../db/partitions.ts';
import { eventPartitionPlans, RETENTION } from '../events/feed.ts';
import { requestPartitionPlan } from '../requests/retention.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { deliveryPartitionPlan } from '../webhooks/retention-queries.ts';

/** How the partitions of all tables are (docs/decisions/partitions.md); the worker's jobs keep them. */

/** Of every table in partitions, by its name. */
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
  ]) {
    const state = await readPartitionState(db, plan);
    if (state !== null) states.set(plan.table.name, state);
  }
  return states;
}

/** What the jobs have left undone, by table. */
export function partitionMetrics(metrics: Metrics, db: Db, clock: Clock, requestLogDays: number): void {
  // The three are read together: one look at the catalogue answers all.
  let reading: Promise<Map<string, PartitionState>> | null = null;
  const states = () => {
    reading ??= readPartitionStates(db, clock, requestLogDays).finally(() => {
      reading = null;
    });
    return reading;
  };
  const gauge = (name: string, help: string, of: (state: PartitionState) => number): void =>
    metrics.gauge(name, help, 'table', async () =>
      Object.fromEntries([...(await states())].map(([table, state]) => [table, of(state)])),
    );
  gauge(
    'partitions_late_seconds',
    'For how long the next partition has been missing; 0: it is there',
    ({ late }) => late / 1000,
  );
  gauge(
    'partitions_open_bytes',
    'What lies in the partition without end and should have had one of its own',
    ({ openBytes }) => openBytes,
  );
  gauge(
    'partitions_overdue_seconds',
    'For how long a partition has been there that should have been dropped; 0: there is none',
    ({ overdue }) => overdue / 1000,
  );
}
