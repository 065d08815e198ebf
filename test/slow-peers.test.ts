import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createHttpApp } from '../src/http/edge.ts';
import { createLogger } from '../src/runtime/logger.ts';
import type { Span } from '../src/runtime/tracing.ts';
import { createWorld } from './fixtures.ts';
import { afterwards, startTestService } from './harness.ts';
import { until } from './until.ts';

const MIB = 1024 * 1024;
/** The level in a log line. */
const INFO = 30;

function connectTo(t: TestContext, url: string, allowHalfOpen = false): Socket {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ port: Number(port), host, allowHalfOpen });
  afterwards(t, () => socket.destroy());
  return socket;
}

test('an unread response is ended, one that is read is not', async (t) => {
  const app = createHttpApp({
    logger: createLogger('silent'),
    metrics: { observe: () => {} },
    trustedProxies: [],
    requireHttps: false,
    docsUrl: 'http://x/docs',
    timeouts: { unread: 1500, check: 100 },
  });
  // More than the buffers of both kernels take.
  const large = Buffer.alloc(32 * MIB);
  app.get('/large', async (_request, reply) => reply.type('application/octet-stream').send(large));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  afterwards(t, () => app.close());

  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const deaf = connectTo(t, url);
  deaf.pause();
  deaf.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  const [ours] = await accepted;
  await once(ours, 'close');

  const reader = await fetch(`${url}/large`);
  assert.equal((await reader.arrayBuffer()).byteLength, large.length);
});

test('a client that sends everything before it reads gets its 413', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  for (const connection of ['keep-alive', 'close']) {
    const socket = connectTo(t, service.url);
    let said = '';
    const length = 8 * MIB;
    socket.write(
      `POST /v1/partners/contacts HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nConnection: ${connection}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const closed = once(socket, 'close');
    for (let sent = 0; sent < length; sent += MIB)
      await new Promise<void>((resolve, reject) =>
        socket.write(Buffer.alloc(MIB, 0x20), (error) => (error ? reject(error) : resolve())),
      );
    socket.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
    });
    await closed;
    assert.match(said, /^HTTP\/1\.1 413 /, connection);
    assert.match(said, /body must not be larger than 1048576 bytes/, connection);
  }
});

test('an endless body is cut, for unauthenticated callers sooner', async (t) => {
  const service = await startTestService(t);
  const { key } = await createWorld(service);
  for (const [path, caller, least, most] of [
    ['/v1/partners/contacts', '', 0, 32],
    ['/operator/partners', '', 0, 32],
    ['/nothing', '', 0, 32],
    ['/v1/%zz', '', 0, 32],
    ['/v1/partners/contacts', `x-api-key: ${key}\r\n`, 32, 60],
  ] as const) {
    // The connection stays half-open after the server's end.
    const socket = connectTo(t, service.url, true);
    let said = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
    });
    // The cut arrives as a reset.
    socket.on('error', () => {});
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${caller}Content-Type: application/json\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 0x20), Buffer.from('\r\n')]);
    let sent = 0;
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    while (!socket.destroyed && sent < 64 * MIB) {
      await new Promise((resolve) => socket.write(chunk, resolve));
      sent += chunk.length;
    }
    await closed;
    assert.ok(sent >= least * MIB && sent < most * MIB, `${path}: ${sent} bytes were taken`);
    assert.match(said, /^HTTP\/1\.1 4\d\d /, path);
  }
});

test('a client that disconnects is no error of ours, and its request is logged and counted', async (t) => {
  const lines: string[] = [];
  const counted: number[] = [];
  const app = createHttpApp({
    logger: createLogger('info', { write: (line) => void lines.push(line) }),
    metrics: { observe: ({ status }) => void counted.push(status) },
    trustedProxies: [],
    requireHttps: false,
    docsUrl: 'http://x/docs',
  });
  const gone = ({ raw }: { raw: { socket: Socket } }) =>
    new Promise<void>((resolve) => raw.socket.once('close', () => resolve()));
  const kept = Promise.withResolvers<void>();
  app.addHook('onRequest', async (request) => {
    if (request.url !== '/kept-waiting') return;
    kept.resolve();
    await gone(request);
  });
  for (const path of ['/read', '/kept-waiting'])
    app.post(path, async (request) => {
      await gone(request);
      return 'done';
    });
  app.post('/large', () => 'x'.repeat(64 * MIB));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  afterwards(t, () => app.close());
  const cutOff = ['refused: the connection ended before the body', 'VALIDATION_ERROR'];
  for (const [path, framing, sent, refusal, status] of [
    ['/read', 'Content-Length: 100', '{"phone":', cutOff, 400],
    ['/read', 'Transfer-Encoding: chunked', '9\r\n{"phone":\r\n', cutOff, 400],
    // Before its body is read, while its key is looked up.
    ['/kept-waiting', 'Content-Length: 100', '{"phone":', cutOff, 400],
    // While it is carried out, and while its response is being sent.
    ['/read', 'Content-Length: 2', '{}', null, 200],
    ['/large', 'Content-Length: 2', '{}', null, 200],
  ] as const) {
    const socket = connectTo(t, url);
    [lines.length, counted.length] = [0, 0];
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${framing}\r\n\r\n`,
    );
    // A waiting client gets no 100 Continue.
    await (path === '/kept-waiting' ? kept.promise : once(socket, 'data'));
    socket.write(sent);
    if (path === '/large') await once(socket.resume(), 'data');
    socket.resetAndDestroy();
    await until(() => counted.length > 0);
    const said = lines.map((line) => JSON.parse(line));
    const request = said.pop();
    assert.deepEqual([request.msg, request.status, request.unsent], ['request', status, true]);
    assert.deepEqual(counted, [status]);
    assert.deepEqual(
      said.map(({ level, msg, code }) => [level, msg, code]),
      refusal === null ? [] : [[INFO, ...refusal]],
    );
  }
});

test('a request whose end failed to be traced still ends when its connection closes', async (t) => {
  const span: Span = {
    ids: { trace_id: '', span_id: '' },
    traceparent: '',
    isSampled: false,
    run: (work) => work(),
    rename() {},
    set() {},
    fail() {},
    end() {
      throw new Error('it cannot be exported');
    },
  };
  const app = createHttpApp({
    logger: createLogger('silent'),
    metrics: { observe: () => {} },
    tracing: { start: () => span, active: () => null, apart: (work) => work(), close: async () => {} },
    trustedProxies: [],
    requireHttps: false,
    docsUrl: 'http://x/docs',
  });
  app.get('/done', async () => 'done');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  afterwards(t, () => app.close());
  const accepted = once(app.server, 'connection');
  const socket = connectTo(t, url);
  const [connection] = (await accepted) as [Socket];
  const closed = once(connection, 'close');
  socket.write('GET /done HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  await closed;
  // An uncaught error would come in the same turn.
  await new Promise((resolve) => setImmediate(resolve));
});
