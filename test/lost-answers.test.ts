import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';

/** X-Sandbox-Fault: lose-answer, on real sockets (docs/sandbox.md). */

/** The bytes that arrive until the service closes the connection. */
function raw(service: TestService, key: string, head: string, headers: object, body = ''): Promise<string> {
  const { hostname, port } = new URL(service.url!);
  const lines = Object.entries({
    host: 'x',
    'x-api-key': key,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.once('error', reject).once('close', () => resolve(received));
    socket.write(`${head} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

test('lose-answer: the booking is made, nothing is answered, and the repetition is told its booking', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 6 });
  const { key, contactId, addressId, serviceId } = world;
  const timeslot = { startAt: '10:00', endAt: '12:00' };
  const wanted = {
    contactId,
    addressId,
    serviceId,
    date: '2026-11-24',
    timeslot,
    externalReference: 'ORDER-1',
  };
  const lose = (id: string) => ({ 'x-sandbox-fault': 'lose-answer', 'x-request-id': id });
  const book = (headers: object, more = {}) =>
    raw(service, key, 'POST /v1/partners/bookings', headers, JSON.stringify({ ...wanted, ...more }));
  const total = async () => (await service.v1(key, 'GET', '/partners/bookings')).body.meta.total;

  assert.equal(await book(lose('order-1')), '');
  assert.equal(await total(), 1);
  assert.match(await book(lose('order-1')), /^HTTP\/1\.1 409 [\s\S]*"sameRequest":true/);
  assert.match(await book(lose('order-1'), { externalReference: 'ORDER-2' }), /^HTTP\/1\.1 200 /, 'once');
  assert.equal(await book(lose('order-3'), { externalReference: 'ORDER-3' }), '', 'another request');
  assert.equal(await total(), 3);

  // Another partner's request with the same ID is another request; a read loses its answer too.
  const other = await createWorld(service);
  const read = (caller: string, headers: object) =>
    raw(service, caller, 'GET /v1/partners/bookings', headers);
  assert.equal(await read(other.key, lose('order-1')), '');
  assert.match(await read(other.key, lose('order-1')), /^HTTP\/1\.1 200 /);

  // Refusals are answered, so that nobody waits for work that was not done.
  assert.match(await book(lose('order-4'), { date: 'soon' }), /^HTTP\/1\.1 400 /);
  assert.equal(await book(lose('order-4'), { externalReference: 'ORDER-4' }), '', 'and does not count');
  const unknown = await book({ 'x-sandbox-fault': 'lose' }, { externalReference: 'ORDER-5' });
  assert.match(unknown, /^HTTP\/1\.1 400 [\s\S]*X-Sandbox-Fault must be lose-answer/);
  assert.equal(await total(), 4);

  // The developer sees it in the log of requests.
  await service.deps.requestLog!.flush();
  const logged = await service.deps.db.rows<{ status: number }>({
    text: `select status from request_log where request_id = 'order-3'`,
  });
  assert.deepEqual(logged, [{ status: 200 }]);
});
