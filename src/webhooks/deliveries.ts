import { HOUR, type Instant, parseOffsetDateTime } from '../base/clock.ts';
import { ApiError, notFound, orNotFound } from '../base/errors.ts';
import type { Db, Queryable, Tx } from '../db/connection.ts';
import type { Page } from '../db/pages.ts';
import { type PageQueryValues, paging } from '../http/envelope.ts';
import {
  type DeliveryFilter,
  findDelivery,
  insertReplay,
  listDeliveryRows,
  lockReplays,
  retryFailed,
  retryFailedSince,
  sendWaiting,
} from './delivery-queries.ts';
import { findSubscription, findTarget } from './subscription-queries.ts';
import type { DeliveryDetail, DeliveryRow } from './table.ts';

/** The history of deliveries, manual retries and replays; `partnerId` null: of all partners. */

type DeliveriesAsked = DeliveryFilter & PageQueryValues & { failingWithinHours?: number | undefined };

/** A page of the deliveries, newest first. */
export function listDeliveries(
  db: Queryable,
  now: Instant,
  { failingWithinHours, ...query }: DeliveriesAsked,
): Promise<Page<DeliveryRow>> {
  const failing = failingWithinHours === undefined ? {} : { failingSince: now - failingWithinHours * HOUR };
  return listDeliveryRows(db, { ...query, ...failing }, paging(query));
}

/** A delivery with its payload and attempts. Throws RESOURCE_NOT_FOUND. */
export function readDelivery(db: Queryable, partnerId: string | null, id: string): Promise<DeliveryDetail> {
  return orNotFound(findDelivery(db, partnerId, id), 'Webhook delivery');
}

const REMOVED = 'The subscription of the delivery was removed';

const REQUIRED_STATUS = { retried: 'FAILED', replayed: 'DELIVERED' } as const;

/** 422. Without its subscription a delivery cannot be sent in any status, so each message has that hint. */
async function notRetryable(
  db: Queryable,
  { status, subscription_id }: DeliveryRow,
  asked: keyof typeof REQUIRED_STATUS,
): Promise<ApiError> {
  const isRemoved = (await findSubscription(db, subscription_id)) === null;
  const message =
    status === REQUIRED_STATUS[asked]
      ? REMOVED
      : `Only a ${REQUIRED_STATUS[asked]} delivery can be ${asked}, this one is ${status}`;
  return new ApiError('DELIVERY_NOT_RETRYABLE', message, {
    status,
    ...(isRemoved && { hints: [`${REMOVED}: neither a retry nor a replay sends it`] }),
  });
}

/**
 * Makes a failed delivery due at once; if the attempt fails, the schedule of section 6 starts again. Throws
 * RESOURCE_NOT_FOUND and DELIVERY_NOT_RETRYABLE.
 */
export async function retryDelivery(
  db: Queryable,
  now: Instant,
  partnerId: string | null,
  id: string,
): Promise<DeliveryRow> {
  const retried = await retryFailed(db, now, partnerId, id);
  if (retried !== null) return retried;
  const delivery = await findDelivery(db, partnerId, id);
  if (delivery === null) throw notFound('Webhook delivery');
  throw await notRetryable(db, delivery, 'retried');
}

/**
 * Replays a delivery that has arrived: makes a new delivery of the same event, with an ID of its own, due at once. A
 * pending replay is returned instead of another one, so a request may be repeated. Throws
 * RESOURCE_NOT_FOUND and DELIVERY_NOT_RETRYABLE.
 */
export async function replayDelivery(
  tx: Tx,
  now: Instant,
  partnerId: string | null,
  id: string,
): Promise<{ delivery: DeliveryRow; isNew: boolean }> {
  const given = await readDelivery(tx, partnerId, id);
  const all = await lockReplays(tx, given);
  const delivery = all.find((one) => one.id === given.id) ?? given;
  const last = all.at(-1) ?? given;
  if (last.status === 'PENDING' && last.id !== given.id) return { delivery: last, isNew: false };
  if (
    delivery.status !== REQUIRED_STATUS.replayed ||
    (await findSubscription(tx, delivery.subscription_id)) === null
  )
    throw await notRetryable(tx, delivery, 'replayed');
  return { delivery: await insertReplay(tx, now, last), isNew: true };
}

/** replayDelivery of a partner's own delivery, in a transaction of its own. */
export function replayForPartner(db: Db, now: Instant, partnerId: string, id: string): Promise<DeliveryRow> {
  return db.transaction(async (tx) => (await replayDelivery(tx, now, partnerId, id)).delivery);
}

const BATCH = 1_000;

export type Recovered = { id: string; recovered: number; waiting: number };

/**
 * retryDelivery for every delivery of the subscription that failed at `since` (ISO 8601 with offset, years 2000 to
 * 2100) or later, and for all that wait for their retry; in transactions of BATCH each, so that no lock is held for
 * long. `first` runs in the first of them that changes something. Returns how many. Throws RESOURCE_NOT_FOUND.
 */
export async function recoverDeliveries(
  db: Db,
  now: Instant,
  { partnerId, id, since }: { partnerId: string | null; id: string; since: string },
  first: (tx: Tx, subscriptionId: string, since: Instant, sent: number) => Promise<void> = async () => {},
): Promise<Recovered> {
  let from = parseOffsetDateTime(since)!;
  const subscription = await orNotFound(findTarget(db, now, partnerId, id), 'Webhook subscription');
  let waiting = 0;
  for (let batch = BATCH; batch === BATCH; waiting += batch) {
    batch = await db.transaction(async (tx) => {
      const sent = await sendWaiting(tx, now, subscription.id, BATCH);
      if (waiting === 0 && sent > 0) await first(tx, subscription.id, from, sent);
      return sent;
    });
  }
  let recovered = 0;
  for (let batch = BATCH; batch === BATCH; recovered += batch) {
    const start = from;
    const { retried, last } = await db.transaction(async (tx) => {
      const made = await retryFailedSince(tx, now, subscription.id, { since: start, limit: BATCH });
      if (waiting + recovered === 0 && made.retried > 0)
        await first(tx, subscription.id, start, made.retried);
      return made;
    });
    batch = retried;
    from = last ?? start;
  }
  return { id: subscription.id, recovered, waiting };
}
