import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  checkDomain,
  createKey,
  detectDomain,
  hashKey,
  isWellFormedKey,
  KEY_MOVES,
  type KeyStatus,
  matchesDomain,
  mayBecome,
  normalizeAddressRange,
  normalizeHost,
  parseExpiry,
} from './rules.ts';

// ---------------------------------------------------------------------------
// Keys

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

// ---------------------------------------------------------------------------
// Domains

test("the caller's domain comes from Origin, else Referer, else x-partner-domain", () => {
  const origin = 'https://origin.sa';
  const referer = 'https://referer.sa/page?x=1';
  const named = 'named.sa';
  assert.deepEqual(detectDomain({ origin, referer, 'x-partner-domain': named }), {
    host: 'origin.sa',
    source: 'Origin',
  });
  assert.deepEqual(detectDomain({ referer, 'x-partner-domain': named }), {
    host: 'referer.sa',
    source: 'Referer',
  });
  assert.deepEqual(detectDomain({ 'x-partner-domain': named }), {
    host: 'named.sa',
    source: 'x-partner-domain',
  });
  assert.equal(detectDomain({}), null);
  assert.equal(detectDomain({ origin: '', referer: ' ', 'x-partner-domain': '' }), null);
});

test('Origin null is ignored: the next header counts', () => {
  assert.equal(detectDomain({ origin: 'null' }), null);
  assert.deepEqual(detectDomain({ origin: 'null', referer: 'https://referer.sa/' }), {
    host: 'referer.sa',
    source: 'Referer',
  });
  assert.deepEqual(detectDomain({ origin: 'null', 'x-partner-domain': 'named.sa' }), {
    host: 'named.sa',
    source: 'x-partner-domain',
  });
});

test("the service's own origin is ignored: the next header counts", () => {
  const isOwn = (address: string): boolean => new URL(address).origin === 'https://own.sa';
  const own = { origin: 'https://own.sa', referer: 'https://own.sa/docs' };
  assert.equal(detectDomain(own, isOwn), null);
  assert.deepEqual(detectDomain({ ...own, 'x-partner-domain': 'named.sa' }, isOwn), {
    host: 'named.sa',
    source: 'x-partner-domain',
  });
  assert.deepEqual(detectDomain({ ...own, origin: 'https://origin.sa' }, isOwn), {
    host: 'origin.sa',
    source: 'Origin',
  });
  // Any given name is returned, also an own one.
  assert.equal(detectDomain({ 'x-partner-domain': 'own.sa' }, isOwn)?.host, 'own.sa');
});

test('an unreadable header is detected and matches no domain, and later headers are ignored', () => {
  for (const text of ['not a url', 'example.sa', 'about:blank', 'https://', 'https://a.sa, https://b.sa']) {
    const detected = detectDomain({
      origin: text,
      referer: 'https://example.sa/',
      'x-partner-domain': 'example.sa',
    });
    assert.deepEqual(detected, { host: null, source: 'Origin' }, text);
    assert.equal(checkDomain(detected, ['example.sa'], [], false), 'INVALID_PARTNER_DOMAIN', text);
  }
  assert.deepEqual(detectDomain({ referer: 'nonsense' }), { host: null, source: 'Referer' });
  assert.deepEqual(detectDomain({ 'x-partner-domain': 'two words' }), {
    host: null,
    source: 'x-partner-domain',
  });
});

test('port, case, path, user and alphabet of a detected address are ignored', () => {
  assert.deepEqual(detectDomain({ origin: 'HTTPS://Shop.Example.SA:8443' }), {
    host: 'shop.example.sa',
    source: 'Origin',
  });
  assert.deepEqual(detectDomain({ referer: 'http://a@example.sa:80/x/y' }), {
    host: 'example.sa',
    source: 'Referer',
  });
  assert.deepEqual(detectDomain({ 'x-partner-domain': 'Example.SA:3000' }), {
    host: 'example.sa',
    source: 'x-partner-domain',
  });
  assert.deepEqual(detectDomain({ 'x-partner-domain': 'http://Example.SA/x' }), {
    host: 'example.sa',
    source: 'x-partner-domain',
  });
  assert.deepEqual(detectDomain({ origin: 'https://münchen.example' }), {
    host: 'xn--mnchen-3ya.example',
    source: 'Origin',
  });
});

test('a domain matches itself and its subdomains, and no similar names', () => {
  for (const host of ['example.sa', 'EXAMPLE.sa', 'shop.example.sa', 'a.b.example.sa', 'example.sa.']) {
    assert.ok(matchesDomain(host, ['other.sa', 'Example.SA']), host);
  }
  for (const host of [
    'notexample.sa',
    'example.sa.evil.com',
    'sa',
    'xexample.sa',
    'example.s',
    '',
    '.',
    'example',
  ]) {
    assert.ok(!matchesDomain(host, ['example.sa']), host);
  }
  assert.ok(!matchesDomain('example.sa', []));
  assert.ok(matchesDomain('192.0.2.1', ['192.0.2.1']));
  assert.ok(matchesDomain('localhost', ['localhost']));
});

test('the table of section 5', () => {
  const host = (name: string) => ({ host: name });
  const allowed = ['example.sa'];
  const sandbox = ['sandbox.example.sa'];
  assert.equal(checkDomain(host('evil.sa'), [], [], true), 'ok', 'no domains configured');
  assert.equal(checkDomain({ host: null }, [], [], true), 'ok', 'no domains configured, unreadable');
  assert.equal(checkDomain(null, allowed, sandbox, true), 'ok', 'nothing detected');
  assert.equal(checkDomain(host('shop.example.sa'), allowed, sandbox, true), 'ok', 'matching');
  assert.equal(checkDomain(host('evil.sa'), allowed, sandbox, true), 'INVALID_PARTNER_DOMAIN', 'no match');
  assert.equal(
    checkDomain(host('sandbox.example.sa'), allowed, sandbox, true),
    'SANDBOX_DOMAIN_NOT_ALLOWED',
    'sandbox, check on',
  );
  assert.equal(checkDomain(host('sandbox.example.sa'), allowed, sandbox, false), 'ok', 'sandbox, check off');
  assert.equal(
    checkDomain(host('sandbox.other.sa'), allowed, ['other.sa'], true),
    'INVALID_PARTNER_DOMAIN',
    'a sandbox domain is refused as such only when it is allowed',
  );
});

test('a bare host name is normalized, or refused', () => {
  const spellings: Record<string, string | null> = {
    'Example.SA': 'example.sa',
    'example.sa.': 'example.sa',
    localhost: 'localhost',
    '192.0.2.1': '192.0.2.1',
    'münchen.example': 'xn--mnchen-3ya.example',
    'XN--mnchen-3ya.example': 'xn--mnchen-3ya.example',
    'a-b.c1.sa': 'a-b.c1.sa',
    '': null,
    '.': null,
    'a..sa': null,
    '.example.sa': null,
    'https://example.sa': null,
    '//example.sa': null,
    'example.sa/': null,
    'example.sa\\x': null,
    'example.sa:443': null,
    'user@example.sa': null,
    'example.sa?x': null,
    'example.sa#x': null,
    '*.example.sa': null,
    ' example.sa': null,
    'exa\tmple.sa': null,
    'exa%6dple.sa': null,
    '-example.sa': null,
    'example-.sa': null,
    'under_score.sa': null,
    '[::1]': null,
    '::1': null,
    // URL would convert these to addresses.
    '10.1': null,
    '0x7f.0.0.1': null,
    '2130706433': null,
    '192.0.2.1.': null,
    '192.0.2.256': null,
    [`${'a'.repeat(64)}.sa`]: null,
    [`${'a.'.repeat(126)}sa`]: null,
    [`${'a.'.repeat(125)}sa`]: `${'a.'.repeat(125)}sa`,
  };
  for (const [text, expected] of Object.entries(spellings)) {
    assert.equal(normalizeHost(text), expected, JSON.stringify(text));
  }
});

test('a stored host name is stable and matches requests from it', () => {
  const text = fc.oneof(fc.domain(), fc.webAuthority(), fc.string(), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(text, (given) => {
      const host = normalizeHost(given);
      if (host === null) return;
      assert.equal(normalizeHost(host), host);
      assert.ok(matchesDomain(detectDomain({ origin: `https://${given}:8443` })?.host ?? '', [host]));
    }),
    { numRuns: 2_000 },
  );
});
