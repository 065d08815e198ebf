import type { Db } from '../db/connection.ts';

/** Counters that triggers increment with every change of data that processes cache. */
export type CounterName = 'access' | 'catalogue';

/** A version older than this is not trusted (milliseconds): changes must apply everywhere within a second. */
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
  /** The newest known version, or null when the last response of the database is too old. */
  current(name: CounterName): number | null;
  /** Reads now, and then periodically. May be called again, by a retried start. */
  start(): Promise<void>;
  /** Reads at once: after a change by this process. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** Business time minus real time in seconds, for a single use (the command line). */
export async function readOffset(db: Db): Promise<number> {
  const row = await db.first<{ offset_seconds: number }>({
    text: 'select offset_seconds from sandbox_clock',
  });
  return row?.offset_seconds ?? 0;
}

/**
 * Polls change_counters: PgBouncer-safe and correct without notifications. `onOffset` (sandbox deployments) gets
 * business time minus real time in seconds with every read.
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
    // An earlier read may finish later: it must not overwrite a newer result.
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
        // Logged once for each outage; no cache is used until the database responds again.
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
