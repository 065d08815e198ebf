import type { Db } from '../db/connection.ts';

/** Numbers that triggers move with every change of what processes keep in memory. */
export type CounterName = 'access' | 'catalogue';

/** A version older than this is not trusted: changes must work everywhere within a second. */
const MAX_AGE = 900;
const POLL_INTERVAL = 300;

const COUNTERS = {
  name: 'change-counters',
  text: 'select name, version from change_counters',
};
const COUNTERS_AND_OFFSET = {
  name: 'change-counters-and-offset',
  text: 'select name, version, (select offset_seconds from sandbox_clock) as offset_seconds from change_counters',
};

export type VersionWatch = {
  /** The newest version known, or null when the database has not answered for too long to be sure. */
  current(name: CounterName): number | null;
  /** Looks, and from then on every 300 ms. May be called again, as a start that is tried again does. */
  start(): Promise<void>;
  /** Asks the database at once: after a change made by this process. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** How many seconds business time runs ahead of real time: for who needs it once (the command line). */
export async function readOffset(db: Db): Promise<number> {
  const row = await db.first<{ offset_seconds: number }>({
    text: 'select offset_seconds from sandbox_clock',
  });
  return row?.offset_seconds ?? 0;
}

/**
 * Watches change_counters by asking every 300 ms: PgBouncer-safe and right without any notification. `onOffset` (sandbox
 * deployments) hears at every look how many seconds business time runs ahead.
 */
export function watchVersions(
  db: Db,
  onError: (error: Error) => void,
  onOffset: ((seconds: number) => void) | null = null,
): VersionWatch {
  const versions = new Map<CounterName, number>();
  let seenAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  let failing = false;
  let closed = false;

  async function look(): Promise<void> {
    const askedAt = performance.now();
    const rows = await db.rows<{ name: CounterName; version: number; offset_seconds: number | null }>(
      onOffset === null ? COUNTERS : COUNTERS_AND_OFFSET,
    );
    failing = false;
    // A look that began earlier may be answered later: it would take back what a change has just set.
    if (askedAt < seenAt) return;
    for (const { name, version } of rows) versions.set(name, version);
    seenAt = askedAt;
    onOffset?.(rows[0]?.offset_seconds ?? 0);
  }

  let timer: NodeJS.Timeout | undefined;
  function lookAgain(): void {
    if (looking) return;
    looking = look()
      .catch((error) => {
        // Logged once for each outage; nothing cached is used until the database responds again.
        if (!failing) onError(error as Error);
        failing = true;
      })
      .finally(() => {
        looking = null;
      });
  }

  return {
    current: (name) => (performance.now() - seenAt <= MAX_AGE ? (versions.get(name) ?? null) : null),
    async start() {
      await look();
      if (!closed) timer ??= setInterval(lookAgain, POLL_INTERVAL);
    },
    refresh: look,
    async close() {
      closed = true;
      clearInterval(timer);
      await looking;
    },
  };
}
