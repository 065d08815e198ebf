import { DatabaseUnavailableError } from './unavailable.ts';

/**
 * Limits the uses of the pool's connections, in total and by key: each caller that waits for a locked row holds a
 * connection, and callers of the same row must not hold them all.
 */
export type Gate = {
  /** Undefined: at once. Throws DatabaseUnavailableError when shut, and when no place was free in time. */
  enter(key: string | undefined): Promise<void> | undefined;
  leave(key: string | undefined): void;
  /** Refuses waiting and new callers, until `reopen`. Admitted ones stay. */
  shut(): void;
  reopen(): void;
  waiting(): number;
};

export type GateOptions = { places: number; placesForOneKey: number; maxWait: number };

type Waiting = { key: string | undefined; admit(): void; refuse(error: Error): void };

/**
 * A gate for a pool with that many places, of which one key can have `placesForOneKey`. Callers are admitted first in,
 * first out, except those whose key has no place, and refused after `maxWait` milliseconds. Each successful `enter`
 * needs one `leave` with the same key.
 */
export function createGate({ places, placesForOneKey, maxWait }: GateOptions): Gate {
  let free = places;
  let isShut = false;
  const inside = new Map<string, number>();
  const queue = new Set<Waiting>();

  const isAdmissible = (key: string | undefined): boolean =>
    free > 0 && (key === undefined || (inside.get(key) ?? 0) < placesForOneKey);

  function take(key: string | undefined): void {
    free--;
    if (key !== undefined) inside.set(key, (inside.get(key) ?? 0) + 1);
  }

  function admitWaiting(): void {
    for (const waiting of queue) {
      if (free === 0) return;
      if (!isAdmissible(waiting.key)) continue;
      queue.delete(waiting);
      take(waiting.key);
      waiting.admit();
    }
  }

  function refused(): Error {
    return new DatabaseUnavailableError('the database is away');
  }

  return {
    enter(key) {
      if (isShut) throw refused();
      if (isAdmissible(key)) {
        take(key);
        return undefined;
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          queue.delete(waiting);
          reject(new DatabaseUnavailableError('no connection of the pool was free in time'));
        }, maxWait);
        const waiting: Waiting = {
          key,
          admit() {
            clearTimeout(timer);
            resolve();
          },
          refuse(error) {
            clearTimeout(timer);
            reject(error);
          },
        };
        queue.add(waiting);
      });
    },
    leave(key) {
      free++;
      if (key !== undefined) {
        const others = inside.get(key)! - 1;
        if (others === 0) inside.delete(key);
        else inside.set(key, others);
      }
      admitWaiting();
    },
    shut() {
      isShut = true;
      for (const waiting of queue) waiting.refuse(refused());
      queue.clear();
    },
    reopen() {
      isShut = false;
    },
    waiting: () => queue.size,
  };
}
