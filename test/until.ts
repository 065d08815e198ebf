import assert from 'node:assert/strict';
import type { Statement } from '../src/db/connection.ts';
import type { TestService } from './harness.ts';

/** Waiting in tests: for a condition, never for a duration. */

/** Time-out of a condition (milliseconds). No promise of the service: measurements are in bench/. */
const HANGS = 300_000;
/**
 * Between two checks: a tenth of what has been waited, within these bounds (milliseconds). Checks take processor time from
 * what they wait for.
 */
const PAUSE = { least: 10, most: 100 };

/** Polls until there is a result, and returns it; throws with the last state after the time-out. */
export async function until<T>(
  look: () => T | Promise<T>,
  instead: () => unknown = () => '',
): Promise<Exclude<T, false | null | undefined>> {
  const began = performance.now();
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, false | null | undefined>;
    const waited = performance.now() - began;
    if (waited > HANGS) assert.fail(`waited in vain: ${instead()}`);
    await pause(Math.min(PAUSE.most, Math.max(PAUSE.least, waited / 10)));
  }
}

const BEGAN = Date.now();
/** The tolerance for milliseconds that texts omit and for the skew of a database's clock (milliseconds). */
const ABOUT = 1_000;

/** Asserts that it is an instant of real time, since the start of this process. */
export function isNow(instant: number): void {
  const [from, to] = [BEGAN - ABOUT, Date.now() + ABOUT];
  assert.ok(instant >= from && instant <= to, `${instant} is not between ${from} and ${to}`);
}

/** A delay, for tests that simulate a slow peer. `until` waits for conditions. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The statement by which each worker polls for due work, and its table or queue. */
const LOOKS = {
  payments: { statement: 'claim-payments', table: 'payments' },
  webhooks: { statement: 'claim-deliveries', table: 'webhook_pending' },
  simulator: { statement: 'claim-simulator-steps', table: 'simulator_steps' },
};

/**
 * Waits until a worker of this service, polling from now on, finds nothing due twice and has finished its work: it will
 * do nothing more until the clock or a row changes.
 */
export async function nothingDue(service: TestService, worker: keyof typeof LOOKS): Promise<void> {
  const { statement: look, table } = LOOKS[worker];
  const db = service.deps.db as { rows: (statement: Statement) => Promise<{ lease: string }[]> };
  const { rows } = db;
  // Earlier claims: a poll that is running now is not counted below.
  const before = await db.rows({
    text: `select lease from ${table} where lease is not null and leased_until > clock_timestamp()`,
  });
  const leases = before.map(({ lease }) => lease);
  let emptyPolls = 0;
  db.rows = async (statement) => {
    const found = await rows(statement);
    if (statement.name === look) {
      emptyPolls = found.length === 0 ? emptyPolls + 1 : 0;
      leases.push(...found.map(({ lease }) => lease));
    }
    return found;
  };
  const held = { text: `select lease from ${table} where lease = any ($1::uuid[])`, values: [leases] };
  try {
    await until(async () => {
      service.deps.wakeups.wake();
      return emptyPolls >= 2 && (await rows(held)).length === 0;
    });
  } finally {
    db.rows = rows;
  }
}
