import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Db } from '../db/connection.ts';
import { within } from '../db/within.ts';

/**
 * Wakes workers when there may be new work, so that they need not wait for their next poll. Only a hint: a worker that
 * misses it (a lost connection, a pooler that does not forward notifications) finds the work by polling.
 */
export type Wakeups = {
  /** There may be new work. Never fails; debounced. */
  wake(): void;
  /** Calls back when there may be new work, in this process or another; returns a function that unsubscribes. */
  onWake(listener: () => void): () => void;
  close(): Promise<void>;
};

/** Within one process: enough for an embedded database. */
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

const LISTEN = 'listen worker_wakeups';
// A notifying transaction has a commit record, which need not wait for the disk.
const NOTIFY = `select pg_notify('worker_wakeups', '') from set_config('synchronous_commit', 'off', true)`;
/** Milliseconds. Less than a poller's debounce, so that the process's own notification causes no second turn. */
const BATCH_DELAY = 5;
const RECONNECT_AFTER = 500;
/** Between two checks of the listening connection, and their time-out (milliseconds). */
const CHECK_INTERVAL = 5_000;

/**
 * Between processes by NOTIFY, debounced and sent after the commit: within the transactions it would make their commits
 * wait for each other (PostgreSQL holds one lock for all notifying commits until they are on disk). It listens over a
 * separate connection, opened when `listenFrom` settles (null: never) and again whenever it breaks.
 */
export function postgresWakeups(
  db: Db,
  listenFrom: Promise<void> | null,
  onError: (error: Error) => void,
): Wakeups {
  const local = localWakeups();
  const closing = new AbortController();
  let gathering: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let isFailing = false;

  function send(): void {
    gathering = null;
    sending = db.rows({ name: 'wake-workers', text: NOTIFY }).then(() => {}, onError);
  }

  /** Rejects when the connection is lost, and on closing. */
  async function listen(client: pg.ClientBase): Promise<never> {
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const signal = AbortSignal.any([closing.signal, ended.signal]);
    const ask = () =>
      within(CHECK_INTERVAL, client.query(LISTEN), () => new Error('the database does not respond'));
    try {
      client.on('notification', local.wake);
      await ask();
      isFailing = false;
      local.wake(); // for missed notifications
      for (;;) {
        await sleep(CHECK_INTERVAL, undefined, { signal });
        await ask(); // a repeated LISTEN is harmless, and detects a dead peer
      }
    } finally {
      db.breakOff(client);
    }
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await db.withClient(listen).catch((error) => {
        if (!closing.signal.aborted && !isFailing) onError(error);
        isFailing = true;
      });
      await sleep(RECONNECT_AFTER, undefined, { signal: closing.signal }).catch(() => {}); // closing
    }
  }
  // An unusable database refuses the start elsewhere.
  listenFrom?.then(keepListening, () => {});

  return {
    wake() {
      local.wake();
      if (!closing.signal.aborted) gathering ??= setTimeout(send, BATCH_DELAY);
    },
    onWake: local.onWake,
    async close() {
      closing.abort();
      if (gathering !== null) clearTimeout(gathering);
      await sending;
      await local.close();
    },
  };
}
