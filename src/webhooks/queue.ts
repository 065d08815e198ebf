import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { Sealer } from '../db/sealing.ts';
import type { Outbound } from '../outbound/requests.ts';
import { gatherLookups } from '../runtime/gather.ts';
import type { Logger } from '../runtime/logger.ts';
import { startPoller } from '../runtime/poller.ts';
import { startStopwatch } from '../runtime/stopwatch.ts';
import type { Wakeups } from '../runtime/wakeups.ts';
import { type AttemptResult, makeAttempt, notSent } from './attempt.ts';
import { createBacklog } from './backlog.ts';
import {
  type ClaimedDelivery,
  type Endpoint,
  giveBack,
  readEndpoints,
  renewLeases,
  returnClaims,
  type SettledAttempt,
  settleAndClaim,
} from './queue-queries.ts';
import { FAULT_ERRORS, LEASE, MAX_PER_SUBSCRIPTION, RENEW_INTERVAL } from './rules.ts';
import { createShares, type Held, type Room } from './shares.ts';
import { createSecret } from './signature.ts';
import type { DeliveryTraces } from './traces.ts';

export type QueueDeps = {
  db: Db;
  sealer: Sealer;
  clock: Clock;
  outbound: Outbound;
  wakeups: Wakeups;
  logger: Logger;
  allowHosts: readonly string[];
  /** Does it make the faults that partners ask for in a sandbox? */
  withFaults: boolean;
  traces: DeliveryTraces;
  /** Hears of every attempt that was made. */
  observe(result: AttemptResult): void;
};

/** Looks without having been woken this often (milliseconds): alone enough for a first attempt within a second. */
const POLL_INTERVAL = 500;
/** Attempts that end within this time are written together (milliseconds). */
const TOGETHER = 2;
/** The same while so many deliveries wait that nothing needs the next ones yet. */
const TOGETHER_AHEAD = 6;
const ENOUGH_AHEAD = MAX_PER_SUBSCRIPTION;
/** How often writing the last results is tried when stopping. */
const LAST_TRIES = 3;

export type Queue = {
  /** What is under way is finished; nothing new begins. */
  stop(): Promise<void>;
  /** Attempts of this worker under way, to endpoints that are known to be fast and to the others. */
  underWay(): { fast: number; slow: number };
};

type Claim = ClaimedDelivery & Held;

/** Looks at subscriptions share a statement, of which so many may be under way. */
const LOOKS = { maxKeys: 1_000, maxRunning: 2 };

const NO_ROOM: Room = { total: 0, slow: 0, fastSubscriptions: {}, held: {} };

/**
 * Sends what is due, until stopped. The rows are the queue (claim_deliveries_ahead in functions.sql): any
 * number of workers may run. A worker that dies leaves claims that end by themselves; then others send again what it had not
 * written down, which is the "at least once" of section 6.
 */
export function startQueue(deps: QueueDeps): Queue {
  const { db, clock, wakeups, logger } = deps;
  const realNow = (): number => clock.now() - clock.offset();

  /** Claimed and not yet written down; so work is taken only as fast as its results can be kept. */
  const claimed = new Map<string, Claim>();
  const backlog = createBacklog<Claim>(begin);
  /** What has waited is sent as its subscription is when it begins: a new secret signs every attempt from then on. */
  const readEndpoint = gatherLookups<string, Endpoint | null>({
    ...LOOKS,
    one: async (id) => (await readEndpoints(db, [id], clock.now()))[0]!,
    many: (ids) => readEndpoints(db, ids, clock.now()),
  });
  /** Those that will not begin, and are not yet given back, with the time since when. */
  let late: { id: string; lease: string; since: number }[] = [];
  const attempts = new Set<Promise<void>>();
  /** Claims that may have been made though their result was lost, by lease, with the time of the request. */
  const unanswered = new Map<string, number>();
  const shares = createShares();
  const elapsed = startStopwatch();
  let results: SettledAttempt[] = [];
  let stopping = false;

  async function turn(): Promise<void> {
    // A claim that ran out may have been claimed here again: the result of the one before counts no more.
    const batch = results.filter(({ id, lease }) => claimed.get(id)?.lease === lease);
    results = [];
    for (const delivery of backlog.takeLate(stopping ? Number.POSITIVE_INFINITY : elapsed())) drop(delivery);
    const written = new Set(batch.map(({ id }) => id));
    const held = [...claimed.values()].filter(({ id }) => !written.has(id));
    const room = stopping ? NO_ROOM : shares.room(held, elapsed());
    const lease = randomUUID();
    let due: ClaimedDelivery[];
    try {
      await returnUnanswered();
      await giveBackLate();
      unanswered.set(lease, elapsed());
      const leases = new Set(held.map((delivery) => delivery.lease));
      due = await settleAndClaim(db, clock.now(), batch, lease, room, [...leases], deps.withFaults);
      unanswered.delete(lease);
    } catch (error) {
      results = [...batch, ...results];
      throw error;
    }
    for (const { id } of batch) claimed.delete(id);
    await deps.traces.learn(db, due);
    for (const row of due) {
      const delivery = {
        ...row,
        subscriptionId: row.subscription_id,
        partnerId: row.partner_id,
        startedAt: null,
        endedAt: null,
      };
      claimed.set(delivery.id, delivery);
      backlog.add(delivery, elapsed());
    }
  }

  function begin(delivery: Claim, hasWaited: boolean): void {
    const attempt = (hasWaited ? sendAsItIsNow(delivery) : send(delivery)).finally(() => {
      attempts.delete(attempt);
      backlog.ended(delivery.subscriptionId, elapsed());
      poller.soon(backlog.size() < ENOUGH_AHEAD ? TOGETHER : TOGETHER_AHEAD);
    });
    attempts.add(attempt);
  }

  /** It is given back in the next turn. */
  function drop({ id, lease }: Claim): void {
    claimed.delete(id);
    deps.traces.forget(id);
    late.push({ id, lease, since: elapsed() });
  }

  async function sendAsItIsNow(delivery: Claim): Promise<void> {
    const endpoint = await readEndpoint(delivery.subscriptionId).catch((error) => {
      logger.warn(
        { err: error, deliveryId: delivery.id },
        'the subscription of a delivery could not be read',
      );
      return null;
    });
    if (endpoint === null) drop(delivery);
    else await send(delivery, endpoint);
  }

  /** Without an answer it is tried again until the claims have ended by themselves. */
  async function giveBackLate(): Promise<void> {
    const given = late.filter(({ since }) => elapsed() - since <= LEASE);
    late = [];
    if (given.length === 0) return;
    try {
      await giveBack(db, given);
    } catch (error) {
      // Meanwhile others may have been dropped.
      late.push(...given);
      throw error;
    }
  }

  /**
   * Nothing was sent for such a claim, so no other worker need wait for its end. Done at every turn until it would have
   * ended: the server may still be at work on what a connection that broke has asked for.
   */
  async function returnUnanswered(): Promise<void> {
    for (const [lease, askedAt] of unanswered) {
      if (elapsed() - askedAt > LEASE) unanswered.delete(lease);
    }
    if (unanswered.size > 0) await returnClaims(db, [...unanswered.keys()]);
  }

  async function send(delivery: Claim, endpoint: Omit<Endpoint, 'id'> = delivery): Promise<void> {
    const attemptedAt = clock.now();
    const startedAt = elapsed();
    delivery.startedAt = startedAt;
    const target = {
      ...delivery,
      url: endpoint.url,
      secret: endpoint.secret,
      previousSecret: endpoint.previous_secret,
      allowedDomains: endpoint.allowed_webhook_domains,
      requireHttps: endpoint.require_https_webhooks,
    };
    const attempt = (wrongSecret?: string): Promise<AttemptResult> =>
      deps.traces.attempt(delivery, async () => {
        const made = await makeAttempt(deps, target, realNow(), deps.allowHosts, wrongSecret).catch(
          (error) => {
            // A fault of ours. It counts as a failed attempt: one bad row is tried a few times, not for ever.
            logger.error({ err: error, deliveryId: delivery.id }, 'an attempt could not be made');
            return notSent('NOT_SENT');
          },
        );
        deps.observe(made);
        return made;
      });
    const { id, lease, fault } = delivery;
    const first = fault ? await attempt(fault === 'bad-signature' ? createSecret() : undefined) : null;
    const secondAt = clock.now();
    const result = await attempt();
    delivery.endedAt = elapsed();
    shares.learn(delivery.subscriptionId, delivery.endedAt - startedAt);
    if (!fault || first === null) results.push({ id, lease, attemptedAt, result });
    else {
      const before = { attemptedAt, result: { ...first, error: FAULT_ERRORS[fault] } };
      results.push({ id, lease, attemptedAt: secondAt, result, before });
    }
  }

  const poller = startPoller(wakeups, POLL_INTERVAL, turn, (error) =>
    logger.error({ err: error }, 'the webhook queue cannot reach the database'),
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
      for (let tries = 0; results.length + late.length > 0 && tries < LAST_TRIES; tries++)
        await poller.again();
      clearInterval(renewing);
    },
    underWay() {
      const held = [...claimed.values()].filter(
        ({ startedAt, endedAt }) => startedAt !== null && endedAt === null,
      );
      const counts = Object.values(shares.room(held, elapsed()).held);
      return {
        fast: counts.reduce((sum, [fast]) => sum + fast, 0),
        slow: counts.reduce((sum, [, slow]) => sum + slow, 0),
      };
    },
  };
}
