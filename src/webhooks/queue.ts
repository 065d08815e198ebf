import { randomUUID } from 'node:crypto';
import type { Clock, Instant } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { Outbound } from '../outbound/requests.ts';
import type { Logger } from '../runtime/logger.ts';
import { startPoller } from '../runtime/poller.ts';
import { startStopwatch } from '../runtime/stopwatch.ts';
import type { Wakeups } from '../runtime/wakeups.ts';
import { type AttemptResult, makeAttempt, notSent } from './attempt.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type MadeAttempt,
  releaseLeases,
  renewLeases,
  type SettledDelivery,
  settleDeliveries,
} from './queue-queries.ts';
import { type AttemptFault, FAULT_ERRORS, LEASE, MAX_PER_WORKER, RENEW_INTERVAL } from './rules.ts';
import { createSecret } from './signature.ts';
import type { AttemptTrace } from './traces.ts';

/** What goes wrong on purpose, in a sandbox. */
export type DeliveryFaults = {
  /** The faults of claimed deliveries, by their ids; `kept`: it is not sent now, and its lease has ended. */
  take(claimed: readonly ClaimedDelivery[]): Promise<ReadonlyMap<string, AttemptFault | 'kept'>>;
  /** The attempts of these deliveries were written. */
  settled(ids: readonly string[]): Promise<void>;
};

export const NO_FAULTS: DeliveryFaults = { take: async () => new Map(), settled: async () => {} };

export type QueueDeps = {
  db: Db;
  sealer: Sealer;
  clock: Clock;
  outbound: Outbound;
  wakeups: Wakeups;
  logger: Logger;
  allowHosts: readonly string[];
  faults: DeliveryFaults;
  trace: AttemptTrace;
  /** Hears of every attempt that was made. */
  observe(result: AttemptResult): void;
};

/** Polls without having been woken this often (milliseconds): alone enough for a first attempt within a second. */
const POLL_INTERVAL = 500;
/** Attempts that end within this time are written together (milliseconds). */
const BATCH_DELAY = 2;
/** How often writing the last results is tried when stopping. */
const LAST_TRIES = 3;

export type Queue = {
  /** What is under way is finished; nothing new begins. */
  stop(): Promise<void>;
  /** Attempts of this worker under way. */
  underWay(): number;
};

/**
 * Sends what is due, until stopped; any number of workers may. A worker that dies leaves leases that end by themselves;
 * then others send again what it had not written, which is the "at least once" of section 6.
 */
export function startQueue(deps: QueueDeps): Queue {
  const { db, clock, wakeups, logger, faults } = deps;
  const elapsed = startStopwatch();

  /** Claimed and not yet written: so work is taken only as fast as its results can be kept. */
  const claimed = new Map<string, ClaimedDelivery>();
  const attempts = new Set<Promise<void>>();
  /** Leases whose claim may have been made though its response was lost, with the time of the request. */
  const unanswered = new Map<string, number>();
  let results: SettledDelivery[] = [];
  let stopping = false;

  async function settle(): Promise<void> {
    // A lease that ran out may have been claimed here again: the result of the one before counts no more.
    const batch = results.filter(({ id, lease }) => claimed.get(id)?.lease === lease);
    results = [];
    if (batch.length === 0) return;
    let written: string[];
    try {
      written = await settleDeliveries(db, clock.now(), batch);
    } catch (error) {
      results = [...batch, ...results];
      throw error;
    }
    for (const { id } of batch) claimed.delete(id);
    await faults.settled(written);
  }

  /**
   * Nothing was sent under such a lease, so nobody need wait for its end. Done at every turn until it would have ended: the
   * server may still be at work on a claim whose connection broke.
   */
  async function releaseUnanswered(): Promise<void> {
    for (const [lease, since] of unanswered) if (elapsed() - since > LEASE) unanswered.delete(lease);
    if (unanswered.size > 0) await releaseLeases(db, [...unanswered.keys()]);
  }

  async function claim(): Promise<void> {
    const room = MAX_PER_WORKER - claimed.size;
    if (stopping || room <= 0) return;
    const lease = randomUUID();
    unanswered.set(lease, elapsed());
    const due = await claimDeliveries(db, clock.now(), lease, room);
    const faulty = await faults.take(due);
    unanswered.delete(lease);
    for (const delivery of due) {
      const fault = faulty.get(delivery.id);
      if (fault !== 'kept') begin(delivery, fault);
    }
  }

  function begin(delivery: ClaimedDelivery, fault: AttemptFault | undefined): void {
    claimed.set(delivery.id, delivery);
    const attempt = send(delivery, fault).finally(() => {
      attempts.delete(attempt);
      poller.soon(BATCH_DELAY);
    });
    attempts.add(attempt);
  }

  async function send(delivery: ClaimedDelivery, fault: AttemptFault | undefined): Promise<void> {
    const made: MadeAttempt[] = [];
    if (fault !== undefined) {
      const { attemptedAt, result } = await attempt(
        delivery,
        fault === 'bad-signature' ? createSecret() : undefined,
      );
      made.push({ attemptedAt, result: { ...result, error: FAULT_ERRORS[fault] } });
    }
    made.push(await attempt(delivery));
    results.push({ id: delivery.id, lease: delivery.lease, attempts: made });
  }

  /** Signed with the subscription's secret, or with a wrong one. */
  async function attempt(
    delivery: ClaimedDelivery,
    wrongSecret?: string,
  ): Promise<{ attemptedAt: Instant; result: AttemptResult }> {
    const attemptedAt = clock.now();
    const target = {
      ...delivery,
      subscriptionId: delivery.subscription_id,
      previousSecret: delivery.previous_secret,
      allowedDomains: delivery.allowed_webhook_domains,
      requireHttps: delivery.require_https_webhooks,
    };
    const result = await deps.trace(delivery, async () => {
      const realNow = attemptedAt - clock.offset();
      const made = await makeAttempt(deps, target, realNow, wrongSecret).catch((error) => {
        // An error of ours counts as a failed attempt: a bad row is tried a few times, not for ever.
        logger.error({ err: error, deliveryId: delivery.id }, 'an attempt could not be made');
        return notSent('NOT_SENT');
      });
      // Within the trace, which its example names.
      deps.observe(made);
      return made;
    });
    return { attemptedAt, result };
  }

  const poller = startPoller(
    wakeups,
    POLL_INTERVAL,
    async () => {
      await settle();
      await releaseUnanswered();
      await claim();
    },
    (error) => logger.error({ err: error }, 'the webhook queue cannot reach the database'),
  );
  const renewing = setInterval(() => {
    if (claimed.size === 0) return;
    renewLeases(db, [...claimed.values()]).catch((error) => {
      logger.warn({ err: error }, 'leases of webhook deliveries could not be renewed');
    });
  }, RENEW_INTERVAL);

  return {
    async stop() {
      stopping = true;
      poller.stop();
      await poller.again();
      await Promise.all(attempts);
      for (let tries = 0; results.length > 0 && tries < LAST_TRIES; tries++) await poller.again();
      clearInterval(renewing);
    },
    underWay: () => attempts.size,
  };
}
