import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { toUtcIso } from '../src/base/clock.ts';
import { failRemoved } from '../src/webhooks/delivery-queries.ts';
import type { World } from './fixtures.ts';
import { type Answer, onServer, startTestService, TEST_NOW, type TestService } from './harness.ts';
import { tally, times } from './storm.ts';
import { nothingDue, until } from './until.ts';
import { createHookWorld, makeDeliveries, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

const ROUTE = '/partners/webhooks/deliveries';
const SUBSCRIPTIONS = '/partners/webhooks/subscriptions';
const HOUR = 3_600_000;

/** A partner with a booking and a subscription to booking.updated. */
async function start(
  t: TestContext,
  env: Record<string, string> = {},
  url?: string,
): Promise<{ service: TestService; world: World; bookingId: string; subscriptionId: string }> {
  const service = await startTestService(t, { env });
  const world = await createHookWorld(service);
  const { bookingId } = (await world.book()).body.data;
  const { id } = await subscribe(service, world.key, url === undefined ? {} : { url });
  return { service, world, bookingId, subscriptionId: id };
}

function refused(answer: Answer, status: number, code: string, ...messages: string[]): void {
  assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], answer.text);
  if (messages.length > 0) assert.deepEqual(answer.body.error.details.message, messages);
}

/** While it is inactive no worker claims due deliveries. */
async function deactivate(service: TestService, world: World, subscriptionId: string): Promise<void> {
  const answer = await service.v1(world.key, 'PATCH', `${SUBSCRIPTIONS}/${subscriptionId}`, {
    status: 'INACTIVE',
  });
  assert.equal(answer.status, 200, answer.text);
}

async function statuses(service: TestService, subscriptionId: string): Promise<Record<string, number>> {
  const rows = await service.deps.db.rows<{ status: string; total: number }>({
    text: `
      select status, count(*) as total from webhook_deliveries where subscription_id = $1 group by status order by 1`,
    values: [subscriptionId],
  });
  return Object.fromEntries(rows.map(({ status, total }) => [status, total]));
}

test('the history is listed newest first, by page and filter', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  const get = async (query = '', key = world.key) => {
    const answer = await service.v1(key, 'GET', `${ROUTE}${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  assert.deepEqual(await get(), {
    success: true,
    data: [],
    meta: { page: 1, limit: 20, total: 0, totalPages: 0 },
  });
  const failed = await makeDeliveries(service, bookingId, 2, { failedAt: TEST_NOW });
  const waiting = await makeDeliveries(service, bookingId, 1, { dueAt: TEST_NOW + HOUR });
  const second = await subscribe(service, world.key, { events: ['booking.cancelled'] });
  const other = (await world.book({ date: '2026-11-24' })).body.data.bookingId;
  const [cancelled] = await makeDeliveries(service, other, 1, { failedAt: TEST_NOW }, 'booking.cancelled');
  // Their events happened one after the other.
  const order = [...failed, ...waiting, cancelled!];
  for (const [index, id] of order.entries())
    await service.deps.db.rows({
      text: 'update webhook_deliveries set created_at = $2 where id = $1',
      values: [id, toUtcIso(TEST_NOW + index * 1_000)],
    });

  const idsAt = async (query: string) => (await get(query)).data.map((row: { id: string }) => row.id);
  assert.deepEqual(await idsAt(''), order.toReversed());
  assert.deepEqual(await idsAt(`?subscriptionId=${subscriptionId.toUpperCase()}`), [
    waiting[0],
    ...failed.toReversed(),
  ]);
  assert.deepEqual(await idsAt(`?subscriptionId=${second.id}`), [cancelled]);
  assert.deepEqual(await idsAt('?status=PENDING'), waiting);
  assert.deepEqual(await idsAt('?status=FAILED&event=booking.updated'), failed.toReversed());
  assert.deepEqual(await idsAt('?event=booking.cancelled'), [cancelled]);
  assert.deepEqual(await idsAt(`?bookingId=${other}`), [cancelled]);
  assert.deepEqual(await idsAt(`?bookingId=${randomUUID()}`), []);
  const { eventId } = (await service.v1(world.key, 'GET', `${ROUTE}/${failed[0]}`)).body.data;
  assert.deepEqual(await idsAt(`?eventId=${eventId}`), [failed[0]]);
  assert.deepEqual((await get('?page=2&limit=3')).meta, { page: 2, limit: 3, total: 4, totalPages: 2 });
  assert.deepEqual(await idsAt('?page=2&limit=3'), [failed[0]]);
  assert.deepEqual((await get('?page=9&limit=3')).meta, { page: 9, limit: 3, total: 4, totalPages: 2 });

  // Another partner sees none of it, on any route.
  const stranger = await createHookWorld(service);
  for (const query of ['', `?subscriptionId=${subscriptionId}`, `?partnerId=${world.partnerId}`])
    assert.equal((await get(query, stranger.key)).meta.total, 0, query);
  refused(
    await service.v1(world.key, 'GET', `${ROUTE}?subscriptionId=1&status=LOST&event=x&bookingId=2&limit=101`),
    400,
    'VALIDATION_ERROR',
    'subscriptionId must be a UUID',
    'status must be one of the following values: PENDING, DELIVERED, FAILED',
    'event must be one of the following values: booking.created, booking.updated, booking.cancelled, ' +
      'booking.payment_failed, booking.payment_confirmed, booking.appointment_status_changed, booking.payment_succeeded, booking.failed, booking.refunded, booking.fees_changed',
    'bookingId must be a UUID',
    'limit must not be greater than 100',
  );
});

test('a delivery in each of its statuses', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  const [id] = await makeDeliveries(service, bookingId, 1, { dueAt: TEST_NOW + HOUR });
  const set = (assignments: string) =>
    service.deps.db.rows({
      text: `update webhook_deliveries set ${assignments} where id = $1`,
      values: [id],
    });
  const read = async () => {
    const [listed] = (await service.v1(world.key, 'GET', ROUTE)).body.data;
    const { eventId, bookingId, payload, attempts, ...plain } = (
      await service.v1(world.key, 'GET', `${ROUTE}/${id}`)
    ).body.data;
    assert.deepEqual(plain, listed);
    assert.deepEqual(
      [typeof eventId, typeof bookingId, payload, attempts.length],
      ['string', 'string', { bookingId, reason: 'Number 1' }, 0],
    );
    return listed;
  };
  const fixed = {
    id,
    subscriptionId,
    event: 'booking.updated',
    createdAt: '2026-11-22T08:00:00+03:00',
    replay: 0,
  };
  assert.deepEqual(await read(), {
    ...fixed,
    status: 'PENDING',
    attemptCount: 1,
    statusCode: 500,
    error: 'STATUS_NOT_2XX',
    nextRetryAt: '2026-11-22T09:00:00+03:00',
    deliveredAt: null,
  });
  // Another worker has claimed it, so that no attempt is made here when it is due.
  await service.deps.db.rows({
    text: `
      update webhook_pending set lease = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 hour'
      where delivery_id = $1`,
    values: [id],
  });
  // Never in the past, not by its milliseconds either, and not while nothing will be tried.
  const shownFor = async (dueAt: number): Promise<string | null> => {
    await set(`due_at = '${new Date(dueAt).toISOString()}'`);
    return (await read()).nextRetryAt;
  };
  for (const dueAt of [TEST_NOW - 1, TEST_NOW, TEST_NOW + 999]) assert.equal(await shownFor(dueAt), null);
  assert.equal(await shownFor(TEST_NOW + 1_999), '2026-11-22T08:00:01+03:00');
  await deactivate(service, world, subscriptionId);
  assert.equal(await shownFor(TEST_NOW + HOUR), null);
  await service.deps.db.rows({ text: `update webhook_subscriptions set status = 'ACTIVE'` });
  await set('attempt_count = 0, status_code = null, error = null');
  const fresh = { ...fixed, statusCode: null, error: null, nextRetryAt: null, deliveredAt: null };
  assert.deepEqual(await read(), { ...fresh, status: 'PENDING', attemptCount: 0 });
  await set(`attempt_count = 2, status = 'DELIVERED', status_code = 204, due_at = null,
    finished_at = '2026-11-22T05:10:00Z'`);
  assert.deepEqual(await read(), {
    ...fresh,
    status: 'DELIVERED',
    attemptCount: 2,
    statusCode: 204,
    deliveredAt: '2026-11-22T08:10:00+03:00',
  });
  await set(`attempt_count = 4, status = 'FAILED', status_code = null, error = 'TIMEOUT'`);
  assert.deepEqual(await read(), { ...fresh, status: 'FAILED', attemptCount: 4, error: 'TIMEOUT' });
});

test('a delivery by its id: payload, event, and the attempts, oldest first', async (t) => {
  const { service, world, bookingId } = await start(t);
  const [id] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW });
  await service.deps.db.rows({
    text: `
      update webhook_deliveries set attempts = $2 where id = $1`,
    values: [
      id,
      JSON.stringify([
        {
          attemptedAt: TEST_NOW,
          durationMs: 12,
          statusCode: 500,
          error: 'STATUS_NOT_2XX',
          responseBody: 'no',
        },
        {
          attemptedAt: TEST_NOW + 60_000,
          durationMs: 10_000,
          statusCode: null,
          error: 'TIMEOUT',
          responseBody: '',
        },
      ]),
    ],
  });
  const answer = await service.v1(world.key, 'GET', `${ROUTE}/${id!.toUpperCase()}`);
  const { eventId, payload, attempts, ...rest } = answer.body.data;
  assert.deepEqual([rest.id, rest.bookingId, payload], [id, bookingId, { bookingId, reason: 'Number 1' }]);
  const feed = await service.v1(world.key, 'GET', '/partners/events');
  assert.equal(feed.body.data.at(-1).id, eventId);
  assert.deepEqual(attempts, [
    {
      attemptedAt: '2026-11-22T08:00:00+03:00',
      durationMs: 12,
      statusCode: 500,
      error: 'STATUS_NOT_2XX',
      responseBody: 'no',
    },
    {
      attemptedAt: '2026-11-22T08:01:00+03:00',
      durationMs: 10_000,
      statusCode: null,
      error: 'TIMEOUT',
      responseBody: '',
    },
  ]);

  const stranger = await createHookWorld(service);
  refused(await service.v1(stranger.key, 'GET', `${ROUTE}/${id}`), 404, 'RESOURCE_NOT_FOUND');
  refused(await service.v1(stranger.key, 'POST', `${ROUTE}/${id}/retry`), 404, 'RESOURCE_NOT_FOUND');
  refused(await service.v1(world.key, 'GET', `${ROUTE}/${randomUUID()}`), 404, 'RESOURCE_NOT_FOUND');
  refused(await service.v1(world.key, 'POST', `${ROUTE}/${randomUUID()}/retry`), 404, 'RESOURCE_NOT_FOUND');
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/retry'],
  ])
    refused(
      await service.v1(world.key, method!, `${ROUTE}/1${path}`),
      400,
      'VALIDATION_ERROR',
      'id must be a UUID',
    );
});

test('a failed delivery is retried at once, with its whole schedule', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  const [id, second] = await makeDeliveries(service, bookingId, 2, { failedAt: TEST_NOW });
  await deactivate(service, world, subscriptionId);
  service.clock.advance(HOUR);
  const retried = await service.v1(world.key, 'POST', `${ROUTE}/${id}/retry`);
  assert.equal(retried.status, 200, retried.text);
  assert.deepEqual(retried.body.data, {
    id,
    subscriptionId,
    event: 'booking.updated',
    status: 'PENDING',
    attemptCount: 4,
    statusCode: 500,
    error: 'STATUS_NOT_2XX',
    nextRetryAt: null,
    deliveredAt: null,
    createdAt: '2026-11-22T08:00:00+03:00',
    replay: 0,
  });
  const row = await service.deps.db.first({
    text: 'select retries, due_at, finished_at from webhook_deliveries where id = $1',
    values: [id],
  });
  assert.deepEqual(row, { retries: 0, due_at: TEST_NOW + HOUR, finished_at: null });
  // It is active, so it is not retried again.
  const again = await service.v1(world.key, 'POST', `${ROUTE}/${id}/retry`, {});
  refused(again, 422, 'DELIVERY_NOT_RETRYABLE');
  assert.equal(again.body.error.details.status, 'PENDING');
  assert.equal(again.body.error.details.hints, undefined);
  await service.deps.db.rows({
    text: `update webhook_deliveries set status = 'DELIVERED', due_at = null, finished_at = $2 where id = $1`,
    values: [id, toUtcIso(TEST_NOW)],
  });
  refused(await service.v1(world.key, 'POST', `${ROUTE}/${id}/retry`), 422, 'DELIVERY_NOT_RETRYABLE');
  refused(
    await service.v1(world.key, 'POST', `${ROUTE}/${second}/retry`, { force: true }),
    400,
    'VALIDATION_ERROR',
    'property force should not exist',
  );

  await service.v1(world.key, 'DELETE', `${SUBSCRIPTIONS}/${subscriptionId}`);
  // The message's hint would lead from one of the two to the other.
  const removed = 'The subscription of the delivery was removed';
  const told: [string | undefined, string, string][] = [
    [second, 'retry', removed],
    [id, 'retry', 'Only a FAILED delivery can be retried, this one is DELIVERED'],
    [second, 'replay', 'Only a DELIVERED delivery can be replayed, this one is FAILED'],
    [id, 'replay', removed],
  ];
  for (const [delivery, how, message] of told)
    for (const answer of [
      await service.v1(world.key, 'POST', `${ROUTE}/${delivery}/${how}`),
      await service.operator('POST', `/deliveries/${delivery}/${how}`),
    ]) {
      refused(answer, 422, 'DELIVERY_NOT_RETRYABLE');
      assert.equal(answer.body.error.message, message);
      assert.deepEqual(answer.body.error.details.hints, [
        'The subscription of the delivery was removed: neither a retry nor a replay sends it',
      ]);
    }
  assert.deepEqual(await statuses(service, subscriptionId), { DELIVERED: 1, FAILED: 1 });
});

test('simultaneous retries of one delivery: one wins', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  const [id] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW });
  await deactivate(service, world, subscriptionId);
  const answers = await Promise.all(times(20, () => service.v1(world.key, 'POST', `${ROUTE}/${id}/retry`)));
  assert.deepEqual(tally(answers), { 200: 1, DELIVERY_NOT_RETRYABLE: 19 });
});

test('a delivered one is replayed as a new delivery of the same event', async (t) => {
  const receiver = await startReceiver(t);
  const env = { WEBHOOK_ALLOW_HOSTS: '127.0.0.1' };
  const { service, world, bookingId, subscriptionId } = await start(t, env, receiver.url);
  const [id, failed] = await makeDeliveries(service, bookingId, 2, { failedAt: TEST_NOW });
  const replay = (delivery: string | undefined, key = world.key) =>
    service.v1(key, 'POST', `${ROUTE}/${delivery}/replay`);
  const read = async (delivery: string | undefined) =>
    (await service.v1(world.key, 'GET', `${ROUTE}/${delivery}`)).body.data;
  const delivered = (delivery: string) => until(async () => (await read(delivery)).status === 'DELIVERED');
  refused(await replay(failed), 422, 'DELIVERY_NOT_RETRYABLE');
  await service.v1(world.key, 'POST', `${ROUTE}/${id}/retry`);
  await delivered(id!);
  const stranger = await createHookWorld(service);
  refused(await replay(id, stranger.key), 404, 'RESOURCE_NOT_FOUND');

  await deactivate(service, world, subscriptionId);
  service.clock.advance(HOUR);
  const answers = await Promise.all(times(8, () => replay(id)));
  const [made] = answers.map(({ body }) => body.data);
  assert.deepEqual(new Set(answers.map(({ body }) => body.data.id)), new Set([made.id]), 'one at a time');
  assert.deepEqual(
    [made.replay, made.status, made.attemptCount, made.createdAt],
    [1, 'PENDING', 0, '2026-11-22T09:00:00+03:00'],
  );
  refused(await replay(made.id), 422, 'DELIVERY_NOT_RETRYABLE');
  await service.v1(world.key, 'PATCH', `${SUBSCRIPTIONS}/${subscriptionId}`, { status: 'ACTIVE' });
  await delivered(made.id);
  const second = (await replay(made.id)).body.data;
  assert.deepEqual([second.replay, second.subscriptionId], [2, subscriptionId]);
  await delivered(second.id);

  const [first, ...replays] = receiver.received.map(({ json }) => json);
  assert.deepEqual(
    replays.map(({ deliveryId }) => deliveryId),
    [made.id, second.id],
  );
  for (const { event, payload } of replays)
    assert.deepEqual([event, payload], [first.event, first.payload], 'the same event');
  const { eventId } = await read(id);
  const ofEvent = await service.v1(world.key, 'GET', `${ROUTE}?eventId=${eventId}`);
  assert.deepEqual(ofEvent.body.data.map((row: { replay: number }) => row.replay).sort(), [0, 1, 2]);
  await service.v1(world.key, 'DELETE', `${SUBSCRIPTIONS}/${subscriptionId}`);
  refused(await replay(id), 422, 'DELIVERY_NOT_RETRYABLE');
});

test('retried deliveries arrive, and so do those that waited for a reactivated subscription', async (t) => {
  const receiver = await startReceiver(t);
  const env = { WEBHOOK_ALLOW_HOSTS: '127.0.0.1' };
  const { service, world, bookingId, subscriptionId } = await start(t, env, receiver.url);
  const [first, second] = await makeDeliveries(service, bookingId, 2, { failedAt: TEST_NOW });
  const statusOf = async (id: string | undefined) =>
    (await service.v1(world.key, 'GET', `${ROUTE}/${id}`)).body.data.status;
  const delivered = (id: string | undefined) => until(async () => (await statusOf(id)) === 'DELIVERED');
  await service.v1(world.key, 'POST', `${ROUTE}/${first}/retry`);
  await delivered(first);
  await deactivate(service, world, subscriptionId);
  await service.v1(world.key, 'POST', `${ROUTE}/${second}/retry`);
  await nothingDue(service, 'webhooks');
  assert.equal(await statusOf(second), 'PENDING');
  await service.v1(world.key, 'PATCH', `${SUBSCRIPTIONS}/${subscriptionId}`, { status: 'ACTIVE' });
  await delivered(second);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['x-service-delivery-id']),
    [first, second],
  );
});

test('recover retries failures since then and sends waiting ones, of this subscription only', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  const other = await subscribe(service, world.key, { events: ['booking.cancelled'] });
  const [early] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW - 1 });
  const [exact] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW });
  const [late] = await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW + 1 });
  const [waiting] = await makeDeliveries(service, bookingId, 1, { dueAt: TEST_NOW + 2 * HOUR });
  await makeDeliveries(service, bookingId, 1, { failedAt: TEST_NOW }, 'booking.cancelled');
  await makeDeliveries(service, bookingId, 1, { dueAt: TEST_NOW + 2 * HOUR }, 'booking.cancelled');
  await deactivate(service, world, subscriptionId);
  service.clock.advance(HOUR);

  const recover = (since: unknown, key = world.key) =>
    service.v1(key, 'POST', `${SUBSCRIPTIONS}/${subscriptionId}/recover`, { since });
  const answer = await recover('2026-11-22T08:00:00+03:00');
  assert.deepEqual(
    [answer.status, answer.body.data],
    [200, { id: subscriptionId, recovered: 2, waiting: 1 }],
  );
  const rows = await service.deps.db.rows<{ id: string }>({
    text: `
      select id, status, due_at, retries, finished_at from webhook_deliveries where subscription_id = $1
      order by created_at, due_at, finished_at, id`,
    values: [subscriptionId],
  });
  const byId = Object.fromEntries(rows.map(({ id, ...row }) => [id, row]));
  const again = { status: 'PENDING', due_at: TEST_NOW + HOUR, retries: 0, finished_at: null };
  assert.deepEqual(byId, {
    [early!]: { status: 'FAILED', due_at: null, retries: 3, finished_at: TEST_NOW - 1 },
    [exact!]: again,
    [late!]: again,
    [waiting!]: again,
  });
  assert.deepEqual(await statuses(service, other.id), { FAILED: 1, PENDING: 1 });
  assert.equal((await recover('2026-11-22T08:00:00+03:00')).body.data.recovered, 0);
  const { recovered, waiting: stillWaiting } = (await recover('2000-01-01T00:00:00+03:00')).body.data;
  assert.deepEqual([recovered, stillWaiting], [1, 0], 'what is due already waits for nothing');

  const wording = 'since must be a valid ISO 8601 date and time with offset';
  for (const since of ['yesterday', '2026-11-22', '2026-11-22T08:00:00', '2026-02-30T08:00:00Z'])
    refused(await recover(since), 400, 'VALIDATION_ERROR', wording);
  for (const since of ['0000-01-01T00:00:00Z', '1999-12-31T00:00:00Z', '9999-12-31T23:59:59-23:59'])
    refused(await recover(since), 400, 'VALIDATION_ERROR', 'since must be in the years 2000 to 2100');
  refused(await recover(undefined), 400, 'VALIDATION_ERROR', 'since must be a string');
  refused(await recover(1_700_000_000), 400, 'VALIDATION_ERROR', 'since must be a string');

  const path = `${SUBSCRIPTIONS}/${other.id}`;
  await service.v1(world.key, 'DELETE', path);
  const body = { since: '2026-11-22T08:00:00+03:00' };
  refused(await service.v1(world.key, 'POST', `${path}/recover`, body), 404, 'RESOURCE_NOT_FOUND');
  assert.deepEqual(await statuses(service, other.id), { FAILED: 2 });
});

test('recover handles many, and two simultaneous ones handle each once', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  // More than two batches, most of them failed in the same moment.
  await makeDeliveries(service, bookingId, 1_700, { failedAt: TEST_NOW });
  await makeDeliveries(service, bookingId, 500, { failedAt: TEST_NOW + 1_000 });
  await deactivate(service, world, subscriptionId);
  const recover = () =>
    service.v1(world.key, 'POST', `${SUBSCRIPTIONS}/${subscriptionId}/recover`, {
      since: '2026-11-22T08:00:00+03:00',
    });
  const answers = await Promise.all([recover(), recover()]);
  const total = answers.reduce((sum, answer) => sum + answer.body.data.recovered, 0);
  assert.equal(total, 2_200);
  assert.deepEqual(await statuses(service, subscriptionId), { PENDING: 2_200 });
});

test('a subscription with any number of pending deliveries is removed', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  await makeDeliveries(service, bookingId, 2_300, { dueAt: TEST_NOW + HOUR });
  const answer = await service.v1(world.key, 'DELETE', `${SUBSCRIPTIONS}/${subscriptionId}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(await statuses(service, subscriptionId), { FAILED: 2_300 });
});

test('deliveries of an event for a subscription that was being removed are ended later', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  await makeDeliveries(service, bookingId, 2, { dueAt: TEST_NOW + HOUR });
  const kept = await subscribe(service, world.key, { events: ['booking.cancelled'] });
  await makeDeliveries(service, bookingId, 1, { dueAt: TEST_NOW + HOUR }, 'booking.cancelled');
  // Removed, as the event's transaction did not see it.
  await service.deps.db.rows({
    text: 'update webhook_subscriptions set removed_at = $2 where id = $1',
    values: [subscriptionId, toUtcIso(TEST_NOW)],
  });
  const done = await failRemoved(service.deps.db, TEST_NOW + 5_000);
  // The worker's own job may have come first.
  assert.ok(done === 2 || done === 0, String(done));
  const rows = await service.deps.db.rows({
    text: 'select status, error, due_at from webhook_deliveries where subscription_id = $1',
    values: [subscriptionId],
  });
  const ended = {
    status: 'FAILED',
    error: 'SUBSCRIPTION_REMOVED',
    due_at: null,
  };
  assert.deepEqual(rows, [ended, ended]);
  assert.deepEqual(await statuses(service, kept.id), { PENDING: 1 });
  assert.equal(await failRemoved(service.deps.db, TEST_NOW + 5_000), 0);
});

test(
  'the removal of a subscription and the result of a delivery do not wait for each other',
  onServer('needs two connections'),
  async (t) => {
    const { service, world, bookingId, subscriptionId } = await start(t);
    const ids = await makeDeliveries(service, bookingId, 2, { dueAt: TEST_NOW + HOUR });
    const { db } = service.deps;
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    // As writing a result does: first the delivery, then its subscription.
    const settling = db.transaction(async (tx) => {
      await tx.rows({
        text: 'update webhook_deliveries set status_code = 503 where id = $1',
        values: [ids[0]],
      });
      hold();
      await gate;
      await tx.rows({
        text: 'update webhook_subscriptions set failures_in_a_row = 1 where id = $1',
        values: [subscriptionId],
      });
    });
    await held;
    // If it waited, it would be refused when it has waited long enough for a lock.
    const removed = await service.v1(world.key, 'DELETE', `${SUBSCRIPTIONS}/${subscriptionId}`);
    open();
    await settling;
    assert.equal(removed.status, 200, removed.text);
    assert.deepEqual(await statuses(service, subscriptionId), { FAILED: 1, PENDING: 1 });
    await failRemoved(db, TEST_NOW);
    assert.deepEqual(await statuses(service, subscriptionId), { FAILED: 2 });
  },
);

test('deliveries of one transaction are listed in the order of their events', async (t) => {
  const { service, world, bookingId, subscriptionId } = await start(t);
  await deactivate(service, world, subscriptionId);
  await service.v1(world.key, 'PATCH', `${SUBSCRIPTIONS}/${subscriptionId}`, { status: 'ACTIVE' });
  const ids = await makeDeliveries(service, bookingId, 12, { dueAt: TEST_NOW + HOUR });
  const sequences = await service.deps.db.rows<{ id: string }>({
    text: `
      select d.id from webhook_deliveries d join events e on e.id = d.event_id and e.created_at = d.created_at
      where d.id = any ($1::uuid[]) order by e.sequence desc`,
    values: [ids],
  });
  const listed = async (query: string) =>
    (await service.v1(world.key, 'GET', `${ROUTE}?${query}`)).body.data.map(({ id }: { id: string }) => id);
  const wanted = sequences.map(({ id }) => id);
  assert.deepEqual(await listed('event=booking.updated&limit=100'), wanted);
  const pages = [1, 2, 3].map((page) => listed(`subscriptionId=${subscriptionId}&limit=5&page=${page}`));
  assert.deepEqual((await Promise.all(pages)).flat().slice(0, 12), wanted);
});
