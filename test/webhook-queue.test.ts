import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { MINUTE } from '../src/clock.ts';
import { BREAKER_AFTER } from '../src/webhooks/rules.ts';
import { startDnsServer } from './dns-server.ts';
import { createWorld } from './fixtures.ts';
import { startTestService } from './harness.ts';
import { times } from './storm.ts';
import {
  countDeliveries,
  deliveriesOf,
  startReceiver,
  subscribe,
  until,
  writeEvents,
} from './webhook-receiver.ts';

test('an event arrives: signed, in canonical form, with every header of section 6', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  const { secret } = await subscribe(service, world.partnerId, receiver.url);

  const booking = (await world.book({ externalReference: 'طلب\u2028رقم ١' })).body.data;
  await receiver.arrived(1);
  const [{ headers, body, json }] = receiver.received as [(typeof receiver.received)[number]];

  assert.deepEqual(Object.keys(json).sort(), ['deliveryId', 'event', 'payload']);
  assert.equal(json.event, 'booking.created');
  assert.deepEqual(json.payload, booking);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['user-agent'], 'Service-Partner-Webhooks/1.0');
  assert.equal(headers['x-service-delivery-id'], json.deliveryId);
  assert.equal(headers['x-service-event'], 'booking.created');
  assert.equal(headers['x-service-timestamp'], new Date(service.clock.now()).toISOString());
  // Over the bytes received, not over what a parser makes of them.
  const hmac = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.`).update(body);
  assert.equal(headers['x-service-signature'], `sha256=${hmac.digest('hex')}`);
  // Canonical by the contract's own words: keys sorted, no white space.
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, member]) => [key, sorted(member)]),
          )
        : value;
  assert.equal(body.toString(), JSON.stringify(sorted(json)));

  await until(async () => (await countDeliveries(service)).DELIVERED === 1);
});

test('an event goes to every active subscription that wants it, and to no other', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  const other = await createWorld(service);
  const both = await subscribe(service, world.partnerId, `${receiver.url}/both`);
  const created = await subscribe(service, world.partnerId, `${receiver.url}/created`, ['booking.created']);
  const cancelled = await subscribe(service, world.partnerId, `${receiver.url}/no`, ['booking.cancelled']);
  const inactive = await subscribe(service, world.partnerId, `${receiver.url}/inactive`);
  await service.deps.db.rows({
    text: `update webhook_subscriptions set status = 'INACTIVE' where id = $1`,
    values: [inactive.id],
  });
  const elsewhere = await subscribe(service, other.partnerId, `${receiver.url}/other`);

  await world.book();
  await receiver.arrived(2);
  const counts = await Promise.all(
    [both, created, cancelled, inactive, elsewhere].map(
      async ({ id }) => (await deliveriesOf(service, id)).length,
    ),
  );
  assert.deepEqual(counts, [1, 1, 0, 0, 0]);
});

test('a booking that comes to nothing leaves no delivery', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  await subscribe(service, world.partnerId, receiver.url);
  assert.equal((await world.book()).status, 200);
  assert.equal((await world.book()).status, 422); // the only team is taken
  await receiver.arrived(1);
  assert.deepEqual(Object.values(await countDeliveries(service)), [1]);
});

test('after a failure it is tried again 1, 5 and 15 minutes later, signed anew, and then FAILED', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  const { id } = await subscribe(service, world.partnerId, receiver.url);
  receiver.answer = (_request, response) => response.writeHead(500).end('no \0 thanks');
  await world.book();

  for (const [index, minutes] of [1, 5, 15].entries()) {
    const attempts = index + 1;
    await receiver.arrived(attempts);
    await until(async () => (await deliveriesOf(service, id))[0]!.attempt_count === attempts);
    const [delivery] = await deliveriesOf(service, id);
    assert.deepEqual(
      [delivery!.status, delivery!.error, delivery!.status_code, delivery!.due_at],
      ['PENDING', 'STATUS_NOT_2XX', 500, service.clock.now() + minutes * MINUTE],
    );
    // One second before its time it stays where it is.
    service.clock.advance(minutes * MINUTE - 1000);
    await new Promise((resolve) => setTimeout(resolve, 700));
    assert.equal(receiver.received.length, attempts);
    service.clock.advance(1000);
  }
  await receiver.arrived(4);
  await until(async () => (await deliveriesOf(service, id))[0]!.status === 'FAILED');
  service.clock.advance(60 * MINUTE);
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(receiver.received.length, 4);

  const distinct = (header: string): number =>
    new Set(receiver.received.map(({ headers }) => headers[header])).size;
  assert.equal(distinct('x-service-delivery-id'), 1);
  assert.equal(distinct('x-service-timestamp'), 4);
  assert.equal(distinct('x-service-signature'), 4);
  const kept = await service.deps.db.first<{ attempts: { responseBody: string }[] }>({
    text: 'select attempts from webhook_deliveries',
  });
  assert.deepEqual(
    kept!.attempts.map(({ responseBody }) => responseBody),
    times(4, () => 'no \ufffd thanks'),
  );
});

test('only a whole 2xx answer within 10 seconds counts', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service, { teams: 8 });
  const { id } = await subscribe(service, world.partnerId, receiver.url);
  const answers: ((response: import('node:http').ServerResponse) => void)[] = [
    (response) => response.writeHead(204).end(),
    (response) => response.writeHead(299).end('x'.repeat(100_000)),
    (response) => response.writeHead(302, { location: receiver.url }).end(),
    (response) => response.writeHead(404).end(),
    (response) => response.socket!.destroy(),
    (response) => response.writeHead(200, { 'content-length': '10' }).write('slow'), // and never the rest
    () => {}, // never anything
  ];
  receiver.answer = (request, response) => {
    // By delivery: one whose connection broke may come a second time at once.
    const seen = new Set(receiver.received.map(({ json }) => json.deliveryId));
    answers[[...seen].indexOf(request.json.deliveryId)]!(response);
  };
  const started = Date.now();
  for (const _ of answers) await world.book();
  await until(async () => (await deliveriesOf(service, id)).every((row) => row.attempt_count > 0), 15_000);
  assert.ok(Date.now() - started >= 9_900, 'the last two were given their ten seconds');
  assert.ok(Date.now() - started < 13_000, 'and no more');
  const outcomes = (await deliveriesOf(service, id))
    .map(({ status, error, status_code }) => `${status} ${error} ${status_code}`)
    .sort();
  const expected = [
    'DELIVERED null 204',
    'DELIVERED null 299',
    'PENDING STATUS_NOT_2XX 302',
    'PENDING STATUS_NOT_2XX 404',
    'PENDING CONNECTION_LOST null',
    'PENDING TIMEOUT 200',
    'PENDING TIMEOUT null',
  ].sort();
  assert.deepEqual(outcomes, expected);
});

test('an endpoint that never answers keeps 1,000 events waiting, and nobody else', async (t) => {
  const [dead, well] = [await startReceiver(t), await startReceiver(t)];
  const service = await startTestService(t, {
    env: { WEBHOOK_ALLOW_HOSTS: `${dead.host},${well.host}` },
    sandboxClock: true,
  });
  const now = service.deps.clock.now();
  assert.ok(Math.abs(now - Date.now()) < 1000);
  const world = await createWorld(service, { service: { bookingHorizonDays: 730 } });
  const date = new Date(now + 3 * 86_400_000).toISOString().slice(0, 10);
  dead.answer = () => {};
  const deadOne = await subscribe(service, world.partnerId, dead.url);
  const booking = await world.book({ date });
  assert.equal(booking.status, 200, booking.text);
  await dead.arrived(1);
  await writeEvents(service, booking.body.data.bookingId, 1000);
  await until(
    () => dead.open.now >= 60,
    5_000,
    () => dead.open.now,
  );

  const lively = await createWorld(service, { service: { bookingHorizonDays: 730 } });
  await subscribe(service, lively.partnerId, well.url);
  const other = await lively.book({ date });
  const written: number[] = [Date.now()];
  for (let number = 1; number < 100; number++) {
    written.push(Date.now());
    await writeEvents(service, other.body.data.bookingId, 1);
    service.deps.wakeups.wake();
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  await well.arrived(100);
  const latencies = well.received.map(({ at }, index) => at - written[index]!).sort((a, b) => a - b);
  assert.ok(latencies[98]! < 1000, `p99 ${latencies[98]} ms`);
  assert.ok(dead.open.most <= 64, `${dead.open.most} at once to the dead one`);
  assert.equal(
    (await deliveriesOf(service, deadOne.id)).filter((row) => row.status === 'PENDING').length,
    1001,
  );
});

test('a run of failures pauses an endpoint, and what waits spends none of its attempts', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  receiver.answer = (_request, response) => response.writeHead(503).end();
  const { id } = await subscribe(service, world.partnerId, receiver.url);
  const booking = await world.book();
  await receiver.arrived(1);
  await writeEvents(service, booking.body.data.bookingId, 200);
  service.deps.wakeups.wake();

  // Open: no more attempts, whatever waits.
  const breaker = async () =>
    (await service.deps.db.first<{ failures_in_a_row: number; paused_until: number | null; pauses: number }>({
      text: 'select failures_in_a_row, paused_until, pauses from webhook_subscriptions where id = $1',
      values: [id],
    }))!;
  await until(async () => (await breaker()).paused_until !== null);
  await until(() => receiver.open.now === 0);
  await new Promise((resolve) => setTimeout(resolve, 700));
  const made = receiver.received.length;
  assert.ok(made >= BREAKER_AFTER && made <= BREAKER_AFTER + 64, `${made} attempts before it opened`);
  const untouched = async () =>
    (await deliveriesOf(service, id)).filter((row) => row.attempt_count === 0).length;
  const waiting = await untouched();
  assert.equal(waiting, 201 - made);

  // After the pause one attempt tries; it fails, and the pause is longer.
  service.clock.advance(10_000);
  await receiver.arrived(made + 1);
  await until(async () => (await breaker()).pauses === 2);
  await new Promise((resolve) => setTimeout(resolve, 700));
  assert.equal(receiver.received.length, made + 1);
  assert.equal((await breaker()).paused_until, service.clock.now() + 20_000);

  // It is back: one success, and everything flows.
  receiver.answer = (_request, response) => response.end();
  service.clock.advance(20_000);
  await until(async () => (await untouched()) === 0);
  assert.deepEqual({ ...(await breaker()) }, { failures_in_a_row: 0, paused_until: null, pauses: 0 });
});

test('metrics tell of the queue and of the attempts', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  const { id } = await subscribe(service, world.partnerId, receiver.url);
  receiver.answer = ({ json }, response) => {
    if (json.event === 'booking.updated') response.statusCode = 500;
    response.end();
  };
  const { bookingId } = (await world.book()).body.data;
  await writeEvents(service, bookingId, 2);
  await until(async () => (await deliveriesOf(service, id)).every((row) => row.attempt_count === 1));
  const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();
  const first = await metrics();
  assert.match(first, /^webhook_deliveries\{state="due"\} 0$/m);
  assert.match(first, /^webhook_deliveries\{state="waiting"\} 2$/m);
  assert.match(first, /^webhook_oldest_due_seconds\{queue="deliveries"\} 0$/m);
  assert.match(first, /^webhook_attempt_duration_seconds_count\{outcome="delivered"\} 1$/m);
  assert.match(first, /^webhook_attempt_duration_seconds_count\{outcome="STATUS_NOT_2XX"\} 2$/m);

  // Nobody sends for a suspended partner: what is due grows old.
  await service.deps.db.rows({
    text: `update partners set status = 'SUSPENDED' where id = $1`,
    values: [world.partnerId],
  });
  service.clock.advance(3 * MINUTE);
  const later = await metrics();
  assert.match(later, /^webhook_deliveries\{state="due"\} 2$/m);
  assert.match(later, /^webhook_oldest_due_seconds\{queue="deliveries"\} 120$/m);
});

test('the operator takes a domain away: nothing is sent there any more', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  const { id } = await subscribe(service, world.partnerId, receiver.url);
  await service.deps.db.rows({
    text: `update partners set allowed_webhook_domains = array['example.com'] where id = $1`,
    values: [world.partnerId],
  });
  await world.book();
  await until(async () => (await deliveriesOf(service, id))[0]?.attempt_count === 1);
  assert.equal((await deliveriesOf(service, id))[0]!.error, 'DOMAIN_NOT_ALLOWED');
  assert.equal(receiver.received.length, 0);
});

test('a private address that is not exempt never gets a connection', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { id } = await subscribe(service, world.partnerId, receiver.url.replace('http:', 'https:'));
  await world.book();
  await until(async () => (await deliveriesOf(service, id))[0]?.attempt_count === 1);
  assert.equal((await deliveriesOf(service, id))[0]!.error, 'ADDRESS_NOT_PUBLIC');
});

test('events that nobody was woken for are found by the timer', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  await subscribe(service, world.partnerId, receiver.url);
  const booking = await world.book();
  await receiver.arrived(1);
  await writeEvents(service, booking.body.data.bookingId, 5); // as psql would
  await receiver.arrived(6, 2_000);
});

test('a host whose address turns private gets no connection any more', async (t) => {
  const receiver = await startReceiver(t);
  const dns = await startDnsServer(t);
  dns.records.set('hooks.example.test', ['93.184.215.14']);
  const service = await startTestService(t, {
    outbound: { dnsServers: [dns.address] },
  });
  const world = await createWorld(service);
  const { id } = await subscribe(
    service,
    world.partnerId,
    `https://hooks.example.test:${receiver.host.split(':')[1]}/`,
  );
  await service.deps.db.rows({
    text: `update partners set allowed_webhook_domains = array['example.test'] where id = $1`,
    values: [world.partnerId],
  });
  dns.records.set('hooks.example.test', ['127.0.0.1']);
  await world.book();
  await until(async () => (await deliveriesOf(service, id))[0]?.attempt_count === 1);
  assert.equal((await deliveriesOf(service, id))[0]!.error, 'ADDRESS_NOT_PUBLIC');
  assert.equal(receiver.connections, 0);
});

test('stopping waits for the answers of what is under way, and writes them down', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  const { id } = await subscribe(service, world.partnerId, receiver.url);
  receiver.answer = (_request, response) => setTimeout(() => response.end(), 500);
  const { db } = service.deps;
  await world.book();
  await receiver.arrived(1);
  let seen: unknown;
  const close = db.close;
  // The last thing before the database is closed.
  db.close = async () => {
    seen = (await deliveriesOf(service, id))[0]?.status;
    await close();
  };
  await service.close();
  assert.equal(seen, 'DELIVERED');
});
