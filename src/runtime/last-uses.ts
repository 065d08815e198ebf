import type { Instant } from '../base/clock.ts';

/** Milliseconds between two writes. */
const WRITE_INTERVAL = 5_000;

export type LastUses = {
  /** Records a use of the credential. */
  touch(id: string, now: Instant): void;
  /** Writes the pending uses. */
  close(): Promise<void>;
};

/** The last uses of credentials by id: collected in memory and written together periodically. */
export function recordLastUses(
  write: (uses: ReadonlyMap<string, Instant>) => Promise<void>,
  onError: (error: Error) => void,
): LastUses {
  let uses = new Map<string, Instant>();

  async function flush(): Promise<void> {
    if (uses.size === 0) return;
    const batch = uses;
    uses = new Map();
    await write(batch).catch(onError);
  }
  const timer = setInterval(flush, WRITE_INTERVAL);

  return {
    touch(id, now) {
      uses.set(id, now);
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
