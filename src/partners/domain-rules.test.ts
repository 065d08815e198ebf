import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkDomain, detectDomain, matchesDomain, normalizeHost } from './domain-rules.ts';

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
