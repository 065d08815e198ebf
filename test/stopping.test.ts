import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { afterwards, call, OPERATOR_TOKEN, startTestService } from './harness.ts';
import { until } from './until.ts';

/** A connection of which everything that the server says is kept. */
async function open(
  t: TestContext,
  url: string,
): Promise<{ socket: Socket; said(): string; closed: Promise<unknown> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  afterwards(t, () => socket.destroy());
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
  });
  await once(socket, 'connect');
  return { socket, said: () => said, closed: once(socket, 'close') };
}

const answers = (text: string): number => text.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
const closing = (text: string): number => text.match(/^connection: close/gim)?.length ?? 0;

test('stopping: not ready at once, still serving, and every response ends its connection', async (t) => {
  const service = await startTestService(t, { env: { DRAIN_SECONDS: '3' } });
  const { key } = await createWorld(service);
  const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n${more}\r\n`;
  const tiers = head('GET /v1/partners/pricing/tiers');

  const kept = await open(t, service.url);
  kept.socket.write(tiers);
  await until(() => answers(kept.said()) === 1);
  assert.equal(closing(kept.said()), 0);
  const idle = await open(t, service.url);
  idle.socket.write(tiers);
  await until(() => answers(idle.said()) === 1);
  const body = JSON.stringify({ phone: '+966501112222', name: 'Slow' });
  const slow = await open(t, service.url);
  slow.socket.write(
    head(
      'POST /v1/partners/contacts',
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`,
    ),
  );
  slow.socket.write(body.slice(0, 10));

  const followed = await fetch(`${service.operatorUrl}/operator/stream`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  const changes = followed.body!.getReader();

  const stopped = service.close();
  const ready = await call(service.url, 'GET', '/readyz');
  assert.deepEqual([ready.status, ready.body], [503, { status: 'stopping' }]);
  assert.equal(ready.headers.get('connection'), 'close');
  assert.equal((await call(service.url, 'GET', '/livez')).status, 200);

  // New connections are accepted and served; kept ones too, and end with their response.
  const fresh = await service.v1(key, 'GET', '/partners/pricing/tiers');
  assert.deepEqual([fresh.status, fresh.headers.get('connection')], [200, 'close']);
  kept.socket.write(tiers);
  await kept.closed;
  assert.deepEqual([answers(kept.said()), closing(kept.said())], [2, 1]);

  // Pipelined: all get responses, the last one ends the connection.
  const pipelined = await open(t, service.url);
  pipelined.socket.write(tiers + tiers + tiers);
  await pipelined.closed;
  assert.deepEqual([answers(pipelined.said()), closing(pipelined.said())], [3, 1]);

  await idle.closed;
  assert.equal(answers(idle.said()), 1);
  await assert.rejects(open(t, service.url), 'nobody listens any more');
  slow.socket.write(body.slice(10));
  await slow.closed;
  assert.deepEqual([answers(slow.said()), closing(slow.said())], [1, 1]);
  // A stream, which would not end by itself, ends in good order.
  while (!(await changes.read()).done);
  await stopped;
  assert.match(service.logged(), /"drainSeconds":3,"msg":"stopping/);
});
