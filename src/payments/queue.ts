import { randomUUID } from 'node:crypto';
import type { Clock, Instant } from '../base/clock.ts';
import { startPoller } from '../runtime/poller.ts';
import type { Wakeups } from '../runtime/wakeups.ts';
import { claimPayments, type PaymentRow } from './queries.ts';
import { faultBackoff } from './rules.ts';
import { releaseClaim, releasePayment, renewClaims } from './step-queries.ts';
import { type StepDeps, takeStep } from './steps.ts';
import type { StepTrace } from './traces.ts';

export type PaymentQueueDeps = StepDeps & { clock: Clock; wakeups: Wakeups; trace: StepTrace };

const POLL_INTERVAL = 1_000;
/** Claims of one worker: many, so that links that end do not wait behind a slow gateway. */
const MAX_CONCURRENT = 64;
/** Payments whose faults are counted: those that another worker finishes are never removed. */
const MAX_FAULTS = 1_000;
/** Milliseconds of a claim, and between its renewals. */
const LEASE = 20_000;
const RENEW_INTERVAL = 5_000;

/** Runs the due steps of payments until stopped. Returns a function that stops it: steps under way are finished. */
export function startPayments(deps: PaymentQueueDeps): () => Promise<void> {
  const { db, clock, wakeups, logger } = deps;
  const realNow = (): number => clock.now() - clock.offset();
  // By claim: an expired one may be claimed again while its first step still runs.
  const underWay = new Map<PaymentRow, Promise<void>>();
  // Consecutive internal errors by payment: most often the database connection broke during a step.
  const faults = countFaults(MAX_FAULTS);
  // Claims without a running step: other workers have to wait until they are released or expire.
  const unreleased = new Map<PaymentRow, Instant>();
  const unanswered = new Set<string>();
  let stopping = false;

  async function work(payment: PaymentRow): Promise<void> {
    try {
      const { dueAt, done } = await deps.trace(db, payment, () => takeStep(deps, clock.now(), payment));
      await releasePayment(db, clock.now(), payment, { dueAt, end: done ? 'done' : 'refused' });
      faults.forget(payment.id);
      wakeups.wake();
    } catch (error) {
      logger.error({ err: error, paymentId: payment.id }, 'a payment could not be worked on');
      unreleased.set(payment, clock.now() + faultBackoff(faults.next(payment.id)));
    }
  }

  async function releaseRest(): Promise<void> {
    for (const [payment, dueAt] of unreleased) {
      await releasePayment(db, clock.now(), payment, { dueAt, end: 'fault' });
      unreleased.delete(payment);
    }
    for (const lease of unanswered) {
      await releaseClaim(db, lease);
      unanswered.delete(lease);
    }
  }

  const poller = startPoller(
    wakeups,
    POLL_INTERVAL,
    async () => {
      await releaseRest();
      const limit = MAX_CONCURRENT - underWay.size;
      if (stopping || limit <= 0) return;
      const start = realNow();
      const lease = randomUUID();
      // Until the claim returns: when the connection breaks, it may have been committed.
      unanswered.add(lease);
      const claimed = await claimPayments(db, clock.now(), start, {
        limit,
        lease,
        leasedUntil: start + LEASE,
      });
      unanswered.delete(lease);
      for (const payment of claimed) {
        const done = work(payment).finally(() => {
          underWay.delete(payment);
          void poller.again();
        });
        underWay.set(payment, done);
      }
    },
    (error) => logger.error({ err: error }, 'the payments queue cannot reach the database'),
  );
  const renewing = setInterval(() => {
    if (underWay.size === 0) return;
    renewClaims(db, [...underWay.keys()], realNow() + LEASE).catch((error) => {
      logger.warn({ err: error }, 'leases of payments could not be renewed');
    });
  }, RENEW_INTERVAL);

  return async () => {
    stopping = true;
    poller.stop();
    await poller.again();
    await Promise.all(underWay.values());
    await poller.again(); // releases failed ones
    clearInterval(renewing);
  };
}

/** Counts consecutive faults of at most `max` payments; the least recent one is evicted. */
export function countFaults(max: number): { next(id: string): number; forget(id: string): void } {
  const counts = new Map<string, number>();
  return {
    next(id) {
      const inARow = (counts.get(id) ?? 0) + 1;
      // A Map keeps the order of insertion.
      counts.delete(id);
      if (counts.size >= max) counts.delete(counts.keys().next().value!);
      counts.set(id, inARow);
      return inARow;
    },
    forget(id) {
      counts.delete(id);
    },
  };
}
