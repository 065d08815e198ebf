import assert from 'node:assert/strict';
import type { Statement } from '../src/db/connection.ts';
import type { TestService } from './harness.ts';

/** How tests wait: for what is to happen, never for a while. */

/** The end of a test that waits in vain (milliseconds). No promise of the service: those of time are in bench/. */
const HANGS = 300_000;
/** Between two looks (milliseconds). */
const PAUSE = 10;

/** Looks again and again until there is something, and answers it; throws, with what there is instead, when it hangs. */
export async function until<T>(
  look: () => T | Promise<T>,
  instead: () => unknown = () => '',
): Promise<Exclude<T, false | null | undefined>> {
  const end = performance.now() + HANGS;
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, false | null | undefined>;
    if (performance.now() > end) assert.fail(`waited in vain: ${instead()}`);
    await pause(PAUSE);
  }
}

const BEGAN = Date.now();
/** What texts leave out of an instant, and what the clock of a database may differ by (milliseconds). */
const ABOUT = 1_000;

/** Is it an instant of real time, read since this process began? However long that was ago. */
export function isNow(instant: number): void {
  const [from, to] = [BEGAN - ABOUT, Date.now() + ABOUT];
  assert.ok(instant >= from && instant <= to, `${instant} is not between ${from} and ${to}`);
}

/** So long, for tests that stand in for somebody slow. What is waited for has `until`. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The statement with which each worker of the service looks for what is due, and what it takes its work from. */
const LOOKS = {
  payments: { statement: 'claim-payments', table: 'payments' },
  webhooks: { statement: 'claim-deliveries', table: 'webhook_pending' },
  simulator: { statement: 'claim-simulator-steps', table: 'simulator_steps' },
};

/**
 * Waits until a worker of this service, looking from this moment on, finds nothing due twice and has ended what it
 * began meanwhile: what it has not done by then it will not do before the clock or a row moves.
 */
export async function nothingDue(service: TestService, worker: keyof typeof LOOKS): Promise<void> {
  const { statement: look, table } = LOOKS[worker];
  const db = service.deps.db as { rows: (statement: Statement) => Promise<{ lease: string }[]> };
  const { rows } = db;
  // What was claimed before: a look that is under way now is not seen below.
  const before = await db.rows({
    text: `select lease from ${table} where lease is not null and leased_until > clock_timestamp()`,
  });
  const leases = before.map(({ lease }) => lease);
  let inVain = 0;
  db.rows = async (statement) => {
    const found = await rows(statement);
    if (statement.name === look) {
      inVain = found.length === 0 ? inVain + 1 : 0;
      leases.push(...found.map(({ lease }) => lease));
    }
    return found;
  };
  const held = { text: `select lease from ${table} where lease = any ($1::uuid[])`, values: [leases] };
  try {
    await until(async () => {
      service.deps.wakeups.wake();
      return inVain >= 2 && (await rows(held)).length === 0;
    });
  } finally {
    db.rows = rows;
  }
}
