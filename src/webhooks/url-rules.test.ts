import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalizeUrl, urlProblem } from './url-rules.ts';

const HTTPS = { requireHttps: true, allowHosts: [] };
const ANY_SCHEME = { requireHttps: false, allowHosts: [] };

const NOT_A_URL = 'url must be a valid URL';
const NOT_HTTPS = 'url must be an https URL';
const NOT_HTTP = 'url must be an http or https URL';
const CREDENTIALS = 'url must not contain credentials';
const PRIVATE = 'url must not point to this machine or a private network';

const HOSTILE: Record<string, string[]> = {
  [NOT_A_URL]: [
    '',
    ' ',
    'hooks.example.sa',
    '//hooks.example.sa/in',
    '/in',
    'https:',
    'https://',
    'https:///',
    'https:hooks.example.sa/in',
    'https:/hooks.example.sa/in',
    'https:///hooks.example.sa/in',
    'https://?in',
    ' https://hooks.example.sa/in',
    'https://hooks.example.sa/in ',
    'https://hooks.example.sa/i n',
    'https://hooks.example.sa\u00a0/in',
    'https://hooks.example.sa/in\n',
    'ht\ntps://hooks.example.sa/in',
    'https://127.0.0.1\t.example.sa/in',
    'https://hooks.example.sa/\u0000',
    'https://hooks.example.sa/\u007f',
    'https://local\u00adhost/in',
    'https://hooks\u200b.example.sa/in',
    'https:\\\\hooks.example.sa\\in',
    'https://127.0.0.1\\@hooks.example.sa/in',
    'https://hooks.example.sa\\.evil.example/in',
    'https://hooks.example.sa:99999/in',
    'https://hooks.example.sa:port/in',
    'https://hooks.example.sa:-1/in',
    'https://hooks..example.sa/in',
    'https://.hooks.example.sa/in',
    'https://hooks.example.sa../in',
    'https://localhost../in',
    `https://${'a'.repeat(64)}.example.sa/in`,
    `https://${'a.'.repeat(127)}example.sa/in`,
    'https://exa%00mple.sa/in',
    'https://exa%20mple.sa/in',
    'https://exa<mple.sa/in',
    'https://1.2.3.4.5/in',
    'https://256.256.256.256/in',
    'https://999999999999/in',
    'https://[fe80::1%25eth0]/in',
    'https://[fe80::1%eth0]/in',
    'https://[::1/in',
    'https://::1/in',
    'https://[127.0.0.1]/in',
  ],
  [NOT_HTTPS]: [
    'http://hooks.example.sa/in',
    'HTTP://hooks.example.sa/in',
    'http://127.0.0.1/in',
    'ftp://hooks.example.sa/in',
    'ws://hooks.example.sa/in',
    'wss://hooks.example.sa/in',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_x',
    'javascript:alert(1)',
    'data:text/plain,x',
    'mailto:hooks@example.sa',
    'about:blank',
    'blob:https://hooks.example.sa/1',
    'unix:/var/run/docker.sock',
  ],
  [CREDENTIALS]: [
    'https://user:secret@hooks.example.sa/in',
    'https://user@hooks.example.sa/in',
    'https://:secret@hooks.example.sa/in',
    'https://@hooks.example.sa/in',
    'https://:@hooks.example.sa/in',
    'https://hooks.example.sa@127.0.0.1/in',
    'https://hooks.example.sa:443@127.0.0.1/in',
    'https://a@b@hooks.example.sa/in',
  ],
  [PRIVATE]: [
    'https://localhost/in',
    'https://LOCALHOST/in',
    'https://localhost./in',
    'https://localhost:8443/in',
    'https://hooks.localhost/in',
    'https://a.b.LocalHost./in',
    'https://%6cocalhost/in',
    'https://ｌｏｃａｌｈｏｓｔ/in',
    'https://127.0.0.1/in',
    'https://127.0.0.1./in',
    'https://127.255.255.254/in',
    'https://127.1/in',
    'https://127.0.1/in',
    'https://2130706433/in',
    'https://0x7f000001/in',
    'https://0x7f.1/in',
    'https://0x7f.0x0.0x0.0x1/in',
    'https://0177.0.0.1/in',
    'https://017700000001/in',
    'https://0177.0x0.1/in',
    'https://①②⑦.⓪.⓪.①/in',
    'https://127。0。0。1/in',
    'https://%31%32%37.0.0.1/in',
    'https://0/in',
    'https://0.0.0.0/in',
    'https://10.0.0.1/in',
    'https://10.255.255.255/in',
    'https://012.1.2.3/in',
    'https://172.16.0.1/in',
    'https://172.31.255.255/in',
    'https://0xac100001/in',
    'https://192.168.0.1/in',
    'https://3232235521/in',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa9fea9fe/in',
    'https://0251.0376.0251.0376/in',
    'https://100.64.0.1/in',
    'https://192.0.0.8/in',
    'https://192.0.2.1/in',
    'https://198.18.0.1/in',
    'https://198.51.100.7/in',
    'https://203.0.113.7/in',
    'https://224.0.0.1/in',
    'https://240.0.0.1/in',
    'https://255.255.255.255/in',
    'https://[::1]/in',
    'https://[::1]:8443/in',
    'https://[0:0:0:0:0:0:0:1]/in',
    'https://[::]/in',
    'https://[::ffff:127.0.0.1]/in',
    'https://[::ffff:7f00:1]/in',
    'https://[::ffff:8.8.8.8]/in',
    'https://[::127.0.0.1]/in',
    'https://[64:ff9b::127.0.0.1]/in',
    'https://[64:ff9b::a9fe:a9fe]/in',
    'https://[64:ff9b:1::1]/in',
    'https://[2002:7f00:1::1]/in',
    'https://[2001:0:7f00:1::1]/in',
    'https://[2001:db8::1]/in',
    'https://[fe80::1]/in',
    'https://[fec0::1]/in',
    'https://[fc00::1]/in',
    'https://[fd12:3456:789a::1]/in',
    'https://[ff02::1]/in',
    'https://[100::1]/in',
  ],
};

for (const [problem, urls] of Object.entries(HOSTILE)) {
  test(`refused ${urls.length} times: ${problem}`, () => {
    for (const url of urls) assert.equal(urlProblem(url, HTTPS), problem, JSON.stringify(url));
  });
}

const GOOD = [
  'https://hooks.example.sa',
  'https://hooks.example.sa/',
  'https://hooks.example.sa/in?a=b&c=%20d',
  'https://hooks.example.sa:8443/in',
  'HTTPS://HOOKS.EXAMPLE.SA/In',
  'https://hooks.example.sa./in',
  'https://my_hooks.example.sa/in',
  'https://مثال.السعودية/in',
  'https://xn--mgbh0fb.example/in',
  'https://hooks.example.sa/@user',
  'https://hooks.example.sa/?at=a@b',
  'https://hooks.example.sa#a@b',
  'https://localhost.example.sa/in',
  'https://notlocalhost/in',
  'https://127.0.0.1.example.sa/in',
  'https://10.example.sa/in',
  'https://8.8.8.8/in',
  'https://172.32.0.1/in',
  'https://[2606:4700:4700::1111]/in',
];

test('good URLs pass', () => {
  for (const url of GOOD) assert.equal(urlProblem(url, HTTPS), null, url);
});

test('the length of a host name is limited', () => {
  const label = 'a'.repeat(63);
  const longest = `${label}.${label}.${label}.${'a'.repeat(61)}`;
  assert.equal(longest.length, 253);
  for (const host of [longest, `${longest}.`, `${label}.example.sa`])
    assert.equal(urlProblem(`https://${host}/in`, HTTPS), null, host);
  assert.equal(urlProblem(`https://${longest}a/in`, HTTPS), NOT_A_URL);
});

test('without the requirement of https, http is valid and no other scheme', () => {
  for (const url of GOOD) assert.equal(urlProblem(url.replace(/^https/i, 'http'), ANY_SCHEME), null, url);
  for (const url of GOOD) assert.equal(urlProblem(url, ANY_SCHEME), null, url);
  const others = HOSTILE[NOT_HTTPS]!.filter((url) => !/^http:/i.test(url));
  for (const url of others) assert.equal(urlProblem(url, ANY_SCHEME), NOT_HTTP, url);
  for (const url of HOSTILE[PRIVATE]!)
    assert.equal(urlProblem(url.replace('https', 'http'), ANY_SCHEME), PRIVATE, url);
});

test('hosts of the deployment are exempt from rules of scheme and address only', () => {
  const rules = { requireHttps: true, allowHosts: ['localhost:4000', '127.0.0.1', '[::1]:4000'] };
  for (const url of [
    'http://localhost:4000/in',
    'https://localhost:4000/in',
    'http://127.0.0.1/in',
    'http://127.0.0.1:9/in',
    'http://0x7f.1/in',
    'http://[::1]:4000/in',
  ])
    assert.equal(urlProblem(url, rules), null, url);
  assert.equal(urlProblem('http://localhost:4001/in', rules), NOT_HTTPS);
  assert.equal(urlProblem('https://localhost:4001/in', rules), PRIVATE);
  assert.equal(urlProblem('https://127.0.0.2/in', rules), PRIVATE);
  assert.equal(urlProblem('https://localhost/in', rules), PRIVATE);
  assert.equal(urlProblem('ftp://127.0.0.1/in', rules), NOT_HTTPS);
  assert.equal(urlProblem('http://user@127.0.0.1/in', rules), CREDENTIALS);
  assert.equal(urlProblem('http://127.0.0.1/i n', rules), NOT_A_URL);
});

test('every spelling of a private IPv4 address is refused', () => {
  const part = fc.constantFrom<(value: number) => string>(
    (value) => String(value),
    (value) => `0${value.toString(8)}`,
    (value) => `0x${value.toString(16)}`,
  );
  const spelled = fc
    .record({
      first: fc.constantFrom(10, 127),
      rest: fc.integer({ min: 0, max: 0xff_ffff }),
      parts: fc.integer({ min: 1, max: 4 }),
      as: fc.array(part, { minLength: 4, maxLength: 4 }),
    })
    .map(({ first, rest, parts, as }) => {
      const bytes = [first, rest >>> 16, (rest >>> 8) & 255, rest & 255];
      const last = bytes.slice(parts - 1).reduce((value, byte) => value * 256 + byte, 0);
      return [...bytes.slice(0, parts - 1), last].map((value, index) => as[index]!(value)).join('.');
    });
  fc.assert(
    fc.property(spelled, (host) => urlProblem(`https://${host}/in`, HTTPS) === PRIVATE),
    { numRuns: 500 },
  );
});

test('a valid URL has at most 2,048 characters, also in its stored form', () => {
  const url = `https://hooks.example.sa/${'é'.repeat(400)}`;
  assert.equal(urlProblem(url, HTTPS), 'url must be shorter than or equal to 2048 characters');
  assert.equal(urlProblem(url.slice(0, 300), HTTPS), null);
  assert.equal(urlProblem(`https://hooks.example.sa/${'a'.repeat(2048 - 25)}`, HTTPS), null);
});

test('URLs are normalized', () => {
  assert.equal(normalizeUrl('HTTPS://Hooks.Example.SA:443/a/../b?c#d'), 'https://hooks.example.sa/b?c#d');
  assert.equal(normalizeUrl('https://hooks.example.sa'), 'https://hooks.example.sa');
  assert.equal(normalizeUrl('https://hooks.example.sa/'), 'https://hooks.example.sa/');
  assert.equal(normalizeUrl('https://HOOKS.example.sa'), 'https://hooks.example.sa/');
});

test('an exemption may name a port that a URL omits', () => {
  const rules = { requireHttps: true, allowHosts: ['localhost:80', '[::1]:443'] };
  for (const url of [
    'http://localhost/in',
    'http://localhost:80/in',
    'https://[::1]/in',
    'https://[::1]:443/in',
  ])
    assert.equal(urlProblem(url, rules), null, url);
  assert.equal(urlProblem('https://localhost/in', rules), PRIVATE);
  assert.equal(urlProblem('http://[::1]/in', rules), NOT_HTTPS);
});
