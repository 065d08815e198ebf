import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { GLOBAL_UNICAST_IPV6, isPublicAddress, SPECIAL_IPV4, SPECIAL_IPV6 } from './public-addresses.ts';

/** The first and the last address of a range, as numbers, and the width of its addresses in bits. */
function boundsOf(range: string): { first: bigint; last: bigint; width: 32 | 128 } {
  const [address, bits] = ipaddr.parseCIDR(range);
  const width = address.kind() === 'ipv4' ? 32 : 128;
  const first = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
  return { first, last: first + (1n << BigInt(width - bits)) - 1n, width };
}

/** Another spelling than the table's: IPv6 with or without zeros, as ipaddr.js prints it. */
function textOf(address: bigint, width: 32 | 128, spelling: 'short' | 'long' = 'short'): string {
  const bytes = Buffer.from(address.toString(16).padStart(width / 4, '0'), 'hex');
  const parsed = ipaddr.fromByteArray([...bytes]);
  return spelling === 'short' ? parsed.toString() : parsed.toNormalizedString();
}

/** Named ranges outside of global unicast. */
const NOT_UNICAST: Record<string, string> = {
  '::/8': 'unspecified, loopback and addresses with an IPv4 address inside',
  '::ffff:0:0/96': 'IPv4-mapped',
  '64:ff9b::/96': 'NAT64',
  '64:ff9b:1::/48': 'NAT64 of a site',
  '100::/64': 'discard only',
  '100:0:0:1::/64': 'dummy prefix',
  '5f00::/16': 'segment routing identifiers',
  'fc00::/7': 'unique local',
  'fe80::/10': 'link-local',
  'fec0::/10': 'site-local',
  'ff00::/8': 'multicast',
};

const spellings = fc.constantFrom('short', 'long');
const rangesOf = (table: Record<string, string>) => Object.keys(table).map(boundsOf);
const within = (address: bigint, ranges: { first: bigint; last: bigint }[]): boolean =>
  ranges.some(({ first, last }) => address >= first && address <= last);

for (const [range, name] of Object.entries({ ...SPECIAL_IPV4, ...SPECIAL_IPV6, ...NOT_UNICAST })) {
  test(`refused: ${range}, ${name}`, () => {
    const { first, last, width } = boundsOf(range);
    for (const address of [first, last]) assert.equal(isPublicAddress(textOf(address, width)), false);
    fc.assert(
      fc.property(fc.bigInt(first, last), spellings, (address, spelling) => {
        assert.equal(isPublicAddress(textOf(address, width, spelling)), false);
      }),
    );
  });
}

test('addresses beside every IPv4 range are public, unless in another range', () => {
  const ranges = rangesOf(SPECIAL_IPV4);
  for (const { first, last } of ranges) {
    for (const address of [first - 1n, last + 1n]) {
      if (address < 0n || address >= 1n << 32n) continue;
      assert.equal(isPublicAddress(textOf(address, 32)), !within(address, ranges), textOf(address, 32));
    }
  }
});

test('addresses beside every IPv6 range are public within global unicast only', () => {
  const ranges = rangesOf(SPECIAL_IPV6);
  const unicast = boundsOf(GLOBAL_UNICAST_IPV6);
  for (const { first, last } of [...ranges, unicast]) {
    for (const address of [first - 1n, first, last, last + 1n]) {
      if (address < 0n || address >= 1n << 128n) continue;
      const expected = within(address, [unicast]) && !within(address, ranges);
      assert.equal(isPublicAddress(textOf(address, 128)), expected, textOf(address, 128));
    }
  }
});

test('an IPv4 address outside all ranges of the table is public', () => {
  const ranges = rangesOf(SPECIAL_IPV4);
  fc.assert(
    fc.property(fc.bigInt(0n, (1n << 32n) - 1n), (address) => {
      assert.equal(isPublicAddress(textOf(address, 32)), !within(address, ranges));
    }),
    { numRuns: 2_000 },
  );
});

test('an IPv4 address inside an IPv6 one is refused in every form', () => {
  const forms = (ipv4: string, hex: string): string[] => [
    `::ffff:${ipv4}`,
    `::ffff:${hex}`,
    `::ffff:0:${ipv4}`,
    `::${ipv4}`,
    `64:ff9b::${ipv4}`,
    `64:ff9b:1::${ipv4}`,
    `2002:${hex}::1`,
    `2001:0:${hex}::1`,
  ];
  fc.assert(
    fc.property(fc.bigInt(0n, (1n << 32n) - 1n), (address) => {
      const hex = address
        .toString(16)
        .padStart(8, '0')
        .replace(/(.{4})/, '$1:');
      for (const form of forms(textOf(address, 32), hex)) assert.equal(isPublicAddress(form), false, form);
    }),
  );
});

test('an address of every special range, written out', () => {
  const ipv4 = `0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
    168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1
    192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255`;
  const ipv6 = `:: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 5f00::1
    2001::1 2001:2::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1::1 2620:4f:8000::1 3fff::1 3fff:fff::1
    1fff::1 4000::1 fc00::1 fd00:ec2::254 fe80::1 febf::1 fec0::1 ff02::1`;
  for (const address of `${ipv4} ${ipv6}`.split(/\s+/)) {
    assert.equal(isPublicAddress(address), false, address);
  }
});

test('addresses of well-known public services', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '9.9.9.9',
    '93.184.216.34',
    '140.82.121.4',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2620:fe::fe',
    '2A00:1450:4001:0830:0000:0000:0000:200E',
    '2400:cb00:2048:1::c629:d7a2',
  ];
  for (const address of addresses) assert.equal(isPublicAddress(address), true, address);
});

test('a text that is not one address is not public', () => {
  const texts = [
    '',
    'example.com',
    '8.8.8',
    '8.8.8.8.8',
    '8.8.8.8/32',
    '08.8.8.8',
    '0x08080808',
    '134744072',
    ' 8.8.8.8',
    '8.8.8.8\n',
    '8.8.8.8:443',
    '[2606:4700:4700::1111]',
    '2606:4700:4700::1111%eth0',
    'fe80::1%eth0',
    '2606:4700:4700:1111',
    '2606::4700::1111',
  ];
  for (const text of texts) assert.equal(isPublicAddress(text), false, JSON.stringify(text));
  fc.assert(fc.property(fc.string(), (text) => !isPublicAddress(`${text}!`)));
});
