import type { Address, Resolved } from './dns.ts';

/** Cached names; beyond, the one resolved first is dropped. */
const MAX_NAMES = 10_000;
/** The maximum of TTLs, so that a receiver that moves is found within this time (milliseconds). */
const LONGEST = 300_000;

export type Names = {
  /** The addresses of a host name; null when there are none, or the signal aborts. */
  addressesOf(hostname: string, signal: AbortSignal): Promise<Address[] | null>;
  /** Drops a name, whose addresses did not respond. */
  forget(hostname: string): void;
};

/**
 * Caches addresses for their TTL, up to LONGEST, by `now` (milliseconds of a monotonic clock). Failures are not cached,
 * nor the result of one family when the other failed: it may have addresses that must be checked too.
 */
export function createNames(
  resolve: (hostname: string, signal: AbortSignal) => Promise<Resolved | null>,
  now: () => number = () => performance.now(),
): Names {
  const known = new Map<string, { addresses: Address[]; until: number }>();
  return {
    async addressesOf(hostname, signal) {
      const kept = known.get(hostname);
      if (kept !== undefined && kept.until > now()) return kept.addresses;
      const askedAt = now();
      const found = await resolve(hostname, signal);
      known.delete(hostname);
      if (found === null) return null;
      const { addresses, ttlSeconds, isComplete } = found;
      if (isComplete && ttlSeconds > 0) {
        known.set(hostname, { addresses, until: askedAt + Math.min(ttlSeconds * 1000, LONGEST) });
        if (known.size > MAX_NAMES) known.delete(known.keys().next().value!);
      }
      return addresses;
    },
    forget: (hostname) => void known.delete(hostname),
  };
}
