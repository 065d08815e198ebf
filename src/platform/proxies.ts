import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
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

/** Addresses and CIDRs, checked without regard to how an address is spelled. */
export function addressList(entries: readonly string[]): { includes(address: string): boolean } {
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
      const plain = normalizeAddress(address);
      return plain !== null && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
    },
  };
}

/** What the socket and, behind trusted proxies only, the forwarding headers say of the client. */
export function trustedPeers(trusted: readonly string[]) {
  const proxies = addressList(trusted);
  const peerOf = (request: IncomingMessage): string => request.socket.remoteAddress ?? '';

  return {
    /** The first address, from the socket outwards, that is not a trusted proxy. */
    clientAddress(request: IncomingMessage): string {
      const peer = peerOf(request);
      const forwarded = request.headers['x-forwarded-for'];
      let client = peer;
      const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').reverse();
      for (const hop of hops) {
        if (!proxies.includes(client) || hop.trim() === '') break;
        client = hop.trim();
      }
      return normalizeAddress(client) ?? client;
    },
    /** Did the request arrive over TLS, by the word of a trusted proxy? */
    isSecure(request: IncomingMessage): boolean {
      const proto = request.headers['x-forwarded-proto'];
      if (proto === undefined || !proxies.includes(peerOf(request))) return false;
      return String(proto).split(',').at(-1)?.trim().toLowerCase() === 'https';
    },
  };
}
