import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { advanceCertifications, readCertification } from '../src/certification/certify.ts';
import { certificationView } from '../src/certification/view.ts';
import { PERMISSIONS } from '../src/partners/key-rules.ts';
import { verify } from '../src/webhooks/signature.ts';
import { createPartnerKey, WORLD_DATE, type World } from './fixtures.ts';
import { type Answer, call, startTestService, type TestService } from './harness.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { type Received, startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/**
 * Integrations, one good and some broken, against the certification of a sandbox.
 */

const EVENTS = ['booking.updated', 'booking.cancelled', 'booking.appointment_status_changed'];
const LIMIT = 60;

type Habits = {
  checksSignatures: boolean;
  readsFeed: boolean;
  sendsReferences: boolean;
  waits: boolean;
};
const GOOD: Habits = {
  checksSignatures: true,
  readsFeed: true,
  sendsReferences: true,
  waits: true,
};

/** Recommended points that the integrations here do not bring about. */
const NOT_PLAYED: Record<string, string> = {
  holds: 'not-applicable',
  fees: 'waiting',
  outcome: 'not-applicable',
};

type Point = { id: string; state: string; found: string; requestIds: string[]; deliveryIds: string[] };
type Certification = ReturnType<typeof certificationView>;

/** An integration with these habits, from its first booking until its certification is finished. */
async function certify(
  service: TestService,
  receiver: WebhookReceiver,
  habits: Habits,
): Promise<{ world: World; result: Certification; read(): Promise<Answer> }> {
  const { db, plans } = service.deps;
  const world = await createHookWorld(service, { partner: { rateLimitPerMinute: LIMIT }, teams: 2 });
  // Polling has its own key, so that it does not use up the integration's limit.
  const { key: watching } = await createPartnerKey(service, world.partnerId, [...PERMISSIONS]);
  const subscription = await subscribe(service, watching, { url: receiver.url, events: EVENTS });
  const partner = (method: string, path: string, body?: unknown) =>
    service.v1(world.key, method, `/partners${path}`, body);

  const heard: string[] = [];
  receiver.answer = ({ headers, body, json }: Received, response) => {
    const isGenuine = verify(
      subscription.secret,
      {
        timestamp: headers['x-service-timestamp']!,
        signature: headers['x-service-signature']!,
        body: body.toString(),
      },
      Date.parse(headers['x-service-timestamp']!),
    );
    if (habits.checksSignatures && !isGenuine) return response.writeHead(401).end();
    response.writeHead(204).end();
    heard.push(json.payload.bookingId);
    return undefined;
  };

  const started = await service.v1(watching, 'POST', '/partners/sandbox/certifications', {
    subscriptionId: subscription.id,
  });
  assert.equal(started.status, 200, started.text);
  const read = () => service.v1(watching, 'GET', `/partners/sandbox/certifications/${started.body.data.id}`);
  const look = async (): Promise<Certification> => {
    const { clock, deps } = service;
    await deps.requestLog?.flush();
    await advanceCertifications({ db, plans, clock, wake: deps.wakeups.wake, onError: assert.fail });
    const found = await readCertification(db, clock.now(), world.partnerId, started.body.data.id);
    return certificationView(found, '');
  };

  // A booking, repeated as after a lost response.
  const reference = habits.sendsReferences ? { externalReference: 'order-1' } : {};
  assert.equal((await world.book(reference)).status, 200);
  const again = await world.book(reference);
  assert.equal(again.status, habits.sendsReferences ? 409 : 200);
  if (again.status === 409) await partner('GET', '/bookings?externalReference=order-1');
  service.clock.advance(1_000);

  // A time that is not offered, and then one that is.
  const refused = await world.book({
    externalReference: 'order-2',
    date: WORLD_DATE,
    timeslot: { startAt: '03:10', endAt: '05:10' },
  });
  assert.equal(refused.status, 422, refused.text);
  const [{ date, startAt, endAt }] = refused.body.error.details.alternatives;
  const other = await world.book({ externalReference: 'order-2', date, timeslot: { startAt, endAt } });
  assert.equal(other.status, 200, other.text);

  // Runs the service's part; each turn is a second of business time.
  let after = '';
  const patience = habits === GOOD ? 0 : 11 * MINUTE;
  await until(async () => {
    service.clock.advance(1_000);
    for (const bookingId of heard.splice(0)) await partner('GET', `/bookings/${bookingId}/status`);
    const { points } = await look();
    const isLost = points.some(({ id, state, deliveryIds }) => id === 'lost-event' && state === 'waiting' && deliveryIds.length > 0); // biome-ignore format: as one line
    if (habits.readsFeed && isLost) {
      const page = await partner('GET', `/events?limit=100${after}`);
      after = `&after=${page.body.meta.nextCursor}`;
    }
    return points.find(({ id }) => id === 'cancel')?.state === 'passed';
  });
  service.clock.advance(patience + MINUTE);

  // More than the limit allows.
  const burst = await until(async () => {
    const answer = await partner('GET', '/pricing/tiers');
    return answer.status === 429 && answer;
  });
  const seconds = Number(burst.headers.get('retry-after'));
  service.clock.advance(habits.waits ? seconds * 1_000 : 2_000);
  await partner('GET', '/pricing/tiers');
  const result = await until(async () => {
    const found = await look();
    return (
      found.points.every(
        ({ id, state, isRecommended }) => state !== 'waiting' || id === 'repeat' || isRecommended,
      ) && found
    );
  });
  return { world, result, read };
}

const failed = ({ points }: Certification): string[] =>
  points.filter(({ state }) => state === 'failed').map(({ id }) => id);

async function open(t: TestContext): Promise<[TestService, WebhookReceiver]> {
  const receiver = await startReceiver(t);
  return [await startTestService(t, { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } }), receiver];
}

test('a correct integration passes every point; a wrong one fails at its own', async (t) => {
  const [service, receiver] = await open(t);
  await service.operator('POST', '/cancellation-reasons', { nameEn: 'Team is ill', nameAr: 'مرض' });

  await t.test('a good one', async () => {
    const { result, read, world } = await certify(service, receiver, GOOD);
    assert.deepEqual(
      result.points.map(({ id, state }) => [id, state]),
      result.points.map(({ id }) => [id, NOT_PLAYED[id] ?? 'passed']),
      JSON.stringify(result.points),
    );
    assert.deepEqual(result.score, { passed: 10, of: 10, percent: 100 });
    const finished = await until(async () => {
      const { data } = (await read()).body;
      return data.status === 'FINISHED' && data;
    });
    for (const { id, isRecommended, state, requestIds, deliveryIds } of finished.points) {
      const isOpen = isRecommended && state !== 'passed';
      assert.ok(isOpen || requestIds.length + deliveryIds.length > 0, `${id} has what shows it`);
    }
    // The evidence can be looked up.
    const [requestId] = finished.points[0].requestIds;
    const logged = await service.operator('GET', `/requests?requestId=${requestId}`);
    assert.equal(logged.body.data[0].partnerId, world.partnerId);

    const page = await fetch(new URL(new URL(finished.pageUrl).pathname, service.url));
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'sha256-/);
    const text = await page.text();
    assert.match(text, /10 of 10 points/);
    assert.ok(text.includes(requestId), 'with the requests that show it');
  });

  const broken: [string, Partial<Habits>, string[]][] = [
    ['without a check of signatures', { checksSignatures: false }, ['bad-signature']],
    ['without the feed', { readsFeed: false }, ['lost-event']],
    ['that repeats without a reference', { sendsReferences: false }, ['reference']],
    ['that does not wait', { waits: false }, ['rate-limit']],
  ];
  for (const [name, habits, points] of broken) {
    await t.test(`one ${name}`, async () => {
      const { result } = await certify(service, receiver, { ...GOOD, ...habits });
      assert.deepEqual(failed(result), points, JSON.stringify(result.points));
    });
  }
});

test('permissions and bodies of a start', async (t) => {
  const [service, receiver] = await open(t);
  const world = await createHookWorld(service);
  const path = '/partners/sandbox/certifications';
  const start = (subscriptionId: string, key = world.key) =>
    service.v1(key, 'POST', path, { subscriptionId });
  const few = await subscribe(service, world.key, { url: receiver.url, events: ['booking.updated'] });
  const refused = await start(few.id);
  assert.deepEqual([refused.status, refused.body.error.details.hints.length], [400, 1]);
  const { id } = await subscribe(service, world.key, { url: receiver.url, events: EVENTS });
  const other = await createHookWorld(service);
  assert.equal((await start(id, other.key)).status, 404);

  const [first, second] = [await start(id), await start(id)];
  assert.equal(second.status, 200, second.text);
  const read = (certificationId: string, key = world.key) =>
    service.v1(key, 'GET', `${path}/${certificationId}`);
  assert.equal((await read(first.body.data.id)).body.data.status, 'FINISHED', 'by the second');
  const { body } = await read(second.body.data.id);
  assert.equal(body.data.status, 'RUNNING');
  const states = body.data.points.map((point: Point) => point.state);
  assert.deepEqual(new Set(states), new Set(['waiting', 'not-applicable']), 'it has no limit of requests');
  assert.deepEqual(body.data.score, { passed: 0, of: 9, percent: 0 });
  assert.equal((await read(second.body.data.id, other.key)).status, 404);
  for (const guess of ['guess', '%00', 'x'.repeat(43)]) {
    const answer = await call(service.url, 'GET', `/certifications/${guess}`);
    assert.equal(answer.status, 404, guess);
  }
});

test('a quote and an outcome that was read are seen', async (t) => {
  const [service, receiver] = await open(t);
  const world = await createHookWorld(service, { teams: 2 });
  const { id: subscriptionId } = await subscribe(service, world.key, { url: receiver.url, events: EVENTS });
  const path = '/partners/sandbox/certifications';
  const { id } = (await service.v1(world.key, 'POST', path, { subscriptionId })).body.data;
  // The certification moves the first booking.
  const [, booked] = [await world.book(), await world.book()];
  const { bookingId, appointmentId } = booked!.body.data;
  for (const body of [{ status: 'In The Way' }, { status: 'Cannot Complete', outcome: 'CUSTOMER_ABSENT' }])
    assert.equal((await service.operator('PATCH', `/appointments/${appointmentId}`, body)).status, 200);
  const states = async () => {
    await service.deps.requestLog?.flush();
    const { points } = (await service.v1(world.key, 'GET', `${path}/${id}`)).body.data;
    return points.slice(-2).map(({ id: point, state }: Point) => [point, state]);
  };
  assert.deepEqual(await states(), [
    ['fees', 'waiting'],
    ['outcome', 'waiting'],
  ]);
  for (const read of ['quote?action=cancel', 'status'])
    assert.equal((await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/${read}`)).status, 200);
  assert.deepEqual(await states(), [
    ['fees', 'passed'],
    ['outcome', 'passed'],
  ]);
});

test('it ends with its subscription, and does not affect later bookings', async (t) => {
  const [service, receiver] = await open(t);
  const { db, plans, wakeups } = service.deps;
  const world = await createHookWorld(service);
  const { id: subscriptionId } = await subscribe(service, world.key, { url: receiver.url, events: EVENTS });
  const path = '/partners/sandbox/certifications';
  const started = await service.v1(world.key, 'POST', path, { subscriptionId });
  assert.equal(started.status, 200, started.text);
  const removed = await service.v1(world.key, 'DELETE', `/partners/webhooks/subscriptions/${subscriptionId}`);
  assert.equal(removed.status, 200, removed.text);

  const booked = await world.book();
  assert.equal(booked.status, 200, booked.text);
  const { bookingId } = booked.body.data;
  await advanceCertifications({
    db,
    plans,
    clock: service.clock,
    wake: wakeups.wake,
    onError: assert.fail,
  });
  const runs = await service.v1(world.key, 'GET', `/partners/sandbox/bookings/${bookingId}/runs`);
  assert.deepEqual([runs.status, runs.body.data], [200, []]);
  const { body } = await service.v1(world.key, 'GET', `${path}/${started.body.data.id}`);
  assert.equal(body.data.status, 'FINISHED');
});

test('an alternative at the time of an earlier booking is accepted, and decisions are final', async (t) => {
  const [service, receiver] = await open(t);
  const { db, clock, requestLog } = service.deps;
  const world = await createHookWorld(service, { teams: 2 });
  const { id: subscriptionId } = await subscribe(service, world.key, { url: receiver.url, events: EVENTS });
  const path = '/partners/sandbox/certifications';
  const { id } = (await service.v1(world.key, 'POST', path, { subscriptionId })).body.data;
  const states = async () => {
    await requestLog?.flush();
    const { body } = await service.v1(world.key, 'GET', `${path}/${id}`);
    const [reference, repeat, slotTaken] = body.data.points.map(({ state }: Point) => state);
    return { reference, repeat, slotTaken };
  };

  const timeslot = { startAt: '08:00', endAt: '10:00' };
  assert.equal((await world.book({ externalReference: 'a', timeslot })).status, 200);
  assert.equal((await world.book({ externalReference: 'a', timeslot })).status, 409);
  assert.deepEqual(await states(), { reference: 'passed', repeat: 'waiting', slotTaken: 'waiting' });
  const wanted = { externalReference: 'b', timeslot: { startAt: '03:10', endAt: '05:10' } };
  const refused = await world.book(wanted);
  const [first] = refused.body.error.details.alternatives;
  assert.equal(first.startAt, '08:00');
  const { date, startAt, endAt } = first;
  const other = await world.book({ externalReference: 'c', date, timeslot: { startAt, endAt } });
  assert.equal(other.status, 200, other.text);
  await service.v1(world.key, 'GET', '/partners/bookings?externalReference=a');
  const passed = { reference: 'passed', repeat: 'passed', slotTaken: 'passed' };
  assert.deepEqual(await states(), passed);

  // Neither later mistakes, nor a dropped log, nor a clock that goes back.
  await world.book({ timeslot: { startAt: '12:00', endAt: '14:00' } });
  for (let time = 0; time < 3; time++) await world.book(wanted);
  assert.deepEqual(await states(), passed);
  await requestLog?.flush();
  await db.rows({ text: 'delete from request_log' });
  service.clock.set(clock.now() - MINUTE);
  assert.deepEqual(await states(), passed);
});

test('it ends when the clock goes back to before it', async (t) => {
  const [service, receiver] = await open(t);
  const { db, plans, wakeups } = service.deps;
  const world = await createHookWorld(service);
  const { id: subscriptionId } = await subscribe(service, world.key, { url: receiver.url, events: EVENTS });
  const path = '/partners/sandbox/certifications';
  const { id } = (await service.v1(world.key, 'POST', path, { subscriptionId })).body.data;
  const statusAt = async (ago: number) => {
    service.clock.advance(-ago);
    const { clock } = service;
    await advanceCertifications({ db, plans, clock, wake: wakeups.wake, onError: assert.fail });
    return (await service.v1(world.key, 'GET', `${path}/${id}`)).body.data.status;
  };
  assert.equal(await statusAt(1_000), 'RUNNING', 'another process follows a little later');
  assert.equal(await statusAt(2 * MINUTE), 'FINISHED');
});

test('a certification that cannot be advanced does not block others, and is logged', async (t) => {
  const [service, receiver] = await open(t);
  const { db, plans, wakeups } = service.deps;
  const started: string[] = [];
  for (let partner = 0; partner < 2; partner++) {
    const world = await createHookWorld(service);
    const { id: subscriptionId } = await subscribe(service, world.key, { url: receiver.url, events: EVENTS });
    const path = '/partners/sandbox/certifications';
    const answer = await service.v1(world.key, 'POST', path, { subscriptionId });
    assert.equal(answer.status, 200, answer.text);
    const { id } = answer.body.data;
    started.push(id);
    // While it has its subscription, so that the worker, too, has not finished it.
    if (partner === 0)
      await db.rows({
        text: `update certifications set steps = 1, provoked = '[null]' where id = $1`,
        values: [id],
      });
    service.clock.advance(1_000);
    await service.v1(world.key, 'DELETE', `/partners/webhooks/subscriptions/${subscriptionId}`);
  }
  const failed: string[] = [];
  await advanceCertifications({
    db,
    plans,
    clock: service.clock,
    wake: wakeups.wake,
    onError: (_, id) => failed.push(id),
  });
  assert.deepEqual(failed, [started[0]]);
  const left = await db.rows({ text: `select id from certifications where status = 'RUNNING'` });
  assert.deepEqual(left, [{ id: started[0] }]);
});
