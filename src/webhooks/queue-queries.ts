import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import { first, hotStatement, pg, type Row, rows } from '../db/statement.ts';
import type { AttemptResult } from './attempt.ts';
import { FREE_SHARE, LEASE, MAX_PER_SUBSCRIPTION, RETRY_AFTER } from './rules.ts';
import { type Attempt, withoutWords } from './table.ts';

/**
 * The queue of deliveries: `webhook_pending` has an entry for each that is pending (queue_deliveries, a trigger of the
 * deliveries). A worker claims due entries by writing a lease into them, which ends by the database's clock; due times
 * are business time.
 */

/** Results and leases do not wait for the disk: after a crash of the server the lost ones are attempted again. */
const ASYNC_COMMIT = `set_config('synchronous_commit', 'off', true)`;

export const CLAIM_DELIVERIES = hotStatement({
  name: 'claim-deliveries',
  takes: {
    now: pg.timestamptz,
    lease: pg.uuid,
    leaseSeconds: pg.float,
    room: pg.bigint,
    perSubscription: pg.bigint,
    freeShare: pg.bigint,
  },
  returns: {
    id: pg.uuid,
    lease: pg.uuid,
    subscription_id: pg.uuid,
    partner_id: pg.uuid,
    event: pg.text,
    payload: pg.jsonb<unknown>(),
    trace_parent: pg.nullable(pg.text),
    url: pg.text,
    secret: pg.text,
    previous_secret: pg.nullable(pg.text),
    allowed_webhook_domains: pg.texts,
    require_https_webhooks: pg.boolean,
    tracking_page: pg.boolean,
  },
  text: `
    with recursive waiting as (
      -- The subscriptions that have entries, by one look into the index for each.
      (select subscription_id from webhook_pending order by subscription_id limit 1)
      union all
      select (
        select q.subscription_id from webhook_pending q
        where q.subscription_id > waiting.subscription_id order by q.subscription_id limit 1
      )
      from waiting where waiting.subscription_id is not null
    ), front as (
      -- Only the first due entries of a subscription may be claimed, so no more of them ever are.
      select q.*, q.leased_until is null or q.leased_until <= clock_timestamp() as is_free
      from waiting
      join webhook_subscriptions s on s.id = waiting.subscription_id
      join partners p on p.id = s.partner_id
      cross join lateral (
        select delivery_id, subscription_id, due_at, leased_until from webhook_pending
        where subscription_id = s.id and due_at <= :now order by due_at, delivery_id limit :perSubscription
      ) q
      where s.status = 'ACTIVE' and s.removed_at is null and p.status = 'ACTIVE'
    ), numbered as (
      -- The number that its subscription has under way with this one: leased ones come first.
      select delivery_id, due_at, is_free,
        row_number() over (partition by subscription_id order by is_free, due_at, delivery_id) as under_way
      from front
    ), fair as (
      -- A subscription may have its first, and then so many that it leaves several times as much room to others.
      select delivery_id from (
        select delivery_id, under_way, row_number() over (order by under_way, due_at, delivery_id) as place
        from numbered where is_free
      ) free
      where place <= :room and (under_way = 1 or under_way * :freeShare <= :room - place)
    ), chosen as (
      -- Another worker may have claimed it since the statement began.
      select q.delivery_id from fair join webhook_pending q on q.delivery_id = fair.delivery_id
      where q.leased_until is null or q.leased_until <= clock_timestamp()
      for update of q skip locked
    ), claimed as (
      update webhook_pending q
      set lease = :lease, leased_until = clock_timestamp() + make_interval(secs => :leaseSeconds)
      from chosen where q.delivery_id = chosen.delivery_id
      returning q.delivery_id, q.created_at, q.due_at, q.lease
    )
    select d.id, c.lease, d.subscription_id, d.partner_id, d.event, e.payload, e.trace_parent, s.url, s.secret,
      case when s.previous_secret_until > :now then s.previous_secret end as previous_secret,
      p.allowed_webhook_domains, p.require_https_webhooks, p.tracking_page
    from claimed c
    cross join ${ASYNC_COMMIT}
    join webhook_deliveries d on d.id = c.delivery_id and d.created_at = c.created_at
    cross join lateral (
      select payload, trace_parent from events where id = d.event_id and created_at = d.created_at
      union all
      -- A replay is younger than its event.
      select payload, trace_parent from events where d.replay > 0 and id = d.event_id and created_at <> d.created_at
    ) e
    join webhook_subscriptions s on s.id = d.subscription_id
    join partners p on p.id = d.partner_id
    order by c.due_at, d.id`,
});

/**
 * A delivery that this worker has claimed, with its target. `previous_secret` is null unless a rotation overlaps.
 */
export type ClaimedDelivery = Row<typeof CLAIM_DELIVERIES>;

/**
 * Claims at most `room` due deliveries under a new lease: of each subscription at most MAX_PER_SUBSCRIPTION over all
 * workers, and beyond its first at most one FREE_SHARE-th of the room that is left to others. So endpoints that do not
 * respond or have a backlog never take all the room.
 */
export function claimDeliveries(
  db: Queryable,
  now: Instant,
  lease: string,
  room: number,
): Promise<ClaimedDelivery[]> {
  return rows(db, CLAIM_DELIVERIES, {
    now,
    lease,
    leaseSeconds: LEASE / 1000,
    room,
    perSubscription: MAX_PER_SUBSCRIPTION,
    freeShare: FREE_SHARE,
  });
}

type Kept = Pick<AttemptResult, 'statusCode' | 'durationMs' | 'responseBody'> &
  Partial<Pick<AttemptResult, 'sent' | 'location'>> & { error: string | null };
/** An attempt to be saved. Its time is business time. */
export type MadeAttempt = { attemptedAt: Instant; result: Kept };
/** The attempts of a claimed delivery, at least one; the last one decides its status. */
export type SettledDelivery = { id: string; lease: string; attempts: readonly MadeAttempt[] };

export const SETTLE_DELIVERIES = hotStatement({
  name: 'settle-deliveries',
  takes: {
    now: pg.timestamptz,
    ids: pg.uuids,
    leases: pg.uuids,
    statusCodes: pg.column<(number | null)[]>('_int4'),
    errors: pg.typed<(string | null)[]>(pg.texts),
    attempts: pg.column<string[]>('_jsonb'),
    retryAfterSeconds: pg.column<number[]>('_int4'),
  },
  returns: { id: pg.uuid, is_given_up: pg.boolean },
  text: `
    with owned as (
      select q.delivery_id, q.created_at, r.status_code, r.error, r.attempts
      from unnest(:ids::uuid[], :leases::uuid[], :statusCodes::int[], :errors::text[], :attempts::jsonb[])
        as r (id, lease, status_code, error, attempts)
      join webhook_pending q on q.delivery_id = r.id and q.lease = r.lease
      cross join ${ASYNC_COMMIT}
      for update of q
    ), released as (
      update webhook_pending q set lease = null, leased_until = null
      from owned where q.delivery_id = owned.delivery_id and owned.error is not null
    ), settled as (
      update webhook_deliveries d set
        attempts = d.attempts
          || case when is_erased(d.booking_id) then ${withoutWords('owned.attempts')} else owned.attempts end,
        attempt_count = d.attempt_count + jsonb_array_length(owned.attempts),
        status_code = owned.status_code,
        error = owned.error,
        retries = d.retries + (owned.error is not null)::integer,
        status = case
          when owned.error is null then 'DELIVERED' when d.retries < cardinality(:retryAfterSeconds::int[]) then 'PENDING' else 'FAILED'
        end,
        -- Null after the last of the schedule.
        due_at = case when owned.error is not null then :now::timestamptz + make_interval(secs => (:retryAfterSeconds::int[])[d.retries + 1]) end,
        finished_at = case when owned.error is null or d.retries >= cardinality(:retryAfterSeconds::int[]) then :now end
      from owned
      where d.id = owned.delivery_id and d.created_at = owned.created_at and d.status = 'PENDING'
      returning d.id, d.subscription_id, owned.error is null as succeeded, d.status = 'FAILED' as is_given_up
    ), tally as (
      select subscription_id, bool_or(succeeded) as succeeded, count(*) filter (where not succeeded) as failures
      from settled group by subscription_id
    ), changed as (
      -- A subscription that is well has nothing to write. In one order, so that two workers cannot wait for each other.
      select s.id, tally.succeeded, tally.failures
      from tally join webhook_subscriptions s on s.id = tally.subscription_id
      where not tally.succeeded or s.failures_in_a_row > 0
      order by s.id for no key update of s
    ), counted as (
      update webhook_subscriptions s
      set failures_in_a_row = case when changed.succeeded then 0 else s.failures_in_a_row + changed.failures end
      from changed where s.id = changed.id
    )
    select id, is_given_up from settled`,
});

/**
 * Saves the attempts of deliveries whose lease this worker still has, and drops the others. A failed delivery is due
 * again by the schedule of section 6, until that ends. Returns the saved ones, and whether that was their last attempt.
 */
export async function settleDeliveries(
  db: Queryable,
  now: Instant,
  settled: readonly SettledDelivery[],
): Promise<{ id: string; isGivenUp: boolean }[]> {
  const last = settled.map(({ attempts }) => attempts.at(-1)!.result);
  const written = await rows(db, SETTLE_DELIVERIES, {
    now,
    ids: settled.map(({ id }) => id),
    leases: settled.map(({ lease }) => lease),
    statusCodes: last.map(({ statusCode }) => statusCode),
    errors: last.map(({ error }) => error),
    attempts: settled.map(({ attempts }) => JSON.stringify(attempts.map(keptOf))),
    retryAfterSeconds: RETRY_AFTER.map((milliseconds) => milliseconds / 1000),
  });
  return written.map(({ id, is_given_up }) => ({ id, isGivenUp: is_given_up }));
}

function keptOf({ attemptedAt, result }: MadeAttempt): Attempt {
  const { durationMs, statusCode, error, responseBody, location, sent } = result;
  return {
    attemptedAt,
    durationMs,
    statusCode,
    error,
    responseBody,
    ...(location && { location }),
    ...(sent && { sent }),
  };
}

export const RENEW_LEASES = hotStatement({
  name: 'renew-webhook-leases',
  takes: { ids: pg.uuids, leases: pg.uuids, seconds: pg.float },
  returns: {},
  text: `
    update webhook_pending q set leased_until = clock_timestamp() + make_interval(secs => :seconds)
    from unnest(:ids::uuid[], :leases::uuid[]) as claim (id, lease)
    where q.delivery_id = claim.id and q.lease = claim.lease`,
});

/** Renews the leases of attempts that are under way. */
export async function renewLeases(
  db: Queryable,
  claims: readonly { id: string; lease: string }[],
): Promise<void> {
  await rows(db, RENEW_LEASES, {
    ids: claims.map(({ id }) => id),
    leases: claims.map(({ lease }) => lease),
    seconds: LEASE / 1000,
  });
}

export const RELEASE_LEASES = hotStatement({
  name: 'release-webhook-leases',
  takes: { leases: pg.uuids },
  returns: {},
  text: 'update webhook_pending set lease = null, leased_until = null where lease = any (:leases)',
});

/** Ends leases without attempts: their deliveries may be claimed at once. */
export async function releaseLeases(db: Queryable, leases: string[]): Promise<void> {
  await rows(db, RELEASE_LEASES, { leases });
}

export const READ_QUEUE_STATE = hotStatement({
  name: 'read-queue-state',
  takes: { now: pg.timestamptz },
  returns: { due: pg.bigint, waiting: pg.bigint, oldest_due_at: pg.nullable(pg.timestamptz) },
  text: `
    select count(*) filter (where due_at <= :now) as due, count(*) filter (where due_at > :now) as waiting,
      min(due_at) filter (where due_at <= :now) as oldest_due_at
    from webhook_pending`,
});

export type QueueState = Row<typeof READ_QUEUE_STATE>;

/** The numbers of due and of waiting deliveries, and the due time of the oldest due one. */
export async function readQueueState(db: Queryable, now: Instant): Promise<QueueState> {
  return (await first(db, READ_QUEUE_STATE, { now }))!;
}
