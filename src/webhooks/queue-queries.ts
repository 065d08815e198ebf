import type { Instant } from '../base/clock.ts';
import type { Queryable } from '../db/connection.ts';
import {
  bigint,
  boolean,
  column,
  first,
  float,
  hotStatement,
  int,
  jsonb,
  nullable,
  type Row,
  rows,
  text,
  texts,
  timestamptz,
  typed,
  uuid,
  uuids,
} from '../db/statement.ts';
import type { AttemptResult } from './attempt.ts';
import {
  type AttemptFault,
  FAILING_AFTER,
  FAILING_WEIGHT,
  HOLD_SECONDS,
  LEASE,
  MAX_PER_SUBSCRIPTION,
  RETRY_AFTER,
} from './rules.ts';
import type { Room } from './shares.ts';
import type { Attempt } from './table.ts';

export type SettledAttempt = {
  id: string;
  lease: string;
  /** Business time. */
  attemptedAt: Instant;
  result: Kept;
  /** Made before it in the same claim, because of a fault. */
  before?: { attemptedAt: Instant; result: Omit<Kept, 'error'> & { error: string } };
};

type Kept = Pick<AttemptResult, 'statusCode' | 'error' | 'durationMs' | 'responseBody'> &
  Partial<Pick<AttemptResult, 'sent' | 'location'>>;

export const SETTLE_AND_CLAIM = hotStatement({
  name: 'settle-and-claim',
  takes: {
    now: timestamptz,
    lease: uuid,
    leaseSeconds: float,
    room: int,
    slowRoom: int,
    perSubscription: int,
    failingAfter: int,
    failingWeight: int,
    fast: typed<string>(jsonb()),
    held: typed<string>(jsonb()),
    leasesHeld: uuids,
    ids: uuids,
    leases: uuids,
    statusCodes: column<(number | null)[]>('_int4'),
    errors: typed<(string | null)[]>(texts),
    attempts: column<string[]>('_jsonb'),
    retryAfterSeconds: column<number[]>('_int4'),
    holdSeconds: nullable(int),
  },
  returns: {
    id: uuid,
    lease: uuid,
    subscription_id: uuid,
    partner_id: uuid,
    event: text,
    payload: jsonb<unknown>(),
    url: text,
    secret: text,
    previous_secret: nullable(text),
    allowed_webhook_domains: texts,
    require_https_webhooks: boolean,
    fault: nullable(typed<AttemptFault>(text)),
  },
  text: `
    select * from settle_and_claim_ahead(
      p_now => :now, p_lease => :lease, p_lease_seconds => :leaseSeconds,
      p_room => :room, p_slow_room => :slowRoom, p_per_subscription => :perSubscription,
      p_failing_after => :failingAfter, p_failing_weight => :failingWeight, p_fast => :fast, p_held => :held,
      p_leases_held => :leasesHeld, p_ids => :ids, p_leases => :leases, p_status_codes => :statusCodes,
      p_errors => :errors, p_attempts => :attempts, p_retry_after_seconds => :retryAfterSeconds,
      p_hold_seconds => :holdSeconds)`,
});

/**
 * A delivery that this worker has claimed, with all that an attempt needs. `previous_secret` is the secret before,
 * while a rotation overlaps.
 */
export type ClaimedDelivery = Row<typeof SETTLE_AND_CLAIM>;

/**
 * In one statement (settle_and_claim_ahead and settle_results in functions.sql): writes what came of a worker's
 * attempts, and claims due deliveries, shared between partners and subscriptions. Results whose lease has gone to another
 * worker are dropped. `leasesHeld` are the worker's own claims. `now` is business time; leases run by the database's
 * clock. `withFaults`: in a sandbox, where a delivery may be lost or doubled on purpose, and `fault` tells how.
 */
export function settleAndClaim(
  db: Queryable,
  now: Instant,
  attempts: readonly SettledAttempt[],
  lease: string,
  room: Room,
  leasesHeld: readonly string[] = [],
  withFaults = false,
): Promise<ClaimedDelivery[]> {
  return rows(db, SETTLE_AND_CLAIM, {
    now,
    lease,
    leaseSeconds: LEASE / 1000,
    room: room.total,
    slowRoom: room.slow,
    perSubscription: MAX_PER_SUBSCRIPTION,
    failingAfter: FAILING_AFTER,
    failingWeight: FAILING_WEIGHT,
    fast: JSON.stringify(room.fastSubscriptions),
    held: JSON.stringify(room.held),
    leasesHeld: [...leasesHeld],
    ids: attempts.map((attempt) => attempt.id),
    leases: attempts.map((attempt) => attempt.lease),
    statusCodes: attempts.map(({ result }) => result.statusCode),
    errors: attempts.map(({ result }) => result.error),
    // An array is appended as its elements.
    attempts: attempts.map(({ before, ...last }) =>
      JSON.stringify(before === undefined ? keptOf(last) : [keptOf(before), keptOf(last)]),
    ),
    retryAfterSeconds: RETRY_AFTER.map((milliseconds) => milliseconds / 1000),
    holdSeconds: withFaults ? HOLD_SECONDS : null,
  });
}

function keptOf({
  attemptedAt,
  result,
}: Pick<SettledAttempt, 'attemptedAt'> & { result: Omit<Kept, 'error'> & { error: string | null } }) {
  const { durationMs, statusCode, error, responseBody, location, sent } = result;
  return {
    attemptedAt,
    durationMs,
    statusCode,
    error,
    responseBody,
    ...(location && { location }),
    ...(sent && { sent }),
  } satisfies Attempt;
}

export const READ_ENDPOINTS = hotStatement({
  name: 'read-webhook-endpoints',
  takes: { ids: uuids, now: timestamptz },
  returns: {
    id: uuid,
    url: text,
    secret: text,
    previous_secret: nullable(text),
    allowed_webhook_domains: texts,
    require_https_webhooks: boolean,
  },
  text: `
    select s.id, s.url, s.secret, case when s.previous_secret_until > :now then s.previous_secret end as previous_secret,
      p.allowed_webhook_domains, p.require_https_webhooks
    from unnest(:ids::uuid[]) as wanted (id)
    -- By their keys, however few there were when the plan was made.
    cross join lateral (select * from webhook_subscriptions where id = wanted.id offset 0) s
    cross join lateral (select * from partners where id = s.partner_id offset 0) p
    where s.status = 'ACTIVE' and s.removed_at is null and p.status = 'ACTIVE'`,
});

/** What an attempt needs to know of a subscription, as in a ClaimedDelivery. */
export type Endpoint = Row<typeof READ_ENDPOINTS>;

/** Of each subscription in the order of their ids; null: nothing is to be sent to it, as when it is claimed. */
export async function readEndpoints(
  db: Queryable,
  ids: readonly string[],
  now: Instant,
): Promise<(Endpoint | null)[]> {
  const found = new Map(
    (await rows(db, READ_ENDPOINTS, { ids: [...new Set(ids)], now })).map((row) => [row.id, row]),
  );
  return ids.map((id) => found.get(id) ?? null);
}

export const FIND_TRACE_PARENTS = hotStatement({
  name: 'find-trace-parents',
  takes: { deliveryIds: uuids },
  returns: { id: uuid, trace_parent: text },
  text: `
    select d.id, e.trace_parent
    from webhook_pending q
    join webhook_deliveries d on d.id = q.delivery_id and d.created_at = q.created_at
    join events e on e.id = d.event_id
    where q.delivery_id = any (:deliveryIds) and e.trace_parent is not null`,
});

/** The traces that the events of the deliveries belong to, as far as they were traced. */
export function findTraceParents(
  db: Queryable,
  deliveryIds: string[],
): Promise<Row<typeof FIND_TRACE_PARENTS>[]> {
  return rows(db, FIND_TRACE_PARENTS, { deliveryIds });
}

export const RENEW_LEASES = hotStatement({
  name: 'renew-webhook-leases',
  takes: { deliveryIds: uuids, leases: uuids, seconds: float },
  returns: {},
  text: `
    update webhook_leases l set leased_until = clock_timestamp() + make_interval(secs => :seconds)
    from unnest(:deliveryIds::uuid[], :leases::uuid[]) as claim (id, lease)
    where l.delivery_id = claim.id and l.lease = claim.lease`,
});

/** Renews the claims of attempts that are under way. */
export async function renewLeases(
  db: Queryable,
  claims: readonly { id: string; lease: string }[],
): Promise<void> {
  await rows(db, RENEW_LEASES, {
    deliveryIds: claims.map(({ id }) => id),
    leases: claims.map(({ lease }) => lease),
    seconds: LEASE / 1000,
  });
}

export const RETURN_CLAIMS = hotStatement({
  name: 'return-webhook-claims',
  takes: { leases: uuids },
  returns: {},
  text: 'delete from webhook_leases where lease = any (:leases)',
});

/** Ends these claims, whatever they hold: for a worker that has begun nothing of them. */
export async function returnClaims(db: Queryable, leases: string[]): Promise<void> {
  await rows(db, RETURN_CLAIMS, { leases });
}

export const GIVE_BACK = hotStatement({
  name: 'give-back-webhook-claims',
  takes: { deliveryIds: uuids, leases: uuids },
  returns: {},
  text: `
    delete from webhook_leases l using unnest(:deliveryIds::uuid[], :leases::uuid[]) as claim (id, lease)
    where l.delivery_id = claim.id and l.lease = claim.lease and l.delivery_id = any (:deliveryIds)`,
});

/** Ends the claims on these deliveries alone, of which nothing was begun. */
export async function giveBack(
  db: Queryable,
  claims: readonly { id: string; lease: string }[],
): Promise<void> {
  await rows(db, GIVE_BACK, {
    deliveryIds: claims.map(({ id }) => id),
    leases: claims.map(({ lease }) => lease),
  });
}

export const READ_QUEUE_STATE = hotStatement({
  name: 'read-queue-state',
  takes: { now: timestamptz },
  returns: { due: bigint, waiting: bigint, oldest_due_at: nullable(timestamptz) },
  text: `
    select count(*) filter (where due_at <= :now) as due, count(*) filter (where due_at > :now) as waiting,
      min(due_at) filter (where due_at <= :now) as oldest_due_at
    from webhook_pending`,
});

export type QueueState = Row<typeof READ_QUEUE_STATE>;

/** How many deliveries are due, how many wait for their time, and since when the oldest one is due. */
export async function readQueueState(db: Queryable, now: Instant): Promise<QueueState> {
  return (await first(db, READ_QUEUE_STATE, { now }))!;
}
