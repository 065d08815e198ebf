import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WORLD_DATE } from '../../test/fixtures.ts';
import { ownStatement } from '../../test/statement-fixtures.ts';
import { until } from '../../test/until.ts';
import { startReceiver } from '../../test/webhook-receiver.ts';
import type { ResponseInfo } from '../src/call.ts';
import { createClient, VERSION } from '../src/client.ts';
import { ROUTES } from '../src/contract.ts';
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

/** The names of all methods, such as `bookings.create`. */
function methodsOf(resources: object, before = ''): string[] {
  return Object.entries(resources).flatMap(([name, value]) =>
    typeof value === 'function' ? [before + name] : methodsOf(value ?? {}, `${before}${name}.`),
  );
}

test('every operation against a real service', async (t: TestContext) => {
  const receiver = await startReceiver(t);
  const setting = await startSetting(t, {
    world: { teams: 3, partner: { allowedWebhookDomains: ['127.0.0.1'] } },
    service: { env: { WEBHOOK_ALLOW_HOSTS: receiver.host } },
  });
  const { world, service, proxy, booking, client, attempts } = setting;
  const reasonId = await cancellationReason(setting);
  const tier = await service.operator('POST', '/pricing-tiers', {
    minMinutes: 60,
    maxMinutes: null,
    factor: 0.9,
    sorting: 1,
  });
  assert.equal(tier.status, 201, tier.text);

  const contact = await client.contacts.findOrCreate({
    phone: '+966501234567',
    name: 'Noura Al-Qahtani',
    latitude: String(world.latitude),
    longitude: String(world.longitude),
    cityName: undefined,
  });
  assert.equal(contact.isNewContact, true);
  const addressId = contact.addressId!;
  assert.equal((await client.contacts.get(contact.id)).addresses[0]!.id, addressId);

  assert.equal((await client.contacts.update(contact.id, { name: 'Noura' })).name, 'Noura');
  assert.equal((await client.contacts.updateAddress(addressId, { unit: '12' })).unit, '12');
  assert.equal((await client.contacts.export(contact.id)).contact.id, contact.id);
  const unneeded = await client.contacts.findOrCreate({ phone: '+966500000002', name: 'Reem' });
  assert.equal((await client.contacts.erase(unneeded.id, { reason: 'She asked for it' })).id, unneeded.id);

  const categories = await client.services.list({ addressId });
  assert.deepEqual([categories.meta.total, categories.data[0]!.services[0]!.price], [1, 150]);
  assert.deepEqual(
    (await gather(client.services.list({ addressId }))).map(({ id }) => id),
    [world.categoryId],
  );
  const { serviceId } = world;
  assert.equal((await client.services.get(serviceId)).isActive, true);
  assert.deepEqual(
    (await client.pricing.listTiers()).map(({ factor, maxMinutes }) => [factor, maxMinutes]),
    [[0.9, null]],
  );
  const price = await client.pricing.calculate({ items: [{ serviceId }, { serviceId, hours: 1 }] });
  assert.deepEqual(
    [price.currency, price.items.map((item) => [item.isBookable, item.price])],
    [
      'SAR',
      [
        [true, 150],
        [false, 135],
      ],
    ],
  );

  const { date, slots } = await client.timeslots.list({ addressId, serviceId, date: WORLD_DATE });
  assert.equal(date, WORLD_DATE);
  const calendar = await client.timeslots.calendar({ addressId, serviceId, from: date, to: date });
  assert.deepEqual(calendar.days, [{ date, state: 'FREE', slots }]);
  const next = await client.timeslots.next({ addressId, serviceId, notBefore: `${date}T00:00:00+03:00` });
  assert.deepEqual(next.slots, [{ date, ...slots[0] }]);
  const days = { addressId, serviceId, from: date, to: date };
  const { response: shown } = await client.timeslots.calendar(days).withResponse();
  const ifNoneMatch = shown.headers.get('etag')!;
  const unchanged = await client.timeslots.calendar(days, { ifNoneMatch }).withResponse();
  assert.deepEqual([unchanged.data, unchanged.response.status], [null, 304]);
  const changed = await client.timeslots.calendar(days, { ifNoneMatch: '"other"' });
  assert.deepEqual(changed?.days, [{ date, state: 'FREE', slots }]);
  const coverage = await client.coverage.get({
    latitude: String(world.latitude),
    longitude: String(world.longitude),
  });
  assert.deepEqual([coverage.covered, coverage.services[0]!.id], [true, serviceId]);
  const bare = { name: 'Noura', phone: '+966501234568', latitude: '0', longitude: '0' };
  const elsewhere = (await client.contacts.findOrCreate(bare)).addressId!;
  for (const call of [
    client.services.list({ addressId: elsewhere }),
    client.timeslots.list({ addressId: elsewhere, serviceId, date }),
    client.timeslots.next({ addressId: elsewhere, serviceId }),
  ])
    assert.equal((await call.withResponse()).response.reason, 'PLACE_NOT_COVERED');
  assert.equal(
    (await client.timeslots.list({ addressId, serviceId, date }).withResponse()).response.reason,
    null,
  );
  const timeslot = slots[0]!;
  const hold = await client.holds.create({ addressId, serviceId, date, timeslot: slots.at(-1)! });
  assert.deepEqual([hold.price, hold.currency, hold.timeslot.startAt], [150, 'SAR', slots.at(-1)!.startAt]);
  const extended = await client.holds.extend(hold.holdId, { seconds: 900 });
  assert.ok(extended.expiresAt > hold.expiresAt);
  assert.deepEqual(await client.holds.get(hold.holdId), extended);
  assert.deepEqual((await client.holds.list()).data, [extended]);
  await client.holds.release(hold.holdId);
  const made = await client.bookings.create({ contactId: contact.id, addressId, serviceId, date, timeslot });
  assert.deepEqual(
    [made.status, made.paymentStatus, made.timeslot.startAt],
    ['in progress', 'PENDING', timeslot.startAt],
  );
  assert.deepEqual(await client.bookings.get(made.bookingId), made);
  const quote = await client.bookings.quote(made.bookingId, { action: 'cancel' });
  assert.deepEqual([quote.fee, quote.refund, quote.policy], [0, 0, null]);
  const updated = await client.bookings.update(made.bookingId, { externalReference: 'ORDER-1' });
  assert.equal(updated.externalReference, 'ORDER-1');
  assert.equal((await client.bookings.confirmPayment(made.bookingId)).paymentStatus, 'PAID');
  assert.equal((await client.bookings.listCancellationReasons())[0]!.id, reasonId);
  const canceled = await client.bookings.cancel(made.bookingId, {
    reasonId,
    notes: 'A customer asked for it',
  });
  assert.deepEqual([canceled.status, canceled.appointment?.status], ['canceled', 'Cancelled']);

  const other = await client.bookings.create(booking({ externalReference: 'ORDER-2' }));
  const list = await client.bookings.list({ externalReference: 'ORDER-2' });
  assert.deepEqual([list.data, list.meta.total], [[other], 1]);
  assert.match(list.asOf!, /^\d+:\d+:/);
  assert.equal((await gather(client.bookings.list())).length, 2);
  const statement = await client.bookings.export({ month: WORLD_DATE.slice(0, 7) });
  const file = await client.bookings.exportBytes({ month: WORLD_DATE.slice(0, 7) }).withResponse();
  assert.deepEqual([...file.data.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'the byte order mark');
  assert.equal(new TextDecoder().decode(file.data), statement);
  assert.equal(file.response.status, 200);
  const statementId = await ownStatement(setting);
  assert.deepEqual(
    (await client.statements.list()).data.map(({ id }) => id),
    [statementId],
  );
  assert.equal((await client.statements.get(statementId)).totals.gross, 150);
  const texts = await Promise.all(
    [
      client.statements.lines(statementId),
      client.statements.invoices(statementId),
      client.statements.page(statementId),
    ].map(async (file) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file)),
  );
  assert.deepEqual(
    texts.map((text) => text.slice(0, 9)),
    ['\uFEFFline,boo', '{"stateme', '<!doctype'],
  );
  const lines = statement.trimEnd().split('\r\n');
  assert.match(lines[0]!, /^bookingId,trackingReference,/);
  assert.deepEqual(
    lines
      .slice(1)
      .map((line) => line.slice(0, 36))
      .sort(),
    [made.bookingId, other.bookingId].sort(),
  );
  const events = await client.events.list({ limit: 2 });
  assert.deepEqual(
    [events.data.map(({ event }) => event), events.meta.hasMore],
    [['booking.created', 'booking.updated'], true],
  );
  assert.equal((await client.events.list({ after: events.meta.nextCursor }).toArray()).length, 5);

  const subscription = await client.webhooks.subscriptions.create({
    url: receiver.url,
    events: ['booking.created'],
  });
  assert.match(subscription.secret, /^whsec_/);
  assert.equal((await client.webhooks.subscriptions.list())[0]!.id, subscription.id);
  const tested = await client.webhooks.subscriptions.test(subscription.id);
  assert.deepEqual([tested.ok, tested.event, tested.responseBody], [true, 'webhook.test', 'thanks']);
  assert.equal((await client.webhooks.subscriptions.get(subscription.id)).url, subscription.url);
  assert.deepEqual(await client.webhooks.subscriptions.list({ status: 'INACTIVE' }), []);
  const overlapping = await client.webhooks.subscriptions.rotateSecret(subscription.id, { overlapHours: 24 });
  assert.ok(overlapping.previousSecretEndsAt);
  const { previousSecretEndsAt } = await client.webhooks.subscriptions.get(subscription.id);
  assert.equal(previousSecretEndsAt, overlapping.previousSecretEndsAt);
  const { secret } = await client.webhooks.subscriptions.rotateSecret(subscription.id);
  receiver.answer = (_request, response) => response.writeHead(500).end();
  await client.bookings.create(booking());
  await receiver.arrived(2);
  const [, received] = receiver.received;
  const event = await verifyWebhook({ ...received!, secret, now: service.clock.now() });
  assert.equal(event.event, 'booking.created');
  await until(async () => (await client.webhooks.deliveries.list()).data[0]!.attemptCount === 1);
  assert.equal((await gather(client.webhooks.deliveries.list()))[0]!.id, event.deliveryId);
  const delivery = await client.webhooks.deliveries.get(event.deliveryId);
  assert.deepEqual([delivery.status, delivery.attempts[0]!.statusCode], ['PENDING', 500]);
  await assert.rejects(client.webhooks.deliveries.retry(delivery.id), { code: 'DELIVERY_NOT_RETRYABLE' });
  await assert.rejects(client.webhooks.deliveries.replay(delivery.id), { code: 'DELIVERY_NOT_RETRYABLE' });
  const since = delivery.createdAt;
  assert.deepEqual(await client.webhooks.subscriptions.recover(subscription.id, { since }), {
    id: subscription.id,
    recovered: 0,
    waiting: 1,
  });
  const { faults } = await client.sandbox.webhooks.setFault(subscription.id, { kind: 'lose', count: 2 });
  assert.deepEqual([faults[0]!.kind, faults[0]!.remaining], ['lose', 2]);
  assert.deepEqual((await client.sandbox.webhooks.listFaults(subscription.id)).faults, faults);
  assert.deepEqual((await client.sandbox.webhooks.clearFaults(subscription.id)).faults, []);
  const played = await client.bookings.create(booking());
  const advanced = await client.sandbox.bookings.advance(played.bookingId);
  assert.deepEqual([advanced.from, advanced.to], ['Scheduled', 'Confirmed']);
  const run = await client.sandbox.bookings.startRun(played.bookingId, {
    script: 'complete',
    everySeconds: 3_600,
  });
  assert.deepEqual(await client.sandbox.bookings.listRuns(played.bookingId), [run]);
  assert.equal((await client.sandbox.bookings.getRun(played.bookingId, run.id)).status, 'RUNNING');
  assert.equal((await client.sandbox.bookings.stopRun(played.bookingId, run.id)).status, 'STOPPED');
  const whole = await client.webhooks.subscriptions.update(subscription.id, {
    events: ['booking.updated', 'booking.cancelled', 'booking.appointment_status_changed'],
  });
  const certification = await client.sandbox.certifications.start({ subscriptionId: whole.id });
  assert.equal((await client.sandbox.certifications.get(certification.id)).status, 'RUNNING');
  const off = await client.webhooks.subscriptions.update(subscription.id, { status: 'INACTIVE' });
  assert.equal(off.status, 'INACTIVE');
  const removed = await client.webhooks.subscriptions.remove(subscription.id);
  assert.deepEqual(removed, { id: subscription.id, removed: true });
  receiver.answer = (_request, response) => response.end('thanks');

  const weekly = { contactId: contact.id, addressId, serviceId, firstDate: '2030-01-06', startAt: '09:00' };
  assert.equal((await client.series.create({ ...weekly, preview: true })).seriesId, null);
  const series = await client.series.create({ ...weekly, everyWeeks: 2 });
  const seriesId = series.seriesId!;
  assert.deepEqual(await client.series.get(seriesId), series);
  assert.deepEqual((await client.series.list({ status: 'ACTIVE' })).data, [series]);
  assert.equal((await client.series.update(seriesId, { fromIndex: 1, startAt: '10:00' })).startAt, '10:00');
  assert.equal((await client.series.skip(seriesId, '1')).dates[0]!.state, 'SKIPPED');
  const chosen = await client.series.place(seriesId, '1', { date: '2026-12-20', startAt: '10:00' });
  assert.deepEqual([chosen.dates[0]!.state, chosen.dates[0]!.date], ['PLACED', '2026-12-20']);
  const pause = { from: '2030-02-01', to: '2030-02-28' };
  assert.deepEqual((await client.series.pause(seriesId, pause)).pauses, [pause]);
  assert.equal((await client.series.end(seriesId, { fromIndex: 2 })).status, 'ENDED');

  assert.deepEqual([...new Set(attempts.map(({ operation }) => operation))].sort(), Object.keys(ROUTES));
  const { lastResponse: _, ...resources } = client;
  assert.deepEqual(
    methodsOf(resources).sort(),
    [...Object.keys(ROUTES), 'events.follow', 'bookings.exportBytes'].sort(),
  );
  for (const { name, headers } of proxy.calls) {
    assert.equal(headers['user-agent'], `partner-booking-sdk/${VERSION}`, name);
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

  const invalid = await refusal(client.contacts.get('nobody'));
  assert.ok(isCode(invalid, 'VALIDATION_ERROR'));
  assert.deepEqual([invalid.status, invalid.details.message], [400, ['contactId must be a UUID']]);
  const missing = await refusal(
    client.bookings.get('5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10', { requestId: 'mine' }),
  );
  assert.deepEqual([missing.code, missing.status, missing.requestId], ['RESOURCE_NOT_FOUND', 404, 'mine']);
  assert.equal((await refusal(client.bookings.export({ month: 'May' }))).code, 'VALIDATION_ERROR');
  assert.match(
    missing.message,
    /^bookings\.get was refused with 404 RESOURCE_NOT_FOUND: .+ \(request mine\)$/,
  );
  assert.match(invalid.message, /400 VALIDATION_ERROR: .*contactId must be a UUID \(request /, 'each fault');
  assert.equal(missing.response.headers.get('x-request-id'), 'mine');
  assert.ok(!isCode(missing, 'VALIDATION_ERROR') && !isCode(new Error('x'), 'RESOURCE_NOT_FOUND'));

  await client.bookings.create(booking({ externalReference: 'ORDER-1' }));
  const timeslot = { startAt: '14:00', endAt: '16:00' };
  const duplicate = await refusal(
    client.bookings.create(booking({ externalReference: 'ORDER-1', timeslot })),
  );
  assert.equal(duplicate.code, 'DUPLICATE_EXTERNAL_REFERENCE');
  const past = await refusal(client.bookings.create(booking({ date: '2026-11-01' })));
  assert.ok(isCode(past, 'BOOKING_CREATION_FAILED'));
  assert.equal(past.details.reason, 'SLOT_IN_PAST');
  assert.ok(past.details.alternatives[0]!.startAt);

  const stranger = createClient({ apiKey: 'pbs_test_nobody', baseUrl: proxy.baseUrl });
  assert.equal((await refusal(stranger.bookings.list())).code, 'UNAUTHORIZED');
  assert.ok(
    attempts.every(({ retryInMs }) => retryInMs === null),
    'none of them was repeated',
  );

  // Additional headers, of the client and of the call.
  const partner = `/partners/${world.partnerId}`;
  const allowed = await service.operator('PATCH', partner, { allowedDomains: ['example.sa'] });
  assert.equal(allowed.status, 200, allowed.text);
  const domain = { 'x-partner-domain': 'elsewhere.example' };
  assert.equal((await refusal(client.bookings.list({}, { headers: domain }))).code, 'INVALID_PARTNER_DOMAIN');
  const wrong = createClient({ apiKey: world.key, baseUrl: proxy.baseUrl, headers: domain });
  assert.equal((await refusal(wrong.bookings.list())).code, 'INVALID_PARTNER_DOMAIN');
  const right = { 'x-partner-domain': 'shop.example.sa', 'x-api-key': 'not this one' };
  assert.equal((await wrong.bookings.list({}, { headers: right })).meta.total, 1);
});

test('pages are iterated, and new bookings do not shift them', async (t) => {
  const { client, booking, service, proxy, world } = await startSetting(t, { world: { teams: 6 } });
  const made: string[] = [];
  for (let number = 0; number < 5; number++) {
    service.clock.advance(1);
    made.unshift((await client.bookings.create(booking())).bookingId);
  }
  proxy.calls.length = 0;
  const seen: string[] = [];
  for await (const { bookingId } of client.bookings.list({ limit: 2, status: 'in progress' })) {
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
    (await gather(client.bookings.list({ limit: 2, page: 3 }))).map(({ bookingId }) => bookingId),
    made.slice(3),
    'from a page on: 6 by now',
  );
  proxy.calls.length = 0;
  for await (const _ of client.bookings.list()) break;
  assert.match(proxy.calls[0]!.name, /limit=100/);
  assert.deepEqual(await gather(client.bookings.list({ status: 'failed' })), []);
});

test('the feed is iterated by cursor, and waits for new events', async (t) => {
  const { client, booking, proxy } = await startSetting(t, { world: { teams: 6 } });
  for (let number = 0; number < 3; number++) await client.bookings.create(booking());
  const cursors: string[] = [];
  const seen: string[] = [];
  const counts: number[] = [];
  const stop = new AbortController();
  const follow = async (): Promise<void> => {
    const options = {
      pollMs: 20,
      signal: stop.signal,
      onCursor: (cursor: string) => {
        cursors.push(cursor);
        counts.push(seen.length);
      },
    };
    for await (const event of client.events.follow({ limit: 2 }, options)) {
      if (event.event === 'booking.created') seen.push(event.payload.bookingId);
      if (seen.length === 4) stop.abort(new Error('enough'));
    }
  };
  const following = assert.rejects(follow(), /enough/);
  await until(() => cursors.length >= 2);
  const { bookingId } = await client.bookings.create(booking());
  await following;
  assert.equal(seen.at(-1), bookingId);
  assert.deepEqual(
    counts.slice(0, 2),
    [2, 3],
    'a cursor comes when the events before it have been worked on',
  );
  assert.equal(new Set(cursors).size, cursors.length);
  // The cursor of the third event leads to the fourth.
  const rest = await client.events.list({ after: cursors[1] }).toArray();
  assert.deepEqual(
    rest.map(({ payload }) => payload.bookingId),
    [bookingId],
  );
  assert.ok(proxy.calls.length > 4);
});

test('invalid settings and ids are refused before anything is sent', async (t) => {
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
    { rateLimitWaitMs: -1 },
  ])
    assert.throws(() => createClient({ ...settings, ...wrong }), TypeError, JSON.stringify(wrong));
  for (const id of ['', '.', '..', undefined as unknown as string])
    await assert.rejects(client.contacts.get(id), TypeError, id);
  await assert.rejects(client.bookings.list({}, { timeoutMs: Number.NaN }), TypeError);
  await assert.rejects(client.bookings.list({}, { apiKey: '' }), TypeError);
  await assert.rejects(client.bookings.list().toArray({ max: -1 }), TypeError);
  assert.equal(proxy.calls.length, 0);

  await assert.rejects(client.contacts.get('../bookings?x=#'), { code: 'VALIDATION_ERROR' });
  assert.equal(proxy.calls[0]!.name, 'GET /v1/partners/contacts/..%2Fbookings%3Fx%3D%23');
  const slashed = createClient({ ...settings, baseUrl: `${proxy.baseUrl}//` });
  assert.deepEqual(await slashed.pricing.listTiers(), []);
});

test('each call has its own response, and the client the last one', async (t) => {
  const { client, world, proxy, service } = await startSetting(t, {
    world: { partner: { rateLimitPerMinute: 50 } },
  });
  const last = (): ResponseInfo | null => client.lastResponse;
  assert.equal(last(), null);
  const { data, response } = await client.pricing.listTiers({ requestId: 'first' }).withResponse();
  assert.deepEqual(data, []);
  assert.deepEqual([response.status, response.requestId], [200, 'first']);
  assert.deepEqual([response.rateLimit?.limit, response.rateLimit?.remaining], [50, 49]);
  assert.equal(last(), response);

  // Concurrent calls: each has its own response, whichever comes last.
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const answers = await Promise.all(
    ids.map((requestId) => client.bookings.list({}, { requestId }).withResponse()),
  );
  assert.deepEqual(
    answers.map((answer) => answer.response.headers.get('x-request-id')),
    ids,
  );
  assert.deepEqual(
    answers.map((answer) => answer.response.rateLimit!.remaining).sort(),
    [44, 45, 46, 47, 48],
  );
  assert.ok(answers.some((answer) => answer.response === last()));

  // An error has one too, also for a call whose data nobody awaits.
  await assert.rejects(client.contacts.get('nobody', { requestId: 'refused' }).withResponse(), {
    code: 'VALIDATION_ERROR',
  });
  assert.deepEqual([last()!.status, last()!.requestId], [400, 'refused']);
  proxy.faults = [{ kind: 'answer', status: 200, text: '<html>' }];
  await assert.rejects(client.pricing.listTiers(), { name: 'UnexpectedAnswerError' });
  assert.equal(last()!.rateLimit, null, 'a proxy says nothing of limits');

  // Another key, for one call.
  const key = await service.operator('POST', `/partners/${world.partnerId}/keys`, {
    name: 'reads services',
    permissions: ['partner_services_read'],
  });
  assert.equal(key.status, 201, key.text);
  await assert.rejects(client.bookings.list({}, { apiKey: key.body.data.key }), { code: 'FORBIDDEN' });
  await assert.rejects(client.bookings.list({}, { apiKey: 'pbs_test_nobody' }), { code: 'UNAUTHORIZED' });
  assert.equal((await client.bookings.list()).meta.total, 0);
});

test('a list can be awaited for its page, iterated, or collected', async (t) => {
  const { client, booking, proxy } = await startSetting(t, { world: { teams: 6 } });
  for (let number = 0; number < 5; number++) await client.bookings.create(booking());
  proxy.calls.length = 0;
  const list = client.bookings.list({ limit: 2 });
  assert.equal(proxy.calls.length, 0, 'nothing is sent before somebody wants it');
  assert.equal((await list).data.length, 2);
  assert.deepEqual((await list.withResponse()).data, await list);
  assert.equal(proxy.calls.length, 1, 'the page is asked for once');

  const pages = await gather(list.pages());
  assert.deepEqual(
    pages.map(({ data, meta }) => [data.length, meta.page]),
    [
      [2, 1],
      [2, 2],
      [1, 3],
    ],
  );
  assert.equal(new Set((await list.toArray()).map(({ bookingId }) => bookingId)).size, 5);
  proxy.calls.length = 0;
  assert.equal((await list.toArray({ max: 2 })).length, 2);
  assert.equal(proxy.calls.length, 1, 'no page more than needed');
  assert.deepEqual(await list.toArray({ max: 0 }), []);

  const feed = client.events.list({ limit: 2 });
  assert.deepEqual([(await feed).data.length, (await feed).meta.hasMore], [2, true]);
  assert.equal((await feed.toArray()).length, 5);
  assert.equal((await gather(feed.pages())).at(-1)!.meta.hasMore, false);
  const refused = client.bookings.list({ limit: 1_000 });
  await assert.rejects(refused, { code: 'VALIDATION_ERROR' });
  assert.equal(await refused.catch((error) => error.code), 'VALIDATION_ERROR');
  await assert.rejects(refused.toArray(), { code: 'VALIDATION_ERROR' });
  let ended = false;
  await assert.rejects(refused.finally(() => (ended = true)));
  assert.ok(ended);
});
