import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '../db/connection.ts';
import { isDatabaseError } from '../db/unavailable.ts';

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
 * Batches what is asked for in one turn of the event loop, and what arrives while `maxRunning` statements are under way. Beside
 * one under way another begins when as many wait for it as share that one: else the first responses of a batch would
 * split it. Nothing waits for a timer, and nothing gets the response of a statement that began before it.
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

/** The result of one item of a batch, or its refusal when called; null: the item must run alone. */
export type Outcome<Result> = (() => Result) | null;

/**
 * Runs changes in one transaction, all or none; results come in their order. One item is a list of one, which may wait for
 * a lock. More must not wait for one of them: null for those whose turn it is not.
 */
export type RunChanges<Item, Result> = (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;

/**
 * Changes that arrive together share a transaction (`gather`). When the database refuses it, and so has rolled it back,
 * each runs alone, as do those whose outcome is null: what is wrong with one concerns no other. Without a response of
 * the database nobody knows whether they were made, and all get the error. A traced one always runs alone, because the
 * events of a transaction name one trace.
 */
export function gatherChanges<Item, Result>(
  db: Db,
  run: RunChanges<Item, Result>,
  limits: Limits,
): (item: Item) => Promise<Result> {
  const alone = async (item: Item): Promise<Result> => (await run([item]))[0]!();
  const runAlone = async ({ key, inContext, resolve, reject }: Waiting<Item, Result>): Promise<void> => {
    await inContext(() => alone(key)).then(resolve, reject);
  };
  const share = gather<Item, Result>(limits, async (batch) => {
    if (batch.length === 1) return runAlone(batch[0]!);
    let outcomes: readonly Outcome<Result>[];
    try {
      outcomes = await run(batch.map(({ key }) => key));
    } catch (error) {
      const isRolledBack = isDatabaseError(error) && error.severity === 'ERROR';
      if (!isRolledBack) for (const { reject } of batch) reject(error);
      else void Promise.all(batch.map(runAlone));
      return;
    }
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index]!;
      if (outcome === null) void runAlone(waiting);
      else Promise.try(outcome).then(waiting.resolve, waiting.reject);
    }
  });
  return (item) => (db.isTraced() ? alone(item) : share(item));
}
