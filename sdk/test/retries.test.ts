import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPartnerKey } from '../../test/fixtures.ts';
import { until } from '../../test/until.ts';
import { createClient } from '../src/client.ts';
import {
  ConnectionError,
  isCode,
  PartnerBookingError,
  TimeoutError,
  UnexpectedAnswerError,
} from '../src/errors.ts';
import { type Failure, pauseAfter, retryAfterOf } from '../src/retries.ts';
import { type Fault, gather, startSetting } from './setting.ts';

const DOWN: Fault = { kind: 'down' };
const LOST: Fault = { kind: 'lost' };

/** An error of the service, sent by the proxy. */
function refusal(status: number, code: string, headers: Record<string, string> = {}): Fault {
  const error = { code, message: 'Not now', details: {}, requestId: 'r' };
  return { kind: 'answer', status, headers, text: JSON.stringify({ success: false, error }) };
}

const responseOf = (status: number) => ({
  status,
  headers: new Headers(),
  requestId: 'r',
  rateLimit: null,
  reason: null,
});
const codes = (attempts: { status: number | null }[]) => attempts.map(({ status }) => status);

test('a read is retried until it succeeds, with one request id', async (t) => {
  const { client, proxy, attempts } = await startSetting(t);
  const page: Fault = { kind: 'answer', status: 503, text: '<html>later</html>' };
  for (const fault of [DOWN, LOST, { kind: 'half' } as const, refusal(500, 'INTERNAL_ERROR'), page]) {
    proxy.faults = [fault, fault];
    proxy.calls.length = attempts.length = 0;
    assert.deepEqual(await client.pricing.listTiers(), [], fault.kind);
    assert.equal(proxy.calls.length, 3, fault.kind);
    assert.equal(new Set(proxy.calls.map(({ headers }) => headers['x-request-id'])).size, 1);
    assert.deepEqual(
      attempts.map(({ number }) => number),
      [1, 2, 3],
    );
    assert.deepEqual(
      attempts.map(({ retryInMs }) => retryInMs !== null),
      [true, true, false],
    );
  }
});

test('after the last attempt its error is thrown', async (t) => {
  const { client, proxy } = await startSetting(t);
  const calls = async (
    work: Promise<unknown>,
    error: object | ((error: unknown) => boolean),
  ): Promise<number> => {
    proxy.calls.length = 0;
    await assert.rejects(work, error as object);
    return proxy.calls.length;
  };
  proxy.faults = [DOWN, DOWN, DOWN, DOWN];
  const broken = (error: unknown) =>
    error instanceof ConnectionError &&
    error.cause instanceof TypeError &&
    /^bookings\.list lost its connection: fetch failed: .+ \(request r\d\)$/.test(error.message);
  assert.equal(await calls(client.bookings.list({}, { requestId: 'r1' }), broken), 4);
  proxy.faults = [DOWN, DOWN];
  assert.equal(
    await calls(client.bookings.list({}, { retries: 0, requestId: 'r2' }), broken),
    1,
    'no repetition',
  );
  proxy.faults = [];

  const never: [Fault, object][] = [
    [refusal(400, 'VALIDATION_ERROR'), { code: 'VALIDATION_ERROR' }],
    [refusal(403, 'FORBIDDEN'), { code: 'FORBIDDEN' }],
    [refusal(404, 'RESOURCE_NOT_FOUND'), { code: 'RESOURCE_NOT_FOUND' }],
    [refusal(409, 'A_CODE_OF_THE_FUTURE'), { code: 'A_CODE_OF_THE_FUTURE' }],
    [refusal(422, 'BOOKING_NOT_EDITABLE'), { code: 'BOOKING_NOT_EDITABLE' }],
    [
      { kind: 'answer', status: 200, text: '<html>log in</html>' },
      { name: 'UnexpectedAnswerError', status: 200 },
    ],
    [{ kind: 'answer', status: 200, text: '{"data":[]}' }, { name: 'UnexpectedAnswerError' }],
    [
      { kind: 'answer', status: 404, text: '' },
      { name: 'UnexpectedAnswerError', status: 404 },
    ],
  ];
  for (const [fault, error] of never) {
    proxy.faults = [fault];
    assert.equal(await calls(client.bookings.list(), error), 1, JSON.stringify(error));
  }
  // The key does not follow a redirect.
  const location = `${proxy.baseUrl}/partners/pricing/tiers`;
  proxy.faults = [{ kind: 'answer', status: 307, headers: { location }, text: '' }];
  assert.equal(await calls(client.bookings.list(), { name: 'UnexpectedAnswerError', status: 307 }), 1);
});

test('the rate limit is waited for as long as Retry-After says', async (t) => {
  const { client, proxy, attempts } = await startSetting(t);
  proxy.faults = [refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '1' })];
  assert.deepEqual(await client.pricing.listTiers(), []);
  const asked = attempts[0]!.retryInMs!;
  assert.ok(asked >= 1_000 && asked <= 1_500, `${asked}`);
  assert.equal(proxy.calls.length, 2);

  // A longer one is left to the caller, and the error says so.
  proxy.faults = [refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '6' })];
  proxy.calls.length = 0;
  await assert.rejects(
    client.pricing.listTiers(),
    /429 RATE_LIMIT_EXCEEDED.*; not repeated: it asks for 6 s, and rateLimitWaitMs allows 5 s/,
  );
  assert.equal(proxy.calls.length, 1);

  // A real one of the service. Its clock stands still, so the window never ends, and Retry-After stays 60 s.
  const limited = await startSetting(t, { world: { partner: { rateLimitPerMinute: 2 } } });
  await limited.client.pricing.listTiers();
  await limited.client.pricing.listTiers();
  const stop = new AbortController();
  const waiting = limited.client.pricing.listTiers({ signal: stop.signal, rateLimitWaitMs: 60_000 });
  await until(() => limited.attempts.length >= 3);
  const { status, retryInMs } = limited.attempts[2]!;
  assert.ok(status === 429 && retryInMs! >= 60_000 && retryInMs! <= 60_500, `${retryInMs}`);
  stop.abort();
  await assert.rejects(waiting, { name: 'AbortError' });

  // Also for operations that may not be repeated otherwise: nothing was done.
  attempts.length = 0;
  proxy.faults = [refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '0' })];
  await assert.rejects(client.bookings.create({} as never), { code: 'VALIDATION_ERROR' });
  assert.deepEqual(codes(attempts), [429, 400]);
});

test('a booking with a reference is created once, whatever fails', async (t) => {
  // With one team a second booking would be refused anyway; the second world has room for mistakes.
  for (const teams of [1, 6]) {
    const { client, proxy, attempts, booking, service, world } = await startSetting(t, { world: { teams } });
    const faults: Fault[] = [DOWN, LOST, { kind: 'half' }, refusal(500, 'INTERNAL_ERROR')];
    for (const [index, fault] of faults.entries()) {
      const externalReference = `ORDER-${index}`;
      const date = `2026-11-2${3 + index}`;
      proxy.faults = [fault];
      attempts.length = 0;
      const timeslot = { startAt: '10:00:00', endAt: '12:00' };
      const made = await client.bookings.create(booking({ externalReference, date, timeslot }));
      assert.deepEqual([made.externalReference, made.date.slice(0, 10)], [externalReference, date]);
      const looked = attempts.filter(({ operation }) => operation === 'bookings.get').length;
      assert.equal(looked, fault.kind === 'lost' || fault.kind === 'half' ? 1 : 0, fault.kind);
      assert.deepEqual(await client.bookings.get(made.bookingId), made);
      const total = (await service.v1(world.key, 'GET', '/partners/bookings')).body.meta.total;
      assert.equal(total, index + 1, fault.kind);
    }
    // Also when two attempts are lost, and when the one that looks it up is.
    proxy.faults = [LOST, DOWN, null, DOWN];
    const made = await client.bookings.create(booking({ externalReference: 'ORDER-9', date: '2026-11-28' }));
    assert.equal(made.externalReference, 'ORDER-9');
  }
});

test('a series with a reference is made once, also in a later call, until it is ended', async (t) => {
  const { client, proxy, world, service } = await startSetting(t);
  const { contactId, addressId, serviceId } = world;
  const reason = await service.operator('POST', '/cancellation-reasons', { nameEn: 'A', nameAr: 'أ' });
  const reasonId = reason.body.data.id;
  const weekly = { contactId, addressId, serviceId, firstDate: '2026-11-29', startAt: '09:00', visits: 3 };
  for (const [index, fault] of [DOWN, LOST, { kind: 'half' } as const].entries()) {
    proxy.faults = [fault];
    const wanted = {
      ...weekly,
      startAt: `${9 + 3 * index}:00`.padStart(5, '0'),
      externalReference: `WEEKLY-${index}`,
    };
    const made = await client.series.create(wanted);
    assert.deepEqual([made.externalReference, made.dates.length], [wanted.externalReference, 3], fault.kind);
    assert.deepEqual(await client.series.create(wanted), made, 'in a later call');
    const refused = { code: 'DUPLICATE_EXTERNAL_REFERENCE' };
    await assert.rejects(client.series.create({ ...wanted, visits: 4 }), refused);
    assert.equal((await client.series.list()).meta.total, index + 1);
    await client.series.end(made.seriesId!, { fromIndex: 2, reasonId });
    await assert.rejects(client.series.create(wanted), refused, 'ended');
  }
  proxy.faults = [LOST];
  await assert.rejects(client.series.create({ ...weekly, firstDate: '2026-11-30' }), {
    name: 'ConnectionError',
  });
});

test('a booking without a reference is not retried when its outcome is unclear', async (t) => {
  const { client, proxy, booking, world, service } = await startSetting(t, { world: { teams: 6 } });
  for (const fault of [DOWN, LOST, refusal(500, 'INTERNAL_ERROR')]) {
    proxy.faults = [fault];
    proxy.calls.length = 0;
    await assert.rejects(client.bookings.create(booking()));
    assert.equal(proxy.calls.length, 1, fault.kind);
  }
  const { body } = await service.v1(world.key, 'GET', '/partners/bookings');
  assert.equal(body.meta.total, 1);
});

test("another booking's reference stays refused, also after an unclear attempt", async (t) => {
  const { client, proxy, booking, service } = await startSetting(t, { world: { teams: 6 } });
  const first = await client.bookings.create(booking({ externalReference: 'ORDER-1' }));
  const refused = { code: 'DUPLICATE_EXTERNAL_REFERENCE' };
  for (const [startAt, endAt] of [
    ['14:00', '16:00'],
    ['10:00', '13:00'],
    ['09:00', '12:00'],
  ] as const) {
    proxy.faults = [DOWN];
    const other = booking({ externalReference: 'ORDER-1', timeslot: { startAt, endAt } });
    await assert.rejects(client.bookings.create(other), refused, startAt);
  }
  proxy.faults = [DOWN];
  const tomorrow = { externalReference: 'ORDER-1', date: '2026-11-24' };
  await assert.rejects(client.bookings.create(booking(tomorrow)), refused, 'another day');
  // The same body is the same order, also in a later call and after a restart.
  assert.equal(
    (await client.bookings.create(booking({ externalReference: 'ORDER-1' }))).bookingId,
    first.bookingId,
  );
  const reason = await service.operator('POST', '/cancellation-reasons', { nameEn: 'A', nameAr: 'أ' });
  await client.bookings.cancel(first.bookingId, { reasonId: reason.body.data.id });
  proxy.faults = [DOWN];
  await assert.rejects(
    client.bookings.create(booking({ externalReference: 'ORDER-1' })),
    refused,
    'canceled',
  );
});

test('a lost answer to a booking with a hold ends with the booking, and to an extension with its instant', async (t) => {
  const { client, proxy, booking } = await startSetting(t, { world: { teams: 6 } });
  for (const [index, fault] of [DOWN, LOST, { kind: 'half' } as const].entries()) {
    const { contactId: _, ...slot } = booking({ date: `2026-11-2${4 + index}` });
    const hold = await client.holds.create(slot);
    proxy.faults = [LOST];
    assert.equal((await client.holds.create(slot)).holdId, hold.holdId, 'the same hold');
    const until = new Date(Date.parse(hold.expiresAt) + 60_000).toISOString();
    proxy.faults = [fault];
    const { expiresAt } = await client.holds.extend(hold.holdId, { until });
    assert.equal(Date.parse(expiresAt), Date.parse(until));
    const wanted = booking({ ...slot, holdId: hold.holdId, externalReference: `ORDER-${index}` });
    proxy.faults = [fault];
    const made = await client.bookings.create(wanted);
    assert.equal(made.holdId, hold.holdId);
    assert.equal((await client.bookings.create(wanted)).bookingId, made.bookingId);
    const other = { ...wanted, externalReference: 'ANOTHER', notes: 'Gate 2' };
    await assert.rejects(client.bookings.create(other), { code: 'HOLD_CONSUMED' });
  }
  assert.deepEqual((await client.holds.list()).data, []);
});

test('a key that may not read bookings gets the refusal that names the booking', async (t) => {
  const { client, proxy, booking, service, world } = await startSetting(t);
  const permissions = [
    'partner_bookings_create',
    'partner_bookings_cancel',
    'partner_bookings_confirm_payment',
  ] as const;
  const { key } = await createPartnerKey(service, world.partnerId, [...permissions]);
  const wanted = booking({ externalReference: 'ORDER-1' });
  for (const retries of [3, 0]) {
    if (retries > 0) proxy.faults = [LOST];
    await assert.rejects(
      client.bookings.create(wanted, { apiKey: key, retries }),
      (error) => isCode(error, 'DUPLICATE_EXTERNAL_REFERENCE') && error.details.sameRequest === true,
    );
  }
  const [made, ...others] = (await client.bookings.list()).data;
  assert.deepEqual(others, []);
  proxy.faults = [LOST];
  await assert.rejects(client.bookings.confirmPayment(made!.bookingId, {}, { apiKey: key }), {
    code: 'PAYMENT_ALREADY_CONFIRMED',
  });
  const reason = await service.operator('POST', '/cancellation-reasons', { nameEn: 'A', nameAr: 'أ' });
  proxy.faults = [LOST];
  const cancellation = { reasonId: reason.body.data.id };
  await assert.rejects(client.bookings.cancel(made!.bookingId, cancellation, { apiKey: key }), {
    code: 'BOOKING_ALREADY_CANCELLED',
  });
});

test('an unclear attempt that succeeded returns its result', async (t) => {
  const { client, proxy, booking, service, attempts } = await startSetting(t, {
    world: { partner: { allowedWebhookDomains: ['example.sa'] } },
  });
  const { bookingId } = await client.bookings.create(booking());
  const reason = await service.operator('POST', '/cancellation-reasons', { nameEn: 'A', nameAr: 'أ' });
  const reasonId = reason.body.data.id;

  proxy.faults = [LOST];
  assert.equal((await client.bookings.confirmPayment(bookingId)).paymentStatus, 'PAID');
  assert.deepEqual(
    attempts.slice(-3).map(({ operation }) => operation),
    ['bookings.confirmPayment', 'bookings.confirmPayment', 'bookings.get'],
  );
  await assert.rejects(client.bookings.confirmPayment(bookingId), { code: 'PAYMENT_ALREADY_CONFIRMED' });
  proxy.faults = [LOST];
  assert.equal((await client.bookings.cancel(bookingId, { reasonId })).status, 'canceled');
  await assert.rejects(client.bookings.cancel(bookingId, { reasonId }), {
    code: 'BOOKING_ALREADY_CANCELLED',
  });

  const hook = { url: 'https://hooks.example.sa/in', events: ['booking.created' as const] };
  const { id, secret } = await client.webhooks.subscriptions.create(hook);
  proxy.faults = [LOST];
  assert.notEqual((await client.webhooks.subscriptions.rotateSecret(id)).secret, secret);
  proxy.faults = [LOST];
  assert.deepEqual(await client.webhooks.subscriptions.remove(id), { id, removed: true });
  await assert.rejects(client.webhooks.subscriptions.remove(id), { code: 'RESOURCE_NOT_FOUND' });
  proxy.faults = [LOST];
  await assert.rejects(client.webhooks.subscriptions.create(hook), ConnectionError);
  assert.equal((await client.webhooks.subscriptions.list()).length, 1, 'not made twice');

  // These are idempotent.
  proxy.faults = [LOST];
  const contact = await client.contacts.findOrCreate({ phone: '+966501234567', name: 'Noura' });
  assert.equal(contact.isNewContact, false, 'the attempt before made it');
});

test('a slot that was taken meanwhile is retried once, one that was never offered is not', async (t) => {
  const { client, booking, attempts } = await startSetting(t);
  await client.bookings.create(booking());
  const tries = async (overrides: object): Promise<number> => {
    attempts.length = 0;
    await assert.rejects(client.bookings.create(booking(overrides)), { code: 'BOOKING_CREATION_FAILED' });
    return attempts.length;
  };
  assert.equal(await tries({}), 2, 'taken');
  assert.equal(await tries({ date: '2026-11-01' }), 1, 'past');
  assert.equal(await tries({ timeslot: { startAt: '10:07', endAt: '12:07' } }), 1, 'off the grid');
  assert.equal(await tries({ date: '2027-11-01' }), 1, 'beyond the horizon');
});

test('an attempt that times out is as unclear as any other', async (t) => {
  const { client, proxy, attempts, booking } = await startSetting(t);
  const slow: Fault = { kind: 'slow', milliseconds: 5_000 };
  proxy.faults = [slow];
  await assert.rejects(
    client.pricing.listTiers({ timeoutMs: 300, retries: 0 }),
    (error) =>
      error instanceof TimeoutError &&
      error instanceof ConnectionError &&
      /^pricing\.listTiers got no complete answer within 300 ms/.test(error.message),
  );
  proxy.faults = [slow];
  assert.deepEqual(await client.pricing.listTiers({ timeoutMs: 2_000 }), []);
  proxy.faults = [slow];
  attempts.length = 0;
  const made = await client.bookings.create(booking({ externalReference: 'SLOW' }), { timeoutMs: 2_000 });
  assert.equal(made.externalReference, 'SLOW');
  assert.deepEqual(codes(attempts), [null, 409, 200]);
});

test('a call is aborted before it is sent, while it is on its way, and between attempts', async (t) => {
  const { client, proxy, attempts } = await startSetting(t);
  const reason = new Error('the user left');
  const signal = AbortSignal.abort(reason);
  await assert.rejects(client.bookings.list({}, { signal }), (error) => error === reason);
  assert.equal(proxy.calls.length, 0);

  proxy.faults = [{ kind: 'slow', milliseconds: 5_000 }];
  const underWay = new AbortController();
  const call = client.pricing.listTiers({ signal: underWay.signal });
  await until(() => proxy.calls.length > 0);
  underWay.abort(reason);
  await assert.rejects(call, (error) => error === reason);
  assert.equal(attempts.length, 0, 'it was not taken for a lost connection');

  proxy.faults = [refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '30' })];
  const between = new AbortController();
  const waiting = gather(client.bookings.list({}, { signal: between.signal, rateLimitWaitMs: 30_000 }));
  await until(() => attempts.length > 0);
  between.abort(reason);
  await assert.rejects(waiting, (error) => error === reason);
});

test("the caller's fetch is used, and the observer's errors are thrown", async (t) => {
  const { proxy, world } = await startSetting(t);
  const urls: unknown[] = [];
  const settings = { apiKey: world.key, baseUrl: proxy.baseUrl };
  const client = createClient({
    ...settings,
    fetch: (input, init) => {
      urls.push(input);
      return fetch(input, init);
    },
  });
  await client.pricing.listTiers();
  assert.deepEqual(urls, [`${proxy.baseUrl}/partners/pricing/tiers`]);
  const observed = createClient({
    ...settings,
    onAttempt: () => {
      throw new Error('the log is full');
    },
  });
  await assert.rejects(observed.pricing.listTiers(), /the log is full/);
});

test('the backoff', () => {
  const refused = (code: string, status: number, details: { reason?: string } = {}) =>
    new PartnerBookingError(
      'bookings.create',
      { code, message: '', details: { docUrl: '', ...details }, requestId: '' },
      responseOf(status),
    );
  const internal = refused('INTERNAL_ERROR', 500);
  const pause = (changes: Partial<Failure>, random = 1): number | null =>
    pauseAfter(
      {
        error: internal,
        retryAfterMs: null,
        repeatable: true,
        attempts: 1,
        creationsFailed: 0,
        retries: 99,
        rateLimitWaitMs: 60_000,
        ...changes,
      },
      random,
    );
  // Exponential up to 10 s, with jitter below.
  const longest = [1, 2, 3, 4, 5, 6, 7].map((attempts) => pause({ attempts }));
  assert.deepEqual(longest, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  assert.deepEqual([pause({ attempts: 3 }, 0), pause({ attempts: 3 }, 0.5)], [0, 1_000]);
  assert.equal(pause({ attempts: 4, retries: 3 }), null);
  assert.equal(pause({ repeatable: false }), null);
  assert.equal(pause({ error: new TypeError('a mistake in this package') }), null);

  const limited = { error: refused('RATE_LIMIT_EXCEEDED', 429), repeatable: false };
  assert.equal(pause({ ...limited, retryAfterMs: 7_000 }, 0), 7_000, 'never too early');
  assert.equal(pause({ ...limited, retryAfterMs: 7_000 }), 7_500);
  assert.equal(pause(limited, 0), 60_000, 'the whole window when nobody says how long');
  assert.equal(pause({ ...limited, retryAfterMs: 60_001 }), null);
  assert.equal(
    pause({ error: new UnexpectedAnswerError('bookings.list', '', responseOf(429)), retryAfterMs: 1_000 }, 0),
    1_000,
  );

  const failed = (reason?: string) =>
    refused('BOOKING_CREATION_FAILED', 422, reason === undefined ? {} : { reason });
  for (const reason of [undefined, 'SLOT_UNAVAILABLE', 'A_REASON_OF_THE_FUTURE']) {
    assert.equal(pause({ error: failed(reason), creationsFailed: 1, repeatable: false }), 500, `${reason}`);
    assert.equal(pause({ error: failed(reason), creationsFailed: 2 }), null, `${reason}`);
  }
  for (const reason of LASTING_REASONS)
    assert.equal(pause({ error: failed(reason), creationsFailed: 1 }), null, reason);

  assert.deepEqual(
    [null, '12', '0', 'soon', '-1', 'Sun, 22 Nov 2026 05:00:10 GMT', 'Sun, 22 Nov 2026 04:00:00 GMT'].map(
      (value) => retryAfterOf(value, Date.parse('2026-11-22T05:00:00Z')),
    ),
    [null, 12_000, 0, null, null, 10_000, 0],
  );
});

const LASTING_REASONS = [
  'SLOT_NOT_OFFERED',
  'SLOT_IN_PAST',
  'SLOT_INSIDE_NOTICE',
  'SLOT_BEYOND_HORIZON',
  'PAYMENT_UNAVAILABLE',
];
