import type { Instant } from '../base/clock.ts';

/** The sliding window of section 8, in milliseconds. */
export const WINDOW = 60_000;

export type Verdict = {
  allowed: boolean;
  /** Requests left in the window after this one. */
  remaining: number;
  /** Milliseconds until the window has room for one request more than now. */
  resetAfter: number;
};

/**
 * An exact sliding log for each key: a request is allowed when fewer than `limit` allowed ones lie in the WINDOW before
 * it. A refused request does not count.
 */
export type RateLimiter = {
  take(key: string, limit: number, now: Instant): Verdict | Promise<Verdict>;
  close(): Promise<void>;
};

export type MemoryRateLimiter = Omit<RateLimiter, 'take'> & {
  take(key: string, limit: number, now: Instant): Verdict;
  /** Keys with a log in memory. */
  readonly keys: number;
};

/** Windows in the memory of this process; beyond `maxKeys` the oldest is dropped. */
export function memoryRateLimiter(maxKeys = Number.POSITIVE_INFINITY): MemoryRateLimiter {
  const logs = new Map<string, Instant[]>();
  let takes = 0;

  function sweep(now: Instant): void {
    for (const [key, log] of logs) {
      if ((log.at(-1) ?? 0) <= now - WINDOW) logs.delete(key);
    }
  }

  return {
    take(key, limit, now) {
      // Frees the memory of idle keys; rarely, because it visits every key.
      if (++takes % 10_000 === 0) sweep(now);
      let log = logs.get(key);
      if (log === undefined) {
        if (logs.size >= maxKeys) logs.delete(logs.keys().next().value!);
        log = [];
        logs.set(key, log);
      }
      // A sandbox's clock went back: requests of its future must not count.
      if ((log.at(-1) ?? 0) > now + WINDOW) log.length = 0;
      const expired = log.findIndex((at) => at > now - WINDOW);
      if (expired !== 0) log.splice(0, expired === -1 ? log.length : expired);
      const allowed = log.length < limit;
      if (allowed) log.push(now);
      // After a limit was lowered the log may hold more than fits: the last of the surplus must expire.
      const blocker = log[Math.max(0, log.length - limit)] ?? now;
      return { allowed, remaining: Math.max(0, limit - log.length), resetAfter: blocker + WINDOW - now };
    },
    async close() {},
    get keys() {
      return logs.size;
    },
  };
}
