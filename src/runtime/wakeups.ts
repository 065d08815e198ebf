import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Db } from '../db/connection.ts';

/**
 * Wakes workers when there may be new work, so that they need not wait for their next poll. Only a hint: a
 * worker that misses it (a lost connection, a pooler that does not forward notifications) finds the work by polling.
 */
export type Wakeups = {
  /** There may be new work. Never fails; many calls become one message. */
  wake(): void;
  /** Calls back when there may be new work, in this process or another; returns a function that stops it. */
  onWake(listener: () => void): () => void;
  close(): Promise<void>;
  /** Milliseconds within which wake-ups are one turn of a poller; left out: its own. */
  gather?: number;
};

/** Within one process: all that an embedded database needs. */
export function localWakeups(): Wakeups {
  const listeners = new Set<() => void>();
  return {
    wake() {
      for (const listener of listeners) listener();
    },
    onWake(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
    },
  };
}

const CHANNEL = 'worker_wakeups';
/** Other processes hear of new work at most this much later (milliseconds), however much there is. */
const BATCH_DELAY = 20;
// A notifying transaction has a commit record, and nobody has to wait until that hint is on disk.
const NOTIFY = `select pg_notify('${CHANNEL}', $1) from set_config('synchronous_commit', 'off', true)`;
const RECONNECT = [100, 500, 2_000, 5_000];
/** Interval of the health check of the listening connection, and the time within which it must respond. */
const CHECK_INTERVAL = 5_000;

/**
 * Between processes by NOTIFY, sent after the work is committed and gathered: a NOTIFY within the transactions would
 * make their commits wait for each other (PostgreSQL holds one lock for all notifying commits until they are on disk).
 * Whoever listens does so over a connection of its own, opened when `listenFrom` settles (null: never) and made again
 * whenever it breaks.
 */
export function postgresWakeups(
  db: Db,
  databaseUrl: string,
  listenFrom: Promise<void> | null,
  onError: (error: Error) => void,
): Wakeups {
  const local = localWakeups();
  /** What this process sends names it: it has heard of that already. */
  const self: string = randomUUID();
  let gathering: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let closed = false;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let failures = 0;

  function send(): void {
    gathering = null;
    sending = db.rows({ name: 'wake-workers', text: NOTIFY, values: [self] }).then(
      () => {},
      (error) => onError(error as Error),
    );
  }

  function connect(): void {
    retry = null;
    const fresh = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'partner-booking wakeups',
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: CHECK_INTERVAL,
    });
    client = fresh;
    let over = false;
    let asking: NodeJS.Timeout | null = null;
    const lost = (error: Error | null): void => {
      if (over) return;
      over = true;
      if (asking !== null) clearInterval(asking);
      fresh.end().catch(() => {}); // it is broken already
      if (closed) return;
      if (error !== null && failures === 0) onError(error);
      retry = setTimeout(connect, RECONNECT[Math.min(failures++, RECONNECT.length - 1)]);
    };
    fresh.on('error', lost);
    fresh.on('end', () => lost(null));
    fresh.on('notification', ({ payload }) => {
      if (payload !== self) local.wake();
    });
    fresh
      .connect()
      .then(() => fresh.query(`listen ${CHANNEL}`))
      .then(
        () => {
          failures = 0;
          local.wake(); // what was missed meanwhile
          // Who only listens would never learn that the other side is gone.
          if (!over) asking = setInterval(() => fresh.query('select 1').catch(lost), CHECK_INTERVAL);
        },
        (error) => lost(error as Error),
      );
  }
  listenFrom?.then(
    () => {
      if (!closed) connect();
    },
    () => {}, // the database cannot be used at all: the start is refused
  );

  return {
    wake() {
      local.wake();
      if (!closed) gathering ??= setTimeout(send, BATCH_DELAY);
    },
    onWake: local.onWake,
    async close() {
      closed = true;
      if (gathering !== null) clearTimeout(gathering);
      if (retry !== null) clearTimeout(retry);
      await sending;
      // Not waited for: one that fell silent would never say goodbye.
      void client?.end().catch(() => {}); // a broken connection is closed already
      await local.close();
    },
  };
}
