import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Db } from '../platform/db.ts';
import type { Logger } from '../platform/logger.ts';
import type { Outbound } from '../platform/outbound.ts';
import { runTurns } from '../platform/turns.ts';
import type { Wakeups } from '../platform/wakeups.ts';
import { type AttemptResult, makeAttempt, notSent } from './attempt.ts';
import { type ClaimedDelivery, renewLeases, type SettledAttempt, turnDeliveries } from './queue-queries.ts';
import { LEASE, MOST_AT_ONCE, RENEW_EVERY } from './rules.ts';

export type QueueDeps = {
  db: Db;
  clock: Clock;
  outbound: Outbound;
  wakeups: Wakeups;
  logger: Logger;
  allowHosts: readonly string[];
  /** Hears of every attempt that was made. */
  observe(result: AttemptResult): void;
};

/** Looks without having been woken this often (milliseconds): alone enough for a first attempt within a second. */
const LOOK_EVERY = 500;
/** Attempts that end within this time are written together (milliseconds). */
const TOGETHER = 2;
/** How often writing the last results is tried when stopping. */
const LAST_TRIES = 3;

/**
 * Sends what is due, until stopped. The rows are the queue (claim_deliveries in migrations/0003): any number of
 * workers may run. A worker that dies leaves claims that end by themselves; then others send again what it had not
 * written down, which is the "at least once" of section 6. Answers how to stop: what is under way is finished.
 */
export function startQueue(deps: QueueDeps): () => Promise<void> {
  const { db, clock, outbound, wakeups, logger } = deps;
  const realNow = (): number => clock.now() - clock.offset();

  /** Claimed and not yet written down; so work is taken only as fast as its results can be kept. */
  const claimed = new Map<string, ClaimedDelivery>();
  const attempts = new Set<Promise<void>>();
  let results: SettledAttempt[] = [];
  let stopping = false;

  async function turn(): Promise<void> {
    const batch = results;
    results = [];
    const start = realNow();
    const due = await turnDeliveries(db, clock.now(), start, batch, {
      capacity: stopping ? 0 : MOST_AT_ONCE - (claimed.size - batch.length),
      lease: randomUUID(),
      leasedUntil: start + LEASE,
    }).catch((error) => {
      results = [...batch, ...results];
      throw error;
    });
    for (const { id } of batch) claimed.delete(id);
    for (const delivery of due) {
      claimed.set(delivery.id, delivery);
      const attempt = send(delivery).finally(() => {
        attempts.delete(attempt);
        turns.soon(TOGETHER);
      });
      attempts.add(attempt);
    }
  }

  async function send(delivery: ClaimedDelivery): Promise<void> {
    const attemptedAt = clock.now();
    const target = {
      ...delivery,
      allowedDomains: delivery.allowed_webhook_domains,
      requireHttps: delivery.require_https_webhooks,
    };
    const result = await makeAttempt(outbound, target, realNow(), deps.allowHosts).catch((error) => {
      // A fault of ours. It counts as a failed attempt: one bad row is tried a few times, not for ever.
      logger.error({ err: error, deliveryId: delivery.id }, 'an attempt could not be made');
      return notSent('NOT_SENT');
    });
    deps.observe(result);
    results.push({ id: delivery.id, lease: delivery.lease, attemptedAt, result });
  }

  const turns = runTurns(wakeups, LOOK_EVERY, turn, (error) =>
    logger.error({ err: error }, 'the webhook queue cannot reach the database'),
  );
  const renewing = setInterval(() => {
    if (claimed.size === 0) return;
    renewLeases(db, [...claimed.values()], realNow() + LEASE).catch((error) => {
      logger.warn({ err: error }, 'leases of webhook deliveries could not be renewed');
    });
  }, RENEW_EVERY);

  return async () => {
    stopping = true;
    turns.quiet();
    await turns.again();
    await Promise.all(attempts);
    for (let tries = 0; results.length > 0 && tries < LAST_TRIES; tries++) await turns.again();
    clearInterval(renewing);
  };
}
