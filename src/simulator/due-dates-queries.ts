import { DAY, HOUR, type Instant, MINUTE, SECOND, toUtcIso } from '../base/clock.ts';
import type { Tx } from '../db/connection.ts';
import { MAX_OVERLAP_HOURS, RETRY_AFTER } from '../webhooks/rules.ts';

type Limit = { table: string; column: string; within: string };

const within = (milliseconds: number): string => `make_interval(secs => ${milliseconds / SECOND})`;
const limit = (table: string, column: string, interval: string): Limit => ({
  table,
  column,
  within: interval,
});
const retries = RETRY_AFTER.map((milliseconds) => milliseconds / SECOND);

/** What waits for business time, and how far ahead of now its date may lie; SQL. */
export const DUE_DATES: readonly Limit[] = [
  limit(
    'webhook_deliveries',
    'due_at',
    `make_interval(secs => (array[0, ${retries.join(', ')}])[least(retries, ${retries.length}) + 1])`,
  ),
  limit(
    'simulator_steps',
    'due_at',
    // The steps of a run keep their distances from its first one that waits.
    `(select make_interval(secs => r.every_seconds) + simulator_steps.due_at - min(s.due_at)
      from simulator_runs r join simulator_steps s on s.run_id = r.id and s.status = 'WAITING'
      where r.id = simulator_steps.run_id group by r.id)`,
  ),
  // To look early does no harm, and finds what is due next.
  limit('payments', 'due_at', within(0)),
  limit('payments', 'send_due_at', within(0)),
  limit('payments', 'looked_at', within(0)),
  limit('payments', 'link_closed_at', within(0)),
  limit('payments', 'expires_at', within(DAY)),
  limit('sandbox_checkouts', 'expires_at', within(DAY)),
  limit('idempotency_keys', 'claimed_at', within(0)),
  limit('idempotency_keys', 'expires_at', within(DAY)),
  limit('certifications', 'acting_until', within(MINUTE)),
  // Both end after they are made.
  limit('portal_links', 'created_at', within(0)),
  limit('portal_sessions', 'created_at', within(0)),
  // As long as one may be asked for at the most.
  limit('portal_links', 'expires_at', within(7 * DAY)),
  limit('portal_sessions', 'expires_at', within(8 * HOUR)),
  limit('api_keys', 'previous_expires_at', within(30 * DAY)),
  limit('webhook_subscriptions', 'previous_secret_until', within(MAX_OVERLAP_HOURS * HOUR)),
];

/** Brings forward what would be due later than it can be: what was written while the clock was ahead. */
export async function limitDueDates(tx: Tx, now: Instant): Promise<void> {
  for (const { table, column, within } of DUE_DATES) {
    const latest = `$1::timestamptz + ${within}`;
    await tx.rows({
      text: `update ${table} set ${column} = ${latest} where ${column} > ${latest}`,
      values: [toUtcIso(now)],
    });
  }
}
