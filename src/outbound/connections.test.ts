import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { startDnsServer } from '../../test/dns-server.ts';
import { post, receive } from '../../test/receivers.ts';
import { createConnections } from './connections.ts';
import { asAddress } from './dns.ts';
import { exchange } from './exchange.ts';
import { createOutbound } from './requests.ts';

const FIRST = asAddress('127.0.0.1');
const SECOND = asAddress('127.0.0.3');

const noBody: RequestListener = (request, response) => {
  request.resume();
  response.end();
};

async function start(t: TestContext) {
  const connections = createConnections({ perOrigin: 2, idle: 10 }, createSecureContext());
  t.after(() => connections.close());
  const host = await receive(t, noBody);
  const url = new URL(`http://named.test:${host.port}`);
  const request = { url, method: 'POST' as const, headers: {}, body: '', maxBody: 10 };
  const use = (signal: AbortSignal, fresh = false) =>
    connections.use({ origin: url.origin, addresses: [FIRST], fresh, signal }, (via) =>
      exchange(via, request, new AbortController().signal),
    );
  return { connections, host, use };
}

test('no state is kept of a host whose connections have closed', async (t) => {
  const { connections, host, use } = await start(t);
  const { answer, done } = await use(new AbortController().signal);
  assert.equal(answer.complete, true);
  assert.equal(connections.count(), 1);
  const gone = new Promise((resolve) => done.socket!.once('close', resolve));
  for (const socket of host.open) socket.destroy();
  await gone;
  assert.equal(connections.count(), 0);
});

test('a fresh connection closes with its response', async (t) => {
  const { connections, use } = await start(t);
  const { signal } = new AbortController();
  for (const fresh of [false, true]) {
    const { answer, done } = await use(signal, fresh);
    assert.deepEqual([answer.complete, done.socket!.destroyed], [true, fresh]);
  }
  assert.equal(connections.count(), 1);
});

test('a send that ended while waiting does not connect', async (t) => {
  const { host, use } = await start(t);
  const { answer } = await use(AbortSignal.abort());
  assert.deepEqual([answer.error, host.connections], ['CONNECTION_LOST', 0]);
});

test('a kept connection that reconnects uses the addresses that were checked last', async (t) => {
  const dns = await startDnsServer(t);
  const outbound = createOutbound({ dnsServers: [dns.address], isAllowed: () => true });
  t.after(() => outbound.close());
  const host = await receive(t, noBody, FIRST.address);
  const send = () => outbound.send(post(`http://named.test:${host.port}`));

  let kept: Socket | undefined;
  const keep = (message: unknown): void => {
    kept = (message as { socket: Socket }).socket;
  };
  subscribe('undici:client:sendHeaders', keep);
  dns.records.set('named.test', [FIRST.address]);
  assert.equal((await send()).address, FIRST.address);
  unsubscribe('undici:client:sendHeaders', keep);

  const other = createServer(noBody);
  other.listen(host.port, SECOND.address);
  await once(other, 'listening');
  t.after(() => other.close());
  // Ends the connection exactly when it gets the next request.
  const cut = (): void => void kept?.destroy();
  subscribe('undici:request:create', cut);
  t.after(() => unsubscribe('undici:request:create', cut));
  dns.records.set('named.test', [SECOND.address]);
  const { error, statusCode, address } = await send();
  assert.deepEqual([error, statusCode, address], [null, 200, SECOND.address]);
  assert.equal(host.connections, 1);
});
