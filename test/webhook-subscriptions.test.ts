import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { verify } from '../src/webhooks/signature.ts';
import { createPartner, createPartnerKey, type World } from './fixtures.ts';
import { type Answer, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { tally, times } from './storm.ts';
import { createHookWorld, HOOK, makeDeliveries, subscribe } from './webhook-fixtures.ts';
import { type Received, startReceiver } from './webhook-receiver.ts';

const ROUTE = '/partners/webhooks/subscriptions';
const BODY = { url: HOOK, events: ['booking.created', 'booking.cancelled'] };
const NOWHERE = randomUUID();

async function start(
  t: TestContext,
  env: Record<string, string> = {},
): Promise<{ service: TestService; world: World }> {
  const service = await startTestService(t, { env });
  return { service, world: await createHookWorld(service) };
}

function refused(answer: Answer, status: number, code: string, ...messages: string[]): void {
  assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], answer.text);
  if (messages.length > 0) assert.deepEqual(answer.body.error.details.message, messages);
}

async function failuresOf(service: TestService, id: string): Promise<number> {
  const row = await service.deps.db.first<{ failures_in_a_row: number }>({
    text: 'select failures_in_a_row from webhook_subscriptions where id = $1',
    values: [id],
  });
  return row!.failures_in_a_row;
}

test('a subscription is created, and its secret shown once', async (t) => {
  const { service, world } = await start(t);
  const created = await service.v1(world.key, 'POST', ROUTE, BODY);
  assert.equal(created.status, 200, created.text);
  const { id, secret, ...rest } = created.body.data;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.match(secret, /^whsec_[A-Za-z0-9]{43}$/);
  assert.deepEqual(rest, {
    partnerClientId: world.partnerId,
    ...BODY,
    status: 'ACTIVE',
    previousSecretEndsAt: null,
    createdAt: '2026-11-22T08:00:00+03:00',
    updatedAt: '2026-11-22T08:00:00+03:00',
  });
  const list = await service.v1(world.key, 'GET', ROUTE);
  assert.deepEqual(list.body, { success: true, data: [{ id, ...rest }] });
  assert.ok(!service.logged().includes(secret) && !service.logged().includes('hooks.example.sa'));
});

test('the list has the active ones only, newest first', async (t) => {
  const { service, world } = await start(t);
  assert.deepEqual((await service.v1(world.key, 'GET', ROUTE)).body.data, []);
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) {
    ids.push((await subscribe(service, world.key)).id);
    service.clock.advance(1_000);
  }
  await service.v1(world.key, 'PATCH', `${ROUTE}/${ids[1]}`, { status: 'INACTIVE' });
  await service.v1(world.key, 'DELETE', `${ROUTE}/${ids[2]}`);
  const other = await createHookWorld(service);
  await subscribe(service, other.key);
  const { body } = await service.v1(world.key, 'GET', ROUTE);
  assert.deepEqual(
    body.data.map((row: { id: string }) => row.id),
    [ids[3], ids[0]],
  );
});

test('every operation needs partner_webhooks_manage', async (t) => {
  const { service, world } = await start(t);
  const { id } = await subscribe(service, world.key);
  const others = ['partner_bookings_read', 'partner_bookings_create'] as const;
  const { key } = await createPartnerKey(service, world.partnerId, [...others]);
  const operations: [string, string, unknown?][] = [
    ['GET', ROUTE],
    ['POST', ROUTE, BODY],
    ['PATCH', `${ROUTE}/${id}`, {}],
    ['DELETE', `${ROUTE}/${id}`],
    ['POST', `${ROUTE}/${id}/rotate-secret`],
    ['POST', `${ROUTE}/${id}/test`],
    ['POST', `${ROUTE}/${id}/recover`, { since: '2026-11-22T08:00:00+03:00' }],
    ['GET', '/partners/webhooks/deliveries'],
    ['GET', `/partners/webhooks/deliveries/${id}`],
    ['POST', `/partners/webhooks/deliveries/${id}/retry`],
  ];
  for (const [method, path, body] of operations) {
    refused(await service.v1(key, method, path, body), 403, 'FORBIDDEN');
    refused(await service.v1(null, method, path, body), 401, 'UNAUTHORIZED');
  }
  const { key: manager } = await createPartnerKey(service, world.partnerId, ['partner_webhooks_manage']);
  assert.equal((await service.v1(manager, 'GET', ROUTE)).status, 200);
});

test("another partner's, an unknown and a removed subscription are not found", async (t) => {
  const { service, world } = await start(t);
  const { id } = await subscribe(service, world.key);
  const other = await createHookWorld(service);
  const gone = await subscribe(service, other.key);
  await service.v1(other.key, 'DELETE', `${ROUTE}/${gone.id}`);
  for (const unknown of [id, gone.id, NOWHERE]) {
    const operations: [string, string, unknown?][] = [
      ['PATCH', '', { status: 'INACTIVE' }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['POST', '/recover', { since: '2026-11-22T08:00:00+03:00' }],
    ];
    for (const [method, path, body] of operations) {
      const answer = await service.v1(other.key, method, `${ROUTE}/${unknown}${path}`, body);
      refused(answer, 404, 'RESOURCE_NOT_FOUND');
    }
  }
  const { body } = await service.v1(world.key, 'GET', ROUTE);
  assert.deepEqual([body.data[0].id, body.data[0].status], [id, 'ACTIVE']);
});

test('bodies and ids are validated, in the wordings of section 7', async (t) => {
  const { service, world } = await start(t);
  const { id } = await subscribe(service, world.key);
  const names =
    'booking.created, booking.updated, booking.cancelled, booking.payment_failed, booking.payment_confirmed, ' +
    'booking.appointment_status_changed, booking.payment_succeeded, booking.failed, booking.refunded, booking.fees_changed';
  const bad: [unknown, ...string[]][] = [
    [{}, 'url should not be empty', 'events must be an array'],
    [{ ...BODY, url: '' }, 'url should not be empty'],
    [{ ...BODY, url: 1 }, 'url must be a string'],
    [{ ...BODY, url: null }, 'url must be a string'],
    [{ ...BODY, url: `${HOOK}/${'a'.repeat(2048)}` }, 'url must be shorter than or equal to 2048 characters'],
    [{ ...BODY, url: `${HOOK}/\ud800` }, 'url must not contain NUL characters or lone surrogates'],
    [{ ...BODY, events: [] }, 'events must contain at least 1 elements'],
    [{ ...BODY, events: 'booking.created' }, 'events must be an array'],
    [
      { ...BODY, events: ['booking.created', 'booking.made'] },
      `events.1 must be one of the following values: ${names}`,
    ],
    [{ ...BODY, events: ['webhook.test'] }, `events.0 must be one of the following values: ${names}`],
    [{ ...BODY, events: ['booking.created', 'booking.created'] }, "All events's elements must be unique"],
    [{ ...BODY, secret: 'whsec_mine' }, 'property secret should not exist'],
    [{ ...BODY, status: 'ACTIVE' }, 'property status should not exist'],
  ];
  for (const [body, ...messages] of bad)
    refused(await service.v1(world.key, 'POST', ROUTE, body), 400, 'VALIDATION_ERROR', ...messages);
  refused(await service.v1(world.key, 'POST', ROUTE), 400, 'VALIDATION_ERROR', 'body must be an object');

  const patches: [unknown, ...string[]][] = [
    [{ status: 'REMOVED' }, 'status must be one of the following values: ACTIVE, INACTIVE'],
    [{ events: [] }, 'events must contain at least 1 elements'],
    [{ url: null }, 'url must be a string'],
    [{ secret: 'x' }, 'property secret should not exist'],
  ];
  for (const [body, ...messages] of patches)
    refused(
      await service.v1(world.key, 'PATCH', `${ROUTE}/${id}`, body),
      400,
      'VALIDATION_ERROR',
      ...messages,
    );
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['POST', '/recover'],
  ]) {
    const body =
      path === '/recover' ? { since: '2026-11-22T08:00:00Z' } : method === 'DELETE' ? undefined : {};
    const answer = await service.v1(world.key, method!, `${ROUTE}/17${path}`, body);
    refused(answer, 400, 'VALIDATION_ERROR', 'id must be a UUID');
  }
  for (const path of ['/rotate-secret', '/test'])
    refused(
      await service.v1(world.key, 'POST', `${ROUTE}/${id}${path}`, { now: true }),
      400,
      'VALIDATION_ERROR',
      'property now should not exist',
    );
});

test('the rules of URLs apply to creations and changes', async (t) => {
  const { service, world } = await start(t, { WEBHOOK_ALLOW_HOSTS: 'LOCALHOST:4000,127.0.0.1' });
  const { id } = await subscribe(service, world.key);
  const attempts = (key: string, url: string): Promise<Answer>[] => [
    service.v1(key, 'POST', ROUTE, { ...BODY, url }),
    service.v1(key, 'PATCH', `${ROUTE}/${id}`, { url }),
  ];
  const faults: [string, string][] = [
    ['hooks.example.sa', 'url must be a valid URL'],
    ['http://hooks.example.sa/in', 'url must be an https URL'],
    ['ftp://hooks.example.sa/in', 'url must be an https URL'],
    ['https://me:secret@hooks.example.sa/in', 'url must not contain credentials'],
    ['https://10.0.0.1/in', 'url must not point to this machine or a private network'],
    ['https://localhost/in', 'url must not point to this machine or a private network'],
    // In no allowed domain either: errors of the URL itself come first.
    ['http://elsewhere.example/in', 'url must be an https URL'],
  ];
  for (const [url, message] of faults)
    for (const attempt of attempts(world.key, url)) refused(await attempt, 400, 'VALIDATION_ERROR', message);
  for (const url of [
    'https://example.com/in',
    'https://example.sa.evil.example/in',
    'https://notexample.sa/in',
    'https://8.8.8.8/in',
    // Exempt from scheme and address, but not in the account's domains.
    'http://localhost:4000/in',
  ])
    for (const attempt of attempts(world.key, url)) {
      const answer = await attempt;
      refused(answer, 403, 'WEBHOOK_DOMAIN_NOT_ALLOWED');
      const { host, allowedDomains, hints } = answer.body.error.details;
      assert.equal(host, new URL(url).hostname);
      assert.ok(allowedDomains.includes('example.sa'));
      assert.match(hints[0], /^use a host in one of allowedDomains, or ask the operator to allow /);
    }
  for (const url of ['https://example.sa/in', 'https://a.b.EXAMPLE.sa:8443/in', 'http://127.0.0.1:5000/in'])
    for (const attempt of attempts(world.key, url)) assert.equal((await attempt).status, 200, url);

  for (const url of ['http://localhost:41099', 'https://10.0.0.7/in']) {
    const { hints } = (await service.v1(world.key, 'POST', ROUTE, { ...BODY, url })).body.error.details;
    assert.match(hints[0], /partner-booking listen.*WEBHOOK_ALLOW_HOSTS/);
  }

  const bare = await createPartner(service);
  const none = await service.v1(bare.key, 'POST', ROUTE, BODY);
  refused(none, 403, 'WEBHOOK_DOMAIN_NOT_ALLOWED');
  assert.match(none.body.error.details.hints[0], /no webhook domains yet: ask the operator to allow /);
  const partner = `/partners/${bare.partnerId}`;
  await service.operator('PATCH', partner, { allowedWebhookDomains: ['example.sa'] });
  assert.equal((await service.v1(bare.key, 'POST', ROUTE, BODY)).status, 200);

  const plain = { ...BODY, url: 'http://hooks.example.sa/in' };
  refused(await service.v1(bare.key, 'POST', ROUTE, plain), 400, 'VALIDATION_ERROR');
  await service.operator('PATCH', partner, { requireHttpsWebhooks: false });
  assert.equal((await service.v1(bare.key, 'POST', ROUTE, plain)).status, 200);
  refused(
    await service.v1(bare.key, 'POST', ROUTE, { ...BODY, url: 'ws://hooks.example.sa/in' }),
    400,
    'VALIDATION_ERROR',
    'url must be an http or https URL',
  );
});

test('a partner has at most 20 subscriptions, including inactive and without removed ones', async (t) => {
  const { service, world } = await start(t);
  const ids: string[] = [];
  for (let count = 0; count < 20; count++) ids.push((await subscribe(service, world.key)).id);
  refused(await service.v1(world.key, 'POST', ROUTE, BODY), 422, 'WEBHOOK_LIMIT_REACHED');
  await service.v1(world.key, 'PATCH', `${ROUTE}/${ids[0]}`, { status: 'INACTIVE' });
  refused(await service.v1(world.key, 'POST', ROUTE, BODY), 422, 'WEBHOOK_LIMIT_REACHED');
  // Errors of the request come before limits of the account.
  refused(await service.v1(world.key, 'POST', ROUTE, { ...BODY, url: 'x' }), 400, 'VALIDATION_ERROR');
  await service.v1(world.key, 'DELETE', `${ROUTE}/${ids[1]}`);
  assert.equal((await service.v1(world.key, 'POST', ROUTE, BODY)).status, 200);
  refused(await service.v1(world.key, 'POST', ROUTE, BODY), 422, 'WEBHOOK_LIMIT_REACHED');
  const other = await createHookWorld(service);
  assert.equal((await service.v1(other.key, 'POST', ROUTE, BODY)).status, 200);
});

test('of 40 simultaneous creations 20 win', async (t) => {
  const { service, world } = await start(t);
  const answers = await Promise.all(times(40, () => service.v1(world.key, 'POST', ROUTE, BODY)));
  assert.deepEqual(tally(answers), { 200: 20, WEBHOOK_LIMIT_REACHED: 20 });
  assert.equal((await service.v1(world.key, 'GET', ROUTE)).body.data.length, 20);
});

test('a change sets only the given fields', async (t) => {
  const { service, world } = await start(t);
  const { secret, ...created } = (await service.v1(world.key, 'POST', ROUTE, BODY)).body.data;
  service.clock.advance(60_000);
  const path = `${ROUTE}/${created.id.toUpperCase()}`;
  const patch = async (body: unknown) => (await service.v1(world.key, 'PATCH', path, body)).body.data;
  assert.deepEqual(await patch({}), created);
  assert.deepEqual(await patch(BODY), created);
  assert.deepEqual(await patch({ status: 'ACTIVE' }), created);

  const updatedAt = '2026-11-22T08:01:00+03:00';
  let expected = { ...created, url: 'https://example.sa/b', updatedAt };
  assert.deepEqual(await patch({ url: 'https://example.sa/a/../b' }), expected);
  expected = { ...expected, events: ['booking.updated'] };
  assert.deepEqual(await patch({ events: ['booking.updated'] }), expected);
  expected = { ...expected, status: 'INACTIVE' };
  assert.deepEqual(await patch({ status: 'INACTIVE' }), expected);
  // By id it can still be changed.
  expected = { ...expected, url: HOOK };
  assert.deepEqual(await patch({ url: HOOK }), expected);
  expected = { ...expected, ...BODY, status: 'ACTIVE' };
  assert.deepEqual(await patch({ ...BODY, status: 'ACTIVE' }), expected);
  assert.deepEqual((await service.v1(world.key, 'GET', ROUTE)).body.data, [expected]);
  assert.ok(secret);
});

test('a new URL and a reactivation reset the failures, nothing else does', async (t) => {
  const { service, world } = await start(t);
  const { id } = await subscribe(service, world.key);
  const after = async (body: unknown) => {
    await service.deps.db.rows({
      text: 'update webhook_subscriptions set failures_in_a_row = 23 where id = $1',
      values: [id],
    });
    assert.equal((await service.v1(world.key, 'PATCH', `${ROUTE}/${id}`, body)).status, 200);
    return failuresOf(service, id);
  };
  assert.equal(await after({}), 23);
  assert.equal(await after({ url: HOOK, status: 'ACTIVE' }), 23);
  assert.equal(await after({ events: ['booking.created'] }), 23);
  assert.equal(await after({ url: `${HOOK}/2` }), 0);
  assert.equal(await after({ status: 'INACTIVE' }), 23);
  assert.equal(await after({ status: 'ACTIVE' }), 0);
  await after({ status: 'INACTIVE' });
  assert.equal(await after({ url: HOOK }), 0);
});

test('a removed subscription is not found, and its pending deliveries have failed', async (t) => {
  const { service, world } = await start(t);
  const { bookingId } = (await world.book()).body.data;
  const { id } = await subscribe(service, world.key);
  const kept = await subscribe(service, world.key, { events: ['booking.cancelled'] });
  const [failed] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW - 1_000 });
  const waiting = await makeDeliveries(service, bookingId, 3, { dueAt: TEST_NOW + 60_000 });
  const [other] = await makeDeliveries(
    service,
    bookingId,
    1,
    { dueAt: TEST_NOW + 60_000 },
    'booking.cancelled',
  );
  service.clock.advance(5_000);
  const removed = await service.v1(world.key, 'DELETE', `${ROUTE}/${id.toUpperCase()}`);
  assert.deepEqual([removed.status, removed.body.data], [200, { id, removed: true }]);
  refused(await service.v1(world.key, 'DELETE', `${ROUTE}/${id}`), 404, 'RESOURCE_NOT_FOUND');
  const list = await service.v1(world.key, 'GET', ROUTE);
  assert.deepEqual(
    list.body.data.map((row: { id: string }) => row.id),
    [kept.id],
  );

  const state = (deliveryId: string) =>
    service.deps.db.first<{ status: string }>({
      text: 'select status, error, due_at, finished_at from webhook_deliveries where id = $1',
      values: [deliveryId],
    });
  const none = { due_at: null };
  const at = TEST_NOW + 5_000;
  for (const deliveryId of waiting)
    assert.deepEqual(await state(deliveryId), {
      status: 'FAILED',
      error: 'SUBSCRIPTION_REMOVED',
      ...none,
      finished_at: at,
    });
  assert.deepEqual(await state(failed!), {
    status: 'FAILED',
    error: 'STATUS_NOT_2XX',
    ...none,
    finished_at: TEST_NOW - 1_000,
  });
  assert.equal((await state(other!))?.status, 'PENDING');

  // The history stays, and nothing new comes.
  const path = `/partners/webhooks/deliveries?subscriptionId=${id}`;
  assert.equal((await service.v1(world.key, 'GET', path)).body.meta.total, 4);
  assert.equal((await makeDeliveries(service, bookingId, 1, { dueAt: at })).length, 0);
});

test('simultaneous removals: one wins', async (t) => {
  const { service, world } = await start(t);
  const { id } = await subscribe(service, world.key);
  const answers = await Promise.all(times(10, () => service.v1(world.key, 'DELETE', `${ROUTE}/${id}`)));
  assert.deepEqual(tally(answers), { 200: 1, RESOURCE_NOT_FOUND: 9 });
});

test('a test event is signed with the current secret and returns its result', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = (_request, response) => response.end('é'.repeat(600));
  const { service, world } = await start(t, { WEBHOOK_ALLOW_HOSTS: receiver.host });
  const made = await subscribe(service, world.key, { url: receiver.url });
  const send = (body?: unknown) => service.v1(world.key, 'POST', `${ROUTE}/${made.id}/test`, body);
  const first = await send();
  assert.equal(first.status, 200, first.text);
  const { deliveryId, durationMs, timings, ...rest } = first.body.data;
  assert.deepEqual(rest, {
    event: 'webhook.test',
    ok: true,
    statusCode: 200,
    error: null,
    tls: null,
    responseBody: 'é'.repeat(512),
  });
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
  assert.deepEqual(Object.keys(timings).sort(), ['connectMs', 'dnsMs']);

  const rotated = await service.v1(world.key, 'POST', `${ROUTE}/${made.id}/rotate-secret`);
  const { secret, ...subscription } = rotated.body.data;
  assert.notEqual(secret, made.secret);
  assert.match(secret, /^whsec_[A-Za-z0-9]{43}$/);
  assert.deepEqual(subscription, (await service.v1(world.key, 'GET', ROUTE)).body.data[0]);
  assert.equal((await send({})).body.data.ok, true);

  const [before, after] = receiver.received as [Received, Received];
  const by = (key: string, message: Received): boolean =>
    verify(
      key,
      {
        timestamp: message.headers['x-service-timestamp']!,
        signature: message.headers['x-service-signature']!,
        body: message.body.toString(),
      },
      service.clock.now(),
    );
  assert.deepEqual([by(made.secret, before), by(secret, before)], [true, false]);
  assert.deepEqual([by(made.secret, after), by(secret, after)], [false, true]);
  assert.equal(before.headers['x-service-event'], 'webhook.test');
  assert.equal(before.headers['x-service-delivery-id'], deliveryId);
  const body = before.json;
  assert.deepEqual([body.event, body.deliveryId], ['webhook.test', deliveryId]);
  assert.deepEqual(Object.keys(body.payload).sort(), ['message', 'subscriptionId']);
  assert.equal(body.payload.subscriptionId, made.id);

  // Nothing of it is stored.
  assert.equal((await service.v1(world.key, 'GET', '/partners/webhooks/deliveries')).body.meta.total, 0);
  assert.equal(await failuresOf(service, made.id), 0);
});

test('a test event that fails is a result, not an error', async (t) => {
  let status = 500;
  const receiver = await startReceiver(t);
  receiver.answer = (_request, response) => response.writeHead(status).end('no');
  const { service, world } = await start(t, { WEBHOOK_ALLOW_HOSTS: '127.0.0.1' });
  const { id } = await subscribe(service, world.key, { url: receiver.url });
  const send = async () => {
    const answer = await service.v1(world.key, 'POST', `${ROUTE}/${id}/test`);
    assert.equal(answer.status, 200, answer.text);
    const { ok, statusCode, error } = answer.body.data;
    return [ok, statusCode, error];
  };
  assert.deepEqual(await send(), [false, 500, 'STATUS_NOT_2XX']);
  status = 302;
  assert.deepEqual(await send(), [false, 302, 'STATUS_NOT_2XX']);
  receiver.answer = (_request, response) =>
    response.writeHead(301, { location: 'https://moved.example.sa/in' }).end();
  const redirected = await service.v1(world.key, 'POST', `${ROUTE}/${id}/test`);
  const { statusCode, location } = redirected.body.data;
  assert.deepEqual([statusCode, location], [301, 'https://moved.example.sa/in']);
  receiver.answer = (_request, response) => response.writeHead(status).end('no');
  status = 204;
  assert.deepEqual(await send(), [true, 204, null]);
  // Also while it is inactive.
  await service.v1(world.key, 'PATCH', `${ROUTE}/${id}`, { status: 'INACTIVE' });
  assert.deepEqual(await send(), [true, 204, null]);

  const count = receiver.received.length;
  await service.v1(world.key, 'PATCH', `${ROUTE}/${id}`, { url: 'http://127.0.0.1:1/in' });
  assert.deepEqual(await send(), [false, null, 'CONNECTION_FAILED']);
  // The operator takes the domain away: nothing is sent any more.
  await service.v1(world.key, 'PATCH', `${ROUTE}/${id}`, { url: receiver.url });
  await service.operator('PATCH', `/partners/${world.partnerId}`, { allowedWebhookDomains: ['example.sa'] });
  assert.deepEqual(await send(), [false, null, 'DOMAIN_NOT_ALLOWED']);
  assert.equal(receiver.received.length, count);
});

test('a URL that has become private is not called, and the response reveals no address', async (t) => {
  const receiver = await startReceiver(t);
  const { service, world } = await start(t);
  const { id } = await subscribe(service, world.key);
  // As if the deployment had permitted the host at the subscription's creation.
  await service.deps.db.rows({
    text: 'update webhook_subscriptions set url = $2 where id = $1',
    values: [id, receiver.url.replace('http:', 'https:')],
  });
  const answer = await service.v1(world.key, 'POST', `${ROUTE}/${id}/test`);
  assert.deepEqual([answer.body.data.ok, answer.body.data.error], [false, 'ADDRESS_NOT_PUBLIC']);
  assert.ok(!answer.text.includes('127.0.0.1'));
  assert.equal(receiver.received.length, 0);
});
