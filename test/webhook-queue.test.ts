import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { MINUTE } from '../src/base/clock.ts';
import { MAX_PER_SUBSCRIPTION, MAX_PER_WORKER } from '../src/webhooks/rules.ts';
import { startDnsServer } from './dns-server.ts';
import { createWorld } from './fixtures.ts';
import { alsoOnServer, call, startTestService } from './harness.ts';
import { times } from './storm.ts';
import { isNow, nothingDue, until } from './until.ts';
import { countDeliveries, deliveriesOf, startReceiver, subscribe, writeEvents } from './webhook-receiver.ts';

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
  // Over the received bytes, not over a parsed body.
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

test('an event is delivered to every active subscription to it, and to no other', alsoOnServer, async (t) => {
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

test('a rolled back booking leaves no delivery', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  await subscribe(service, world.partnerId, receiver.url);
  assert.equal((await world.book()).status, 200);
  assert.equal((await world.book()).status, 422); // the only team is taken
  await receiver.arrived(1);
  assert.deepEqual(Object.values(await countDeliveries(service)), [1]);
});

test('after failures it is retried 1, 5 and 15 minutes later, signed again, and then FAILED', async (t) => {
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
    await nothingDue(service, 'webhooks');
    assert.equal(receiver.received.length, attempts);
    service.clock.advance(1000);
  }
  const metrics = async (): Promise<unknown> => {
    const { text } = await call(service.url, 'GET', '/metrics');
    const names = ['attempts', 'attempts_failed', 'deliveries_given_up'];
    return names.map(
      (name) => new RegExp(`^webhook_${name}_total\\{subscription="${id}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    );
  };
  await receiver.arrived(4);
  await until(async () => (await deliveriesOf(service, id))[0]!.status === 'FAILED');
  await until(async () => isDeepStrictEqual(await metrics(), ['4', '4', '1']));
  service.clock.advance(60 * MINUTE);
  await nothingDue(service, 'webhooks');
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

test('a 2xx status within 10 seconds is a success, whatever happens to the body', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service, { teams: 9 });
  const { id } = await subscribe(service, world.partnerId, receiver.url);
  const answers: ((response: import('node:http').ServerResponse) => void)[] = [
    (response) => response.writeHead(204).end(),
    (response) => response.writeHead(299).end('x'.repeat(100_000)),
    (response) => response.writeHead(302, { location: receiver.url }).end(),
    (response) => response.writeHead(404).end(),
    (response) => response.socket!.destroy(),
    (response) => response.writeHead(200, { 'content-length': '10' }).write('slow'), // and never the rest
    (response) => {
      response.writeHead(202, { 'content-length': '10' }).write('cut');
      setImmediate(() => response.socket!.destroy());
    },
    (response) => response.writeHead(500, { 'content-length': '10' }).write('slow'),
    () => {}, // never anything
  ];
  receiver.answer = (request, response) => {
    // By delivery: one whose connection broke may come a second time at once.
    const seen = new Set(receiver.received.map(({ json }) => json.deliveryId));
    answers[[...seen].indexOf(request.json.deliveryId)]!(response);
  };
  for (const _ of answers) await world.book();
  await until(async () => (await deliveriesOf(service, id)).every((row) => row.attempt_count > 0));
  const rows = await service.deps.db.rows<{ outcome: string }>({
    text: `
      select concat_ws(' ', status, coalesce(error, 'null'), coalesce(status_code::text, 'null'),
        left(attempts -> 0 ->> 'responseBody', 4)) as outcome
      from webhook_deliveries`,
  });
  const expected = [
    'DELIVERED null 204 ',
    'DELIVERED null 299 xxxx',
    'PENDING STATUS_NOT_2XX 302 ',
    'PENDING STATUS_NOT_2XX 404 ',
    'PENDING CONNECTION_LOST null ',
    'DELIVERED null 200 slow',
    'DELIVERED null 202 cut',
    'PENDING TIMEOUT 500 slow',
    'PENDING TIMEOUT null ',
  ];
  assert.deepEqual(rows.map(({ outcome }) => outcome).sort(), expected.sort());
  const [redirect] = await service.deps.db.rows<{ location: string }>({
    text: `select attempts -> 0 ->> 'location' as location from webhook_deliveries where status_code = 302`,
  });
  assert.equal(redirect?.location, receiver.url, 'where a redirect would have led');
});

test('an endpoint that never responds delays its own 1,000 events only', async (t) => {
  const [dead, well] = [await startReceiver(t), await startReceiver(t)];
  const service = await startTestService(t, {
    env: { WEBHOOK_ALLOW_HOSTS: `${dead.host},${well.host}` },
    sandboxClock: true,
  });
  const now = service.deps.clock.now();
  isNow(now);
  const world = await createWorld(service, { service: { bookingHorizonDays: 730 } });
  const date = new Date(now + 3 * 86_400_000).toISOString().slice(0, 10);
  dead.answer = () => {};
  const deadOne = await subscribe(service, world.partnerId, dead.url);
  const booking = await world.book({ date });
  assert.equal(booking.status, 200, booking.text);
  await dead.arrived(1);
  await writeEvents(service, booking.body.data.bookingId, 1000);
  await until(
    () => dead.open.now === MAX_PER_SUBSCRIPTION,
    () => dead.open.now,
  );

  const lively = await createWorld(service, { service: { bookingHorizonDays: 730 } });
  await subscribe(service, lively.partnerId, well.url);
  const other = await lively.book({ date });
  await writeEvents(service, other.body.data.bookingId, 99);
  service.deps.wakeups.wake();
  await well.arrived(100);
  assert.equal(dead.open.most, MAX_PER_SUBSCRIPTION);
  assert.equal(
    (await deliveriesOf(service, deadOne.id)).filter((row) => row.status === 'PENDING').length,
    1001,
  );
  dead.close();
});

test('a failing endpoint is retried on schedule: nothing pauses, no shown time is past', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  receiver.answer = (_request, response) => response.writeHead(503).end();
  const { id } = await subscribe(service, world.partnerId, receiver.url);
  const booking = await world.book();
  await writeEvents(service, booking.body.data.bookingId, 99);
  service.deps.wakeups.wake();

  const states = () => deliveriesOf(service, id);
  const shown = async (): Promise<(string | null)[]> => {
    const answer = await service.v1(world.key, 'GET', '/partners/webhooks/deliveries?limit=100');
    return answer.body.data.map(({ nextRetryAt }: { nextRetryAt: string | null }) => nextRetryAt);
  };
  for (const [index, minutes] of [1, 5, 15].entries()) {
    await until(async () => (await states()).every((row) => row.attempt_count === index + 1));
    const due = service.clock.now() + minutes * MINUTE;
    assert.ok((await states()).every((row) => row.due_at === due));
    assert.deepEqual(
      [...new Set(await shown())].map((at) => Date.parse(at!)),
      [due],
    );
    service.clock.advance(minutes * MINUTE);
    service.deps.wakeups.wake();
  }
  await until(async () => (await states()).every((row) => row.status === 'FAILED'));
  assert.equal(receiver.received.length, 400);

  // The last of them hang, and are due all the while: the time for that has come, and is not shown.
  receiver.answer = () => {};
  const since = new Date(service.clock.now() - MINUTE).toISOString();
  await service.v1(world.key, 'POST', `/partners/webhooks/subscriptions/${id}/recover`, { since });
  await receiver.arrived(400 + 40);
  service.clock.advance(1_000);
  assert.deepEqual([...new Set(await shown())], [null]);
  const failures = await service.deps.db.first<{ failures_in_a_row: number }>({
    text: 'select failures_in_a_row from webhook_subscriptions where id = $1',
    values: [id],
  });
  assert.equal(failures!.failures_in_a_row, 400);
  receiver.close();
});

test('beside hanging endpoints, those of other partners and other ones of their own are served', async (t) => {
  const [dead, well] = [await startReceiver(t), await startReceiver(t)];
  const service = await startTestService(t, {
    env: { WEBHOOK_ALLOW_HOSTS: `${dead.host},${well.host}` },
    sandboxClock: true,
  });
  dead.answer = () => {};
  const date = new Date(service.deps.clock.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const bookings: string[] = [];
  const partners: string[] = [];
  for (const _ of times(2, () => null)) {
    const world = await createWorld(service, { service: { bookingHorizonDays: 730 } });
    bookings.push((await world.book({ date })).body.data.bookingId);
    partners.push(world.partnerId);
  }
  for (const number of times(19, (index) => index)) {
    await subscribe(service, partners[0]!, `${dead.url}/${number}`);
  }
  await writeEvents(service, bookings[0]!, 60); // 1,140 attempts, more than a worker makes at once
  service.deps.wakeups.wake();
  const underWay = async (): Promise<number> => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^webhook_attempts_under_way\{queue="deliveries"\} (\d+)$/m.exec(metrics)![1]);
  };
  await until(async () => (await underWay()) >= 200);

  await subscribe(service, partners[0]!, `${well.url}/own`);
  await subscribe(service, partners[1]!, `${well.url}/other`);
  await writeEvents(service, bookings[0]!, 100);
  await writeEvents(service, bookings[1]!, 100);
  service.deps.wakeups.wake();
  // Before any hanging attempt has ended.
  await well.arrived(200);
  assert.ok((await underWay()) < MAX_PER_WORKER);
  dead.close();
});

test('metrics show the queue and the attempts', async (t) => {
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

  // Nothing is sent for a suspended partner: due deliveries grow old.
  await service.deps.db.rows({
    text: `update partners set status = 'SUSPENDED' where id = $1`,
    values: [world.partnerId],
  });
  service.clock.advance(3 * MINUTE);
  const later = await metrics();
  assert.match(later, /^webhook_deliveries\{state="due"\} 2$/m);
  assert.match(later, /^webhook_oldest_due_seconds\{queue="deliveries"\} 120$/m);
});

test('the operator removes a domain: nothing is sent there any more', async (t) => {
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

test('a private address without an exemption never gets a connection', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { id } = await subscribe(service, world.partnerId, receiver.url.replace('http:', 'https:'));
  await world.book();
  await until(async () => (await deliveriesOf(service, id))[0]?.attempt_count === 1);
  assert.equal((await deliveriesOf(service, id))[0]!.error, 'ADDRESS_NOT_PUBLIC');
});

test('events without a wake-up are found by the timer', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } });
  const world = await createWorld(service);
  await subscribe(service, world.partnerId, receiver.url);
  const booking = await world.book();
  await receiver.arrived(1);
  await writeEvents(service, booking.body.data.bookingId, 5); // as psql would
  await receiver.arrived(6);
});

test('a host whose address becomes private gets no connection any more', async (t) => {
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

test('stopping waits for active attempts, and saves their results', async (t) => {
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
