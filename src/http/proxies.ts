import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** `::ffff:192.0.2.1` and other spellings in one form; null: not an address. */
export function normalizeAddress(address: string): string | null {
  const bare = address
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '');
  // process() converts IPv4-mapped addresses; isValid alone would accept shorthand such as "10.1".
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || isIPv6(bare) ? ipaddr.process(bare).toString() : null;
}

/** The address without the port that some proxies add: `192.0.2.7:52044`, `[2001:db8::7]:52044`. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+\.\d+\.\d+\.\d+|\[[^\]]*\]):\d{1,5}$/, '$1');
}

/** A list of addresses and CIDRs, which matches any spelling of an address. */
export function addressList(entries: readonly string[]): { includes(address: string | undefined): boolean } {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const parsed = ipaddr.parse(address);
    const mapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() ? 96 : 0;
    const plain = ipaddr.process(address);
    const width = plain.kind() === 'ipv4' ? 32 : 128;
    list.addSubnet(
      plain.toString(),
      bits === undefined ? width : Math.max(0, Number(bits) - mapped),
      plain.kind(),
    );
  }
  return {
    includes(address) {
      // A closed socket has no address.
      const plain = address === undefined ? null : normalizeAddress(withoutPort(address));
      return plain !== null && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
    },
  };
}

/**
 * The first address, from the socket outwards, that is not a trusted proxy (Fastify's `trustProxy`), normalized;
 * unchanged where a trusted proxy sent an invalid one.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const address = (ip as string | undefined) ?? ''; // a closed socket has none
  return normalizeAddress(withoutPort(address)) ?? address;
}
