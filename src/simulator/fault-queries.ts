import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { rowsOf, tablesOf } from '../db/tables.ts';
import { type FaultKind, MAX_TREATED } from './fault-rules.ts';
import type { FaultRow, FaultTable, FaultyDeliveryTable } from './table.ts';

const tables = tablesOf<{
  webhook_faults: FaultTable;
  webhook_faulty_deliveries: FaultyDeliveryTable;
  webhook_deliveries: { id: string; event_id: string };
}>();

/** Sets how many of the next deliveries get the fault, instead of what was set for its kind before. */
export async function saveFault(
  db: Queryable,
  now: Instant,
  subscriptionId: string,
  fault: { kind: FaultKind; count: number; delaySeconds: number | null },
): Promise<void> {
  const columns = { remaining: fault.count, delay_seconds: fault.delaySeconds, set_at: toUtcIso(now) };
  const query = tables
    .insertInto('webhook_faults')
    .values({ subscription_id: subscriptionId, kind: fault.kind, ...columns })
    .onConflict((conflict) => conflict.columns(['subscription_id', 'kind']).doUpdateSet(columns));
  await rowsOf(db, query);
}

/** Takes back all that deliveries have not got yet. */
export async function deleteFaults(db: Queryable, subscriptionId: string): Promise<void> {
  await rowsOf(db, tables.deleteFrom('webhook_faults').where('subscription_id', '=', subscriptionId));
}

/** In the order in which deliveries get them (take_webhook_fault). */
export function listFaults(db: Queryable, subscriptionId: string): Promise<FaultRow[]> {
  const query = tables.selectFrom('webhook_faults').selectAll().where('subscription_id', '=', subscriptionId);
  return rowsOf(db, query.orderBy('set_at').orderBy('kind'));
}

export type TreatedRow = {
  delivery_id: string;
  event_id: string;
  booking_id: string;
  kind: FaultKind;
  treated_at: Instant;
};

/** Deliveries of the subscription that got a fault, the latest first. */
export function listTreated(db: Queryable, subscriptionId: string): Promise<TreatedRow[]> {
  const query = tables
    .selectFrom('webhook_faulty_deliveries as f')
    .innerJoin('webhook_deliveries as d', 'd.id', 'f.delivery_id')
    .select(['f.delivery_id', 'd.event_id', 'f.booking_id', 'f.kind', 'f.treated_at'])
    .where('f.subscription_id', '=', subscriptionId);
  return rowsOf(db, query.orderBy('f.position', 'desc').limit(MAX_TREATED));
}
