/**
 * Which keys are writing, and whether they have since: what decides whether a key may read from a replica
 * (src/runtime/replica.ts). A write is marked before it begins and its mark is taken away after it, so that one whose end
 * was not heard of counts as a write.
 */

export type WriteState = {
  /** A write of the key may be under way. */
  open: boolean;
  /** Of the write that ended last; another one after each. null: none for as long as marks are kept. */
  version: string | null;
};

export type WriteMarks = {
  /** `mark` is unique. Others see it when what is returned has resolved. */
  begin(key: string, mark: string): void | Promise<void>;
  end(key: string, mark: string): void;
  /** null: what others do is not known. */
  state(key: string): WriteState | null | Promise<WriteState | null>;
};

/** Milliseconds for which a mark is kept: longer than a request may take, and than a replica in use may be behind. */
export const KEPT = 60_000;

type Entry = {
  /** The ends of their times. */
  open: Map<string, number>;
  version: string | null;
  /** When it was last touched. */
  at: number;
};

export type MemoryWriteMarks = Omit<WriteMarks, 'state'> & {
  state(key: string): WriteState;
  readonly keys: number;
};

/** Marks in the memory of this process. Beyond `maxKeys` the key that was silent longest is forgotten. */
export function memoryWriteMarks(
  maxKeys = 100_000,
  now: () => number = () => performance.now(),
): MemoryWriteMarks {
  /** By when they were last touched, oldest first. */
  const entries = new Map<string, Entry>();
  /** Until then something is missing that should still be known. */
  let forgottenUntil = 0;

  function touch(key: string): Entry {
    const entry = entries.get(key) ?? { open: new Map<string, number>(), version: null, at: 0 };
    entries.delete(key);
    entry.at = now();
    entries.set(key, entry);
    if (entries.size > maxKeys) sweep();
    return entry;
  }

  function sweep(): void {
    for (const [key, { at }] of entries) {
      const isOld = at <= now() - KEPT;
      if (!isOld && entries.size <= maxKeys) return;
      entries.delete(key);
      if (!isOld) forgottenUntil = now() + KEPT;
    }
  }

  return {
    begin(key, mark) {
      touch(key).open.set(mark, now() + KEPT);
    },
    end(key, mark) {
      const entry = touch(key);
      entry.open.delete(mark);
      entry.version = mark;
    },
    state(key) {
      const entry = entries.get(key);
      if (entry === undefined) {
        // It may have been this key that was forgotten.
        return { open: now() < forgottenUntil, version: null };
      }
      for (const [mark, until] of entry.open) if (until <= now()) entry.open.delete(mark);
      return { open: entry.open.size > 0, version: entry.version };
    },
    get keys() {
      return entries.size;
    },
  };
}
