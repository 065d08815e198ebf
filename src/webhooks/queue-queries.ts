import { type Instant, toUtcIso } from '../clock.ts';
import type { Queryable } from '../platform/db.ts';
import type { AttemptResult } from './attempt.ts';
import type { Attempt } from './delivery-queries.ts';
import { BREAKER_AFTER, BREAKER_PAUSES, MOST_TO_ONE, RETRY_AFTER } from './rules.ts';

/** A delivery that this worker has claimed, with all that an attempt needs. */
export type ClaimedDelivery = {
  id: string;
  lease: string;
  subscription_id: string;
  event: string;
  payload: unknown;
  url: string;
  secret: string;
  allowed_webhook_domains: string[];
  require_https_webhooks: boolean;
};

export type SettledAttempt = {
  id: string;
  lease: string;
  /** Business time. */
  attemptedAt: Instant;
  result: Pick<AttemptResult, 'statusCode' | 'error' | 'durationMs' | 'responseBody'>;
};

export type Claim = {
  /** How many deliveries at most; 0: none. */
  capacity: number;
  lease: string;
  /** Real time. */
  leasedUntil: Instant;
};

/**
 * One turn of a worker, in one statement (turn_deliveries in migrations/0003): writes what came of its attempts, and
 * claims due deliveries in turns between subscriptions. Results whose lease has gone to another worker are dropped.
 * `now` is business time, `realNow` real time.
 */
export function turnDeliveries(
  db: Queryable,
  now: Instant,
  realNow: Instant,
  attempts: readonly SettledAttempt[],
  { capacity, lease, leasedUntil }: Claim,
): Promise<ClaimedDelivery[]> {
  return db.rows<ClaimedDelivery>({
    name: 'turn-deliveries',
    text: 'select * from turn_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)',
    values: [
      toUtcIso(now),
      toUtcIso(realNow),
      capacity,
      MOST_TO_ONE,
      BREAKER_AFTER,
      lease,
      toUtcIso(leasedUntil),
      attempts.map((attempt) => attempt.id),
      attempts.map((attempt) => attempt.lease),
      attempts.map(({ result }) => result.statusCode),
      attempts.map(({ result }) => result.error),
      attempts.map(({ attemptedAt, result: { durationMs, statusCode, error, responseBody } }) =>
        JSON.stringify({ attemptedAt, durationMs, statusCode, error, responseBody } satisfies Attempt),
      ),
      RETRY_AFTER.map((milliseconds) => milliseconds / 1000),
      BREAKER_PAUSES.map((milliseconds) => milliseconds / 1000),
    ],
  });
}

/** Renews the claims of attempts that are under way. */
export async function renewLeases(
  db: Queryable,
  claims: readonly { id: string; lease: string }[],
  leasedUntil: Instant,
): Promise<void> {
  await db.rows({
    text: `
      update webhook_leases l set leased_until = $3
      from unnest($1::uuid[], $2::uuid[]) as claim (id, lease)
      where l.delivery_id = claim.id and l.lease = claim.lease`,
    values: [claims.map(({ id }) => id), claims.map(({ lease }) => lease), toUtcIso(leasedUntil)],
  });
}

export type QueueState = { due: number; waiting: number; oldest_due_at: Instant | null };

/** How many deliveries are due, how many wait for their time, and since when the oldest one is due. */
export async function readQueueState(db: Queryable, now: Instant): Promise<QueueState> {
  const state = await db.first<QueueState>({
    text: `
      select count(*) filter (where due_at <= $1) as due, count(*) filter (where due_at > $1) as waiting,
        min(due_at) filter (where due_at <= $1) as oldest_due_at
      from webhook_deliveries where status = 'PENDING'`,
    values: [toUtcIso(now)],
  });
  return state!;
}
