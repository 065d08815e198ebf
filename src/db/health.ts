import type pg from 'pg';
import type { Instant } from '../base/clock.ts';
import type { Db } from './connection.ts';
import { isDatabaseError } from './unavailable.ts';
import { within } from './within.ts';
import { probeWrites, type WriteFault } from './write-probe.ts';

export type DatabaseFault = 'unreachable' | 'read-only' | WriteFault;

export type Health = {
  /** null: the database is available and writable. */
  fault(): DatabaseFault | null;
  /** Resolves with the first response; rejects when none can ever come (password, name of the database). */
  answered: Promise<void>;
  close(): Promise<void>;
};

/** A response: the database's time, and the machine's times of request and response. */
export type Beat = { now: Instant; from: Instant; until: Instant };

export type HealthOptions = {
  /** The machine's clock. */
  machine(): Instant;
  onBeat(beat: Beat): void;
  /** Called once when the database becomes unavailable, and periodically while it is. */
  onAway(error: Error, milliseconds: number): void;
  onBack(milliseconds: number): void;
  /** Called with the error when writes begin to fail, and with null when they succeed again. */
  onWrites(error: Error | null): void;
};

/** Milliseconds. */
const CHECK_INTERVAL = 250;
const RESPONSE_TIMEOUT = 1_500;
/** The time in which a silent connection may still respond, once another one has (milliseconds). */
const GRACE = 1_000;
const RETRY_AFTER = 250;
const LOG_INTERVAL = 5_000;

// Without a name: behind a pooler the next one may run in another session.
const HEALTH_QUERY = {
  text: `select clock_timestamp() as now, current_setting('transaction_read_only') = 'on' as read_only`,
};

type Answer = Beat & { readOnly: boolean };

/**
 * Watches the database over a separate connection. While no connection can be opened, the pool is shut: requests are
 * refused at once, and this is the only probe. If its connection is silent while a new one works, all older connections
 * are closed (a failover, a lost host). Writes are probed by writing. An embedded database needs no watching.
 */
export function watchHealth(db: Db, { machine, onBeat, onAway, onBack, onWrites }: HealthOptions): Health {
  const { open } = db;
  if (open === null) return { fault: () => null, answered: Promise.resolve(), close: async () => {} };

  let client: pg.Client | null = null;
  let openedAt = 0;
  let fault: DatabaseFault | null = 'unreachable';
  const outage = createOutage(db, onAway, onBack);
  const writes = probeWrites(db, onWrites);
  let closed = false;
  const pauses = createPauses();
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => {}); // awaiting callers handle it
  let hasAnswered = false;

  async function connect(): Promise<pg.Client> {
    const since = performance.now();
    const fresh = await open!();
    openedAt = since;
    return fresh;
  }

  function heard(answer: Answer): void {
    outage.end(openedAt);
    // A standby that became the primary, or another one under the same name: what led to the old one goes.
    if (fault === 'read-only' && !answer.readOnly) db.discard(openedAt);
    fault = answer.readOnly ? 'read-only' : null;
    onBeat(answer);
    if (!hasAnswered) first.resolve();
    hasAnswered = true;
    if (!answer.readOnly) writes.tick();
  }

  async function beat(): Promise<void> {
    client ??= await connect();
    if (closed) return;
    const askedAt = performance.now();
    const asked = ask(client, machine);
    const answer = await within(RESPONSE_TIMEOUT, asked);
    if (answer !== null) return heard(answer);

    fault = 'unreachable';
    const silent = client;
    client = null;
    writes.drop();
    try {
      const fresh = await connect();
      const another = await within(RESPONSE_TIMEOUT, ask(fresh, machine)).catch(() => null);
      if (another === null) {
        db.breakOff(fresh);
        throw new Error('the database does not answer');
      }
      client = fresh;
      if (!(await isOnlySlow(asked))) db.discard(askedAt);
      heard(another);
    } catch (error) {
      db.discard(askedAt);
      throw error;
    } finally {
      db.breakOff(silent);
    }
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!closed) {
      try {
        await beat();
        failures = 0;
        if (fault === 'read-only') dropClient(); // a new connection may reach another server
        if (closed) break;
        await pauses.pause(CHECK_INTERVAL);
      } catch (error) {
        if (closed) break;
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error);
        if (!hasAnswered && isHopeless(cause)) return first.reject(error);
        failures++;
        // One broken connection does not mean that the database is unavailable.
        if (client === null || failures > 1) judge(cause);
        dropClient();
        await pauses.pause(RETRY_AFTER);
      }
    }
    // It may have been opened after `close` dropped the client.
    dropClient();
  }

  function judge(error: Error): void {
    fault = 'unreachable';
    // 53300: its connections are all taken, and those of the pool may well work.
    if (!isDatabaseError(error) || error.code !== '53300') outage.goOn(error);
  }

  function dropClient(): void {
    if (client !== null) db.breakOff(client);
    client = null;
    writes.drop();
  }

  const running = run();
  return {
    fault: () => fault ?? writes.fault(),
    answered: first.promise,
    async close() {
      closed = true;
      pauses.end();
      dropClient();
      await running;
    },
  };
}

/** An outage of the database: while there is one the pool is shut. */
function createOutage(
  db: Db,
  onAway: HealthOptions['onAway'],
  onBack: HealthOptions['onBack'],
): { goOn(error: Error): void; end(openedAt: number): void } {
  let awaySince: number | null = null;
  let loggedAt = 0;
  return {
    /** Begins the outage unless there is one. */
    goOn(error) {
      const now = performance.now();
      if (awaySince === null) {
        awaySince = now;
        db.shut();
      } else if (now - loggedAt < LOG_INTERVAL) return;
      loggedAt = now;
      onAway(error, now - awaySince);
    },
    /** Ends it, if there is one; older connections than the one opened at that time are closed. */
    end(openedAt) {
      if (awaySince === null) return;
      db.discard(Math.min(awaySince, openedAt));
      db.reopen();
      onBack(performance.now() - awaySince);
      awaySince = null;
    },
  };
}

async function ask(on: pg.Client, machine: HealthOptions['machine']): Promise<Answer> {
  const from = machine();
  const { rows } = await on.query<{ now: Instant; read_only: boolean }>(HEALTH_QUERY);
  return { now: rows[0]!.now, readOnly: rows[0]!.read_only, from, until: machine() };
}

/** Whether a silent connection answers after all. */
async function isOnlySlow(asked: Promise<Answer>): Promise<boolean> {
  const answered = asked.then(
    () => true,
    () => false,
  );
  return (await within(GRACE, answered)) === true;
}

/** Pauses that can be cut short; one at a time. */
function createPauses(): { pause(milliseconds: number): Promise<void>; end(): void } {
  let wakeUp = (): void => {};
  return {
    pause: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => wakeUp(),
  };
}

/** Waiting would not mend it: the password, or the name of the role or database. */
function isHopeless(error: Error): boolean {
  return isDatabaseError(error) && (error.code.startsWith('28') || error.code === '3D000');
}
