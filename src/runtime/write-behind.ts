import { isUnavailable } from '../db/unavailable.ts';

/** Milliseconds between two writes. */
const WRITE_INTERVAL = 500;

export type WriteBehind<Item> = {
  /** Takes the item; it is written soon, or dropped when too much waits already. Never throws. */
  add(item: Item, bytes: number): void;
  /** Writes what waits, and returns when it is written or dropped. Never throws. */
  flush(): Promise<void>;
  /** Writes what is left. */
  close(): Promise<void>;
};

export type WriteBehindOptions<Item> = {
  /** Writes the items, and reports how many more are done with. */
  write(items: readonly Item[], done: (count: number) => void): Promise<void>;
  /** Items that wait at once, and what they weigh together. */
  maxItems: number;
  maxBytes: number;
  /** Why items were lost: too many waited, or they could not be written. */
  onDropped(why: 'full' | 'database' | 'error', count: number): void;
  onError(error: Error): void;
};

/**
 * What is noted beside the work and must not hold it up: kept in memory and written together twice a second, one write
 * at a time. What cannot be written is dropped and counted, not tried again: a database that comes back has other work.
 */
export function createWriteBehind<Item>({
  write,
  maxItems,
  maxBytes,
  onDropped,
  onError,
}: WriteBehindOptions<Item>): WriteBehind<Item> {
  let waiting: Item[] = [];
  let weight = 0;
  let writing: Promise<void> | null = null;
  let failing = false;

  async function writeOnce(): Promise<void> {
    const taken = waiting;
    let left = taken.length;
    waiting = [];
    weight = 0;
    try {
      await write(taken, (done) => {
        left -= done;
      });
      failing = false;
    } catch (error) {
      onDropped(isUnavailable(error) ? 'database' : 'error', left);
      // One line for an outage, not two a second.
      if (!failing) onError(error as Error);
      failing = true;
    }
  }

  async function flush(): Promise<void> {
    // What was added since the write under way began is of the next one.
    while (writing !== null) await writing;
    if (waiting.length === 0) return;
    writing = writeOnce().finally(() => {
      writing = null;
    });
    await writing;
  }

  const timer = setInterval(() => {
    if (writing === null) void flush();
  }, WRITE_INTERVAL);

  return {
    add(item, bytes) {
      if (waiting.length >= maxItems || weight + bytes > maxBytes) {
        onDropped('full', 1);
        return;
      }
      waiting.push(item);
      weight += bytes;
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
