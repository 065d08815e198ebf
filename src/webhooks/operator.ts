import { type Clock, type Instant, toRiyadhIso } from '../base/clock.ts';
import { orNotFound } from '../base/errors.ts';
import { type Actor, audit } from '../db/audit.ts';
import { auditOf } from '../db/audited-rows.ts';
import type { Db, Queryable } from '../db/connection.ts';
import type { AttemptDeps } from './attempt.ts';
import { type Recovered, recoverDeliveries, replayDelivery, retryDelivery } from './deliveries.ts';
import { countFailedSince, countWaiting, lockDelivery } from './delivery-queries.ts';
import { operatorDeliveryView } from './operator-view.ts';
import { findSubscription, type OperatorSubscriptionRow } from './subscription-queries.ts';
import type { DeliveryRow } from './table.ts';
import { sendTestEvent, type TestResult } from './test-event.ts';

/** Subscriptions and deliveries of all partners in the operator's interface. */

const record = auditOf('delivery', operatorDeliveryView);

/** Throws RESOURCE_NOT_FOUND. */
export function readSubscription(db: Queryable, id: string): Promise<OperatorSubscriptionRow> {
  return orNotFound(findSubscription(db, id), 'Webhook subscription');
}

/** retryDelivery with its audit row. Throws RESOURCE_NOT_FOUND and DELIVERY_NOT_RETRYABLE. */
export function retryForOperator(db: Db, now: Instant, actor: Actor, id: string): Promise<DeliveryRow> {
  return db.transaction(async (tx) => {
    const before = await orNotFound(lockDelivery(tx, id), 'Webhook delivery');
    const after = await retryDelivery(tx, now, null, before.id);
    await record(tx, now, { actor, before, after, verb: 'retry' });
    return after;
  });
}

/**
 * replayDelivery with an audit row of the delivery that it replays; without one when a replay is pending already.
 * Throws RESOURCE_NOT_FOUND and DELIVERY_NOT_RETRYABLE.
 */
export function replayForOperator(db: Db, now: Instant, actor: Actor, id: string): Promise<DeliveryRow> {
  return db.transaction(async (tx) => {
    const { delivery, isNew } = await replayDelivery(tx, now, null, id);
    if (isNew) {
      await audit(tx, now, {
        actor,
        action: 'delivery.replay',
        target: `delivery:${id}`,
        after: operatorDeliveryView(delivery, now),
      });
    }
    return delivery;
  });
}

/** sendTestEvent with its audit row, which is committed before the attempt. Throws RESOURCE_NOT_FOUND. */
export function testForOperator(
  deps: { db: Db; clock: Clock } & AttemptDeps,
  actor: Actor,
  id: string,
): Promise<TestResult> {
  const { db, clock } = deps;
  const now = clock.now();
  const record = (subscriptionId: string, deliveryId: string): Promise<void> =>
    db.transaction((tx) =>
      audit(tx, now, {
        actor,
        action: 'subscription.test',
        target: `subscription:${subscriptionId}`,
        after: { deliveryId },
      }),
    );
  return sendTestEvent(deps, { now, realNow: now - clock.offset() }, { partnerId: null, id }, record);
}

/**
 * recoverDeliveries with one audit row of the number of deliveries, in the first of its transactions.
 * Throws VALIDATION_ERROR and RESOURCE_NOT_FOUND.
 */
export function recoverForOperator(
  db: Db,
  now: Instant,
  actor: Actor,
  input: { id: string; since: string },
): Promise<Recovered> {
  return recoverDeliveries(
    db,
    now,
    { ...input, partnerId: null },
    async (tx, subscriptionId, since, sent) => {
      const left = [
        await countWaiting(tx, now, subscriptionId),
        await countFailedSince(tx, subscriptionId, since),
      ];
      const deliveries = left.reduce((sum, count) => sum + count, sent);
      await audit(tx, now, {
        actor,
        action: 'subscription.recover',
        target: `subscription:${subscriptionId}`,
        after: { since: toRiyadhIso(since), deliveries },
      });
    },
  );
}
