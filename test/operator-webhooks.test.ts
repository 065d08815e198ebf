import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { toUtcIso } from '../src/base/clock.ts';
import type { World } from './fixtures.ts';
import { type Answer, call, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { tally, times } from './storm.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

const HOUR = 3_600_000;
const ACTOR = 'operator:first-token';

async function start(
  t: TestContext,
  env: Record<string, string> = {},
): Promise<{ service: TestService; world: World; bookingId: string }> {
  const service = await startTestService(t, { env });
  const world = await createHookWorld(service);
  const { bookingId } = (await world.book()).body.data;
  return { service, world, bookingId };
}

function refused(answer: Answer, status: number, code: string, ...messages: string[]): void {
  assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], answer.text);
  if (messages.length > 0) assert.deepEqual(answer.body.error.details.message, messages);
}

async function idsAt(service: TestService, path: string): Promise<string[]> {
  const answer = await service.operator('GET', path);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.meta.total, answer.body.data.length);
  return answer.body.data.map((row: { id: string }) => row.id);
}

function auditOf(service: TestService, target: string) {
  return service.deps.db.rows({
    text: 'select actor, action, before, after from audit_log where target = $1 order by position',
    values: [target],
  });
}

async function nameOf(service: TestService, partnerId: string): Promise<string> {
  return (await service.operator('GET', `/partners/${partnerId}`)).body.data.name;
}

test("all partners' subscriptions are found, without their secrets", async (t) => {
  const { service, world } = await start(t);
  const other = await createHookWorld(service);
  const first = await subscribe(service, world.key, { url: 'https://one.example.sa/in' });
  service.clock.advance(1_000);
  const second = await subscribe(service, world.key, { url: 'https://two.example.sa/In%25' });
  service.clock.advance(1_000);
  const third = await subscribe(service, other.key, { url: 'https://one.example.sa/other' });
  service.clock.advance(1_000);
  const gone = await subscribe(service, other.key);
  await service.v1(other.key, 'DELETE', `/partners/webhooks/subscriptions/${gone.id}`);
  await service.v1(world.key, 'PATCH', `/partners/webhooks/subscriptions/${first.id}`, {
    status: 'INACTIVE',
  });

  assert.deepEqual(await idsAt(service, '/subscriptions'), [third.id, second.id, first.id]);
  assert.deepEqual(await idsAt(service, `/subscriptions?partnerId=${world.partnerId}`), [
    second.id,
    first.id,
  ]);
  assert.deepEqual(await idsAt(service, '/subscriptions?status=INACTIVE'), [first.id]);
  assert.deepEqual(await idsAt(service, '/subscriptions?search=ONE.EXAMPLE'), [third.id, first.id]);
  assert.deepEqual(await idsAt(service, '/subscriptions?search=in%2525'), [second.id]);
  assert.deepEqual(await idsAt(service, '/subscriptions?search=_'), []);
  const page = await service.operator('GET', '/subscriptions?page=2&limit=2');
  assert.deepEqual(page.body.meta, { page: 2, limit: 2, total: 3, totalPages: 2 });
  assert.deepEqual(
    page.body.data.map((row: { id: string }) => row.id),
    [first.id],
  );
  const beyond = await service.operator('GET', '/subscriptions?page=5');
  assert.deepEqual([beyond.body.data, beyond.body.meta.total], [[], 3]);

  await service.deps.db.rows({
    text: 'update webhook_subscriptions set failures_in_a_row = 21 where id = $1',
    values: [second.id],
  });
  const read = () => service.operator('GET', `/subscriptions/${second.id.toUpperCase()}`);
  const one = await read();
  assert.deepEqual(one.body.data, {
    id: second.id,
    partnerClientId: world.partnerId,
    url: 'https://two.example.sa/In%25',
    events: ['booking.updated'],
    status: 'ACTIVE',
    createdAt: '2026-11-22T08:00:01+03:00',
    updatedAt: '2026-11-22T08:00:01+03:00',
    partnerId: world.partnerId,
    partnerName: await nameOf(service, world.partnerId),
    previousSecretEndsAt: null,
    failures: 21,
  });
  for (const text of [one.text, (await service.operator('GET', '/subscriptions')).text])
    for (const { secret } of [first, second, third]) assert.ok(!text.includes(secret));
  for (const id of [gone.id, randomUUID()])
    refused(await service.operator('GET', `/subscriptions/${id}`), 404, 'RESOURCE_NOT_FOUND');
  refused(
    await service.operator('GET', '/subscriptions?status=ON&partnerId=1'),
    400,
    'VALIDATION_ERROR',
    'partnerId must be a UUID',
    'status must be one of the following values: ACTIVE, INACTIVE',
  );
});

test("all partners' deliveries are found", async (t) => {
  const { service, world, bookingId } = await start(t);
  const other = await createHookWorld(service);
  const otherBooking = (await other.book()).body.data.bookingId;
  const mine = await subscribe(service, world.key);
  const theirs = await subscribe(service, other.key, { events: ['booking.cancelled'] });
  const [failed] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW });
  const [waiting] = await makeDeliveries(
    service,
    otherBooking,
    1,
    { dueAt: TEST_NOW + HOUR },
    'booking.cancelled',
  );
  await service.deps.db.rows({
    text: 'update webhook_deliveries set created_at = $2 where id = $1',
    values: [waiting, toUtcIso(TEST_NOW + 1_000)],
  });
  assert.deepEqual(await idsAt(service, '/deliveries'), [waiting, failed]);
  assert.deepEqual(await idsAt(service, `/deliveries?partnerId=${world.partnerId}`), [failed]);
  assert.deepEqual(await idsAt(service, `/deliveries?subscriptionId=${theirs.id}`), [waiting]);
  assert.deepEqual(await idsAt(service, '/deliveries?status=FAILED'), [failed]);
  assert.deepEqual(await idsAt(service, '/deliveries?event=booking.cancelled'), [waiting]);
  assert.deepEqual(await idsAt(service, `/deliveries?bookingId=${otherBooking}`), [waiting]);
  assert.deepEqual(await idsAt(service, `/deliveries?bookingId=${otherBooking}&status=FAILED`), []);

  const [, listed] = (await service.operator('GET', '/deliveries')).body.data;
  const { eventId, ...rest } = listed;
  assert.deepEqual(rest, {
    id: failed,
    subscriptionId: mine.id,
    event: 'booking.updated',
    status: 'FAILED',
    attemptCount: 4,
    statusCode: 500,
    error: 'STATUS_NOT_2XX',
    nextRetryAt: null,
    deliveredAt: null,
    createdAt: '2026-11-22T08:00:00+03:00',
    replay: 0,
    bookingId,
    partnerId: world.partnerId,
    partnerName: await nameOf(service, world.partnerId),
  });
  const detail = await service.operator('GET', `/deliveries/${failed}`);
  assert.deepEqual(detail.body.data, { ...listed, payload: { bookingId, reason: 'Number 1' }, attempts: [] });
  assert.deepEqual(await idsAt(service, `/deliveries?eventId=${eventId}`), [failed]);
  refused(await service.operator('GET', `/deliveries/${randomUUID()}`), 404, 'RESOURCE_NOT_FOUND');
  refused(
    await service.operator('GET', '/deliveries?partnerId=1&status=LOST'),
    400,
    'VALIDATION_ERROR',
    'partnerId must be a UUID',
    'status must be one of the following values: PENDING, DELIVERED, FAILED',
  );
});

test('the operator retries a delivery, with an audit row', async (t) => {
  const { service, world, bookingId } = await start(t);
  const { id: subscriptionId } = await subscribe(service, world.key);
  const [id] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW });
  await service.v1(world.key, 'PATCH', `/partners/webhooks/subscriptions/${subscriptionId}`, {
    status: 'INACTIVE',
  });
  const { payload, attempts, ...before } = (await service.operator('GET', `/deliveries/${id}`)).body.data;
  assert.ok(payload && attempts);
  const answers = await Promise.all(times(10, () => service.operator('POST', `/deliveries/${id}/retry`)));
  assert.deepEqual(tally(answers), { 200: 1, DELIVERY_NOT_RETRYABLE: 9 });
  const after = answers.find(({ status }) => status === 200)!.body.data;
  assert.deepEqual(after, { ...before, status: 'PENDING' });
  const audit = [{ actor: ACTOR, action: 'delivery.retry', before, after }];
  assert.deepEqual(await auditOf(service, `delivery:${id}`), audit);
  refused(await service.operator('POST', `/deliveries/${randomUUID()}/retry`), 404, 'RESOURCE_NOT_FOUND');
  refused(await service.operator('POST', `/deliveries/${id}/retry`, { a: 1 }), 400, 'VALIDATION_ERROR');
  assert.deepEqual(await auditOf(service, `delivery:${id}`), audit);
});

test('the operator replays a delivered one, with an audit row', async (t) => {
  const { service, world, bookingId } = await start(t);
  const { id: subscriptionId } = await subscribe(service, world.key);
  const [id] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW });
  const path = `/partners/webhooks/subscriptions/${subscriptionId}`;
  await service.v1(world.key, 'PATCH', path, { status: 'INACTIVE' });
  refused(await service.operator('POST', `/deliveries/${id}/replay`), 422, 'DELIVERY_NOT_RETRYABLE');
  await service.deps.db.rows({
    text: `update webhook_deliveries set status = 'DELIVERED' where id = $1`,
    values: [id],
  });
  const answers = await Promise.all(times(5, () => service.operator('POST', `/deliveries/${id}/replay`)));
  assert.deepEqual(tally(answers), { 200: 5 });
  const after = answers[0]!.body.data;
  assert.deepEqual([after.replay, after.status, after.partnerId], [1, 'PENDING', world.partnerId]);
  assert.deepEqual(await auditOf(service, `delivery:${id}`), [
    { actor: ACTOR, action: 'delivery.replay', before: null, after },
  ]);
  refused(await service.operator('POST', `/deliveries/${randomUUID()}/replay`), 404, 'RESOURCE_NOT_FOUND');
});

test('the operator recovers a subscription, with one audit row when there was something to do', async (t) => {
  const { service, world, bookingId } = await start(t);
  const { id } = await subscribe(service, world.key);
  await makeDeliveries(service, bookingId, 2, { failedAt: TEST_NOW - 1 });
  await makeDeliveries(service, bookingId, 1_200, { failedAt: TEST_NOW });
  await service.v1(world.key, 'PATCH', `/partners/webhooks/subscriptions/${id}`, { status: 'INACTIVE' });
  const since = '2026-11-22T05:00:00Z';
  const recover = (body: unknown = { since }, subscriptionId = id) =>
    service.operator('POST', `/subscriptions/${subscriptionId}/recover`, body);
  const answer = await recover();
  assert.deepEqual([answer.status, answer.body.data], [200, { id, recovered: 1_200, waiting: 0 }]);
  assert.deepEqual((await recover()).body.data, { id, recovered: 0, waiting: 0 });
  assert.deepEqual(await auditOf(service, `subscription:${id}`), [
    {
      actor: ACTOR,
      action: 'subscription.recover',
      before: null,
      after: { since: '2026-11-22T08:00:00+03:00', deliveries: 1_200 },
    },
  ]);
  refused(await recover({}), 400, 'VALIDATION_ERROR', 'since must be a string');
  refused(await recover({ since: '1999-01-01T00:00:00Z' }), 400, 'VALIDATION_ERROR');
  refused(await recover({ since }, randomUUID()), 404, 'RESOURCE_NOT_FOUND');
});

test('the operator sends a test event, with an audit row', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (_request, response) => response.writeHead(410).end('gone');
  const { service, world } = await start(t, { WEBHOOK_ALLOW_HOSTS: receiver.host });
  const { id } = await subscribe(service, world.key, { url: receiver.url });
  const answer = await service.operator('POST', `/subscriptions/${id}/test`);
  assert.equal(answer.status, 200, answer.text);
  const { ok, statusCode, error, responseBody } = answer.body.data;
  assert.deepEqual([ok, statusCode, error, responseBody], [false, 410, 'STATUS_NOT_2XX', 'gone']);
  assert.equal(receiver.received.length, 1);
  const { deliveryId } = answer.body.data;
  const sent = [{ actor: ACTOR, action: 'subscription.test', before: null, after: { deliveryId } }];
  assert.deepEqual(await auditOf(service, `subscription:${id}`), sent);
  refused(await service.operator('POST', `/subscriptions/${randomUUID()}/test`), 404, 'RESOURCE_NOT_FOUND');
  assert.deepEqual(await auditOf(service, `subscription:${id}`), sent);
});

test('permissions by role', async (t) => {
  const { service, world, bookingId } = await start(t);
  const { id } = await subscribe(service, world.key);
  const [deliveryId] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW });
  await service.v1(world.key, 'PATCH', `/partners/webhooks/subscriptions/${id}`, { status: 'INACTIVE' });
  const as = async (role: string) => {
    const { token } = (await service.operator('POST', '/tokens', { name: role, role })).body.data;
    return (method: string, path: string, body?: unknown) =>
      call(`${service.operatorUrl}/operator`, method, path, body, { authorization: `Bearer ${token}` });
  };
  const viewer = await as('viewer');
  const dispatcher = await as('dispatcher');
  for (const path of ['/subscriptions', `/subscriptions/${id}`, '/deliveries', `/deliveries/${deliveryId}`]) {
    assert.equal((await viewer('GET', path)).status, 200, path);
    assert.equal((await call(`${service.operatorUrl}/operator`, 'GET', path)).status, 401, path);
  }
  const changes: [string, unknown?][] = [
    [`/subscriptions/${id}/test`],
    [`/deliveries/${deliveryId}/retry`],
    [`/subscriptions/${id}/recover`, { since: '2026-11-22T08:00:00+03:00' }],
  ];
  for (const [path, body] of changes) refused(await viewer('POST', path, body), 403, 'FORBIDDEN');
  for (const [path, body] of changes) assert.equal((await dispatcher('POST', path, body)).status, 200, path);
});
