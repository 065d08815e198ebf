import type { Db } from '../db/connection.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { countUnsettled } from './queries.ts';

/** Payments that wait for the customer, and refunds that are pending or have failed. */
export function paymentMetrics(metrics: Metrics, db: Db): void {
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
    'payment_refunds',
    'Refunds that are to be made (PENDING), and that wait for the operator (FAILED, TO_DECIDE)',
    'status',
    async () => ({ PENDING: 0, FAILED: 0, TO_DECIDE: 0, ...(await countsOf('refund')) }),
  );
}
