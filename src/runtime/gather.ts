import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds after which a statement that is still under way gives up its place. */
const SLOW = 50;

type Limits = {
  /** Keys of one statement at the most. */
  maxKeys: number;
  /** Statements at once. */
  maxRunning: number;
};

/** Looks up several keys at once; the values come in their order. One key is a list of one. */
export type Lookup<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>;

type Waiting<Key, Value> = {
  key: Key;
  /** Runs work in the context of its request, so that its trace has it. */
  inContext: <T>(work: () => T) => T;
  resolve(value: Value): void;
  reject(error: unknown): void;
};

/**
 * Batches lookups of one turn of the event loop, and those that arrive while `maxRunning` statements are under way. Beside
 * one under way another begins when as many wait for it as share that one: else the first responses of a batch would
 * split it. No lookup waits for a timer, and none gets the response of a statement that began before it.
 */
function gather<Key, Value>(
  { maxKeys, maxRunning }: Limits,
  run: (batch: Waiting<Key, Value>[]) => Promise<void>,
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = [];
  let running = 0;
  /** Of the statements that are running. */
  let keysRunning = 0;
  let isScheduled = false;

  const mayStart = (): boolean => waiting.length > 0 && running < maxRunning && waiting.length >= keysRunning;

  function schedule(): void {
    if (isScheduled || !mayStart()) return;
    isScheduled = true;
    // After the sockets that are readable in this turn have been read.
    setImmediate(start);
  }

  function start(): void {
    isScheduled = false;
    while (mayStart()) {
      const batch = waiting.length > maxKeys ? waiting.splice(0, maxKeys) : waiting;
      if (batch === waiting) waiting = [];
      void runInPlace(batch);
    }
  }

  async function runInPlace(batch: Waiting<Key, Value>[]): Promise<void> {
    running++;
    keysRunning += batch.length;
    let holdsPlace = true;
    const leave = (): void => {
      if (!holdsPlace) return;
      holdsPlace = false;
      running--;
      keysRunning -= batch.length;
      schedule();
    };
    const slow = setTimeout(leave, SLOW);
    slow.unref();
    try {
      await run(batch);
    } finally {
      clearTimeout(slow);
      leave();
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, inContext: AsyncLocalStorage.snapshot(), resolve, reject });
      schedule();
    });
}

/**
 * Lookups that arrive together share a statement (`gather`), so a response is as fresh as one of its own. When a shared
 * statement fails, each key is looked up alone: only for lookups, which may be repeated.
 */
export function gatherLookups<Key, Value>(
  lookup: Lookup<Key, Value>,
  limits: Limits,
): (key: Key) => Promise<Value> {
  /** Never rejects. */
  async function lookupAlone({ key, inContext, resolve, reject }: Waiting<Key, Value>): Promise<void> {
    await Promise.try(() => inContext(() => lookup([key]))).then(([value]) => resolve(value!), reject);
  }
  return gather(limits, async (batch) => {
    if (batch.length === 1) return lookupAlone(batch[0]!);
    let values: readonly Value[];
    try {
      values = await lookup(batch.map(({ key }) => key));
    } catch {
      await Promise.all(batch.map(lookupAlone));
      return;
    }
    for (const [index, { resolve }] of batch.entries()) resolve(values[index]!);
  });
}
