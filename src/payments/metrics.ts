import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { GatewayError } from './gateway.ts';
import { aroundCalls, type Gateways } from './gateways.ts';
import { type Notifier, NotifierError } from './notifier.ts';
import { countUnsettled, readUnsent } from './queries.ts';

/** Outcomes of calls: `failed` is worth a retry, `refused` is final, `key_refused` is about our key. */
const OUTCOMES = ['done', 'failed', 'refused', 'key_refused'] as const;

/** Counts a call by its outcome. Errors of our own are not the provider's. */
function countCalls(metrics: Metrics, name: string, help: string): <T>(work: () => Promise<T>) => Promise<T> {
  const count = metrics.counter(name, help, 'outcome');
  // Counters start at 0, not absent.
  for (const outcome of OUTCOMES) count(outcome, 0);
  return async (work) => {
    try {
      const result = await work();
      count('done', 1);
      return result;
    } catch (error) {
      if (error instanceof GatewayError || error instanceof NotifierError) {
        const rest = error.temporary ? 'failed' : 'refused';
        count(error.keyRefused ? 'key_refused' : rest, 1);
      }
      throw error;
    }
  };
}

export function countedGateways(gateways: Gateways, metrics: Metrics): Gateways {
  const counted = countCalls(
    metrics,
    'payment_gateway_calls_total',
    'Calls of the payment gateway, by outcome',
  );
  return aroundCalls(gateways, (_name, work) => counted(work));
}

export function countedNotifier(notifier: Notifier, metrics: Metrics): Notifier {
  const counted = countCalls(metrics, 'messages_sent_total', 'Messages given to their provider, by outcome');
  return { ...notifier, send: (message) => counted(() => notifier.send(message)) };
}

/** Payments that wait, links to make and to send, and refunds that are pending or have failed. */
export function paymentMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  const countsOf = async (kind: 'link' | 'refund'): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await countUnsettled(db))
        .filter((row) => row.kind === kind)
        .map(({ status, count }) => [status, count]),
    );
  metrics.gauge('payments_waiting', 'Payments by link that wait for the customer', 'status', async () => ({
    CREATED: 0,
    OPEN: 0,
    ...(await countsOf('link')),
  }));
  metrics.gauge(
    'payment_links_unsent',
    'Payment links that are to be made or sent, by step',
    'step',
    async () => Object.fromEntries((await readUnsent(db)).map(({ step, count }) => [step, count])),
  );
  metrics.gauge(
    'payment_links_unsent_seconds',
    'Age of the oldest payment whose link is to be made or sent, by step',
    'step',
    async () => {
      const ages = (await readUnsent(db)).map(({ step, oldest }) => [
        step,
        oldest === null ? 0 : Math.max(0, clock.now() - oldest) / 1000,
      ]);
      return Object.fromEntries(ages);
    },
  );
  metrics.gauge(
    'payment_refunds',
    'Refunds that are to be made (PENDING), and that wait for the operator (FAILED, TO_DECIDE)',
    'status',
    async () => ({ PENDING: 0, FAILED: 0, TO_DECIDE: 0, ...(await countsOf('refund')) }),
  );
}
