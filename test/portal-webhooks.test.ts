import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweepHolds } from '../src/bookings/holds.ts';
import { WANTED_EVENTS } from '../src/certification/rules.ts';
import { signature } from '../src/outbound/signature.ts';
import { createPartnerKey, createWorld, WORLD_DATE } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { makeLink, portal, refused, signIn } from './portal-fixtures.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Account, bookings and webhooks in the portal, and the permissions of changes. */

test("account, bookings and deliveries of the session's partner only", async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createHookWorld(service);
  const other = await createWorld(service);
  const session = await signIn(service, { link: (await makeLink(service, world.partnerId)).token });
  const stranger = await signIn(service, { key: other.key });
  const get = (path: string, token = session) => portal(service, token, 'GET', path);

  const account = (await get('/account')).body.data;
  assert.equal(account.partner.id, world.partnerId);
  assert.deepEqual(
    account.keys.map(({ id }: { id: string }) => id),
    [world.keyId],
  );
  assert.ok(!JSON.stringify(account).includes(world.key));
  const services = (await get('/services')).body.data;
  assert.deepEqual(
    services.map(({ id, price, isOwnPrice }: Record<string, unknown>) => [id, price, isOwnPrice]).sort(),
    [
      [other.serviceId, 150, false],
      [world.serviceId, 150, false],
    ].sort(),
  );
  const own = { restricted: true, services: [{ serviceId: world.serviceId, price: 120.5 }] };
  await service.operator('PUT', `/partners/${world.partnerId}/services`, own);
  const [only, ...more] = (await get('/services')).body.data;
  assert.deepEqual([only.id, only.price, only.isOwnPrice, more], [world.serviceId, 120.5, true, []]);

  const { id: subscriptionId, secret } = await subscribe(service, world.key, {
    url: receiver.url,
    events: ['booking.created'],
  });
  receiver.answer = (_request, response) => response.writeHead(401).end('signature mismatch');
  const { bookingId } = (await world.book()).body.data;
  await receiver.arrived(1);
  const failing = await until(async () => {
    const found = await get('/deliveries?failingWithinHours=24');
    return found.body.data[0];
  });
  assert.deepEqual([failing.bookingId, failing.error], [bookingId, 'STATUS_NOT_2XX']);
  const [listed] = (await get('/subscriptions')).body.data;
  assert.deepEqual([listed.id, listed.failures], [subscriptionId, 1]);

  const detail = (await get(`/deliveries/${failing.id}`)).body.data;
  const [got] = receiver.received;
  assert.equal(detail.body, got!.body.toString(), 'the bytes that were sent');
  const [attempt] = detail.attempts;
  assert.equal(attempt.responseBody, 'signature mismatch');
  const sent = Object.fromEntries(
    attempt.headers.map(({ name, value }: Record<string, string>) => [name, value]),
  );
  for (const [name, value] of Object.entries(sent)) assert.equal(got!.headers[name], value, name);
  assert.equal(sent['x-service-signature'], signature(secret, sent['x-service-timestamp']!, detail.body));
  // The partner interface shows attempts as the contract has them.
  const plain = await service.v1(world.key, 'GET', `/partners/webhooks/deliveries/${failing.id}`);
  assert.deepEqual(Object.keys(plain.body.data.attempts[0]), [
    'attemptedAt',
    'durationMs',
    'statusCode',
    'error',
    'responseBody',
  ]);

  const booking = (await get(`/bookings/${bookingId}`)).body.data;
  assert.equal(booking.booking.bookingId, bookingId);
  assert.deepEqual(
    booking.events.map(({ event, sequence }: Record<string, unknown>) => [event, sequence]),
    [['booking.created', 1]],
  );
  assert.equal(booking.paymentLink, null, 'nothing is to be paid by link');
  assert.equal((await get('/bookings')).body.meta.total, 1);
  for (const { url } of (await get('/deliveries')).body.data) assert.equal(url, receiver.url);

  for (const path of [`/bookings/${bookingId}`, `/deliveries/${failing.id}`])
    refused(await get(path, stranger), 404, 'RESOURCE_NOT_FOUND');
  for (const path of ['/bookings', '/deliveries'])
    assert.equal((await get(path, stranger)).body.meta.total, 0, path);
  for (const [path, body] of [
    [`/subscriptions/${subscriptionId}/test`, {}],
    [`/subscriptions/${subscriptionId}/recover`, { since: '2026-11-01T00:00:00+03:00' }],
    [`/deliveries/${failing.id}/retry`, {}],
  ] as const) {
    refused(await portal(service, stranger, 'POST', path, body), 404, 'RESOURCE_NOT_FOUND');
  }

  receiver.answer = (_request, response) => response.end('ok');
  const tested = await portal(service, session, 'POST', `/subscriptions/${subscriptionId}/test`);
  assert.deepEqual([tested.body.data.ok, tested.body.data.statusCode], [true, 200]);
  refused(
    await portal(service, session, 'POST', `/deliveries/${failing.id}/retry`),
    422,
    'DELIVERY_NOT_RETRYABLE',
  );
  await service.deps.db.rows({
    text: `update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = $1 where id = $2`,
    values: [new Date(service.clock.now()).toISOString(), failing.id],
  });
  const recovered = await portal(service, session, 'POST', `/subscriptions/${subscriptionId}/recover`, {
    since: '2026-11-22T00:00:00+03:00',
  });
  assert.equal(recovered.body.data.recovered, 1);
  await until(async () => (await get(`/deliveries/${failing.id}`)).body.data.status === 'DELIVERED');
  const replay = `/deliveries/${failing.id}/replay`;
  refused(await portal(service, stranger, 'POST', replay), 404, 'RESOURCE_NOT_FOUND');
  const { id: again, ...replayed } = (await portal(service, session, 'POST', replay)).body.data;
  assert.deepEqual([replayed.replay, replayed.eventId], [1, failing.eventId]);
  await until(async () => (await get(`/deliveries/${again}`)).body.data.status === 'DELIVERED');
});

test("the partner's holds, live and of the last day", async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const other = await createWorld(service);
  const list = async () => {
    const { token } = await makeLink(service, world.partnerId);
    return (await portal(service, await signIn(service, { link: token }), 'GET', '/holds')).body.data;
  };
  const hold = async ({ key, serviceId, contact }: typeof world, seconds: number): Promise<string> => {
    const { addressId } = (await contact()).body.data;
    const timeslot = { startAt: '10:00', endAt: '12:00' };
    const wanted = { addressId, serviceId, date: WORLD_DATE, timeslot, seconds };
    const held = await service.v1(key, 'POST', '/partners/holds', wanted);
    assert.equal(held.status, 200, held.text);
    service.clock.advance(1_000);
    return held.body.data.holdId;
  };
  await hold(other, 600);
  const [released, expired, live] = [await hold(world, 600), await hold(world, 60), await hold(world, 900)];
  await service.v1(world.key, 'DELETE', `/partners/holds/${released}`);
  service.clock.advance(60_000);
  const found = await list();
  assert.deepEqual(
    found.map(({ holdId, status }: Record<string, string>) => [holdId, status]),
    [
      [live, 'HELD'],
      [expired, 'EXPIRED'],
      [released, 'RELEASED'],
    ],
  );
  const { body } = await service.v1(world.key, 'GET', `/partners/holds/${live}`);
  assert.deepEqual(found[0], { ...body.data, serviceName: found[0].serviceName });
  service.clock.advance(25 * 3_600_000);
  await sweepHolds(service.deps.db, service.clock.now() - 24 * 3_600_000);
  assert.deepEqual(await list(), []);

  const reader = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
  refused(
    await portal(service, await signIn(service, { key: reader.key }), 'GET', '/holds'),
    403,
    'FORBIDDEN',
  );
});

test('a session changes and reads only what its link or key permits', async (t) => {
  const service = await startTestService(t);
  const world = await createHookWorld(service);
  const { id } = await subscribe(service, world.key);
  const readOnly = await signIn(service, {
    link: (await makeLink(service, world.partnerId, { readOnly: true })).token,
  });
  const { key: weak } = await createPartnerKey(service, world.partnerId, ['partner_pricing_read']);
  const session = await signIn(service, { key: weak });
  const { key: gone, keyId } = await createPartnerKey(service, world.partnerId, ['partner_bookings_read']);
  await service.operator('PATCH', `/keys/${keyId}`, { status: 'REVOKED' });
  const limited = await signIn(service, { key: gone });

  const reads = ['/services', '/subscriptions', '/deliveries', '/bookings'];
  for (const path of reads) {
    assert.equal((await portal(service, readOnly, 'GET', path)).status, 200, path);
    refused(await portal(service, session, 'GET', path), 403, 'FORBIDDEN', { check: 'permission' });
    refused(await portal(service, limited, 'GET', path), 403, 'FORBIDDEN', {
      check: 'session',
      reason: 'KEY_REVOKED',
    });
  }
  for (const path of [`/subscriptions/${id}/test`, `/deliveries/${id}/retry`]) {
    refused(await portal(service, readOnly, 'POST', path), 403, 'FORBIDDEN', { check: 'read-only' });
    refused(await portal(service, session, 'POST', path), 403, 'FORBIDDEN', { check: 'permission' });
    refused(await portal(service, limited, 'POST', path), 403, 'FORBIDDEN', { check: 'session' });
  }
  // A limited session sees its own key and nothing beside it.
  const account = (await portal(service, limited, 'GET', '/account')).body.data;
  assert.equal(account.partner, null);
  assert.deepEqual(
    account.keys.map((key: { id: string; status: string }) => [key.id, key.status]),
    [[keyId, 'REVOKED']],
  );
  assert.equal((await portal(service, limited, 'DELETE', '/session')).status, 200);
  assert.equal((await portal(service, readOnly, 'DELETE', '/session')).status, 200);
});

test('the simulator on the pages of a sandbox, absent in production', async (t) => {
  const service = await startTestService(t);
  const world = await createHookWorld(service);
  const { id } = await subscribe(service, world.key);
  const { bookingId } = (await world.book()).body.data;
  const session = await signIn(service, { link: (await makeLink(service, world.partnerId)).token });
  const other = await createWorld(service);
  const stranger = await signIn(service, { key: other.key });
  const readOnly = await signIn(service, {
    link: (await makeLink(service, world.partnerId, { readOnly: true })).token,
  });
  const advance = `/sandbox/bookings/${bookingId}/advance`;
  const faults = `/sandbox/subscriptions/${id}/faults`;
  const runs = `/sandbox/bookings/${bookingId}/runs`;
  refused(await portal(service, readOnly, 'POST', advance), 403, 'FORBIDDEN', { check: 'read-only' });
  refused(await portal(service, stranger, 'POST', advance), 404, 'RESOURCE_NOT_FOUND');
  refused(
    await portal(service, stranger, 'POST', faults, { kind: 'lose', count: 1 }),
    404,
    'RESOURCE_NOT_FOUND',
  );
  const moved = await portal(service, session, 'POST', advance);
  assert.deepEqual([moved.body.data.from, moved.body.data.to], ['Scheduled', 'Confirmed']);
  const set = await portal(service, session, 'POST', faults, { kind: 'lose', count: 2 });
  assert.deepEqual([set.body.data.faults[0].kind, set.body.data.faults[0].remaining], ['lose', 2]);
  assert.deepEqual((await portal(service, session, 'DELETE', faults)).body.data.faults, []);
  assert.deepEqual((await portal(service, session, 'GET', faults)).body.data.faults, []);
  const run = await portal(service, session, 'POST', runs, { script: 'complete', everySeconds: 3600 });
  assert.equal(run.body.data.status, 'RUNNING');
  refused(await portal(service, session, 'POST', runs, { script: 'complete' }), 409, 'CONFLICT');
  assert.equal((await portal(service, session, 'GET', runs)).body.data.length, 1);
  const underWay = async (token: string) =>
    (await portal(service, token, 'GET', '/sandbox/runs')).body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual([await underWay(session), await underWay(stranger)], [[run.body.data.id], []]);
  const stop = `${runs}/${run.body.data.id}`;
  refused(await portal(service, readOnly, 'DELETE', stop), 403, 'FORBIDDEN', { check: 'read-only' });
  refused(await portal(service, stranger, 'DELETE', stop), 404, 'RESOURCE_NOT_FOUND');
  for (let time = 0; time < 2; time++)
    assert.equal((await portal(service, session, 'DELETE', stop)).body.data.status, 'STOPPED');
  assert.deepEqual(await underWay(session), []);
  const customers = (await portal(service, session, 'GET', '/sandbox/customers')).body.data;
  assert.deepEqual(customers.at(0), { phone: '+966590000001', everySeconds: 0, script: 'customer-pays' });
  assert.equal(customers.at(5).script, 'nothing');
  assert.deepEqual(customers.at(-1), { phone: '+966590000014', everySeconds: 0, script: 'hold-limit' });

  const certifications = '/sandbox/certifications';
  assert.deepEqual((await portal(service, session, 'GET', certifications)).body.data, []);
  const { id: full } = await subscribe(service, world.key, {
    url: 'https://hooks.example.sa/all',
    events: WANTED_EVENTS,
  });
  const start = { subscriptionId: full };
  refused(await portal(service, readOnly, 'POST', certifications, start), 403, 'FORBIDDEN', {
    check: 'read-only',
  });
  refused(await portal(service, stranger, 'POST', certifications, start), 404, 'RESOURCE_NOT_FOUND');
  const first = (await portal(service, session, 'POST', certifications, start)).body.data;
  service.clock.advance(1_000);
  const second = (await portal(service, session, 'POST', certifications, start)).body.data;
  assert.deepEqual(
    (await portal(service, readOnly, 'GET', certifications)).body.data.map(
      ({ id, status }: { id: string; status: string }) => [id, status],
    ),
    [
      [second.id, 'RUNNING'],
      [first.id, 'FINISHED'],
    ],
  );
  assert.deepEqual((await portal(service, stranger, 'GET', certifications)).body.data, []);

  const production = await startTestService(t, { env: { DEPLOYMENT: 'production' } });
  const real = await createWorld(production);
  const token = await signIn(production, { key: real.key });
  refused(await portal(production, token, 'POST', advance), 404, 'RESOURCE_NOT_FOUND');
});

test('a booking that waits for payment shows its payment link, in a sandbox only', async (t) => {
  for (const deployment of ['sandbox', 'production']) {
    const service = await startTestService(t, { env: { DEPLOYMENT: deployment } });
    const world = await createHookWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
    const { token } = await makeLink(service, world.partnerId);
    const session = await signIn(service, { link: token });
    const booked = await world.book();
    if (deployment === 'production') {
      // It has no sandbox gateway: a link would be a real one.
      assert.equal(booked.status, 422);
      continue;
    }
    const { bookingId } = booked.body.data;
    const read = () => portal(service, session, 'GET', `/bookings/${bookingId}`);
    const link = await until(async () => (await read()).body.data.paymentLink);
    assert.equal((await fetch(link)).status, 200, 'it is the page that can be paid on');
    const cancelled = await service.operator('POST', `/bookings/${bookingId}/fail`, { reason: 'No team' });
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.equal((await read()).body.data.paymentLink, null, 'nothing is to be paid any more');
  }
});
