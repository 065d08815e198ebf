import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { listen, receive } from '../../test/receivers.ts';
import { createConnections } from './outbound-connections.ts';
import { asAddress } from './outbound-dns.ts';
import { exchange } from './outbound-exchange.ts';

const FIRST = asAddress('127.0.0.1');
const SECOND = asAddress('127.0.0.3');
const { signal } = new AbortController();

function start(t: TestContext) {
  const connections = createConnections({ perOrigin: 2, idle: 10 }, createSecureContext());
  t.after(() => connections.close());
  return connections;
}

const postTo = (url: URL) => ({ url, method: 'POST' as const, headers: {}, body: '', maxBody: 10 });

test('nothing is kept of a host whose connections have ended', async (t) => {
  const connections = start(t);
  const host = await receive(t, (_request, response) => response.end());
  const url = new URL(`http://named.test:${host.port}`);
  const connection = await connections.take(url, [FIRST], false, signal);
  assert.ok(connection !== null);
  assert.equal((await exchange(connection.client, postTo(url), signal)).complete, true);
  connections.release(connection);
  assert.equal(connections.count(), 1);
  const gone = once(connection.client, 'disconnect');
  for (const socket of host.open) socket.destroy();
  await gone;
  assert.equal(connections.count(), 0);
});

test('a kept connection that has to connect again goes to the addresses checked last', async (t) => {
  const connections = start(t);
  const server = createServer((_request, response) => response.end());
  const host = await listen(t, server, FIRST.address);
  const url = new URL(`http://named.test:${host.port}`);
  const first = await connections.take(url, [FIRST], false, signal);
  assert.ok(first !== null);
  await exchange(first.client, postTo(url), signal);
  connections.release(first);
  const again = await connections.take(url, [FIRST, SECOND], false, signal);
  assert.equal(again, first);
  server.close();
  server.closeAllConnections();
  again.socket?.destroy();
  const other = createServer((_request, response) => response.end());
  other.listen(host.port, SECOND.address);
  await once(other, 'listening');
  t.after(() => other.close());
  const { error, complete } = await exchange(again.client, postTo(url), signal);
  assert.deepEqual([error, complete, again.address], [null, true, SECOND.address]);
  connections.discard(again);
});
