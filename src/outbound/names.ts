import type { Address, Resolved } from './dns.ts';

/** Names remembered; beyond, the one that was resolved longest ago is forgotten. */
const MAX_NAMES = 10_000;
/** However long a name server allows: a receiver that moves is found within this time (milliseconds). */
const LONGEST = 300_000;

export type Names = {
  /** The addresses of a host name; null when there are none, or the signal ended it. */
  addressesOf(hostname: string, signal: AbortSignal): Promise<Address[] | null>;
  /** Asks again the next time: nobody answered there. */
  forget(hostname: string): void;
};

/**
 * Remembers addresses for as long as the name server allows, five minutes at most, by `now` (milliseconds, of a clock
 * that nobody sets). What failed is not remembered, nor what came of one family while the other failed: it may have
 * addresses that must be checked too.
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
