import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

export type Address = { address: string; family: 4 | 6 };

/** Per try, in milliseconds; it doubles, so that three tries give up after 3.5 s. */
const DNS_TIMEOUT = 500;
const DNS_TRIES = 3;

/**
 * The addresses of a host name by DNS alone: no hosts file, no search domains. IPv4 first. Null when there is
 * none, or when the signal ended it.
 *
 * A resolver of its own for every call, because it can only be cancelled as a whole, and because a name whose
 * servers are slow must not slow down others: none of this waits for a thread.
 */
export async function resolveByDns(
  hostname: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Address[] | null> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: DNS_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  signal.removeEventListener('abort', cancel);
  const addresses = [ipv4, ipv6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  return addresses.length > 0 ? addresses.map(asAddress) : null;
}

/** The addresses of a host name as the machine sees it, hosts file included; null when there is none. */
export async function resolveBySystem(hostname: string, signal: AbortSignal): Promise<Address[] | null> {
  const aborted = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const found = lookup(hostname, { all: true }).then(
    (addresses) => addresses.map(({ address }) => asAddress(address)),
    () => null, // no such name, or no name server: either way there is no address
  );
  return Promise.race([found, aborted]);
}

export function asAddress(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}
