import { type Signal, signal } from '@preact/signals';
import type { SeenPlan } from './changes.ts';
import type { CrewDay } from './contract.ts';
import type { QueuedStep, RefusedStep } from './steps.ts';

/** Storage of the telephone: the last list, steps that are not sent, and refused ones that nobody has seen. */

export type KeptDay = {
  teamId: string;
  teamName: string;
  teamNameAr: string;
  day: CrewDay | null;
  /** The plan that the crew has seen; null: no list was read. */
  seen?: SeenPlan | null;
  /** Keys of the changes that it was alarmed about. */
  alarmed?: readonly string[];
  /** By the telephone's clock. */
  readAt: number;
  /** Milliseconds by which the service's clock was ahead at its last answer. */
  ahead: number;
  /** When the link ends, by the service's time; null: when it is revoked. */
  endsAt: string | null;
};

/** Whether the telephone keeps nothing: its storage is full or refused. */
export const keepsNothing = signal(false);

// ---------------------------------------------------------------------------
// IndexedDB

const STORE = 'kept';
/** Milliseconds: some browsers never answer the first opening. */
const OPENS_WITHIN = 3_000;

let opening: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('crew', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    setTimeout(() => reject(new Error('the storage does not open')), OPENS_WITHIN);
  });
  return opening;
}

/** Reads a value, and writes what `by` makes of it in the same transaction; resolves once it is on the disk. */
async function exchange<T>(name: string, by: ((stored: T | undefined) => T) | null): Promise<T | undefined> {
  try {
    const open = await database();
    return await new Promise((resolve, reject) => {
      const mode = by === null ? 'readonly' : 'readwrite';
      const transaction = open.transaction(STORE, mode, { durability: 'strict' });
      const store = transaction.objectStore(STORE);
      const stored: IDBRequest<T | undefined> = store.get(name);
      let next: T | undefined;
      stored.onsuccess = () => {
        next = by === null ? stored.result : by(stored.result);
        if (by !== null) store.put(next, name);
      };
      transaction.oncomplete = () => resolve(next);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch (error) {
    // The connection may be lost; the next call opens another.
    opening = null;
    throw error;
  }
}

// ---------------------------------------------------------------------------
// What is kept

type Kept<T> = Signal<T> & {
  /** Changes what is kept now, also by another tab, then shows it. Returns whether it is on the disk. */
  change(by: (value: T) => T): Promise<boolean>;
  /** Shows what is kept now, also by another tab. */
  read(): Promise<void>;
};

function kept<T>(name: string, initial: T): Kept<T> {
  const value = signal<T>(initial);
  /** Whether what is shown could not be written. */
  let isAhead = false;
  const show = (next: T): void => {
    if (JSON.stringify(next) !== JSON.stringify(value.peek())) value.value = next;
  };
  return Object.assign(value, {
    async change(by: (value: T) => T): Promise<boolean> {
      try {
        show((await exchange<T>(name, (stored) => by(isAhead ? value.peek() : (stored ?? initial))))!);
        isAhead = false;
      } catch {
        show(by(value.peek()));
        isAhead = true;
      }
      keepsNothing.value = isAhead;
      return !isAhead;
    },
    async read(): Promise<void> {
      if (isAhead) return;
      try {
        show((await exchange<T>(name, null)) ?? initial);
      } catch {
        keepsNothing.value = true;
      }
    },
  });
}

export const keptDay = kept<KeptDay | null>('day', null);
export const queue = kept<readonly QueuedStep[]>('queue', []);
export const refusedSteps = kept<readonly RefusedStep[]>('refused', []);

/** Shows what the telephone keeps, also by another tab. */
export async function readKept(): Promise<void> {
  await Promise.all([keptDay.read(), queue.read(), refusedSteps.read()]);
}

/** Moves the unsent steps of a build before IndexedDB, and removes its list. */
export async function takeOverStorage(): Promise<void> {
  try {
    const steps: QueuedStep[] = JSON.parse(localStorage.getItem('crew.queue') ?? '[]');
    if (steps.length > 0 && !(await queue.change((later) => [...steps, ...later]))) return;
    for (const name of ['queue', 'day', 'refused']) localStorage.removeItem(`crew.${name}`);
  } catch {
    // Storage that is refused had nothing.
  }
}

/** The service's time at this time of the telephone. */
export const serviceTime = (at: number): number => at + (keptDay.value?.ahead ?? 0);
