import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { afterwards } from './harness.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/** An echo server, and the proxy before it. */
async function proxiedEcho(t: TestContext) {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk;
      socket.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const proxy = await startTcpProxy(t, `echo://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const open = async () => {
    const socket = connect(proxy.port, '127.0.0.1');
    await once(socket, 'connect');
    const seen = { socket, text: '', error: null as (Error & { code?: string }) | null, closed: false };
    socket.on('data', (chunk) => {
      seen.text += chunk;
    });
    socket.on('error', (error) => {
      seen.error = error;
    });
    socket.on('close', () => {
      seen.closed = true;
    });
    afterwards(t, () => socket.destroy());
    return seen;
  };
  return { proxy, open, received: () => received };
}

test('connections are cut, reset, or silent, and new ones pass', async (t) => {
  const { proxy, open } = await proxiedEcho(t);
  const cut = await open();
  cut.socket.write('one');
  await until(() => cut.text === 'one');
  proxy.injectFault('cut');
  await until(() => cut.closed);
  assert.equal(cut.error, null);

  const broken = await open();
  broken.socket.write('two');
  await until(() => broken.text === 'two');
  proxy.injectFault('reset');
  await until(() => broken.closed);
  assert.equal(broken.error?.code, 'ECONNRESET');

  const silent = await open();
  silent.socket.write('three');
  await until(() => silent.text === 'three');
  proxy.injectFault('silent');
  silent.socket.write('four');
  const fresh = await open();
  fresh.socket.write('five');
  await until(() => fresh.text === 'five');
  await proxy.restore();
  assert.deepEqual([silent.text, silent.closed], ['three', false]);
});

test('a fault is injected at a text: before the server gets it, after it, or after the response', async (t) => {
  const { proxy, open, received } = await proxiedEcho(t);
  for (const moment of ['before', 'received', 'answered'] as const) {
    const client = await open();
    const injected = proxy.injectFaultAt(`commit ${moment}`, 'reset', moment);
    client.socket.write('begin');
    await until(() => client.text === 'begin');
    client.socket.write(`commit ${moment}`);
    await injected;
    await until(() => client.closed);
    assert.equal(client.text, 'begin');
  }
  assert.ok(received().includes('commit answered'));
  assert.ok(!received().includes('commit before'));
});

test('stalled, nothing passes until it is restored; refused, the port is closed', async (t) => {
  const { proxy, open, received } = await proxiedEcho(t);
  const before = await open();
  before.socket.write('a');
  await until(() => before.text === 'a');
  proxy.stall();
  const during = await open();
  before.socket.write('b');
  during.socket.write('c');
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(received(), 'a');
  await proxy.restore();
  await until(() => before.text === 'ab' && during.text === 'c');

  await proxy.refuse();
  await assert.rejects(open(), { code: 'ECONNREFUSED' });
  await until(() => before.closed && during.closed);
  await proxy.restore();
  const after = await open();
  after.socket.write('d');
  await until(() => after.text === 'd');
});
