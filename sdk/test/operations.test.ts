import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WORLD_DATE } from '../../test/fixtures.ts';
import { startReceiver, until } from '../../test/webhook-receiver.ts';
import { createClient } from '../src/client.ts';
import { OPERATIONS } from '../src/contract.ts';
import { isCode, PartnerBookingError } from '../src/errors.ts';
import { verifyWebhook } from '../src/webhooks.ts';
import { gather, startSetting } from './setting.ts';

async function cancellationReason(setting: Awaited<ReturnType<typeof startSetting>>): Promise<string> {
  const answer = await setting.service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Plans changed',
    nameAr: 'تغيرت الخطط',
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
}

/** A client that notes which methods were called. */
function noting<Methods extends object>(client: Methods): { client: Methods; called: Set<string> } {
  const called = new Set<string>();
  const proxied = new Proxy(client, {
    get(target, name, receiver) {
      called.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
  return { client: proxied, called };
}

test('every operation, for real', async (t: TestContext) => {
  const receiver = await startReceiver(t);
  const setting = await startSetting(t, {
    world: { teams: 3, partner: { allowedWebhookDomains: ['127.0.0.1'] } },
    service: { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } },
  });
  const { world, service, proxy, booking } = setting;
  const { client, called } = noting(setting.client);
  const reasonId = await cancellationReason(setting);
  const tier = await service.operator('POST', '/pricing-tiers', {
    minMinutes: 60,
    maxMinutes: null,
    factor: 0.9,
    sorting: 1,
  });
  assert.equal(tier.status, 201, tier.text);

  const contact = await client.findOrCreateContact({
    phone: '+966501234567',
    name: 'Noura Al-Qahtani',
    latitude: String(world.latitude),
    longitude: String(world.longitude),
    cityName: undefined,
  });
  assert.equal(contact.isNewContact, true);
  const addressId = contact.addressId!;
  assert.equal((await client.getContact(contact.id)).addresses[0]!.id, addressId);

  const categories = await client.listServices({ addressId });
  assert.deepEqual([categories.meta.total, categories.data[0]!.services[0]!.price], [1, 150]);
  assert.deepEqual(
    (await gather(client.iterateServices({ addressId }))).map(({ id }) => id),
    [world.categoryId],
  );
  const { serviceId } = world;
  assert.equal((await client.getService(serviceId)).isActive, true);
  assert.deepEqual(
    (await client.listPricingTiers()).map(({ factor, maxMinutes }) => [factor, maxMinutes]),
    [[0.9, null]],
  );
  const price = await client.calculatePrice({ items: [{ serviceId, hours: 2 }] });
  assert.deepEqual([price.currency, price.total], ['SAR', 135]);

  const { date, slots } = await client.listAvailableTimeslots({ addressId, serviceId, date: WORLD_DATE });
  assert.equal(date, WORLD_DATE);
  const timeslot = slots[0]!;
  const made = await client.createBooking({ contactId: contact.id, addressId, serviceId, date, timeslot });
  assert.deepEqual(
    [made.status, made.paymentStatus, made.timeslot.startAt],
    ['in progress', 'PENDING', timeslot.startAt],
  );
  assert.deepEqual(await client.getBookingStatus(made.bookingId), made);
  const updated = await client.updateBooking(made.bookingId, { externalReference: 'ORDER-1' });
  assert.equal(updated.externalReference, 'ORDER-1');
  assert.equal((await client.confirmPayment(made.bookingId)).paymentStatus, 'PAID');
  assert.equal((await client.listCancellationReasons())[0]!.id, reasonId);
  const canceled = await client.cancelBooking(made.bookingId, { reasonId, notes: 'A customer asked for it' });
  assert.deepEqual([canceled.status, canceled.appointment?.status], ['canceled', 'Cancelled']);

  const other = await client.createBooking(booking({ externalReference: 'ORDER-2' }));
  const list = await client.listBookings({ externalReference: 'ORDER-2' });
  assert.deepEqual([list.data, list.meta.total], [[other], 1]);
  assert.match(list.asOf!, /^\d+:\d+:/);
  assert.equal((await gather(client.iterateBookings())).length, 2);
  const events = await client.listEvents({ limit: 2 });
  assert.deepEqual(
    [events.data.map(({ event }) => event), events.meta.hasMore],
    [['booking.created', 'booking.updated'], true],
  );
  assert.equal((await gather(client.iterateEvents({ after: events.meta.nextCursor }))).length, 3);

  const subscription = await client.createWebhookSubscription({
    url: receiver.url,
    events: ['booking.created'],
  });
  assert.match(subscription.secret, /^whsec_/);
  assert.equal((await client.listWebhookSubscriptions())[0]!.id, subscription.id);
  const tested = await client.testWebhookSubscription(subscription.id);
  assert.deepEqual([tested.ok, tested.event, tested.responseBody], [true, 'webhook.test', 'thanks']);
  const { secret } = await client.rotateWebhookSecret(subscription.id);
  receiver.answer = (_request, response) => response.writeHead(500).end();
  await client.createBooking(booking());
  await receiver.arrived(2);
  const [, received] = receiver.received;
  const event = await verifyWebhook({ ...received!, secret, now: service.clock.now() });
  assert.equal(event.event, 'booking.created');
  await until(async () => (await client.listWebhookDeliveries()).data[0]!.attemptCount === 1);
  assert.equal((await gather(client.iterateWebhookDeliveries()))[0]!.id, event.deliveryId);
  const delivery = await client.getWebhookDelivery(event.deliveryId);
  assert.deepEqual([delivery.status, delivery.attempts[0]!.statusCode], ['PENDING', 500]);
  await assert.rejects(client.retryWebhookDelivery(delivery.id), { code: 'DELIVERY_NOT_RETRYABLE' });
  const since = delivery.createdAt;
  assert.deepEqual(await client.recoverWebhookSubscription(subscription.id, { since }), {
    id: subscription.id,
    recovered: 0,
  });
  const off = await client.updateWebhookSubscription(subscription.id, { status: 'INACTIVE' });
  assert.equal(off.status, 'INACTIVE');
  const removed = await client.removeWebhookSubscription(subscription.id);
  assert.deepEqual(removed, { id: subscription.id, removed: true });
  receiver.answer = (_request, response) => response.end('thanks');

  const names = Object.entries(OPERATIONS).flatMap(([name, row]) =>
    'iterate' in row ? [name, row.iterate] : [name],
  );
  assert.deepEqual(
    names.filter((name) => !called.has(name)),
    [],
  );
  for (const { name, headers } of proxy.calls) {
    assert.equal(headers['user-agent'], 'partner-booking-sdk/0.1.0', name);
    assert.match(headers['x-request-id']!, /^[0-9a-f]{8}-/, name);
    assert.equal(
      headers['content-type'],
      /^(?:POST|PATCH)/.test(name) ? 'application/json' : undefined,
      name,
    );
  }
  assert.equal(new Set(proxy.calls.map(({ headers }) => headers['x-request-id'])).size, proxy.calls.length);
});

test('refusals are errors with a code and typed details', async (t) => {
  const { client, attempts, booking, service, world, proxy } = await startSetting(t);
  const refusal = async (work: Promise<unknown>): Promise<PartnerBookingError> => {
    const error = await work.then(
      () => assert.fail('it was not refused'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof PartnerBookingError, String(error));
    return error;
  };

  const invalid = await refusal(client.getContact('nobody'));
  assert.ok(isCode(invalid, 'VALIDATION_ERROR'));
  assert.deepEqual([invalid.status, invalid.details.message], [400, ['contactId must be a UUID']]);
  const missing = await refusal(
    client.getBookingStatus('5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10', { requestId: 'mine' }),
  );
  assert.deepEqual([missing.code, missing.status, missing.requestId], ['RESOURCE_NOT_FOUND', 404, 'mine']);
  assert.match(missing.message, /^RESOURCE_NOT_FOUND: .*\(request mine\)$/);
  assert.ok(!isCode(missing, 'VALIDATION_ERROR') && !isCode(new Error('x'), 'RESOURCE_NOT_FOUND'));

  await client.createBooking(booking({ externalReference: 'ORDER-1' }));
  const timeslot = { startAt: '14:00', endAt: '16:00' };
  const duplicate = await refusal(client.createBooking(booking({ externalReference: 'ORDER-1', timeslot })));
  assert.equal(duplicate.code, 'DUPLICATE_EXTERNAL_REFERENCE');
  const past = await refusal(client.createBooking(booking({ date: '2026-11-01' })));
  assert.ok(isCode(past, 'BOOKING_CREATION_FAILED'));
  assert.equal(past.details.reason, 'SLOT_IN_PAST');
  assert.ok(past.details.alternatives[0]!.startAt);

  const stranger = createClient({ apiKey: 'pbs_test_nobody', baseUrl: proxy.baseUrl });
  assert.equal((await refusal(stranger.listBookings())).code, 'UNAUTHORIZED');
  assert.ok(
    attempts.every(({ retryInMs }) => retryInMs === null),
    'none of them was repeated',
  );

  // More headers, of the client and of the call.
  const partner = `/partners/${world.partnerId}`;
  const allowed = await service.operator('PATCH', partner, { allowedDomains: ['example.sa'] });
  assert.equal(allowed.status, 200, allowed.text);
  const domain = { 'x-partner-domain': 'elsewhere.example' };
  assert.equal((await refusal(client.listBookings({}, { headers: domain }))).code, 'INVALID_PARTNER_DOMAIN');
  const wrong = createClient({ apiKey: world.key, baseUrl: proxy.baseUrl, headers: domain });
  assert.equal((await refusal(wrong.listBookings())).code, 'INVALID_PARTNER_DOMAIN');
  const right = { 'x-partner-domain': 'shop.example.sa', 'x-api-key': 'not this one' };
  assert.equal((await wrong.listBookings({}, { headers: right })).meta.total, 1);
});

test('pages follow each other, and bookings made meanwhile shift nothing', async (t) => {
  const { client, booking, service, proxy, world } = await startSetting(t, { world: { teams: 6 } });
  const made: string[] = [];
  for (let number = 0; number < 5; number++) {
    service.clock.advance(1);
    made.unshift((await client.createBooking(booking())).bookingId);
  }
  proxy.calls.length = 0;
  const seen: string[] = [];
  for await (const { bookingId } of client.iterateBookings({ limit: 2, status: 'in progress' })) {
    seen.push(bookingId);
    if (seen.length === 1) {
      service.clock.advance(1);
      assert.equal((await world.book()).status, 200);
    }
  }
  assert.deepEqual(seen, made);
  assert.deepEqual(
    proxy.calls.map(({ name }) => name.replace(/asOf=.*/, 'asOf')),
    [
      '/v1/partners/bookings?limit=2&status=in+progress&page=1',
      '/v1/partners/bookings?limit=2&status=in+progress&page=2&asOf',
      '/v1/partners/bookings?limit=2&status=in+progress&page=3&asOf',
    ].map((path) => `GET ${path}`),
  );
  assert.deepEqual(
    (await gather(client.iterateBookings({ limit: 2, page: 3 }))).map(({ bookingId }) => bookingId),
    made.slice(3),
    'from a page on: 6 by now',
  );
  proxy.calls.length = 0;
  for await (const _ of client.iterateBookings()) break;
  assert.match(proxy.calls[0]!.name, /limit=100/);
  assert.deepEqual(await gather(client.iterateBookings({ status: 'failed' })), []);
});

test('the feed goes from cursor to cursor, and on when something happens', async (t) => {
  const { client, booking, proxy } = await startSetting(t, { world: { teams: 6 } });
  for (let number = 0; number < 3; number++) await client.createBooking(booking());
  const cursors: string[] = [];
  const seen: string[] = [];
  const counts: number[] = [];
  const stop = new AbortController();
  const follow = async (): Promise<void> => {
    const options = {
      follow: true,
      pollMs: 20,
      signal: stop.signal,
      onCursor: (cursor: string) => {
        cursors.push(cursor);
        counts.push(seen.length);
      },
    };
    for await (const event of client.iterateEvents({ limit: 2 }, options)) {
      if (event.event === 'booking.created') seen.push(event.payload.bookingId);
      if (seen.length === 4) stop.abort(new Error('enough'));
    }
  };
  const following = assert.rejects(follow(), /enough/);
  while (cursors.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const { bookingId } = await client.createBooking(booking());
  await following;
  assert.equal(seen.at(-1), bookingId);
  assert.deepEqual(
    counts.slice(0, 2),
    [2, 3],
    'a cursor comes when the events before it have been worked on',
  );
  assert.equal(new Set(cursors).size, cursors.length);
  // The cursor of the third event leads to the fourth.
  const rest = await gather(client.iterateEvents({ after: cursors[1] }));
  assert.deepEqual(
    rest.map(({ payload }) => payload.bookingId),
    [bookingId],
  );
  assert.ok(proxy.calls.length > 4);
});

test('what cannot work is refused before anything is sent', async (t) => {
  const { client, proxy, world } = await startSetting(t);
  const settings = { apiKey: world.key, baseUrl: proxy.baseUrl };
  for (const wrong of [
    { apiKey: '' },
    { apiKey: 'two\nlines' },
    { baseUrl: 'booking.example' },
    { baseUrl: 'ftp://booking.example/v1' },
    { baseUrl: 'https://booking.example/v1?x=1' },
    { baseUrl: 'https://somebody:secret@booking.example/v1' },
    { timeoutMs: 0 },
    { timeoutMs: 2 ** 31 },
    { retries: -1 },
    { retries: 0.5 },
  ])
    assert.throws(() => createClient({ ...settings, ...wrong }), TypeError, JSON.stringify(wrong));
  for (const id of ['', '.', '..', undefined as unknown as string])
    await assert.rejects(client.getContact(id), TypeError, id);
  await assert.rejects(client.listBookings({}, { timeoutMs: Number.NaN }), TypeError);
  assert.equal(proxy.calls.length, 0);

  await assert.rejects(client.getContact('../bookings?x=#'), { code: 'VALIDATION_ERROR' });
  assert.equal(proxy.calls[0]!.name, 'GET /v1/partners/contacts/..%2Fbookings%3Fx%3D%23');
  const slashed = createClient({ ...settings, baseUrl: `${proxy.baseUrl}//` });
  assert.deepEqual(await slashed.listPricingTiers(), []);
});
