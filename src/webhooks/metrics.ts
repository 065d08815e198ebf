import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { AttemptResult } from './attempt.ts';
import type { Queue, QueueDeps } from './queue.ts';
import { readQueueState } from './queue-queries.ts';

/** Counts attempts by subscription, and deliveries that were given up. */
export function observeDeliveries(metrics: Metrics): Pick<QueueDeps, 'observe' | 'gaveUp'> {
  const observe = observeAttempts(metrics);
  const made = metrics.counter('webhook_attempts_total', 'Webhook attempts, by subscription', 'subscription');
  const failed = metrics.counter(
    'webhook_attempts_failed_total',
    'Webhook attempts that failed, by subscription',
    'subscription',
  );
  const givenUp = metrics.counter(
    'webhook_deliveries_given_up_total',
    'Webhook deliveries that failed at all attempts, by subscription',
    'subscription',
  );
  return {
    observe(result, { subscription_id: id }) {
      observe(result);
      made(id, 1);
      // Counters start at 0, not absent.
      failed(id, result.error === null ? 0 : 1);
      givenUp(id, 0);
    },
    gaveUp: ({ subscription_id: id }) => givenUp(id, 1),
  };
}

/** Durations of attempts, by outcome: `delivered` or the error. */
function observeAttempts(metrics: Metrics): (result: AttemptResult) => void {
  const observe = metrics.histogram(
    'webhook_attempt_duration_seconds',
    'Time of webhook attempts, by outcome',
    'outcome',
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  );
  return ({ error, durationMs }) => observe(error ?? 'delivered', durationMs / 1000);
}

/** This worker's attempts under way. */
export function attemptsMetrics(metrics: Metrics, queue: Queue): void {
  metrics.gauge(
    'webhook_attempts_under_way',
    'Webhook attempts of this worker under way',
    'queue',
    async () => ({ deliveries: queue.underWay() }),
  );
}

/** The depth of the queue and the age of its oldest due delivery. */
export function queueMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  metrics.gauge('webhook_deliveries', 'Webhook deliveries that are pending', 'state', async () => {
    const { due, waiting } = await readQueueState(db, clock.now());
    return { due, waiting };
  });
  metrics.gauge(
    'webhook_oldest_due_seconds',
    'For how long the delivery that is due longest has been due',
    'queue',
    async () => {
      const now = clock.now();
      const { oldest_due_at: oldest } = await readQueueState(db, now);
      return { deliveries: oldest === null ? 0 : Math.max(0, now - oldest) / 1000 };
    },
  );
}
