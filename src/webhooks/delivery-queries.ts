import type { EventName } from '../bookings/rules.ts';
import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable, Tx } from '../platform/db.ts';
import type { Page } from '../platform/envelope.ts';
import { pageOf, type Window, whereOf } from '../platform/listing.ts';
import { type DeliveryStatus, SUBSCRIPTION_REMOVED } from './rules.ts';

export type DeliveryRow = {
  id: string;
  subscription_id: string;
  event_id: string;
  partner_id: string;
  partner_name: string;
  booking_id: string;
  event: EventName;
  status: DeliveryStatus;
  attempt_count: number;
  status_code: number | null;
  error: string | null;
  due_at: Instant | null;
  finished_at: Instant | null;
  created_at: Instant;
};

/** An attempt as it is kept with its delivery. */
export type Attempt = {
  attemptedAt: Instant;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseBody: string;
};

const DELIVERY = `d.id, d.subscription_id, d.event_id, d.partner_id, p.name as partner_name, d.booking_id, d.event,
  d.status, d.attempt_count, d.status_code, d.error, d.due_at, d.finished_at, d.created_at`;

export type DeliveryFilter = {
  partnerId?: string;
  subscriptionId?: string;
  status?: DeliveryStatus;
  event?: EventName;
  bookingId?: string;
  eventId?: string;
};

/** Deliveries, newest first. */
export function listDeliveryRows(
  db: Queryable,
  filter: DeliveryFilter,
  page: Window,
): Promise<Page<DeliveryRow>> {
  const { where, values } = whereOf([
    ['d.partner_id = ?', filter.partnerId],
    ['d.subscription_id = ?', filter.subscriptionId],
    ['d.status = ?', filter.status],
    ['d.event = ?', filter.event],
    ['d.event_id in (select id from events where booking_id = ?)', filter.bookingId],
    ['d.event_id = ?', filter.eventId],
  ]);
  return pageOf(
    db,
    `
      with page as (
        select d.id from webhook_deliveries d ${where}
        order by d.created_at desc, d.id desc limit $${values.length + 1} offset $${values.length + 2}
      ), counted as (
        select count(*) as total from webhook_deliveries d ${where}
      ), found as (
        select ${DELIVERY} from page join webhook_deliveries d on d.id = page.id join partners p on p.id = d.partner_id
      )
      select counted.total, found.* from counted left join found on true
      order by found.created_at desc, found.id desc`,
    [...values, page.limit, page.offset],
  );
}

/** With the attempts, oldest first. */
export type DeliveryDetail = DeliveryRow & { payload: unknown; attempts: Attempt[] };

/** `partnerId` null: whoever's it is. */
export function findDelivery(
  db: Queryable,
  partnerId: string | null,
  id: string,
): Promise<DeliveryDetail | null> {
  return db.first<DeliveryDetail>({
    text: `
      select ${DELIVERY}, d.attempts, e.payload
      from webhook_deliveries d join partners p on p.id = d.partner_id join events e on e.id = d.event_id
      where d.id = $1 and ($2::uuid is null or d.partner_id = $2)`,
    values: [id, partnerId],
  });
}

export function lockDelivery(tx: Tx, id: string): Promise<DeliveryRow | null> {
  return tx.first<DeliveryRow>({
    text: `
      select ${DELIVERY} from webhook_deliveries d join partners p on p.id = d.partner_id
      where d.id = $1 for no key update of d`,
    values: [id],
  });
}

/**
 * Makes the delivery due at once, with the whole schedule before it; null unless it is FAILED and its subscription
 * there. Of two at once one changes it. `partnerId` null: whoever's it is.
 */
export function retryFailed(
  db: Queryable,
  now: Instant,
  partnerId: string | null,
  id: string,
): Promise<DeliveryRow | null> {
  return db.first<DeliveryRow>({
    text: `
      update webhook_deliveries d set status = 'PENDING', due_at = $3, retries = 0, finished_at = null
      from webhook_subscriptions s, partners p
      where d.id = $1 and ($2::uuid is null or d.partner_id = $2) and d.status = 'FAILED'
        and s.id = d.subscription_id and s.removed_at is null and p.id = d.partner_id
      returning ${DELIVERY}`,
    values: [id, partnerId, toUtcIso(now)],
  });
}

/**
 * retryFailed for the oldest `limit` deliveries of the subscription that failed at `since` or later. Answers how many,
 * and when the last of them had failed: the next batch need not look further back. What another transaction holds is
 * being retried there.
 */
export async function retryFailedSince(
  db: Queryable,
  now: Instant,
  subscriptionId: string,
  since: Instant,
  limit: number,
): Promise<{ retried: number; last: Instant | null }> {
  const row = await db.first<{ retried: number; last: Instant | null }>({
    text: `
      with batch as (
        select d.id, d.finished_at
        from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id
        where d.subscription_id = $1 and d.status = 'FAILED' and d.finished_at >= $2 and s.removed_at is null
        order by d.finished_at limit $3 for no key update of d skip locked
      ), retried as (
        update webhook_deliveries d set status = 'PENDING', due_at = $4, retries = 0, finished_at = null
        from batch where d.id = batch.id returning batch.finished_at
      )
      select count(*) as retried, max(finished_at) as last from retried`,
    values: [subscriptionId, toUtcIso(since), limit, toUtcIso(now)],
  });
  return row!;
}

/** How many deliveries of the subscription failed at `since` or later and still are. */
export async function countFailedSince(
  db: Queryable,
  subscriptionId: string,
  since: Instant,
): Promise<number> {
  const row = await db.first<{ total: number }>({
    text: `
      select count(*) as total from webhook_deliveries
      where subscription_id = $1 and status = 'FAILED' and finished_at >= $2`,
    values: [subscriptionId, toUtcIso(since)],
  });
  return row!.total;
}

/**
 * Ends the pending deliveries of a removed subscription, or of all of them (an event that was being written when its
 * subscription was removed leaves one behind); answers how many. Takes no lock that somebody holds, so that it never
 * waits for an attempt's result being written, which may wait for the subscription's row: what is left is ended by the
 * next call. At most `limit` of them; null: all.
 */
export async function failRemoved(
  db: Queryable,
  now: Instant,
  subscriptionId: string | null = null,
  limit: number | null = null,
): Promise<number> {
  const row = await db.first<{ failed: number }>({
    text: `
      with pending as (
        select d.id
        from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id
        where d.status = 'PENDING' and s.removed_at is not null and ($1::uuid is null or d.subscription_id = $1)
        limit $4 for no key update of d skip locked
      ), failed as (
        update webhook_deliveries d set status = 'FAILED', error = $2, finished_at = $3, due_at = null
        from pending where d.id = pending.id returning 1
      )
      select count(*) as failed from failed`,
    values: [subscriptionId, SUBSCRIPTION_REMOVED, toUtcIso(now), limit],
  });
  return row!.failed;
}
