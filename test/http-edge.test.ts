import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createWorld } from './fixtures.ts';
import { call, documented, startTestService } from './harness.ts';

/** Only the server ends the socket. */
const NEVER = 0;

/** Sends bytes and returns everything the server sends until it closes or falls silent. */
function raw(url: string, bytes: string | Buffer, quiet = 60_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.setTimeout(quiet, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(received) : reject(error),
    );
  });
}

/** The status and the envelope of a raw response; fails when it has none. */
function envelope(answer: string): { status: number; code: string; requestId: string } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  const parsed = JSON.parse(body);
  assert.equal(parsed.success, false);
  assert.deepEqual(Object.keys(parsed.error), ['code', 'message', 'details', 'requestId']);
  assert.equal(parsed.error.details.docUrl, documented(parsed.error.code).docUrl);
  assert.equal(/^x-request-id: (.*)$/im.exec(head)?.[1], parsed.error.requestId);
  for (const header of ['x-api-version: 1', 'x-content-type-options: nosniff', 'cache-control: no-store'])
    assert.match(head, new RegExp(`^${header}\r?$`, 'im'));
  return { status, code: parsed.error.code, requestId: parsed.error.requestId };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('malformed HTTP is answered in the envelope', async (t) => {
  const { url } = await startTestService(t);
  const cases: [string, string, number][] = [
    ['garbage', 'HELLO\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v1/partners/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n{}',
      400,
    ],
    ['headers too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['an undecodable URL', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 400],
    ['an expectation', 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n', 417],
  ];
  for (const [name, bytes, status] of cases) {
    await t.test(name, async () => {
      const answer = envelope(await raw(url, bytes));
      assert.equal(answer.status, status);
      assert.equal(answer.code, 'VALIDATION_ERROR');
      assert.match(answer.requestId, UUID);
    });
  }
  await t.test('no Host header: routed like any other request', async () => {
    const answer = envelope(
      await raw(url, 'GET /v1/partners/services HTTP/1.1\r\nConnection: close\r\n\r\n'),
    );
    assert.equal(answer.status, 401);
  });
});

test('an endless request times out', async (t) => {
  const { url } = await startTestService(t, { timeouts: { headers: 300, request: 600, check: 100 } });
  const slowHeaders = await raw(url, 'GET / HTTP/1.1\r\nHost: x\r\n');
  assert.equal(envelope(slowHeaders).status, 408);
  const slowBody = await raw(
    url,
    'POST /operator/partners HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer operator-token-of-the-tests\r\n' +
      'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
  );
  assert.equal(envelope(slowBody).status, 408);

  // Refused before its body arrived: one response, and the socket ends.
  const refused = await raw(
    url,
    'POST /v1/partners/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{',
    NEVER,
  );
  assert.equal(envelope(refused).status, 401);
});

test("request ids: the caller's if valid, else a new UUID", async (t) => {
  const { url } = await startTestService(t);
  const idFor = async (given?: string) => {
    const answer = await call(
      url,
      'GET',
      '/v1/nothing',
      undefined,
      given === undefined ? {} : { 'x-request-id': given },
    );
    assert.equal(answer.body.error.requestId, answer.headers.get('x-request-id'));
    return answer.headers.get('x-request-id')!;
  };
  assert.equal(await idFor('trace-1:a/b'), 'trace-1:a/b');
  assert.equal(await idFor('x'.repeat(128)), 'x'.repeat(128));
  assert.match(await idFor(), UUID);
  for (const refused of ['x'.repeat(129), 'two words', '\u00e9', ''])
    assert.match(await idFor(refused), UUID, refused);
  const success = await call(url, 'GET', '/livez', undefined, { 'x-request-id': 'probe' });
  assert.equal(success.headers.get('x-request-id'), 'probe');
  assert.equal(success.headers.get('x-api-version'), '1');
});

test('responses are not cached, and have their type only; pages for developers may be cached', async (t) => {
  const service = await startTestService(t, { maxAuthFailures: 1 });
  const { key } = await createWorld(service);
  const contact = { phone: '+966501234567', name: 'Noura' };
  const answers = {
    success: await service.v1(key, 'POST', '/partners/contacts', contact),
    'a fault': await service.v1(key, 'POST', '/partners/contacts', {}),
    'no key': await service.v1(null, 'GET', '/partners/services'),
    'an unknown route': await call(service.url, 'GET', '/nothing'),
    'a body that is too large': await service.v1(key, 'POST', '/partners/contacts', {
      name: 'x'.repeat(1024 * 1024),
    }),
    'a key guessed too often': await service.v1('nonsense', 'GET', '/partners/services'),
    operator: await service.operator('GET', '/partners'),
    livez: await call(service.url, 'GET', '/livez'),
    readyz: await call(service.url, 'GET', '/readyz'),
    metrics: await call(service.url, 'GET', '/metrics'),
    'a payment page': await call(service.url, 'GET', '/checkout/nothing'),
  };
  for (const [name, { headers }] of Object.entries(answers)) {
    assert.equal(headers.get('cache-control'), 'no-store', name);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', name);
  }
  const { 'a body that is too large': large, 'a key guessed too often': guessed } = answers;
  assert.deepEqual([large.status, guessed.status], [413, 429]);
  const page = await call(service.url, 'GET', '/openapi.json');
  assert.match(page.headers.get('cache-control')!, /^public, max-age=/);
});

/** Unreadable bodies, their messages and hints. */
const UNREADABLE: [
  name: string,
  body: string | Uint8Array<ArrayBuffer>,
  message: string,
  ...hints: string[],
][] = [
  ['JSON that ends early', '{"phone":', 'body must be valid JSON', 'the JSON of the body ends too early'],
  [
    'a comma too many',
    '{"name":"Noura",\n "phone":"+966501234567",}',
    'body must be valid JSON',
    'the JSON of the body has a fault in line 2 at column 26',
  ],
  ['no JSON', 'phone', 'body must be valid JSON'],
  [
    'a byte order mark',
    '\ufeff{}',
    'body must be valid JSON',
    'leave out the byte order mark at the beginning of the body',
  ],
  [
    'UTF-16',
    new Uint8Array(Buffer.from('\ufeff{}', 'utf16le')),
    'body must be valid UTF-8',
    'send the body in UTF-8, not in UTF-16',
  ],
  [
    'gzip',
    new Uint8Array(gzipSync('{}')),
    'body must be valid UTF-8',
    'send the body as it is: compressed bodies are not read',
  ],
  ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0x7d]), 'body must be valid UTF-8'],
];

test('bodies', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  const path = '/partners/contacts';
  const post = (body: string | undefined, headers: Record<string, string>) =>
    call(`${service.url}/v1`, 'POST', path, body, { 'x-api-key': key, ...headers });
  const json = { 'content-type': 'application/json' };
  const valid = JSON.stringify({ phone: '+966501234567', name: 'Noura' });

  async function refused(
    name: string,
    answer: ReturnType<typeof post>,
    message: string | RegExp,
    status = 400,
  ) {
    await t.test(name, async () => {
      const { status: got, body } = await answer;
      assert.equal(got, status);
      assert.equal(body.error.code, 'VALIDATION_ERROR');
      assert.equal(body.error.details.statusCode, status);
      const [first] = body.error.details.message;
      if (typeof message === 'string') assert.equal(first, message);
      else assert.match(first, message);
    });
  }
  assert.equal((await post(valid, json)).status, 200);
  assert.equal((await post(valid, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
  await refused('malformed JSON', post('{"phone":', json), 'body must be valid JSON');
  for (const [name, body, message, ...hints] of UNREADABLE)
    await t.test(name, async () => {
      const response = await fetch(`${service.url}/v1${path}`, {
        method: 'POST',
        headers: { ...json, 'x-api-key': key },
        body,
      });
      const { error } = (await response.json()) as { error: { details: object } };
      assert.equal(response.status, 400);
      assert.partialDeepStrictEqual(error.details, {
        message: [message],
        ...(hints.length > 0 && { hints }),
      });
      assert.equal('hints' in error.details, hints.length > 0);
    });
  await refused('empty', post('', json), 'body must be an object');
  await refused('an array', post('[]', json), 'body must be an object');
  await refused('null', post('null', json), 'body must be an object');
  await refused(
    'a form',
    post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    /^Content-Type must be/,
  );
  await refused(
    'text',
    post(valid, { 'content-type': 'text/plain' }),
    'Content-Type must be application/json',
  );
  await refused(
    '__proto__',
    post('{"__proto__":{},"phone":"+966501234567","name":"N"}', json),
    'property __proto__ should not exist',
  );
  await refused(
    'over 1 MiB',
    post(JSON.stringify({ phone: '+966501234567', name: 'x'.repeat(1024 * 1024) }), json),
    /1048576 bytes/,
    413,
  );
  await t.test('exactly 1 MiB is read', async () => {
    const padded = valid + ' '.repeat(1024 * 1024 - valid.length);
    assert.equal((await post(padded, json)).status, 200);
  });
  await t.test('bytes that are not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"phone":"+966501234567","name":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const head = `POST /v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    assert.equal(envelope(await raw(service.url, Buffer.concat([Buffer.from(head), body]))).status, 400);
  });
  await t.test('NUL and lone surrogates', async () => {
    for (const escaped of ['\\u0000', '\\ud800']) {
      const { status, body } = await post(`{"phone":"+966501234567","name":"a${escaped}b"}`, json);
      assert.equal(status, 400);
      assert.deepEqual(body.error.details.message, [
        'name must not contain NUL characters or lone surrogates',
      ]);
    }
  });
  await t.test('thousands of unknown fields are refused without echoing them all', async () => {
    const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, 1]));
    const { status, body } = await post(JSON.stringify(fields), json);
    assert.equal(status, 400);
    assert.equal(body.error.details.message.length, 100);
  });
});

test('every error links to the documentation of its code', async (t) => {
  const service = await startTestService(t, { env: { PUBLIC_URL: 'https://booking.example/base/' } });
  const { key } = await createWorld(service);
  const at = 'https://booking.example/base/docs/errors#';
  const docUrl = async (answer: Promise<{ body: { error: { details: { docUrl: string } } } }>) =>
    (await answer).body.error.details.docUrl;
  assert.equal(await docUrl(service.v1(null, 'GET', '/partners/services')), `${at}unauthorized`);
  assert.equal(await docUrl(service.v1(key, 'GET', '/partners/nothing')), `${at}resource-not-found`);
  assert.equal(await docUrl(service.v1(key, 'GET', '/partners/services')), `${at}validation-error`);
  assert.equal(await docUrl(call(service.url, 'GET', '/nothing')), `${at}resource-not-found`);
  assert.equal(await docUrl(service.operator('GET', '/nothing')), `${at}resource-not-found`);
  assert.equal(await docUrl(call(service.url, 'GET', '/operator/partners')), `${at}unauthorized`);
  assert.match(await raw(service.url, 'HELLO\r\n\r\n'), new RegExp(`"docUrl":"${at}validation-error"`));
});

test('order of errors: authentication, route, body', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  const json = { 'content-type': 'application/json' };
  assert.equal((await call(`${service.url}/v1`, 'POST', '/partners/contacts', '{', json)).status, 401);
  assert.equal((await service.v1(null, 'GET', '/partners/nothing')).status, 401);
  const unknown = [
    'GET /partners/nothing',
    'GET /',
    'DELETE /partners/contacts',
    'GET /partners/services/1/2',
  ];
  for (const route of unknown) {
    const [method = '', path = ''] = route.split(' ');
    const answer = await service.v1(key, method, path);
    assert.equal(answer.status, 404, route);
    assert.equal(answer.body.error.code, 'RESOURCE_NOT_FOUND');
  }
  const unknownWithBadBody = await call(`${service.url}/v1`, 'POST', '/partners/nothing', '{', {
    'x-api-key': key,
    ...json,
  });
  assert.equal(unknownWithBadBody.status, 404);
  assert.equal((await call(service.url, 'GET', '/nothing')).status, 404);
});

test('an undecodable path is refused like any other request, in the same order', async (t) => {
  const service = await startTestService(t);
  const { key, partnerId } = await createWorld(service);
  const long = 'a'.repeat(1001);
  const undecodable = 'the URL must be validly percent-encoded';
  const tooLong = 'parts of the path must be shorter than or equal to 1000 characters';
  const cases: [path: string, status: number, message: string][] = [
    ['/partners/services/%', 400, undecodable],
    ['/partners/services/%ff?addressId=%zz', 400, undecodable],
    ['/partners/nothing/%zz', 404, 'Route not found'],
    [`/partners/services/${long}`, 400, tooLong],
    [`/partners/services/${'%41'.repeat(1001)}`, 400, tooLong],
    [`/partners/nothing/${long}`, 404, 'Route not found'],
  ];
  for (const [path, status, message] of cases) {
    // A stranger learns nothing, not even which routes there are.
    const stranger = await service.v1(null, 'GET', path);
    assert.equal(stranger.status, 401, path);
    const known = await service.v1(key, 'GET', path);
    assert.equal(known.status, status, path);
    const { details, message: summary } = known.body.error;
    assert.equal(details.message?.[0] ?? summary, message, path);
    assert.equal((await call(service.url, 'GET', `/operator${path}`)).status, 401, path);
  }
  // A text of a thousand characters is no UUID, and no more than that.
  const longest = await service.v1(key, 'GET', `/partners/services/${'%41'.repeat(1000)}`);
  assert.deepEqual(longest.body.error.details.message, ['serviceId must be a UUID']);
  // Each counts against the limit of its key.
  await service.operator('PATCH', `/partners/${partnerId}`, { rateLimitPerMinute: 2 });
  const limited = [];
  for (let sent = 0; sent < 3; sent++)
    limited.push((await service.v1(key, 'GET', '/partners/services/%')).status);
  assert.equal(limited.at(-1), 429);
});

test('HEAD responds like GET, without the body', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  const withKey = { 'x-api-key': key };
  const asOperator = { authorization: `Bearer ${service.operatorToken}` };
  const { token } = (await service.operator('POST', '/tokens', { name: 'Reader', role: 'viewer' })).body.data;
  const asViewer = { authorization: `Bearer ${token}` };
  const cases: [string, Record<string, string>, number][] = [
    ['/livez', {}, 200],
    ['/readyz', {}, 200],
    ['/openapi.json', {}, 200],
    ['/docs/errors', {}, 200],
    ['/nothing', {}, 404],
    ['/v1/partners/pricing/tiers', withKey, 200],
    ['/v1/partners/bookings?limit=5', withKey, 200],
    ['/v1/partners/services', withKey, 400],
    ['/v1/partners/nothing', withKey, 404],
    ['/v1/partners/pricing/tiers', {}, 401],
    ['/operator/partners', asOperator, 200],
    ['/operator/partners', asViewer, 200],
    ['/operator/partners', {}, 401],
  ];
  for (const [path, headers, status] of cases) {
    const given = { 'x-request-id': 'the-same', ...headers };
    const get = await call(service.url, 'GET', path, undefined, given);
    const head = await call(service.url, 'HEAD', path, undefined, given);
    assert.deepEqual([get.status, head.status], [status, status], path);
    assert.equal(head.text, '');
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag', 'x-request-id'])
      assert.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`);
  }
  assert.equal((await call(service.url, 'HEAD', '/metrics')).status, 200);
  assert.equal((await call(service.url, 'HEAD', '/v1/partners/contacts', undefined, withKey)).status, 404);
});

test('a path without /v1 gets a hint', async (t) => {
  const service = await startTestService(t, { env: { PUBLIC_URL: 'https://booking.example' } });
  const hintsAt = async (path: string) =>
    (await call(service.url, 'GET', path)).body.error.details.hints as string[] | undefined;
  const hint = ['the path begins with /v1: send it to https://booking.example/v1/partners/...'];
  assert.deepEqual(await hintsAt('/partners/services?addressId=1'), hint);
  assert.deepEqual(await hintsAt('/partners'), hint);
  assert.equal(await hintsAt('/partnersX'), undefined);
  assert.equal(await hintsAt('/nothing'), undefined);
});

test('HTTPS only, when required', async (t) => {
  const behindProxy = { env: { REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.0/8' } };
  const { url } = await startTestService(t, behindProxy);
  const get = (headers: Record<string, string>) =>
    call(url, 'GET', '/v1/partners/services', undefined, headers);
  assert.equal((await get({})).status, 403);
  assert.equal((await get({ 'x-forwarded-proto': 'http' })).body.error.code, 'FORBIDDEN');
  assert.equal((await get({ 'x-forwarded-proto': 'https, http' })).status, 403);
  assert.equal((await call(url, 'GET', '/v1/%zz')).status, 403);
  const secure = await get({ 'x-forwarded-proto': 'https' });
  assert.equal(secure.status, 401);
  assert.match(secure.headers.get('strict-transport-security') ?? '', /max-age=\d+/);
  for (const probe of ['/livez', '/readyz?verbose'])
    assert.equal((await call(url, 'GET', probe)).status, 200);
  assert.equal((await call(url, 'GET', '/livezz?/livez')).status, 403);
  // A person reads a sentence, a program the envelope.
  const typeOf = async (path: string, accept: string): Promise<[number, string]> => {
    const { status, headers } = await call(url, 'GET', path, undefined, { accept });
    return [status, headers.get('content-type')!];
  };
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
  assert.deepEqual(await typeOf('/console', browser), [403, 'text/plain; charset=utf-8']);
  assert.match(
    (await call(url, 'GET', '/console', undefined, { accept: browser })).text,
    /https:\/\/ address/,
  );
  for (const [path, accept] of [
    ['/console', '*/*'],
    ['/v1/partners/services', browser],
  ] as const)
    assert.deepEqual(await typeOf(path, accept), [403, 'application/json; charset=utf-8']);

  const { url: bare, logged } = await startTestService(t, { env: { REQUIRE_HTTPS: 'true' } });
  assert.match(logged(), /"msg":"REQUIRE_HTTPS refuses every request: set TRUSTED_PROXIES /);
  const untrusted = await call(bare, 'GET', '/v1/partners/services', undefined, {
    'x-forwarded-proto': 'https',
  });
  assert.equal(untrusted.status, 403);
  assert.equal(untrusted.headers.get('strict-transport-security'), null);
});

test('an unexpected error reveals nothing of its cause', async (t: TestContext) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  await service.deps.db.rows({ text: 'alter table contacts rename to contacts_gone' });
  const answer = await service.v1(key, 'POST', '/partners/contacts', {
    phone: '+966501234567',
    name: 'Noura',
  });
  assert.equal(answer.status, 500);
  assert.deepEqual(answer.body.error, {
    code: 'INTERNAL_ERROR',
    message: 'An unexpected error occurred',
    details: documented('INTERNAL_ERROR'),
    requestId: answer.headers.get('x-request-id'),
  });
  assert.match(service.logged(), /42P01/);
});
