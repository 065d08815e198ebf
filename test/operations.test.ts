import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { call, startTestService, type TestService } from './harness.ts';
import { until } from './until.ts';

test('no secret and no personal data in any log line', async (t) => {
  const service = await startTestService(t, { env: { LOG_LEVEL: 'trace' } });
  const world = await createWorld(service);
  const person = {
    phone: '+966509876543',
    name: 'Haifa Al-Mutairi',
    latitude: '24.698765',
    longitude: '46.712345',
  };
  const texts = {
    cityName: 'Al Diriyah',
    districtName: 'Al Turaif',
    streetName: 'Wadi Hanifah Street',
    shortAddress: 'RTRF7421',
    buildingNumber: 'House 77b',
    unit: 'Flat 31k',
    floor: 'Floor 29',
    postalCode: '13711',
    directions: 'Green gate behind the bakery',
  };
  const made = await world.contact({ ...person, ...texts });
  assert.equal(made.status, 200);
  const { id, addressId } = made.body.data;
  await service.v1(world.key, 'GET', `/partners/contacts/${id}`);
  await service.v1(null, 'GET', `/partners/services?addressId=${addressId}&api_key=${world.key}`);
  await service.v1(world.key, 'GET', `/partners/nothing?phone=${encodeURIComponent(person.phone)}`);
  const reference = 'reference-of-a-customer';
  const booked = await world.book({ contactId: id, addressId, externalReference: reference });
  assert.equal(booked.status, 200, booked.text);
  await world.book({ contactId: id, addressId, externalReference: reference });
  await service.v1(world.key, 'POST', '/partners/contacts', { ...person, latitude: '9999' });
  await service.v1(`${world.key}x`, 'GET', '/partners/services');
  await call(service.url, 'GET', '/operator/partners', undefined, {
    authorization: 'Bearer a-token-that-is-wrong',
  });
  const key = await service.operator('POST', `/partners/${world.partnerId}/keys`, {
    name: 'another key',
    permissions: ['partner_bookings_read'],
  });
  assert.equal(key.status, 201, key.text);
  // Database errors quote values: one of a constraint, one of a conversion, one of a missing table.
  await service.deps.db.rows({ text: `alter table contacts add check (name <> 'Haifa Refused')` });
  const broken = await service.v1(world.key, 'POST', '/partners/contacts', {
    phone: '+966501112233',
    name: 'Haifa Refused',
  });
  assert.equal(broken.status, 500);

  const logged = service.logged();
  assert.ok(logged.split('\n').length > 10, 'something was logged');
  assert.match(logged, /"route":"\/v1\/partners\/contacts\/:contactId"/);
  assert.match(logged, /23514/);
  const secrets = [
    world.key,
    key.body.data.key,
    service.operatorToken,
    'a-token-that-is-wrong',
    person.phone,
    person.phone.slice(1),
    '+966501112233',
    'Haifa',
    'Mutairi',
    person.latitude,
    person.longitude,
    ...Object.values(texts),
    reference,
  ];
  for (const secret of secrets) assert.equal(logged.includes(secret), false, `${secret} was logged`);
});

test('a request is logged once, with its id', async (t) => {
  const service = await startTestService(t);
  const requestId = randomUUID();
  await service.v1(null, 'GET', '/partners/services', undefined, { 'x-request-id': requestId });
  // Its log lines come before those of the next request.
  await service.v1(null, 'GET', '/partners/services');
  await until(() => (service.logged().match(/"msg":"request"/g) ?? []).length > 1);
  const lines = service
    .logged()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"') && line.includes(requestId));
  assert.equal(lines.length, 1);
  const { time: _time, durationMs, ...line } = JSON.parse(lines[0]!);
  assert.equal(typeof durationMs, 'number');
  assert.deepEqual(line, {
    level: 30,
    requestId,
    method: 'GET',
    route: '/v1/partners/services',
    status: 401,
    partner: '',
    msg: 'request',
  });
});

test('probes and metrics', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  await world.book();
  await service.v1(world.key, 'GET', '/partners/nothing');
  for (const path of ['/livez', '/readyz']) assert.equal((await call(service.url, 'GET', path)).status, 200);

  const metrics = await call(service.url, 'GET', '/metrics');
  assert.equal(metrics.status, 200);
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/);
  const sample = (name: string, labels: string) =>
    new RegExp(`^${name}\\{${labels}\\} (\\S+)$`, 'm').exec(metrics.text)?.[1];
  const partner = `partner="${world.partnerId}"`;
  assert.equal(
    sample('http_requests_total', `method="POST",route="/v1/partners/bookings",status="200",${partner}`),
    '1',
  );
  assert.equal(sample('http_requests_total', `method="GET",route="unknown",status="404",${partner}`), '1');
  assert.equal(
    sample('http_request_duration_seconds_count', 'method="POST",route="/v1/partners/bookings"'),
    '1',
  );
  assert.ok(Number(sample('db_pool_connections', 'state="total"')) >= 1);
  assert.equal(sample('queue_depth', 'queue="unassigned_appointments"'), '0');
});

test("metrics show the worker's lag with partitions", async (t) => {
  const service = await startTestService(t);
  const late = async (): Promise<Record<string, number>> => {
    const { text } = await call(service.url, 'GET', '/metrics');
    for (const table of ['event_places', 'events', 'request_log', 'webhook_deliveries'])
      assert.match(text, new RegExp(`^partitions_overdue_seconds\\{table="${table}"\\} 0$`, 'm'));
    const samples = text.matchAll(/^partitions_late_seconds\{table="(\w+)"\} (\S+)$/gm);
    return Object.fromEntries([...samples].map(([, table, seconds]) => [table, Number(seconds)]));
  };
  assert.deepEqual(await late(), { event_places: 0, events: 0, request_log: 0, webhook_deliveries: 0 });
  // The last ones end on 2027-01-01 and 2026-11-26: the next should be there 35 days ahead, and three.
  service.clock.set(Date.parse('2026-11-29T00:00:00Z'));
  const days = (count: number): number => (count * DAY) / 1000;
  assert.deepEqual(await late(), {
    event_places: days(2),
    events: days(2),
    request_log: days(3),
    webhook_deliveries: days(2),
  });
});

test('metrics are not public', async (t) => {
  const statuses = async (service: TestService, url: string) => {
    const get = (headers?: Record<string, string>) =>
      call(url, 'GET', '/metrics', undefined, headers).then(({ status }) => status);
    return [
      await get(),
      await get({ authorization: `Bearer ${METRICS_TOKEN}` }),
      service.operatorUrl === url,
    ];
  };
  const METRICS_TOKEN = 'token-of-prometheus-in-tests';
  const DEPLOYMENT = 'production';
  const started = (env: Record<string, string>) => startTestService(t, { env });

  const bare = await started({ DEPLOYMENT });
  assert.deepEqual(await statuses(bare, bare.url), [404, 404, true]);
  assert.match(bare.logged(), /metrics is not served: set METRICS_TOKEN/);

  const token = await started({ DEPLOYMENT, METRICS_TOKEN });
  assert.deepEqual(await statuses(token, token.url), [401, 200, true]);
  const wrong = { authorization: `Bearer ${token.operatorToken}` };
  assert.equal((await call(token.url, 'GET', '/metrics', undefined, wrong)).status, 401);
  const sandbox = await started({ METRICS_TOKEN });
  assert.deepEqual(await statuses(sandbox, sandbox.url), [401, 200, true]);

  const apart = await started({ DEPLOYMENT, OPERATOR_PORT: '0' });
  assert.deepEqual(await statuses(apart, apart.url), [404, 404, false]);
  assert.deepEqual(await statuses(apart, apart.operatorUrl!), [200, 200, true]);
  const both = await started({ OPERATOR_PORT: '0', METRICS_TOKEN });
  assert.deepEqual(await statuses(both, both.url), [404, 404, false]);
  assert.deepEqual(await statuses(both, both.operatorUrl!), [401, 200, true]);
});

test('not ready without a database, but alive', async (t) => {
  const service = await startTestService(t);
  await service.deps.db.close();
  const ready = await call(service.url, 'GET', '/readyz');
  assert.equal(ready.status, 503);
  assert.equal((await call(service.url, 'GET', '/livez')).status, 200);
});

test('the operator on a separate port', async (t) => {
  const service = await startTestService(t, { env: { OPERATOR_PORT: '0' } });
  assert.notEqual(service.url, service.operatorUrl);
  assert.equal((await service.operator('GET', '/partners')).status, 200);
  const token = { authorization: `Bearer ${service.operatorToken}` };
  assert.equal((await call(service.url, 'GET', '/operator/partners', undefined, token)).status, 404);
  assert.equal((await call(service.operatorUrl!, 'GET', '/v1/partners/services')).status, 404);
  assert.equal((await service.v1(null, 'GET', '/partners/services')).status, 401);
});

test('the service detail route can be switched off', async (t) => {
  const service = await startTestService(t, { env: { SERVICE_DETAIL_ROUTE: 'off' } });
  const world = await createWorld(service);
  const answer = await service.v1(world.key, 'GET', `/partners/services/${world.serviceId}`);
  assert.deepEqual([answer.status, answer.body.error.message], [404, 'Route not found']);
  const list = await service.v1(world.key, 'GET', `/partners/services?addressId=${world.addressId}`);
  assert.equal(list.status, 200);
});

test('every route under /v1 names its operation and its permission', async (t) => {
  const service = await startTestService(t);
  const { buildApp } = await import('../src/program/app.ts');
  const app = buildApp(service.deps, ['partner']);
  const routes: { url: string; config?: { permission?: string }; schema?: { operationId?: string } }[] = [];
  app.addHook('onRoute', (route) => void routes.push(route as never));
  await app.ready();
  const partnerRoutes = routes.filter((route) => route.url.startsWith('/v1/'));
  assert.ok(partnerRoutes.length >= 7);
  for (const { url, config, schema } of partnerRoutes) {
    assert.ok(config?.permission, `${url} has no permission`);
    assert.ok(schema?.operationId, `${url} has no operation id`);
  }
  await app.close();
  assert.ok(WORLD_DATE);
});
