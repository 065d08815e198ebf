import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ERROR_STATUS, type ErrorCode, errorAnchor } from '../src/base/errors.ts';
import { GUIDES, FILES as OFFERED } from '../src/developer-docs/guides.ts';
import { MINISEARCH_VERSION, SCALAR_VERSION } from '../src/developer-docs/routes.ts';
import type { SearchEntry } from '../src/developer-docs/search.ts';
import { startTestService } from './harness.ts';

/** The pages for developers: the reference, the guides, the documents. */
const SCRIPT = `/docs/scalar-${SCALAR_VERSION}.js`;
const OPERATOR_SCRIPT = `/operator/docs/scalar-${SCALAR_VERSION}.js`;
const SEARCH_SCRIPT = `/docs/minisearch-${MINISEARCH_VERSION}.js`;
const FOR_GOOD = [SCRIPT, OPERATOR_SCRIPT, SEARCH_SCRIPT];
const PAGES = ['/docs', ...GUIDES.map(({ name }) => `/docs/${name}`)];
const FILES: Record<string, string> = {
  '/openapi.json': 'application/json; charset=utf-8',
  '/openapi.operator.json': 'application/json; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/operator/docs': 'text/html; charset=utf-8',
  '/docs/search.json': 'application/json; charset=utf-8',
  '/docs/reference.json': 'application/json; charset=utf-8',
  '/operator/docs/reference.json': 'application/json; charset=utf-8',
  ...Object.fromEntries(
    [...FOR_GOOD, '/docs/guide-page.js'].map((path) => [path, 'text/javascript; charset=utf-8']),
  ),
  ...Object.fromEntries(
    ['/docs/pages.css', '/operator/docs/pages.css'].map((path) => [path, 'text/css; charset=utf-8']),
  ),
  ...Object.fromEntries(PAGES.map((path) => [path, 'text/html; charset=utf-8'])),
  ...Object.fromEntries(GUIDES.map(({ name }) => [`/docs/${name}.md`, 'text/markdown; charset=utf-8'])),
  ...Object.fromEntries(OFFERED.map(({ name, type }) => [`/docs/${name}`, type])),
};

const rootFile = (path: string): Buffer => readFileSync(new URL(`../${path}`, import.meta.url));

type Got = { status: number; headers: Record<string, string | undefined>; body: Buffer };

/** The raw bytes of the path: fetch would decode and normalize them. */
function get(base: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, async (response) => {
      const body = await buffer(response);
      resolve({ status: response.statusCode!, headers: response.headers as Got['headers'], body });
    });
    sent.on('error', reject).end();
  });
}

test('all files are public, typed, cacheable, and revalidated', async (t) => {
  const { url } = await startTestService(t);
  for (const [path, type] of Object.entries(FILES)) {
    const { status, headers, body } = await get(url, path);
    assert.equal(status, 200, path);
    assert.equal(headers['content-type'], type);
    assert.equal(
      headers['cache-control'],
      FOR_GOOD.includes(path)
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=300, must-revalidate',
    );
    assert.equal(headers.vary, 'accept-encoding');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.match(headers['content-security-policy']!, /^default-src 'none'; .*frame-ancestors 'none'$/);
    assert.equal(headers['x-ratelimit-limit'], undefined);
    assert.ok(body.length > 0);

    const etag = headers.etag!;
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(url, path, { 'if-none-match': tag });
      assert.equal(again.status, 304, `${path} ${tag}`);
      assert.equal(again.body.length, 0);
      assert.equal(again.headers.etag, etag);
      assert.equal(again.headers['cache-control'], headers['cache-control']);
    }
    assert.equal((await get(url, path, { 'if-none-match': '"other"' })).status, 200);
  }
});

test('compressed by Accept-Encoding, each encoding with its own tag', async (t) => {
  const { url } = await startTestService(t);
  for (const path of ['/openapi.json', '/docs', SCRIPT]) {
    const plain = await get(url, path);
    const brotli = await get(url, path, { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await get(url, path, { 'accept-encoding': 'gzip' });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.ok(plain.body.equals(brotliDecompressSync(brotli.body)), path);
    assert.ok(plain.body.equals(gunzipSync(gzip.body)), path);
    assert.ok(brotli.body.length < gzip.body.length && gzip.body.length < plain.body.length);
    for (const { headers, body } of [plain, brotli, gzip])
      assert.equal(headers['content-length'], String(body.length));
    assert.equal(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size, 3);
    const other = { 'accept-encoding': 'br', 'if-none-match': gzip.headers.etag! };
    assert.equal((await get(url, path, other)).status, 200, 'the tag of another encoding');
  }
});

test('files are served unchanged', async (t) => {
  const { url } = await startTestService(t);
  const sent = async (path: string): Promise<Buffer> => (await get(url, path)).body;
  for (const { name, source } of OFFERED)
    assert.ok((await sent(`/docs/${name}`)).equals(rootFile(source)), name);
  // The address of a script names its version: another one may not hide behind it.
  const versionOf = (name: string): string =>
    JSON.parse(rootFile(`node_modules/${name}/package.json`).toString()).version;
  assert.equal(SCALAR_VERSION, versionOf('@scalar/fastify-api-reference'));
  assert.equal(MINISEARCH_VERSION, versionOf('minisearch'));
  const script = (await sent(SCRIPT)).toString();
  assert.ok(script.length > 1_000_000, 'the whole bundle');
  assert.doesNotMatch(script, /QUxMIFlPVVIg/, 'without the joke in the field of the key');
  assert.match(script, /placeholder:`YOUR_KEY`/);
  assert.doesNotThrow(() => new Script(script), 'and it is JavaScript');
});

type Document = {
  tags: { name: string }[];
  paths: Record<string, Record<string, { parameters?: { name: string }[]; responses: object }>>;
  components: Record<string, Record<string, object>>;
};

test('a process lists enabled features, and the committed file lists everything', async (t) => {
  const documentOf = async (env: Record<string, string>, name: string): Promise<Document> => {
    const { url } = await startTestService(t, { env, sandboxClock: true });
    return JSON.parse((await get(url, `/${name}`)).body.toString());
  };
  const ON = { IDEMPOTENCY: 'true', SANDBOX_DOMAIN_CHECK: 'true' };
  for (const [name, file] of [
    ['openapi.json', 'openapi/partner.json'],
    ['openapi.operator.json', 'openapi/operator.json'],
  ] as const)
    assert.deepEqual(await documentOf(ON, name), JSON.parse(rootFile(file).toString()), name);

  const less = await documentOf(
    { BOOKING_UPDATE_ROUTE: 'false', SERVICE_DETAIL_ROUTE: 'false' },
    'openapi.json',
  );
  const all: Document = JSON.parse(rootFile('openapi/partner.json').toString());
  const operations = ({ paths }: Document): string[] =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
  assert.deepEqual(
    operations(all).filter((each) => !operations(less).includes(each)),
    ['patch /partners/bookings/{bookingId}', 'get /partners/services/{serviceId}'],
  );
  assert.doesNotMatch(JSON.stringify(less), /idempoten|SANDBOX_DOMAIN_NOT_ALLOWED|UpdateBookingRequest/i);
  assert.match(JSON.stringify(less), /"DUPLICATE_EXTERNAL_REFERENCE"/, 'its neighbours stay');
  assert.ok('CreateBookingRequest' in less.components.schemas!);

  const production = await startTestService(t);
  const text = (await get(production.url, '/openapi.operator.json')).body.toString();
  const without: Document = JSON.parse(text);
  assert.deepEqual(
    operations(without).filter((each) => /clock/.test(each)),
    [],
    'a clock that cannot be moved',
  );
  assert.ok(without.tags.every(({ name }) => name !== 'Sandbox'));
});

test('every section of every guide is in the index, with its address', async (t) => {
  const { url } = await startTestService(t);
  const entries = JSON.parse((await get(url, '/docs/search.json')).body.toString()) as SearchEntry[];
  const pages = new Map<string, string>();
  for (const { name } of GUIDES)
    pages.set(`/docs/${name}`, (await get(url, `/docs/${name}`)).body.toString());
  for (const { id } of entries) {
    const [path = '', anchor] = id.split('#');
    const html = pages.get(path);
    assert.ok(html !== undefined && (anchor === undefined || idsOf(html).has(anchor)), id);
  }
  const headings = [...pages.values()].flatMap((html) => [...html.matchAll(/<h\d id="/g)]);
  assert.equal(entries.length, headings.length);
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
});

test('other paths are not served', async (t) => {
  const { url } = await startTestService(t);
  const paths = [
    '/docs/',
    '/docs/nothing',
    '/docs/ARCHITECTURE.md',
    '/docs/internals.md',
    '/docs/decisions/README.md',
    '/docs/../package.json',
    '/docs/../src/program/config.ts',
    '/docs/decisions/../../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs/errors.md/../../package.json',
    '/docs/..\\package.json',
    '/docs/errors%00.md',
    '/docs/scalar-0.0.1.js',
    `${SCRIPT}.map`,
    '/schema.sql',
    '/docs/schema.sql',
  ];
  for (const path of paths) {
    const { status, body } = await get(url, path);
    assert.equal(status, 404, path);
    assert.equal(JSON.parse(body.toString()).error.code, 'RESOURCE_NOT_FOUND', path);
  }
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.equal((await get(url, '/docs', {}, method)).status, 404, method);
});

test('each listener has the document of its API; plain HTTP is refused where HTTPS is required', async (t) => {
  const { url, operatorUrl } = await startTestService(t, {
    env: { OPERATOR_PORT: '0', REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.1' },
  });
  const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
  assert.equal((await get(operatorUrl!, '/openapi.operator.json', tls)).status, 200);
  assert.equal((await get(url, '/openapi.operator.json', tls)).status, 404);
  for (const path of ['/operator/docs', '/operator/docs/pages.css', OPERATOR_SCRIPT]) {
    assert.equal((await get(operatorUrl!, path, tls)).status, 200, path);
    assert.equal((await get(url, path, tls)).status, 404, path);
    assert.equal((await get(operatorUrl!, path)).status, 403, path);
  }
  for (const path of ['/docs', '/docs/errors', '/docs/pages.css', SCRIPT, '/openapi.json', '/llms.txt']) {
    assert.equal((await get(url, path, tls)).status, 200, path);
    assert.equal((await get(operatorUrl!, path, tls)).status, 404, path);
    assert.equal((await get(url, path)).status, 403, path);
  }
});

/** Targets of links in the page: anchors and headings. */
const idsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!));

/** Dead links of the pages; `pages` are the responses by path. */
function deadLinks(pages: ReadonlyMap<string, string>, known: readonly string[]): string[] {
  return [...pages].flatMap(([path, html]) =>
    [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].flatMap(([, href]) => {
      const { origin, pathname, hash } = new URL(href!, `http://service.example${path}`);
      if (origin !== 'http://service.example') return [];
      const anchor = decodeURIComponent(hash.slice(1));
      const found =
        known.includes(pathname) && (anchor === '' || idsOf(pages.get(pathname) ?? '').has(anchor));
      return found ? [] : [`${path}: ${href}`];
    }),
  );
}

test('every link of a page and every docUrl leads somewhere', async (t) => {
  const { url } = await startTestService(t);
  const pages = new Map<string, string>();
  for (const path of PAGES) pages.set(path, (await get(url, path)).body.toString());
  const known = Object.keys(FILES);
  assert.deepEqual(deadLinks(pages, known), []);
  for (const { name } of GUIDES) {
    const text = (await get(url, `/docs/${name}.md`)).body.toString().replaceAll(/^```[\s\S]*?^```$/gm, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, href]) => `<a href="${href!.replace(/(?<=\.md|^)#.*/, '')}"></a>`,
    );
    const page = new Map([[`/docs/${name}.md`, links.join('')] as const]);
    assert.deepEqual(deadLinks(page, known), [], `${name} as Markdown`);
  }
  const anchors = idsOf(pages.get('/docs/errors')!);
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
  assert.deepEqual(
    codes.filter((code) => !anchors.has(errorAnchor(code))),
    [],
  );
  for (const [path, html] of pages) {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${path}: an id twice`);
  }

  const spoilt = '<a href="errors#teapot"></a><a href="nowhere"></a><a href="webhooks#verify"></a>';
  assert.deepEqual(deadLinks(new Map([...pages, ['/docs/x', spoilt]]), known), [
    '/docs/x: errors#teapot',
    '/docs/x: nowhere',
  ]);
});

test('llms.txt leads to the document and to every guide', async (t) => {
  const { url } = await startTestService(t, { env: { PUBLIC_URL: 'https://booking.example' } });
  const text = (await get(url, '/llms.txt')).body.toString();
  assert.match(text, /^# .+\n\n> .+\n/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(https:\/\/booking\.example([^)]+)\): .+$/gm)];
  const listed = GUIDES.filter(({ about }) => about !== null);
  const guidesIn = (wanted: string) =>
    listed.filter(({ language }) => language === wanted).map(({ name }) => `/docs/${name}.md`);
  const files = OFFERED.filter(({ about }) => about !== null).map(({ name }) => `/docs/${name}`);
  assert.deepEqual(
    links.map(([, path]) => path),
    ['/openapi.json', ...guidesIn('en'), ...guidesIn('ar'), ...files],
  );
  for (const [, path] of links) assert.equal((await get(url, path!)).status, 200, path!);
});

test('the start of the service loads none of it', () => {
  const app = fileURLToPath(new URL('../src/program/app.ts', import.meta.url));
  const source = `
    import { registerHooks } from 'node:module';
    const asked = [];
    registerHooks({ resolve: (name, context, next) => (asked.push(name), next(name, context)) });
    await import(${JSON.stringify(app)});
    console.log(asked.join(' '));`;
  const asked = execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  assert.match(asked, /developer-docs\/routes\.ts/);
  assert.doesNotMatch(asked, /marked|scalar|highlight|minisearch/i);
});
