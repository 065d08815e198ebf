import { NODATA, NOTFOUND } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

export type Address = { address: string; family: 4 | 6 };

export type Resolved = {
  addresses: Address[];
  /** The lowest TTL, in seconds. */
  ttlSeconds: number;
  /** Both families were answered, also with no addresses. */
  isComplete: boolean;
};

/** Per try, in milliseconds; it doubles with each try. */
const DNS_TIMEOUT = 500;
const DNS_TRIES = 3;
/** Answers without addresses of the family. */
const HAS_NONE = new Set<unknown>([NODATA, NOTFOUND]);

/**
 * The addresses of a host name by DNS alone: no hosts file, no search domains. IPv4 first. Null when there are none, or
 * when the signal aborts.
 *
 * Each call has its own resolver, because a resolver can only be cancelled as a whole, and because slow name servers
 * must not delay other names: none of this waits for a thread.
 */
export async function resolveByDns(
  hostname: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Resolved | null> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: DNS_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const both = await Promise.allSettled([
    resolver.resolve4(hostname, { ttl: true }),
    resolver.resolve6(hostname, { ttl: true }),
  ]);
  signal.removeEventListener('abort', cancel);
  const records = both.flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  if (records.length === 0) return null;
  return {
    addresses: records.map(({ address }) => asAddress(address)),
    ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
    isComplete: both.every((found) => found.status === 'fulfilled' || HAS_NONE.has(found.reason.code)),
  };
}

/** The addresses of a host name by the system's resolver, hosts file included; null when there are none. */
export async function resolveBySystem(hostname: string, signal: AbortSignal): Promise<Address[] | null> {
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const found = lookup(hostname, { all: true }).then(
    (addresses) => addresses.map(({ address }) => asAddress(address)),
    () => null, // no such name, or no name server
  );
  return Promise.race([found, aborted]);
}

/** The address with its family, 4 or 6. */
export function asAddress(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}
