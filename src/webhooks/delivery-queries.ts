import { sql } from 'kysely';
import { type Instant, toUtcIso } from '../base/clock.ts';
import { sqlAfter, sqlBefore } from '../base/moves.ts';
import type { EventTable } from '../bookings/table.ts';
import type { Queryable, Tx } from '../db/connection.ts';
import type { Page, Window } from '../db/pages.ts';
import { first, hotStatement, pg } from '../db/statement.ts';
import { countOf, firstOf, firstOrThrow, instant, pageOf, rowsOf, sortedBy, tablesOf } from '../db/tables.ts';
import type { OperatorDeliveriesQuery } from './delivery-schema.ts';
import {
  DELIVERY_MOVES,
  type DeliveryStatus,
  SUBSCRIPTION_REMOVED,
  type SubscriptionStatus,
} from './rules.ts';
import {
  DELIVERY_COLUMNS,
  type DeliveryDetail,
  type DeliveryRow,
  type DeliveryTable,
  type PendingTable,
  SHOWN_OF_DELIVERY,
  type SubscriptionTable,
} from './table.ts';

const { retry, subscriptionRemoved } = DELIVERY_MOVES;

const tables = tablesOf<{
  webhook_deliveries: DeliveryTable;
  webhook_pending: PendingTable;
  events: EventTable;
  webhook_subscriptions: SubscriptionTable;
}>();

// Not joined: counting would join, too.
const deliveries = tables
  .selectFrom('webhook_deliveries')
  .select(DELIVERY_COLUMNS)
  .select(sql<string>`(select name from partners where partners.id = partner_id)`.as('partner_name'))
  .select(
    sql<SubscriptionStatus>`(select s.status from webhook_subscriptions s where s.id = subscription_id)`.as(
      'subscription_status',
    ),
  );

export type DeliveryFilter = Omit<OperatorDeliveriesQuery, 'failingWithinHours' | 'page' | 'limit'> & {
  /** FAILED since then, or pending after a failed attempt. */
  failingSince?: Instant;
};

const ORDERS = { createdAt: ['created_at'] };

/** Deliveries, newest first unless sorted otherwise. */
export function listDeliveryRows(
  db: Queryable,
  { status, sortBy, sortOrder, ...filter }: DeliveryFilter,
  page: Window,
): Promise<Page<DeliveryRow>> {
  const query = sortedBy(withStatus(filter, status), ORDERS, { sortBy, sortOrder }, NEWEST_FIRST);
  if (status !== 'DELIVERED') return pageOf(db, query, page);
  // No index has the status: all without the few others, which have indexes.
  const [all, failed, pending] = [undefined, 'FAILED', 'PENDING'] as const;
  const count = (one?: DeliveryStatus) => countOf(withStatus(filter, one));
  return pageOf(db, query, page, sql<number>`${count(all)} - ${count(failed)} - ${count(pending)}`);
}

const NEWEST_FIRST = { by: 'createdAt', order: 'DESC' } as const;

/** The deliveries of the filter with the status; undefined: with any. */
function withStatus(
  { partnerId, subscriptionId, event, bookingId, eventId, failingSince }: Omit<DeliveryFilter, 'status'>,
  status: DeliveryStatus | undefined,
) {
  const ofBooking = tables.selectFrom('events').select('id').where('booking_id', '=', bookingId!);
  const itsPartner = tables
    .selectFrom('webhook_subscriptions')
    .select('partner_id')
    .where('id', '=', subscriptionId!);
  return (
    deliveries
      .$if(partnerId !== undefined, (found) => found.where('partner_id', '=', partnerId!))
      .$if(subscriptionId !== undefined, (found) => found.where('subscription_id', '=', subscriptionId!))
      // The index that counts begins with the partner.
      .$if(partnerId === undefined && subscriptionId !== undefined, (found) =>
        found.where('partner_id', '=', itsPartner),
      )
      .$if(status !== undefined, (found) => found.where('status', '=', status!))
      // Few deliveries are not delivered: the index of failed ones and the queue find them.
      .$if(status === 'FAILED', (found) => found.where('failed_at', 'is not', null))
      .$if(status === 'PENDING', (found) =>
        found.where('id', 'in', (pending) =>
          pending
            .selectFrom('webhook_pending')
            .select('delivery_id')
            .$if(subscriptionId !== undefined, (waiting) =>
              waiting.where('subscription_id', '=', subscriptionId!),
            ),
        ),
      )
      .$if(event !== undefined, (found) => found.where('event', '=', event!))
      .$if(bookingId !== undefined, (found) => found.where('event_id', 'in', ofBooking))
      .$if(eventId !== undefined, (found) => found.where('event_id', '=', eventId!))
      .$if(failingSince !== undefined, (found) => found.where(isFailingSince(failingSince!)))
  );
}

/** Without the deliveries that ended with their subscription. */
function isFailingSince(since: Instant) {
  return sql<boolean>`(status = 'PENDING' and attempt_count > 0
    or status = 'FAILED' and failed_at >= ${instant(since)} and error is distinct from ${SUBSCRIPTION_REMOVED})`;
}

/** `partnerId` null: of any partner. null: there is none, or its event is no longer kept (a replay). */
export function findDelivery(
  db: Queryable,
  partnerId: string | null,
  id: string,
): Promise<DeliveryDetail | null> {
  const query = deliveries
    .select('attempts')
    .select((found) =>
      found
        .selectFrom('events')
        .select('payload')
        .whereRef('events.id', '=', 'webhook_deliveries.event_id')
        .as('payload'),
    )
    .where('id', '=', id)
    .where(sql<boolean>`exists (select from events where events.id = event_id)`)
    .$if(partnerId !== null, (found) => found.where('partner_id', '=', partnerId!));
  return firstOf(db, query);
}

/** Locks the delivery of any partner until the end of the transaction; null: there is none. */
export function lockDelivery(tx: Tx, id: string): Promise<DeliveryRow | null> {
  return firstOf(tx, deliveries.where('id', '=', id).forNoKeyUpdate());
}

/**
 * The event's first delivery to the subscription, locked, followed by its replays in their order; empty: there is none.
 */
export async function lockReplays(
  tx: Tx,
  { event_id, subscription_id }: Pick<DeliveryRow, 'event_id' | 'subscription_id'>,
): Promise<DeliveryRow[]> {
  const all = deliveries
    .where('event_id', '=', event_id)
    .where('subscription_id', '=', subscription_id)
    .orderBy('replay');
  await rowsOf(tx, all.where('replay', '=', 0).forNoKeyUpdate());
  // A second statement sees replays that were committed while this one waited for the lock.
  return rowsOf(tx, all);
}

/** One more delivery of the same event to the same subscription, due at once. */
export async function insertReplay(
  tx: Tx,
  now: Instant,
  {
    subscription_id,
    event_id,
    partner_id,
    booking_id,
    event,
    replay,
    partner_name,
    subscription_status,
  }: DeliveryRow,
): Promise<DeliveryRow> {
  const at = toUtcIso(now);
  const columns = { subscription_id, event_id, partner_id, booking_id, event };
  const query = tables
    .insertInto('webhook_deliveries')
    .values({ ...columns, replay: replay + 1, due_at: at, created_at: at })
    .returning(DELIVERY_COLUMNS);
  return { ...(await firstOrThrow(tx, query)), partner_name, subscription_status };
}

export const RETRY_FAILED = hotStatement({
  name: 'retry-failed-delivery',
  takes: { id: pg.uuid, partnerId: pg.nullable(pg.uuid), now: pg.timestamptz },
  returns: {
    ...SHOWN_OF_DELIVERY,
    partner_name: pg.text,
    subscription_status: pg.typed<SubscriptionStatus>(pg.text),
  },
  text: `
    update webhook_deliveries d
    set status = ${sqlAfter('d.status', retry)}, due_at = :now, retries = 0, finished_at = null
    from webhook_subscriptions s, partners p
    where d.id = :id and (:partnerId::uuid is null or d.partner_id = :partnerId) and ${sqlBefore('d.status', retry)}
      and s.id = d.subscription_id and s.removed_at is null and p.id = d.partner_id
    returning ${DELIVERY_COLUMNS.map((column) => `d.${column}`).join(', ')}, p.name as partner_name,
      s.status as subscription_status`,
});

/**
 * Makes the delivery due at once and starts its schedule again; null unless it is FAILED and its subscription exists.
 * Of two simultaneous calls one changes it. `partnerId` null: of any partner.
 */
export function retryFailed(
  db: Queryable,
  now: Instant,
  partnerId: string | null,
  id: string,
): Promise<DeliveryRow | null> {
  return first(db, RETRY_FAILED, { id, partnerId, now });
}

export const RETRY_FAILED_SINCE = hotStatement({
  name: 'retry-failed-deliveries',
  takes: { subscriptionId: pg.uuid, since: pg.timestamptz, limit: pg.bigint, now: pg.timestamptz },
  returns: { retried: pg.bigint, last: pg.nullable(pg.timestamptz) },
  text: `
    with batch as (
      select d.id, d.created_at, d.failed_at
      from webhook_deliveries d join webhook_subscriptions s on s.id = d.subscription_id
      where d.subscription_id = :subscriptionId and ${sqlBefore('d.status', retry)} and d.failed_at >= :since
        and s.removed_at is null
      order by d.failed_at limit :limit for no key update of d skip locked
    ), retried as (
      update webhook_deliveries d
      set status = ${sqlAfter('d.status', retry)}, due_at = :now, retries = 0, finished_at = null
      from batch where d.id = batch.id and d.created_at = batch.created_at returning batch.failed_at
    )
    select count(*) as retried, max(failed_at) as last from retried`,
});

/**
 * retryFailed for the oldest `limit` deliveries of the subscription that failed at `since` or later, without those that
 * another transaction has locked. Returns their number and the last failure, from which the next batch goes on.
 */
export async function retryFailedSince(
  db: Queryable,
  now: Instant,
  subscriptionId: string,
  { since, limit }: { since: Instant; limit: number },
): Promise<{ retried: number; last: Instant | null }> {
  return (await first(db, RETRY_FAILED_SINCE, { subscriptionId, since, limit, now }))!;
}

const WAITING = 'q.subscription_id = :subscriptionId and q.due_at > :now and d.retries > 0';

export const SEND_WAITING = hotStatement({
  name: 'send-waiting-deliveries',
  takes: { subscriptionId: pg.uuid, limit: pg.bigint, now: pg.timestamptz },
  returns: { sent: pg.bigint },
  text: `
    with batch as (
      select d.id, d.created_at
      from webhook_pending q join webhook_deliveries d on d.id = q.delivery_id and d.created_at = q.created_at
        join webhook_subscriptions s on s.id = q.subscription_id
      where ${WAITING} and s.removed_at is null
      order by q.due_at limit :limit for no key update of d skip locked
    ), sent as (
      update webhook_deliveries d set due_at = :now, retries = 0
      from batch where d.id = batch.id and d.created_at = batch.created_at returning 1
    )
    select count(*) as sent from sent`,
});

/**
 * Makes the first `limit` deliveries of the subscription that wait for a retry due at once and starts their schedules
 * again. Returns their number.
 */
export async function sendWaiting(
  db: Queryable,
  now: Instant,
  subscriptionId: string,
  limit: number,
): Promise<number> {
  return (await first(db, SEND_WAITING, { subscriptionId, limit, now }))!.sent;
}

export const COUNT_WAITING = hotStatement({
  name: 'count-waiting-deliveries',
  takes: { subscriptionId: pg.uuid, now: pg.timestamptz },
  returns: { total: pg.bigint },
  text: `
    select count(*) as total
    from webhook_pending q join webhook_deliveries d on d.id = q.delivery_id and d.created_at = q.created_at
    where ${WAITING}`,
});

/** The number of deliveries of the subscription that wait for a retry. */
export async function countWaiting(db: Queryable, now: Instant, subscriptionId: string): Promise<number> {
  return (await first(db, COUNT_WAITING, { subscriptionId, now }))!.total;
}

export const COUNT_FAILED_SINCE = hotStatement({
  name: 'count-failed-deliveries',
  takes: { subscriptionId: pg.uuid, since: pg.timestamptz },
  returns: { total: pg.bigint },
  text: `
    select count(*) as total from webhook_deliveries
    where subscription_id = :subscriptionId and ${sqlBefore('status', retry)} and failed_at >= :since`,
});

/** The number of deliveries of the subscription that are FAILED since `since` or later. */
export async function countFailedSince(
  db: Queryable,
  subscriptionId: string,
  since: Instant,
): Promise<number> {
  return (await first(db, COUNT_FAILED_SINCE, { subscriptionId, since }))!.total;
}

export const FAIL_REMOVED = hotStatement({
  name: 'fail-deliveries-of-removed',
  takes: {
    subscriptionId: pg.nullable(pg.uuid),
    limit: pg.nullable(pg.bigint),
    error: pg.text,
    now: pg.timestamptz,
  },
  returns: { failed: pg.bigint },
  text: `
    with pending as (
      select q.delivery_id, q.created_at
      from webhook_pending q join webhook_subscriptions s on s.id = q.subscription_id
      where s.removed_at is not null and (:subscriptionId::uuid is null or q.subscription_id = :subscriptionId)
      limit :limit for update of q skip locked
    ), failed as (
      update webhook_deliveries d
      set status = ${sqlAfter('d.status', subscriptionRemoved)}, error = :error, finished_at = :now, due_at = null
      from pending
      where d.id = pending.delivery_id and d.created_at = pending.created_at
        and ${sqlBefore('d.status', subscriptionRemoved)}
      returning 1
    )
    select count(*) as failed from failed`,
});

/**
 * Ends pending deliveries of a removed subscription, or of all removed ones, `limit` at most (null: all); returns their
 * number. An event that is written during the removal can leave one behind. Locked rows are skipped and left to the
 * next call: waiting for an attempt's result, which may wait for the subscription's row, could be a deadlock.
 */
export async function failRemoved(
  db: Queryable,
  now: Instant,
  subscriptionId: string | null = null,
  limit: number | null = null,
): Promise<number> {
  return (await first(db, FAIL_REMOVED, { subscriptionId, limit, error: SUBSCRIPTION_REMOVED, now }))!.failed;
}

/** Deletes pending deliveries (replays) whose event is no longer kept; returns their number. */
export async function deletePendingWithoutEvent(db: Queryable): Promise<number> {
  const deleted = await db.rows({
    text: `
      with deleted as (
        delete from webhook_deliveries d using webhook_pending q
        where d.id = q.delivery_id and d.created_at = q.created_at
          and not exists (select from events e where e.id = d.event_id)
        returning d.id
      ), treated as (
        delete from webhook_faulty_deliveries f using deleted where f.delivery_id = deleted.id
      )
      delete from webhook_pending q using deleted where q.delivery_id = deleted.id returning 1`,
  });
  return deleted.length;
}
