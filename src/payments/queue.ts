import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { runTurns } from '../platform/turns.ts';
import type { Wakeups } from '../platform/wakeups.ts';
import { claimPayments, type PaymentRow, releasePayment, renewClaims } from './queries.ts';
import { type StepDeps, takeStep } from './steps.ts';

export type PaymentQueueDeps = StepDeps & { clock: Clock; wakeups: Wakeups };

const LOOK_EVERY = 1_000;
/** Payments in the hands of one worker: each may wait for a slow gateway, and links that end must not wait for them. */
const MOST_AT_ONCE = 64;
/** How long a claim holds without being renewed, and how often it is (milliseconds). */
const LEASE = 20_000;
const RENEW_EVERY = 5_000;
/** When a step that failed by a fault of ours is tried again (milliseconds). */
const AFTER_FAULT = 60_000;

/** Does what is due on payments, until stopped. Answers how to stop: what is under way is finished. */
export function startPayments(deps: PaymentQueueDeps): () => Promise<void> {
  const { db, clock, wakeups, logger } = deps;
  const realNow = (): number => clock.now() - clock.offset();
  // By claim: one that has run out may be claimed again while the first is still at work.
  const underWay = new Map<PaymentRow, Promise<void>>();
  let stopping = false;

  async function work(payment: PaymentRow): Promise<void> {
    try {
      const { dueAt, done } = await takeStep(deps, clock.now(), payment);
      await releasePayment(db, clock.now(), payment, dueAt, done);
      wakeups.wake();
    } catch (error) {
      logger.error({ err: error, paymentId: payment.id }, 'a payment could not be worked on');
      // When this fails too (no database), the claim ends by itself.
      await releasePayment(db, clock.now(), payment, clock.now() + AFTER_FAULT, false).catch((released) =>
        logger.warn({ err: released, paymentId: payment.id }, 'a payment could not be released'),
      );
    }
  }

  const turns = runTurns(
    wakeups,
    LOOK_EVERY,
    async () => {
      const limit = MOST_AT_ONCE - underWay.size;
      if (stopping || limit <= 0) return;
      const start = realNow();
      const claimed = await claimPayments(db, clock.now(), start, {
        limit,
        lease: randomUUID(),
        leasedUntil: start + LEASE,
      });
      for (const payment of claimed) {
        const done = work(payment).finally(() => {
          underWay.delete(payment);
          void turns.again();
        });
        underWay.set(payment, done);
      }
    },
    (error) => logger.error({ err: error }, 'the payments queue cannot reach the database'),
  );
  const renewing = setInterval(() => {
    if (underWay.size === 0) return;
    renewClaims(db, [...underWay.keys()], realNow() + LEASE).catch((error) => {
      logger.warn({ err: error }, 'claims on payments could not be renewed');
    });
  }, RENEW_EVERY);

  return async () => {
    stopping = true;
    turns.quiet();
    await turns.again();
    await Promise.all(underWay.values());
    clearInterval(renewing);
  };
}
