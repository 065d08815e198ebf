import type pg from 'pg';
import type { Db } from './connection.ts';
import { isDatabaseError } from './unavailable.ts';

/** The disk is full, or a write fails or hangs for another reason. */
export type WriteFault = 'disk-full' | 'write-failed';

export type WriteProbe = {
  /** null: the last write succeeded. */
  fault(): WriteFault | null;
  /** Writes when the next write is due. */
  tick(): void;
  /** Gives up the connection: the next write takes a new one, at once. */
  drop(): void;
};

/** Milliseconds between writes, and after which one that has no response is a fault. */
const INTERVAL = 2_000;
const RESPONSE_TIMEOUT = 3_000;

// What a booking needs: a commit, which waits for the disk of WAL and for a synchronous standby, and space for data. The
// sort exceeds its memory and takes half a megabyte of disk, which is free again after it. No table, no dead rows.
const WRITE = `
  begin;
  set local work_mem = '64kB';
  select count(*) from (select repeat('x', 16384) || i from generate_series(1, 32) i order by 1) blocks;
  select pg_logical_emit_message(true, 'partner-booking', 'probe');
  commit`;

/**
 * Probes writes by writing, over a connection of its own: a write that waits for a standby must not silence the probe of
 * the server. `onChange` is called with the error when writes begin to fail, and with null when they succeed again.
 */
export function probeWrites(db: Db, onChange: (error: Error | null) => void): WriteProbe {
  let client: pg.Client | null = null;
  let fault: WriteFault | null = null;
  let startedAt = performance.now();
  /** One at a time: a server that hangs would collect them. */
  let underWay: symbol | null = null;

  function judge(next: WriteFault | null, error: Error | null): void {
    if ((fault === null) !== (next === null)) onChange(error);
    fault = next;
  }

  function disconnect(): void {
    underWay = null;
    if (client !== null) db.breakOff(client);
    client = null;
  }

  async function write(own: symbol): Promise<void> {
    try {
      const open = client ?? (await db.open!());
      if (underWay !== own) return db.breakOff(open);
      client = open;
      await open.query(WRITE);
      if (underWay === own) judge(null, null);
    } catch (error) {
      if (underWay !== own) return;
      disconnect(); // its transaction has failed
      // A connection that breaks or cannot be opened is no failed write: the probe of the server judges it.
      if (isDatabaseError(error) && !/^(?:08|57P)/.test(error.code))
        judge(error.code === '53100' ? 'disk-full' : 'write-failed', error);
    } finally {
      if (underWay === own) underWay = null;
    }
  }

  return {
    fault: () => fault,
    tick() {
      const now = performance.now();
      if (underWay !== null) {
        if (now - startedAt > RESPONSE_TIMEOUT) judge('write-failed', new Error('a write has no response'));
      } else if (now - startedAt >= INTERVAL) {
        startedAt = now;
        underWay = Symbol();
        void write(underWay);
      }
    },
    drop() {
      startedAt = Number.NEGATIVE_INFINITY;
      disconnect();
    },
  };
}
