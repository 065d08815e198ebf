import { DAY, HOUR, type Instant, MAX_AHEAD, MINUTE, SECOND, toUtcIso } from '../base/clock.ts';
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

/** Columns of due dates with the largest distance from now that their writers set; SQL. */
export const DUE_DATES: readonly Limit[] = [
  limit(
    'webhook_deliveries',
    'due_at',
    `make_interval(secs => (array[0, ${retries.join(', ')}])[least(retries, ${retries.length}) + 1])`,
  ),
  limit(
    'simulator_steps',
    'due_at',
    // The steps of a run keep their distances from the first waiting one.
    `(select make_interval(secs => r.every_seconds) + simulator_steps.due_at - min(s.due_at)
      from simulator_runs r join simulator_steps s on s.run_id = r.id and s.status = 'WAITING'
      where r.id = simulator_steps.run_id group by r.id)`,
  ),
  // An early look is harmless and finds the next due date.
  limit('payments', 'due_at', within(0)),
  limit('payments', 'send_due_at', within(0)),
  limit('payments', 'looked_at', within(0)),
  limit('payments', 'link_closed_at', within(0)),
  limit('payments', 'expires_at', within(DAY)),
  limit('sandbox_checkouts', 'expires_at', within(DAY)),
  // Reminders keep their distance from the visit; the others wait for a morning at most.
  limit(
    'customer_messages',
    'due_at',
    `case kind when 'DAY_BEFORE' then ${within(MAX_AHEAD)} else ${within(12 * HOUR)} end`,
  ),
  limit('idempotency_keys', 'claimed_at', within(0)),
  limit('idempotency_keys', 'expires_at', within(DAY)),
  limit('certifications', 'acting_until', within(MINUTE)),
  // Their ends follow from these.
  limit('portal_links', 'created_at', within(0)),
  limit('portal_sessions', 'created_at', within(0)),
  // The longest duration that a request may set.
  limit('portal_links', 'expires_at', within(7 * DAY)),
  limit('portal_sessions', 'expires_at', within(8 * HOUR)),
  limit('api_keys', 'previous_expires_at', within(30 * DAY)),
  limit('webhook_subscriptions', 'previous_secret_until', within(MAX_OVERLAP_HOURS * HOUR)),
];

/** Limits due dates that were written while the clock was ahead. */
export async function limitDueDates(tx: Tx, now: Instant): Promise<void> {
  for (const { table, column, within } of DUE_DATES) {
    const latest = `$1::timestamptz + ${within}`;
    await tx.rows({
      text: `update ${table} set ${column} = ${latest} where ${column} > ${latest}`,
      values: [toUtcIso(now)],
    });
  }
}
