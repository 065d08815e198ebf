import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  createKey,
  hashKey,
  isWellFormedKey,
  KEY_MOVES,
  type KeyStatus,
  mayBecome,
  normalizeAddressRange,
  parseExpiry,
} from './key-rules.ts';

test('a key is its deployment, 43 random base62 digits and a checksum of 6', () => {
  const keys = new Set<string>();
  for (const [deployment, start] of [
    ['sandbox', 'pbs_test_'],
    ['production', 'pbs_live_'],
  ] as const) {
    for (let count = 0; count < 200; count++) {
      const made = createKey(deployment);
      assert.match(made.key, /^pbs_(test|live)_[0-9A-Za-z]{49}$/);
      assert.ok(made.key.startsWith(start));
      assert.ok(isWellFormedKey(made.key));
      assert.equal(made.prefix, made.key.slice(0, 13));
      assert.equal(made.last4, made.key.slice(-4));
      assert.deepEqual(made.hash, createHash('sha256').update(made.key).digest());
      assert.equal(hashKey(made.key), made.hash.toString('hex'));
      keys.add(made.key);
    }
  }
  assert.equal(keys.size, 400);
});

test('the checksum of a key is CRC-32 in base62, so that other programs can check it too', () => {
  // Python: zlib.crc32 of the first 52 characters is 1940769015.
  assert.ok(isWellFormedKey(`pbs_test_${'0'.repeat(43)}27LGg3`));
});

test('a typing error in a key is detected', () => {
  const { key } = createKey('sandbox');
  for (let index = 0; index < key.length; index++) {
    const other = key[index] === 'a' ? 'b' : 'a';
    assert.ok(!isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1)), `at ${index}`);
  }
  const swapped = `${key.slice(0, 20)}${key[21]}${key[20]}${key.slice(22)}`;
  assert.ok(swapped === key || !isWellFormedKey(swapped));
});

test('malformed keys are detected', () => {
  const { key } = createKey('sandbox');
  for (const text of [
    '',
    'x',
    key.slice(1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
    'é'.repeat(58),
  ]) {
    assert.ok(!isWellFormedKey(text), text);
  }
  assert.ok(!isWellFormedKey(key.replace('pbs_test_', 'pbs_live_')), 'the checksum covers the deployment');
});

test('a key moves from ACTIVE to REVOKED and nowhere else', () => {
  const statuses = Object.keys(KEY_MOVES) as KeyStatus[];
  const moves = statuses.flatMap((from) =>
    statuses.filter((to) => from !== to && mayBecome(from, to)).map((to) => `${from} ${to}`),
  );
  assert.deepEqual(moves, ['ACTIVE REVOKED']);
  assert.ok(mayBecome('REVOKED', 'REVOKED'));
});

test('an expiry is a date and time with offset in the years 2000 to 2100', () => {
  assert.equal(parseExpiry('2026-11-22T08:00:00+03:00'), Date.parse('2026-11-22T05:00:00Z'));
  assert.equal(parseExpiry('2000-01-01T00:00:00+03:00'), Date.parse('1999-12-31T21:00:00Z'));
  assert.equal(parseExpiry('2100-12-31T23:59:59+03:00'), Date.parse('2100-12-31T20:59:59Z'));
  for (const text of [
    '2026-11-22',
    '2026-11-22T08:00:00',
    '2026-02-30T08:00:00Z',
    '0000-01-01T00:00:00Z',
    '1999-12-31T23:59:59+03:00',
    '2101-01-01T00:00:00+03:00',
    '9999-12-31T23:59:00-23:00',
  ]) {
    assert.equal(parseExpiry(text), null, text);
  }
});

test('allowlist entries are normalized, or refused', () => {
  const spellings: Record<string, string | null> = {
    '192.0.2.1': '192.0.2.1',
    '192.0.2.0/24': '192.0.2.0/24',
    '0.0.0.0/0': '0.0.0.0/0',
    '2001:DB8:0:0::1': '2001:db8::1',
    '2001:db8::/32': '2001:db8::/32',
    '::/0': '::/0',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.0/120': '192.0.2.0/24',
    '::FFFF:c000:0201/128': '192.0.2.1/32',
    // Shorter than the mapped range itself: it would match every IPv4 address.
    '::ffff:192.0.2.0/24': null,
    '10.1': null,
    '010.0.0.1': null,
    '0x7f.0.0.1': null,
    '2130706433': null,
    '192.0.2.1/33': null,
    '192.0.2.1/': null,
    '192.0.2.1/08': null,
    '192.0.2.1/-1': null,
    '192.0.2.1/24/8': null,
    '192.0.2.1/255.255.255.0': null,
    '2001:db8::/129': null,
    'fe80::1%eth0': null,
    '[::1]': null,
    ' 192.0.2.1': null,
    '192.0.2.1:80': null,
    'example.sa': null,
    '': null,
    '/8': null,
  };
  for (const [entry, expected] of Object.entries(spellings)) {
    assert.equal(normalizeAddressRange(entry), expected, entry);
  }
});
