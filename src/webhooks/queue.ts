import { randomUUID } from 'node:crypto';
import type { Clock, Instant } from '../base/clock.ts';
import { linksOf, openPayload } from '../bookings/links.ts';
import type { Tracking } from '../bookings/tracking.ts';
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

/** Faults of deliveries, in a sandbox. */
export type DeliveryFaults = {
  /** The faults of claimed deliveries by their ids; `kept`: not sent now, its lease has ended. */
  take(claimed: readonly ClaimedDelivery[]): Promise<ReadonlyMap<string, AttemptFault | 'kept'>>;
  /** Called when the attempts of these deliveries are saved. */
  settled(ids: readonly string[]): Promise<void>;
};

export const NO_FAULTS: DeliveryFaults = { take: async () => new Map(), settled: async () => {} };

export type QueueDeps = {
  db: Db;
  sealer: Sealer;
  tracking: Tracking;
  clock: Clock;
  outbound: Outbound;
  wakeups: Wakeups;
  logger: Logger;
  allowHosts: readonly string[];
  faults: DeliveryFaults;
  trace: AttemptTrace;
  /** Called after every attempt. */
  observe(result: AttemptResult, delivery: ClaimedDelivery): void;
  /** Called for a delivery whose last attempt has failed, once that is saved. */
  gaveUp(delivery: ClaimedDelivery): void;
};

/** Milliseconds between polls without a wake-up: short enough for a first attempt within a second. */
const POLL_INTERVAL = 500;
/** Milliseconds in which results are collected into one statement. */
const BATCH_DELAY = 2;
/** Tries to save the last results when stopping. */
const LAST_TRIES = 3;

export type Queue = {
  /** Finishes attempts under way and claims nothing more. */
  stop(): Promise<void>;
  /** Attempts of this worker under way. */
  underWay(): number;
};

/**
 * Attempts due deliveries until stopped; any number of workers may run. The leases of a worker that dies expire; others
 * then repeat the attempts that it had not saved, which is the "at least once" of section 6.
 */
export function startQueue(deps: QueueDeps): Queue {
  const { db, clock, wakeups, logger, faults } = deps;
  const elapsed = startStopwatch();

  /** Claimed and not yet saved: the bound of claims, so that they are no faster than the saving of results. */
  const claimed = new Map<string, ClaimedDelivery>();
  const attempts = new Set<Promise<void>>();
  /** Leases of claims without a response, which may have been committed, with the time of the request. */
  const unanswered = new Map<string, number>();
  let results: SettledDelivery[] = [];
  let stopping = false;

  async function settle(): Promise<void> {
    // A delivery may have been claimed here again after its lease expired: results of the old lease are dropped.
    const batch = results.filter(({ id, lease }) => claimed.get(id)?.lease === lease);
    results = [];
    if (batch.length === 0) return;
    let written: Awaited<ReturnType<typeof settleDeliveries>>;
    try {
      written = await settleDeliveries(db, clock.now(), batch);
    } catch (error) {
      results = [...batch, ...results];
      throw error;
    }
    for (const { id, isGivenUp } of written) if (isGivenUp) deps.gaveUp(claimed.get(id)!);
    for (const { id } of batch) claimed.delete(id);
    await faults.settled(written.map(({ id }) => id));
  }

  /**
   * Releases leases under which nothing was sent. Repeated at every poll until they would have expired: the server may
   * still commit a claim whose connection broke.
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
    const attempt = attemptsOf(deps, delivery, fault)
      .then((made) => {
        results.push({ id: delivery.id, lease: delivery.lease, attempts: made });
      })
      .finally(() => {
        attempts.delete(attempt);
        poller.soon(BATCH_DELAY);
      });
    attempts.add(attempt);
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

/** Makes the attempts of a claimed delivery: in a sandbox a faulty one may come before the real one. */
async function attemptsOf(
  deps: QueueDeps,
  delivery: ClaimedDelivery,
  fault: AttemptFault | undefined,
): Promise<MadeAttempt[]> {
  const made: MadeAttempt[] = [];
  if (fault !== undefined) {
    const wrongSecret = fault === 'bad-signature' ? createSecret() : undefined;
    const { attemptedAt, result } = await attempt(deps, delivery, wrongSecret);
    made.push({ attemptedAt, result: { ...result, error: FAULT_ERRORS[fault] } });
  }
  made.push(await attempt(deps, delivery));
  return made;
}

/** `wrongSecret` replaces the subscription's secret. */
async function attempt(
  deps: QueueDeps,
  delivery: ClaimedDelivery,
  wrongSecret?: string,
): Promise<{ attemptedAt: Instant; result: AttemptResult }> {
  const { clock, logger, trace, observe } = deps;
  const attemptedAt = clock.now();
  const target = {
    ...delivery,
    payload: openPayload(linksOf(deps, { trackingPage: delivery.tracking_page }), delivery.payload),
    subscriptionId: delivery.subscription_id,
    previousSecret: delivery.previous_secret,
    allowedDomains: delivery.allowed_webhook_domains,
    requireHttps: delivery.require_https_webhooks,
  };
  const result = await trace(delivery, async () => {
    const realNow = attemptedAt - clock.offset();
    const made = await makeAttempt(deps, target, realNow, wrongSecret).catch((error) => {
      // An internal error counts as a failed attempt, so that a bad row ends with its schedule.
      logger.error({ err: error, deliveryId: delivery.id }, 'an attempt could not be made');
      return notSent('NOT_SENT');
    });
    // Within the trace, which the metric's exemplar names.
    observe(made, delivery);
    return made;
  });
  return { attemptedAt, result };
}
