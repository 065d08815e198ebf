import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds after which a statement that is still under way keeps nobody waiting any more. */
const SLOW = 100;

export type Gathering<Key, Value> = {
  /** The lookup for one: a question without company is asked as it always was. */
  one(key: Key): Promise<Value>;
  /** The lookups of several at once, in the order of the keys. */
  many(keys: readonly Key[]): Promise<readonly Value[]>;
  /** Keys of one statement at the most. */
  maxKeys: number;
  /** Statements at once. */
  maxRunning: number;
};

type Waiting<Key, Value> = {
  key: Key;
  /** Runs work for the request that asked, so that its trace has it. */
  inContext: <T>(work: () => T) => T;
  resolve(value: Value): void;
  reject(error: Error): void;
};

/**
 * Lookups that arrive together share a statement: those of one turn of the event loop, and those that come while
 * `maxRunning` statements are under way. Nobody waits for a timer, and none is answered from a statement that began before
 * it was asked, so an answer is as fresh as one of its own. When a shared statement fails, each of its questions is asked
 * alone: only for lookups, which may be repeated.
 */
export function gatherLookups<Key, Value>({
  one,
  many,
  maxKeys,
  maxRunning,
}: Gathering<Key, Value>): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || running >= maxRunning) return;
    isScheduled = true;
    // After the sockets that are readable in this turn have been read.
    setImmediate(start);
  }

  function start(): void {
    isScheduled = false;
    while (waiting.length > 0 && running < maxRunning) {
      const batch = waiting.length > maxKeys ? waiting.splice(0, maxKeys) : waiting;
      if (batch === waiting) waiting = [];
      void run(batch);
    }
  }

  async function run(batch: Waiting<Key, Value>[]): Promise<void> {
    running++;
    let holdsPlace = true;
    const leave = (): void => {
      if (!holdsPlace) return;
      holdsPlace = false;
      running--;
      if (waiting.length > 0) schedule();
    };
    const slow = setTimeout(leave, SLOW);
    slow.unref();
    try {
      if (batch.length === 1) await alone(batch[0]!);
      else await together(batch);
    } finally {
      clearTimeout(slow);
      leave();
    }
  }

  async function alone({ key, inContext, resolve, reject }: Waiting<Key, Value>): Promise<void> {
    await inContext(() => one(key)).then(resolve, reject);
  }

  async function together(batch: Waiting<Key, Value>[]): Promise<void> {
    let values: readonly Value[];
    try {
      values = await many(batch.map(({ key }) => key));
    } catch {
      await Promise.all(batch.map(alone));
      return;
    }
    for (const [index, { resolve }] of batch.entries()) resolve(values[index]!);
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, inContext: AsyncLocalStorage.snapshot(), resolve, reject });
      schedule();
    });
}
