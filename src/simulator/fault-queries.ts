import { type Instant, toUtcIso } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { hotStatement, pg, rows } from '../db/statement.ts';
import { rowsOf, tablesOf } from '../db/tables.ts';
import type { AttemptFault } from '../webhooks/rules.ts';
import { type FaultKind, HOLD_SECONDS, MAX_TREATED } from './fault-rules.ts';
import type { FaultRow, FaultTable, FaultyDeliveryTable } from './table.ts';

const tables = tablesOf<{
  webhook_faults: FaultTable;
  webhook_faulty_deliveries: FaultyDeliveryTable;
  webhook_deliveries: { id: string; event_id: string };
}>();

/** Sets the count of the fault's kind, instead of an earlier one. */
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

/** Deletes the remaining faults. */
export async function deleteFaults(db: Queryable, subscriptionId: string): Promise<void> {
  await rowsOf(db, tables.deleteFrom('webhook_faults').where('subscription_id', '=', subscriptionId));
}

/** The remaining faults in the order of their use (take_webhook_fault). */
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

export const TAKE_FAULTS = hotStatement({
  name: 'take-webhook-faults',
  takes: { ids: pg.uuids, now: pg.timestamptz, holdSeconds: pg.int },
  returns: { id: pg.uuid, fault: pg.nullable(pg.typed<AttemptFault | 'kept'>(pg.text)) },
  text: `
    with faulty as (
      select subscription_id from webhook_faults
      union
      select subscription_id from webhook_faulty_deliveries where state <> 'DONE'
    )
    select d.id, take_webhook_fault(:now, d.id, d.subscription_id, d.booking_id, :holdSeconds) as fault
    from webhook_pending q
    join webhook_deliveries d on d.id = q.delivery_id and d.created_at = q.created_at
    join events e on e.id = d.event_id
    where q.delivery_id = any (:ids) and d.attempt_count = 0 and q.subscription_id in (select subscription_id from faulty)
    order by e.position`,
});

/** Assigns faults to claimed deliveries without attempts, in the order of their events. */
export function takeFaults(db: Queryable, now: Instant, ids: string[]) {
  return rows(db, TAKE_FAULTS, { ids, now, holdSeconds: HOLD_SECONDS });
}

export const END_FAULTS = hotStatement({
  name: 'end-webhook-faults',
  takes: { ids: pg.uuids, now: pg.timestamptz },
  returns: {},
  text: `
    with done as (
      update webhook_faulty_deliveries set state = 'DONE' where delivery_id = any (:ids) and state = 'TAKEN'
    )
    update webhook_deliveries d set due_at = :now
    from webhook_faulty_deliveries f join webhook_pending q on q.delivery_id = f.delivery_id
    where f.state = 'HELD' and f.overtaken_by = any (:ids) and d.id = f.delivery_id and d.created_at = q.created_at
      and d.due_at > :now`,
});

/** Ends the faults of attempted deliveries; those that were held to be overtaken by them become due. */
export async function endFaults(db: Queryable, now: Instant, ids: string[]): Promise<void> {
  await rows(db, END_FAULTS, { ids, now });
}
