import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { afterwards, OPERATOR_TOKEN, startTestService } from './harness.ts';
import { until } from './until.ts';

/** A request that could be read in two ways is refused, and a connection that will be closed says so. */

const MIB = 1024 * 1024;

type Talk = { socket: Socket; said(): string; closed: Promise<void> };

function talk(t: TestContext, url: string, bytes: string): Talk {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ port: Number(port), host, allowHalfOpen: true }, () => socket.write(bytes));
  afterwards(t, () => socket.destroy());
  let said = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    said += chunk;
  });
  // A reset is an end like any other here.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.once('end', () => resolve());
    socket.once('close', () => resolve());
  });
  return { socket, said: () => said, closed };
}

type Reply = { status: number; head: string; messages: string[]; hints: string[] };

/** The responses to the bytes, at least `count`, interim ones included. */
async function replies(t: TestContext, url: string, bytes: string, count = 1): Promise<Reply[]> {
  const { socket, said } = talk(t, url, bytes);
  const parse = (): Reply[] => {
    const found: Reply[] = [];
    for (let rest = said(); rest.includes('\r\n\r\n'); ) {
      const end = rest.indexOf('\r\n\r\n');
      const head = rest.slice(0, end);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      const body = rest.slice(end + 4, end + 4 + length);
      if (Buffer.byteLength(body) < length) break;
      rest = rest.slice(end + 4 + length);
      const details = body.startsWith('{') ? JSON.parse(body).error?.details : undefined;
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
      found.push({ status, head, messages: details?.message ?? [], hints: details?.hints ?? [] });
    }
    return found;
  };
  await until(() => parse().length >= count, said);
  socket.destroy();
  return parse();
}

const isClosing = ({ head }: Reply): boolean => /^connection: close$/im.test(head);
const body = (phone = '+966501234567') => JSON.stringify({ name: 'Noura', phone });

test('two Host headers are refused on every listener, for every caller', async (t) => {
  const service = await startTestService(t, { env: { OPERATOR_PORT: '0', METRICS_TOKEN: 'm'.repeat(32) } });
  const { key } = await createWorld(service);
  const operator = service.operatorUrl!;
  for (const [base, path, more] of [
    [service.url, '/v1/partners/bookings', `x-api-key: ${key}\r\n`],
    [service.url, '/v1/partners/bookings', ''],
    [service.url, '/portal', ''],
    [service.url, '/portal/api/me', ''],
    [service.url, '/docs', ''],
    [service.url, '/livez', ''],
    [service.url, '/nothing', ''],
    [operator, '/operator/partners', `Authorization: Bearer ${OPERATOR_TOKEN}\r\n`],
    [operator, '/operator/console', ''],
    [operator, '/readyz', ''],
    [operator, '/metrics', ''],
  ] as const) {
    for (const hosts of ['Host: a\r\nHost: b', 'Host: a\r\nhOST: a']) {
      const [reply] = await replies(t, base, `GET ${path} HTTP/1.1\r\n${hosts}\r\n${more}\r\n`);
      assert.deepEqual([reply!.status, reply!.messages], [400, ['Host must be sent once']], path);
    }
    const [once] = await replies(t, base, `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`);
    assert.notEqual(once!.status, 400, path);
  }
});

test('repeated headers that must be unique, and codings that the body does not have', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  const post = async (more: string, sent = body()) =>
    (
      await replies(
        t,
        service.url,
        `POST /v1/partners/contacts HTTP/1.1\r\nx-api-key: ${key}\r\n${more}Content-Length: ${sent.length}\r\n\r\n${sent}`,
      )
    )[0]!;
  const chunked = async (coding: string) =>
    (
      await replies(
        t,
        service.url,
        `POST /v1/partners/contacts HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\n` +
          `Transfer-Encoding: ${coding}\r\n\r\n${body().length.toString(16)}\r\n${body()}\r\n0\r\n\r\n`,
      )
    )[0]!;
  const json = 'Host: a\r\nContent-Type: application/json\r\n';
  for (const [name, reply, message] of [
    ['types', await post(`${json}Content-Type: text/plain\r\n`), 'Content-Type must be sent once'],
    ['pages', await post(`${json}Referer: https://a\r\nReferer: https://b\r\n`), 'Referer must be sent once'],
    [
      'a list of hosts',
      await post('Host: a,b\r\nContent-Type: application/json\r\n'),
      'Host must be a host name',
    ],
    ['a user', await post('Host: a@b\r\nContent-Type: application/json\r\n'), 'Host must be a host name'],
    ['gzip', await post(`${json}Content-Encoding: gzip\r\n`), 'Content-Encoding must be identity'],
    ['br', await post(`${json}Content-Encoding: BR\r\n`), 'Content-Encoding must be identity'],
    [
      'two',
      await post(`${json}Content-Encoding: identity\r\nContent-Encoding: gzip\r\n`),
      'Content-Encoding must be identity',
    ],
    ['a coding of the transfer', await chunked('gzip, chunked'), 'Transfer-Encoding must be chunked'],
  ] as const) {
    assert.deepEqual([reply.status, reply.messages], [400, [message]], name);
    if (name === 'gzip') assert.match(reply.hints[0]!, /^send the body as it is, without Content-Encoding/);
  }
  const [twoTokens] = await replies(
    t,
    service.url,
    `GET /operator/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\nAuthorization: Bearer x\r\n\r\n`,
  );
  assert.deepEqual(twoTokens!.messages, ['Authorization must be sent once']);

  for (const reply of [
    await post(json),
    await post(`${json}Content-Encoding: Identity\r\n`),
    await post(`${json}Accept: */*\r\nAccept: application/json\r\nVia: a\r\nVia: b\r\n`),
    await post('Host: [::1]:8080\r\nContent-Type: application/json\r\n'),
    await chunked('chunked'),
  ])
    assert.equal(reply.status, 200, reply.head);
  // Nothing is coded that is not there.
  const [empty] = await replies(
    t,
    service.url,
    `GET /v1/partners/bookings HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nContent-Encoding: gzip\r\n\r\n`,
  );
  assert.equal(empty!.status, 200);
});

test('repeated members of an object are refused by every API', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  for (const [path, headers] of [
    ['/v1/partners/contacts', { 'x-api-key': key }],
    ['/operator/partners', { authorization: `Bearer ${OPERATOR_TOKEN}` }],
    ['/portal/api/sessions', {}],
  ] as const) {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"First","timeslot":{"startAt":1,"\\u0073tartAt":2},"name":"Second"}',
    });
    const { error } = (await response.json()) as { error: { code: string; details: { message: string[] } } };
    assert.deepEqual(
      [response.status, error.code, error.details.message],
      [
        400,
        'VALIDATION_ERROR',
        ['property timeslot.startAt must not be repeated', 'property name must not be repeated'],
      ],
      path,
    );
  }
});

test('with Expect: 100-continue errors of the headers are sent before the body', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service, { permissions: ['partner_contacts_read'] });
  const json = 'Content-Type: application/json\r\n';
  const caller = `x-api-key: ${key}\r\n`;
  for (const [name, path, head, status] of [
    ['no key', '/v1/partners/contacts', `${json}Content-Length: 900000\r\n`, 401],
    ['no key, chunks', '/v1/partners/contacts', `${json}Transfer-Encoding: chunked\r\n`, 401],
    ['no permission', '/v1/partners/bookings', `${caller}${json}Content-Length: 10\r\n`, 403],
    ['no route', '/v1/partners/nothing', `${caller}${json}Content-Length: 10\r\n`, 404],
    ['no interface', '/nothing', `${json}Content-Length: 10\r\n`, 404],
    ['no token', '/operator/partners', `${json}Content-Length: 10\r\n`, 401],
    ['too long', '/v1/partners/contacts', `${caller}${json}Content-Length: 5000000\r\n`, 413],
    ['not JSON', '/v1/partners/contacts', `${caller}Content-Type: text/plain\r\nContent-Length: 10\r\n`, 400],
    ['of no type', '/v1/partners/contacts', `${caller}Content-Length: 10\r\n`, 400],
    ['coded', '/v1/partners/contacts', `${caller}${json}Content-Encoding: br\r\nContent-Length: 10\r\n`, 400],
  ] as const) {
    const bytes = `POST ${path} HTTP/1.1\r\nHost: a\r\n${head}Expect: 100-continue\r\n\r\n`;
    const [reply] = await replies(t, service.url, bytes);
    assert.equal(reply!.status, status, name);
    assert.ok(isClosing(reply!), `${name}: the body may come or not`);
  }

  for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
    const { socket, said } = talk(
      t,
      service.url,
      `POST /v1/partners/contacts HTTP/1.1\r\nHost: a\r\n${caller}Content-Type: ${type}\r\n` +
        `Content-Length: ${body().length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await until(() => said() === 'HTTP/1.1 100 Continue\r\n\r\n', said);
    socket.write(body());
    await until(() => said().includes('HTTP/1.1 200 OK'), said);
  }
});

test('a response before the whole body says close when the connection will be closed', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  const json = 'Content-Type: application/json\r\n';
  const stranger = (length: number) =>
    `POST /v1/partners/contacts HTTP/1.1\r\nHost: a\r\n${json}Content-Length: ${length}\r\n\r\n`;
  const isClosed = async (bytes: string, status: number): Promise<boolean> => {
    const [reply] = await replies(t, service.url, bytes);
    assert.equal(reply!.status, status, reply!.head);
    return isClosing(reply!);
  };
  assert.equal(await isClosed(stranger(MIB + 1), 401), true);
  assert.equal(await isClosed(stranger(MIB), 401), false);
  assert.equal(
    await isClosed(`POST /nothing HTTP/1.1\r\nHost: a\r\n${json}Transfer-Encoding: chunked\r\n\r\n`, 404),
    true,
  );
  const known = (path: string, length: number, type = json) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n${type}Content-Length: ${length}\r\n\r\n`;
  assert.equal(await isClosed(known('/v1/partners/nothing', 2 * MIB), 404), false);
  assert.equal(await isClosed(known('/v1/partners/nothing', 33 * MIB), 404), true);
  assert.equal(await isClosed(known('/v1/partners/contacts', 2 * MIB), 413), true);
  assert.equal(
    await isClosed(known('/v1/partners/contacts', 10, 'Content-Type: text/plain\r\n'), 400),
    false,
  );

  // An error without Connection: close is sent after reading the body, and the connection continues.
  const [refused, probe] = await replies(
    t,
    service.url,
    `${stranger(MIB)}${' '.repeat(MIB)}GET /livez HTTP/1.1\r\nHost: a\r\n\r\n`,
    2,
  );
  assert.deepEqual([refused!.status, probe!.status], [401, 200]);
});

test('a request pipelined after a response that says close is not processed', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const create = (phone: string) =>
    `POST /v1/partners/contacts HTTP/1.1\r\nHost: a\r\nx-api-key: ${world.key}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body(phone).length}\r\n\r\n${body(phone)}`;
  const chunks = (more: string) =>
    `POST /v1/partners/contacts HTTP/1.1\r\nHost: a\r\n${more}Content-Type: application/json\r\n` +
    `Transfer-Encoding: chunked\r\n\r\n2\r\n{,\r\n0\r\n\r\n`;
  const { said, closed } = talk(t, service.url, chunks('') + create('+966501110000'));
  await closed;
  assert.equal(said().match(/HTTP\/1\.1/g)?.length, 1, said());
  // A body that was read is no reason to close.
  const [malformed, next] = await replies(
    t,
    service.url,
    chunks(`x-api-key: ${world.key}\r\n`) + create('+966501110008'),
    2,
  );
  assert.deepEqual([malformed!.status, isClosing(malformed!), next!.status], [400, false, 200]);
  await replies(t, service.url, create('+966501110009'));
  const stored = await service.deps.db.rows<{ phone: string }>({
    text: "select phone from contacts where phone like '+96650111%' order by phone",
    values: [],
  });
  assert.deepEqual(stored, [{ phone: '+966501110008' }, { phone: '+966501110009' }]);
});

/** Faults of framing: what follows `POST … HTTP/1.1`, `Host` and the caller's headers. */
const FRAMING_FAULTS: [string, string][] = [
  ['an unknown coding', 'Transfer-Encoding: xchunked\r\n\r\n'],
  ['an unknown coding and a body', 'Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['chunks that are coded', 'Transfer-Encoding: gzip, chunked\r\n\r\nzz\r\n'],
  ['a coding of chunks', 'Transfer-Encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a coding twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n0\r\n'],
  ['chunks and a length', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a length and an unknown coding', 'Content-Length: 2\r\nTransfer-Encoding: x\r\n\r\n{}'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  ['a length in words', 'Content-Length: two\r\n\r\n{}'],
  ['a negative length', 'Content-Length: -1\r\n\r\n{}'],
  ['a length beyond numbers', `Content-Length: ${'9'.repeat(30)}\r\n\r\n{}`],
  ['no size of a chunk', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
  ['a size beyond numbers', `Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(30)}\r\n{}`],
  ['a chunk longer than its size', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n'],
  ['an extension without end', `Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`],
  ['a broken trailer', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nbad trailer\r\n\r\n'],
  ['a trailer after an error', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{,\r\n0\r\nbad trailer\r\n\r\n'],
  ['a broken header', 'Bad Header: 1\r\nContent-Length: 2\r\n\r\n{}'],
  ['lines that end early', 'Content-Length: 2\n\n{}'],
];

test('one request, one response: over all faults of framing, in every state of the body', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  const json = 'Content-Type: application/json\r\n';
  const callers: [string, string, string][] = [
    ['a key', '/v1/partners/contacts', `x-api-key: ${key}\r\n${json}`],
    ['a key, not JSON', '/v1/partners/contacts', `x-api-key: ${key}\r\n`],
    ['a key, no route', '/v1/partners/nothing', `x-api-key: ${key}\r\n${json}`],
    ['no key', '/v1/partners/contacts', json],
    ['a guess', '/v1/partners/contacts', `x-api-key: pbs_test_${'x'.repeat(43)}\r\n${json}`],
    ['a token', '/operator/partners', `Authorization: Bearer ${OPERATOR_TOKEN}\r\n${json}`],
    ['no interface', '/nothing', json],
    ['a wait for its body', '/v1/partners/contacts', `x-api-key: ${key}\r\n${json}Expect: 100-continue\r\n`],
    ['an expectation', '/v1/partners/contacts', `x-api-key: ${key}\r\n${json}Expect: tea\r\n`],
  ];
  const before = `GET /v1/partners/bookings HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nx-request-id: before\r\n\r\n`;
  const statuses = (said: string): number[] =>
    [...said.matchAll(/HTTP\/1\.1 (\d+)/g)]
      .map(([, status]) => Number(status))
      .filter((status) => status >= 200);
  const one = async (name: string, parts: readonly string[], wanted: number): Promise<void> => {
    const { socket, said, closed } = talk(t, service.url, parts[0]!);
    await once(socket, 'connect');
    for (const part of parts.slice(1)) {
      // The head was read, and what it alone refuses was answered or is about to be.
      await service.deps.db.rows({ text: 'select 1 as one', values: [] });
      socket.write(part);
    }
    await closed;
    assert.equal(statuses(said()).length, wanted, `${name}: ${said()}`);
    if (wanted === 2) assert.match(said(), /^HTTP\/1\.1 200 OK\r\nx-request-id: before\r\n/i, name);
    socket.destroy();
  };
  for (const [fault, framing] of FRAMING_FAULTS) {
    await Promise.all(
      callers.flatMap(([caller, path, headers]) => {
        const name = `${caller}, ${fault}`;
        const bytes = `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}${framing}`;
        const head = bytes.search(/\r?\n\r?\n/) + 4;
        return [
          one(name, [bytes], 1),
          one(`${name}, head first`, [bytes.slice(0, head), `${bytes.slice(head)}\r\n`], 1),
          one(`${name}, behind another`, [before + bytes, bytes], 2),
        ];
      }),
    );
  }
});
