import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { afterwards } from './harness.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/** The same on every database. */

/** A server that sends back whatever it receives, and the proxy before it. */
async function proxiedEcho(t: TestContext) {
  let heard = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      heard += chunk;
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
  return { proxy, open, heard: () => heard };
}

test('connections are cut, reset, or hear nothing for good, and new ones pass', async (t) => {
  const { proxy, open } = await proxiedEcho(t);
  const cut = await open();
  cut.socket.write('one');
  await until(() => cut.text === 'one');
  proxy.hurt('cut');
  await until(() => cut.closed);
  assert.equal(cut.error, null);

  const broken = await open();
  broken.socket.write('two');
  await until(() => broken.text === 'two');
  proxy.hurt('reset');
  await until(() => broken.closed);
  assert.equal(broken.error?.code, 'ECONNRESET');

  const silent = await open();
  silent.socket.write('three');
  await until(() => silent.text === 'three');
  proxy.hurt('silent');
  silent.socket.write('four');
  const fresh = await open();
  fresh.socket.write('five');
  await until(() => fresh.text === 'five');
  await proxy.restore();
  assert.deepEqual([silent.text, silent.closed], ['three', false]);
});

test('a connection is hurt where a text passes, before the server hears it, after, or answered', async (t) => {
  const { proxy, open, heard } = await proxiedEcho(t);
  for (const moment of ['unheard', 'heard', 'answered'] as const) {
    const client = await open();
    const hurt = proxy.hurtAt(`commit ${moment}`, 'reset', moment);
    client.socket.write('begin');
    await until(() => client.text === 'begin');
    client.socket.write(`commit ${moment}`);
    await hurt;
    await until(() => client.closed);
    assert.equal(client.text, 'begin');
  }
  assert.ok(heard().includes('commit answered'));
  assert.ok(!heard().includes('commit unheard'));
});

test('stalled, nothing passes until it is restored; refused, nobody listens', async (t) => {
  const { proxy, open, heard } = await proxiedEcho(t);
  const before = await open();
  before.socket.write('a');
  await until(() => before.text === 'a');
  proxy.stall();
  const during = await open();
  before.socket.write('b');
  during.socket.write('c');
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(heard(), 'a');
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
