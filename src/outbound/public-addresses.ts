import { BlockList, isIP } from 'node:net';

/**
 * Ranges that are not the public internet, from IANA's registries of special-purpose addresses (IPv4, IPv6) and of
 * address space. Also refused are the few ranges there that are marked as globally reachable: anycast services of the
 * network itself, which cannot be receivers.
 */
export const SPECIAL_IPV4: Record<string, string> = {
  '0.0.0.0/8': 'this host on this network',
  '10.0.0.0/8': 'private use',
  '100.64.0.0/10': 'shared address space (carrier-grade NAT)',
  '127.0.0.0/8': 'loopback',
  '168.63.129.16/32': 'virtual public address of the Azure host: reaches the platform, not the internet',
  '169.254.0.0/16': 'link-local; metadata services of clouds',
  '172.16.0.0/12': 'private use',
  '192.0.0.0/24': 'IETF protocol assignments',
  '192.0.2.0/24': 'documentation (TEST-NET-1)',
  '192.31.196.0/24': 'AS112-v4',
  '192.52.193.0/24': 'AMT',
  '192.88.99.0/24': '6to4 relay anycast',
  '192.168.0.0/16': 'private use',
  '192.175.48.0/24': 'direct delegation AS112 service',
  '198.18.0.0/15': 'benchmarking',
  '198.51.100.0/24': 'documentation (TEST-NET-2)',
  '203.0.113.0/24': 'documentation (TEST-NET-3)',
  '224.0.0.0/4': 'multicast',
  '240.0.0.0/4': 'reserved, with the limited broadcast address',
};

/**
 * All public IPv6 addresses. Outside: unspecified, loopback, IPv4-mapped and IPv4-compatible addresses, NAT64, discard
 * only, segment routing, unique local, link-local, site-local, multicast.
 */
export const GLOBAL_UNICAST_IPV6 = '2000::/3';

/** Special ranges within global unicast. */
export const SPECIAL_IPV6: Record<string, string> = {
  '2001::/23': 'IETF protocol assignments: Teredo, benchmarking, ORCHID and others',
  '2001:db8::/32': 'documentation',
  '2002::/16': '6to4, an IPv4 address inside',
  '2620:4f:8000::/48': 'direct delegation AS112 service',
  '3fff::/20': 'documentation',
};

function blockListOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const specialIpv4 = blockListOf(Object.keys(SPECIAL_IPV4), 'ipv4');
const specialIpv6 = blockListOf(Object.keys(SPECIAL_IPV6), 'ipv6');
const globalUnicastIpv6 = blockListOf([GLOBAL_UNICAST_IPV6], 'ipv6');

/**
 * Whether it is a public address. False for every text that is not one address: names, ranges, shorthand such as
 * `10.1`, zone ids (`fe80::1%eth0`).
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !specialIpv4.check(address, 'ipv4');
  return family === 6 && globalUnicastIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}
