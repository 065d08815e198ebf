import { existing } from '../catalogue/admin.ts';
import { type Instant, toRiyadhIso } from '../clock.ts';
import { type Actor, audit } from '../platform/audit.ts';
import type { Db, Queryable } from '../platform/db.ts';
import { type Page, type PageQueryValues, paging } from '../platform/envelope.ts';
import { recoverDeliveries, retryDelivery } from './deliveries.ts';
import { countFailedSince, type DeliveryRow, lockDelivery } from './delivery-queries.ts';
import { operatorDeliveryView } from './operate-view.ts';
import {
  findSubscription,
  listSubscriptionRows,
  type OperatorSubscriptionRow,
  type SubscriptionFilter,
} from './queries.ts';

/** Subscriptions and deliveries of all partners in the operator's interface. */

/** A page of the subscriptions, active or not, newest first. */
export function searchSubscriptions(
  db: Queryable,
  query: SubscriptionFilter & PageQueryValues,
): Promise<Page<OperatorSubscriptionRow>> {
  return listSubscriptionRows(db, query, paging(query));
}

/** Throws RESOURCE_NOT_FOUND. */
export function readSubscription(db: Queryable, id: string): Promise<OperatorSubscriptionRow> {
  return existing(findSubscription(db, id), 'Webhook subscription');
}

/** retryDelivery with its audit row. Throws RESOURCE_NOT_FOUND and DELIVERY_NOT_RETRYABLE. */
export function retryForOperator(db: Db, now: Instant, actor: Actor, id: string): Promise<DeliveryRow> {
  return db.transaction(async (tx) => {
    const before = await existing(lockDelivery(tx, id), 'Webhook delivery');
    const after = await retryDelivery(tx, now, null, before.id);
    await audit(tx, now, {
      actor,
      action: 'delivery.retry',
      target: `delivery:${before.id}`,
      before: operatorDeliveryView(before),
      after: operatorDeliveryView(after),
    });
    return after;
  });
}

/**
 * recoverDeliveries with one audit row, written with the first of its transactions: how many are to be recovered.
 * Throws VALIDATION_ERROR and RESOURCE_NOT_FOUND.
 */
export function recoverForOperator(
  db: Db,
  now: Instant,
  actor: Actor,
  input: { id: string; since: string },
): Promise<{ id: string; recovered: number }> {
  return recoverDeliveries(db, now, null, input, async (tx, subscriptionId, since, retried) => {
    const deliveries = retried + (await countFailedSince(tx, subscriptionId, since));
    await audit(tx, now, {
      actor,
      action: 'subscription.recover',
      target: `subscription:${subscriptionId}`,
      after: { since: toRiyadhIso(since), deliveries },
    });
  });
}
