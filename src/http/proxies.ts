import { BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** `::ffff:192.0.2.1` and other spellings in one form; null when it is not an address. */
export function normalizeAddress(address: string): string | null {
  const bare = address
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '');
  // process() takes an IPv4-mapped address apart; isValid alone would accept shorthand such as "10.1".
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || isIPv6(bare) ? ipaddr.process(bare).toString() : null;
}

/** What a proxy named without the port that some add: `192.0.2.7:52044`, `[2001:db8::7]:52044`. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+\.\d+\.\d+\.\d+|\[[^\]]*\]):\d{1,5}$/, '$1');
}

/** Addresses and CIDRs, checked without regard to how an address is spelled. */
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
      // A socket that has closed has no address any more.
      const plain = address === undefined ? null : normalizeAddress(withoutPort(address));
      return plain !== null && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
    },
  };
}

/**
 * The first address, from the socket outwards, that is not a trusted proxy (Fastify's `trustProxy`), in its plain
 * form; as it was given where a trusted proxy names something that is no address.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const address = (ip as string | undefined) ?? ''; // a socket that has closed has none any more
  return normalizeAddress(withoutPort(address)) ?? address;
}
