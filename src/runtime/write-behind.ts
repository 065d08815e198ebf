import { isUnavailable } from '../db/unavailable.ts';

/** Milliseconds between two writes. */
const WRITE_INTERVAL = 500;

export type WriteBehind<Item> = {
  /** Buffers the item; it is written soon, or dropped when the buffer is full. Never throws. */
  add(item: Item, bytes: number): void;
  /** Writes the buffer, and resolves when it is written or dropped. Never throws. */
  flush(): Promise<void>;
  /** Writes the rest. */
  close(): Promise<void>;
};

export type WriteBehindOptions<Item> = {
  /** Writes the items, and reports progress by the number of finished ones. */
  write(items: readonly Item[], done: (count: number) => void): Promise<void>;
  /** Limits of the buffer: items, and their bytes together. */
  maxItems: number;
  maxBytes: number;
  /** Why items were lost: the buffer was full, or the write failed. */
  onDropped(why: 'full' | 'database' | 'error', count: number): void;
  onError(error: Error): void;
};

/**
 * Records that must not delay requests: buffered in memory and written together, one write at a time. A failed write is
 * dropped and counted, not retried: a database that comes back has other work.
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
      // One line for an outage, not one for each write.
      if (!failing) onError(error as Error);
      failing = true;
    }
  }

  async function flush(): Promise<void> {
    // Items that were added during the current write belong to the next one.
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
