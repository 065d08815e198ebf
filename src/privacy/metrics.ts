import { type Clock, DAY } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { countOpen } from './request-queries.ts';

/** Days before its due date from which a request needs attention. */
export const DUE_SOON_DAYS = 7;

/** Open privacy requests. */
export function privacyMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  metrics.gauge(
    'privacy_requests',
    `Open privacy requests: overdue, due within ${DUE_SOON_DAYS} days (soon), or later`,
    'due',
    () => countOpen(db, clock.now(), clock.now() + DUE_SOON_DAYS * DAY),
  );
}
