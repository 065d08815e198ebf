import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { startMoyasar } from './moyasar-server.ts';
import { startPlatform } from './payment-flows.ts';

/** A production without a payment gateway, and a process that is only a worker. */
const PRODUCTION = { env: { DEPLOYMENT: 'production' } };
const FAULT = 'paymentResponsibility must be PARTNER while there is no payment gateway';

test('without a gateway no partner becomes PLATFORM', async (t) => {
  const { operator } = await startTestService(t, PRODUCTION);
  const refused = await operator('POST', '/partners', {
    name: 'Riyadh Homes',
    paymentResponsibility: 'PLATFORM',
    allowedDomains: ['https://not.a.host'],
  });
  assert.equal(refused.status, 400, refused.text);
  assert.equal(refused.body.error.details.message.length, 2, 'with every other fault');
  assert.ok(refused.body.error.details.message.includes(FAULT));
  assert.match(refused.body.error.details.hints[0], /PAYMENT_GATEWAY/);

  const made = await operator('POST', '/partners', { name: 'Riyadh Homes' });
  assert.equal(made.status, 201, made.text);
  const path = `/partners/${made.body.data.id}`;
  const switched = await operator('PATCH', path, { paymentResponsibility: 'PLATFORM' });
  assert.deepEqual([switched.status, switched.body.error.details.message], [400, [FAULT]]);
  assert.equal((await operator('GET', path)).body.data.paymentResponsibility, 'PARTNER');
  assert.equal((await operator('PATCH', path, { paymentResponsibility: 'PARTNER' })).status, 200);
});

test('a booking of an earlier PLATFORM partner is refused, and leaves nothing', async (t) => {
  const { service, world } = await startPlatform(t, {
    env: { ...PRODUCTION.env, IDEMPOTENCY: 'on' },
  });
  const timeslot = { startAt: '10:00', endAt: '12:00' };
  const { contactId, addressId, serviceId } = world;
  const wanted = { contactId, addressId, serviceId, date: '2026-11-24', timeslot, externalReference: 'A-1' };
  for (const headers of [{}, { 'idempotency-key': 'once' }]) {
    const answer = await service.v1(world.key, 'POST', '/partners/bookings', wanted, headers);
    assert.equal(answer.status, 422, answer.text);
    const { code, message, details } = answer.body.error;
    assert.equal(code, 'BOOKING_CREATION_FAILED');
    assert.equal(message, 'This account cannot collect payments at the moment');
    assert.deepEqual([details.reason, details.alternatives], ['PAYMENT_UNAVAILABLE', []]);
    assert.match(details.hints[0], /ask the operator/);
  }
  for (const table of ['bookings', 'appointments', 'events', 'payments'])
    assert.deepEqual(await service.deps.db.rows({ text: `select 1 from ${table}` }), [], table);
  // A contact that is not there comes first, and the operator can end the state.
  const lost = await world.book({ contactId: '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10' });
  assert.equal(lost.status, 404);
  const path = `/partners/${world.partnerId}`;
  assert.equal((await service.operator('PATCH', path, { paymentResponsibility: 'PARTNER' })).status, 200);
  assert.equal((await world.book({ externalReference: 'A-1' })).status, 200);
});

test('with a gateway PLATFORM partners can be created and book', async (t) => {
  const moyasar = await startMoyasar(t);
  const { service, world } = await startPlatform(t, {
    env: {
      ...PRODUCTION.env,
      PAYMENT_GATEWAY: 'moyasar',
      NOTIFIER: 'none',
      MOYASAR_SECRET_KEY: moyasar.secretKey,
      MOYASAR_WEBHOOK_TOKEN: moyasar.webhookToken,
      MOYASAR_BASE_URL: moyasar.url,
    },
  });
  const fields = { name: 'Jeddah Homes', paymentResponsibility: 'PLATFORM' };
  assert.equal((await service.operator('POST', '/partners', fields)).status, 201);
  assert.equal((await world.book()).body.data?.status, 'waiting payment');
});

test("production has no page of the sandbox's gateway, where anybody could pay", async (t) => {
  const path = `/checkout/${'a'.repeat(32)}`;
  const { deps, url } = await startTestService(t, PRODUCTION);
  assert.equal(deps.gateways.find('sandbox'), null);
  for (const method of ['GET', 'POST']) {
    const answer = await fetch(url + path, { method });
    assert.equal(answer.status, 404);
    assert.match(((await answer.json()) as { error: { message: string } }).error.message, /^Route not found/);
  }
});

test('a worker-only process serves only probes and metrics, on WORKER_PORT', async (t) => {
  const api = await startTestService(t, { env: { ROLES: 'api,worker', WORKER_PORT: '0' } });
  assert.equal(api.workerUrl, null, 'with an interface the probes are there');
  assert.match(api.logged(), /"msg":"WORKER_PORT is not opened: /);
  if (api.deps.config.databaseUrl === null) return;
  const worker = await startTestService(t, { env: { ROLES: 'worker', WORKER_PORT: '0' } });
  assert.equal(worker.url, null);
  for (const path of ['/livez', '/readyz', '/metrics'])
    assert.equal((await fetch(worker.workerUrl + path)).status, 200, path);
  for (const path of ['/v1/partners/services', '/operator/partners', '/docs', '/openapi.json'])
    assert.equal((await fetch(worker.workerUrl + path)).status, 404, path);
  const without = await startTestService(t, { env: { ROLES: 'worker' } });
  assert.deepEqual([without.url, without.workerUrl], [null, null]);
});

test('production has no simulator: its routes are unknown, and its headers are ignored', async (t) => {
  const service = await startTestService(t, PRODUCTION);
  const world = await createWorld(service);
  const { contactId, addressId, serviceId, key } = world;
  const timeslot = { startAt: '10:00', endAt: '12:00' };
  const wanted = { contactId, addressId, serviceId, date: '2026-11-24', timeslot };
  const header = { 'x-sandbox-run': 'complete; every=0', 'x-sandbox-fault': 'lose-answer' };
  const made = await service.v1(key, 'POST', '/partners/bookings', wanted, header);
  assert.equal(made.status, 200, made.text);
  // The committed document is that of a sandbox, so this one is not held against it.
  const later = await fetch(`${service.url}/v1/partners/bookings`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'x-sandbox-run': 'no script at all' },
    body: JSON.stringify({ ...wanted, date: '2026-11-25' }),
  });
  assert.equal(later.status, 200);
  const booking = `/partners/sandbox/bookings/${made.body.data.bookingId}`;
  const unknown = await service.v1(key, 'GET', '/partners/nowhere');
  for (const [method, path] of [
    ['POST', `${booking}/advance`],
    ['POST', `${booking}/runs`],
    ['GET', `${booking}/runs`],
    ['GET', `${booking}/runs/${contactId}`],
    ['DELETE', `${booking}/runs/${contactId}`],
    ['POST', `/partners/sandbox/webhooks/subscriptions/${contactId}/faults`],
    ['GET', `/partners/sandbox/webhooks/subscriptions/${contactId}/faults`],
    ['DELETE', `/partners/sandbox/webhooks/subscriptions/${contactId}/faults`],
    ['POST', '/partners/sandbox/certifications'],
    ['GET', `/partners/sandbox/certifications/${contactId}`],
  ] as const) {
    const response = await fetch(`${service.url}/v1${path}`, { method, headers: { 'x-api-key': key } });
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    const { requestId: _one, ...answered } = error;
    const { requestId: _other, ...expected } = unknown.body.error;
    assert.deepEqual([response.status, answered], [404, expected], path);
  }
  const { db } = service.deps;
  for (const table of ['simulator_runs', 'simulator_steps', 'webhook_faults', 'webhook_faulty_deliveries'])
    assert.deepEqual(await db.rows({ text: `select 1 from ${table}` }), [], table);
  const document = await (await fetch(`${service.url}/openapi.json`)).text();
  assert.doesNotMatch(document, /sandbox-(?:run|fault)|partners\/sandbox/i);
});
