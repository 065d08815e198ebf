import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { isNearly } from '../src/http/hints.ts';
import { createPartner, createPartnerKey, createWorld } from './fixtures.ts';
import { type Answer, call, documented, startTestService, TEST_NOW, type TestService } from './harness.ts';

/** Status, code and details, the last two exactly. */
function refused(answer: Answer, status: number, code: string, details: Record<string, unknown>): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.error.code, code);
  assert.deepEqual(answer.body.error.details, documented(code, details));
}

/** The hints of a 400, whose exact messages must be these. */
function hintsOf(answer: Answer, ...messages: string[]): string[] {
  assert.equal(answer.status, 400, answer.text);
  const { hints, ...details } = answer.body.error.details;
  const exact = { message: messages, statusCode: 400, error: 'Bad Request' };
  assert.deepEqual(details, documented('VALIDATION_ERROR', exact));
  return hints;
}

test('hints beside the exact messages', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const update = (body: unknown) =>
    service.v1(world.key, 'PATCH', `/partners/bookings/${world.serviceId}`, body);

  await t.test('removed fields: their replacements', async () => {
    const removed = {
      categoryId: 'categoryId is resolved from serviceId',
      price: "price is the partner's price of the service and cannot be sent",
      utmSource: 'utmSource is set by the service from the partner account',
      packageId: 'packageId was removed: serviceId says what is booked',
      customServices: 'customServices was removed: serviceId says what is booked',
      hours: 'hours was removed: the duration is that of the service',
      numberOfTeams: 'numberOfTeams was removed: one team serves a booking',
      workType: 'workType was removed: serviceId says what is booked',
      userId: 'userId was removed: contactId says who the booking is for',
      couponIds: "couponIds was removed: the price is the partner's price of the service",
      codes: "codes was removed: the price is the partner's price of the service",
      promoCode: "promoCode was removed: the price is the partner's price of the service",
      contractCode: "contractCode was removed: the price is the partner's price of the service",
      discountCode: "discountCode was removed: the price is the partner's price of the service",
      tapId: 'tapId was removed: the service sends a payment link, or the partner calls confirm-payment',
      paymentRedirectUrl: 'paymentRedirectUrl was removed: the service sends the payment link itself',
      paymentId:
        'paymentId was removed: the service sends a payment link, or the partner calls confirm-payment',
    };
    for (const [name, hint] of Object.entries(removed)) {
      const message = `property ${name} should not exist`;
      assert.deepEqual(hintsOf(await world.book({ [name]: 'x' }), message), [hint]);
      assert.deepEqual(hintsOf(await update({ [name]: 'x' }), message), [hint]);
    }
    const names = Object.keys(removed);
    const everything = await world.book(Object.fromEntries(names.map((name) => [name, 1])));
    const messages = names.map((name) => `property ${name} should not exist`);
    assert.deepEqual(hintsOf(everything, ...messages), Object.values(removed));
  });

  await t.test('misspelt, misplaced and missing fields', async () => {
    assert.deepEqual(
      hintsOf(await world.book({ externalRefrence: 'A' }), 'property externalRefrence should not exist'),
      ['externalRefrence: did you mean externalReference?'],
    );
    assert.deepEqual(
      hintsOf(
        await world.book({ contactId: undefined, contact_id: world.contactId }),
        'contactId must be a UUID',
        'property contact_id should not exist',
      ),
      ['contactId is missing', 'contact_id: did you mean contactId?'],
    );
    assert.deepEqual(
      hintsOf(
        await world.book({ timeslot: { start: '10:00', endAt: '12:00' } }),
        'timeslot.startAt must be a string',
        'property timeslot.start should not exist',
      ),
      ['timeslot.startAt is missing', 'timeslot.start is called startAt'],
    );
    assert.deepEqual(
      hintsOf(
        await world.book({ timeslot: { startat: '10:00', startAt: '10:00', endAt: '12:00' } }),
        'property timeslot.startat should not exist',
      ),
      ['timeslot.startat: did you mean startAt?'],
    );
    assert.deepEqual(hintsOf(await world.book({ startAt: '10:00' }), 'property startAt should not exist'), [
      'startAt belongs inside timeslot',
    ]);
    const items = [{ serviceId: world.serviceId }];
    const price = { items, serviceId: world.serviceId };
    assert.deepEqual(
      hintsOf(
        await service.v1(world.key, 'POST', '/partners/pricing/calculate-price', price),
        'property serviceId should not exist',
      ),
      ['serviceId belongs inside items'],
    );
    assert.deepEqual(
      hintsOf(
        await service.v1(world.key, 'GET', `/partners/services?adressId=${world.addressId}`),
        'addressId must be a UUID',
      ),
      ['addressId is missing', 'adressId: did you mean addressId?'],
    );
    assert.equal(
      hintsOf(await world.book({ somethingElse: 1 }), 'property somethingElse should not exist'),
      undefined,
      'nothing is guessed',
    );
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const body = `{"phone":"+966501234567","name":"N","${name}":{}}`;
      const answer = await service.v1(world.key, 'POST', '/partners/contacts', body);
      assert.equal(hintsOf(answer, `property ${name} should not exist`), undefined);
    }
  });

  await t.test('values in another form', async () => {
    const phone = async (value: unknown) =>
      hintsOf(await world.contact({ phone: value }), 'phone must be a valid phone number');
    const form = 'phone: must begin with +966 and hold digits only, such as +966501234567';
    for (const local of [
      '0501234567',
      '501234567',
      '00966501234567',
      '966 50 123 4567',
      '+966 (50) 123-4567',
    ])
      assert.deepEqual(await phone(local), [`${form}; did you mean +966501234567?`], local);
    assert.deepEqual(await phone('+201001234567'), [form]);
    assert.deepEqual(await phone('nonsense'), [form]);
    assert.deepEqual(await phone(966501234567), [
      'phone: must be in quotation marks: "966501234567", not 966501234567',
      `${form}; did you mean +966501234567?`,
    ]);
    assert.deepEqual(await phone(undefined), ['phone is missing']);

    const date = async (value: unknown) =>
      hintsOf(await world.book({ date: value }), 'date must be a valid ISO 8601 date string');
    const written = 'date: must be YYYY-MM-DD, a Riyadh date without a time, such as 2026-12-01';
    for (const other of ['01/12/2026', '2026-12-01T09:00:00.000Z', '1 December', ''])
      assert.deepEqual(await date(other), [written], other);
    assert.deepEqual(await date('2026-02-30'), [
      'date: must be a day of the calendar in the years 2000 to 2100',
    ]);

    const latitude = await world.contact({ latitude: 24.7136 });
    assert.deepEqual(hintsOf(latitude, 'latitude must be a string'), [
      'latitude: must be in quotation marks: "24.7136", not 24.7136',
    ]);
    const contact = await world.contact({ lat: 24.7 });
    assert.deepEqual(hintsOf(contact, 'property lat should not exist'), [
      'lat is called latitude, and is a string',
    ]);
    const hours = { items: [{ serviceId: world.serviceId, hours: '2.5' }] };
    assert.deepEqual(
      hintsOf(
        await service.v1(world.key, 'POST', '/partners/pricing/calculate-price', hours),
        'items.0.hours must be a number',
      ),
      ['items.0.hours: must be without quotation marks: 2.5, not "2.5"'],
    );
    const otherVersion = '5f0c6a6e-3c1b-1b5e-9a53-0d5a2f1c7b10';
    assert.deepEqual(hintsOf(await world.book({ serviceId: otherVersion }), 'serviceId must be a UUID'), [
      'serviceId: is a UUID, but not of version 4',
    ]);
    assert.equal(hintsOf(await world.book({ serviceId: 'x' }), 'serviceId must be a UUID'), undefined);
    const empty = await service.v1(world.key, 'POST', '/partners/contacts');
    assert.deepEqual(hintsOf(empty, 'body must be an object'), [
      'the body must be a JSON object: it needs "phone", "name"',
    ]);
    assert.deepEqual(
      hintsOf(
        await service.v1(world.key, 'GET', '/partners/bookings?limit=5&limit=6'),
        'limit must be an integer number',
      ),
      ['limit: was sent more than once'],
    );
    assert.equal(
      hintsOf(
        await service.v1(world.key, 'GET', '/partners/bookings?limit=1.5'),
        'limit must be an integer number',
      ),
      undefined,
    );
  });

  await t.test('an address without coordinates', async () => {
    const found = await world.contact({ latitude: undefined, longitude: undefined, cityName: 'Riyadh' });
    const { id: contactId, addressId } = found.body.data;
    const message = 'addressId must belong to an address with coordinates';
    const hint = [
      'addressId: send latitude and longitude to POST /partners/contacts and use the addressId it answers',
    ];
    assert.deepEqual(hintsOf(await world.book({ contactId, addressId }), message), hint);
    const list = await service.v1(world.key, 'GET', `/partners/services?addressId=${addressId}`);
    assert.deepEqual(hintsOf(list, message), hint);
  });

  await t.test('at most 20 hints, from the first 100 faults', async () => {
    const unknown = (names: string[]) => world.book(Object.fromEntries(names.map((name) => [name, 1])));
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const near = await unknown(numbers.map((number) => `contactId${number}`));
    assert.equal(near.body.error.details.hints.length, 20);
    const far = numbers.map((number) => `something${number}`);
    const { details } = (await unknown([...far, 'contactID'])).body.error;
    assert.deepEqual([details.message.length, details.hints], [100, undefined]);
    assert.deepEqual((await unknown([...far.slice(1), 'contactID'])).body.error.details.hints, [
      'contactID: did you mean contactId?',
    ]);
  });
});

test('names that count as similar', () => {
  const pairs: [string, string, boolean][] = [
    ['externalRefrence', 'externalReference', true],
    ['external_reference', 'externalReference', true],
    ['conatctId', 'contactId', true],
    ['contactID', 'contactId', true],
    ['serviceIds', 'serviceId', true],
    ['serviceRef', 'serviceId', false],
    ['data', 'date', true],
    ['note', 'notes', true],
    ['name', 'date', false],
    ['codes', 'notes', false],
    ['', 'date', false],
    ['x'.repeat(41), 'x'.repeat(40), false],
  ];
  for (const [name, known, nearly] of pairs) assert.equal(isNearly(name, known), nearly, `${name} ${known}`);
});

/** Where a request that passes every check gets to: a contact that is not there. */
const DOOR = '/partners/contacts/5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

test('401, 403 and 429 name the failed check and data of the request', async (t) => {
  const service = await startTestService(t, {
    env: { TRUSTED_PROXIES: '127.0.0.1', SANDBOX_DOMAIN_CHECK: 'on' },
  });
  const ask = (key: string | null, headers: Record<string, string> = {}, path = DOOR) =>
    service.v1(key, 'GET', path, undefined, headers);

  await t.test('the key', async () => {
    const missing = { check: 'key', reason: 'missing', hints: ['send the key in the header x-api-key'] };
    refused(await ask(null), 401, 'UNAUTHORIZED', missing);
    refused(await ask(''), 401, 'UNAUTHORIZED', missing);
    const { key } = await createPartner(service);
    const malformed = { check: 'key', reason: 'malformed' };
    refused(await ask(`${key}x`), 401, 'UNAUTHORIZED', malformed);
    refused(await ask('nonsense'), 401, 'UNAUTHORIZED', malformed);
  });

  await t.test('an unknown, expired, revoked or suspended key: one response', async () => {
    const texts = new Set<string>();
    for (const key of Object.values(await deadKeys(service))) {
      const answer = await ask(key, { 'x-request-id': 'same' });
      refused(answer, 401, 'UNAUTHORIZED', { check: 'key', reason: 'not-valid' });
      const headers = [...answer.headers].filter(([name]) => name !== 'date');
      texts.add(JSON.stringify(headers) + answer.text);
    }
    assert.equal(texts.size, 1);
  });

  await t.test('the address, as the service sees it', async () => {
    const { key } = await createPartner(service, { key: { ipAllowlist: ['203.0.113.7'] } });
    refused(await ask(key), 403, 'FORBIDDEN', { check: 'address', address: '127.0.0.1' });
    refused(await ask(key, { 'x-forwarded-for': '::ffff:198.51.100.9' }), 403, 'FORBIDDEN', {
      check: 'address',
      address: '198.51.100.9',
    });
  });

  await t.test('the rate limit', async () => {
    const { key } = await createPartner(service, { partner: { rateLimitPerMinute: 1 } });
    assert.equal((await ask(key)).status, 404);
    service.clock.advance(20_000);
    const answer = await ask(key);
    const details = { check: 'rate-limit', limit: 1, window: 60, retryAfter: 40 };
    refused(answer, 429, 'RATE_LIMIT_EXCEEDED', details);
    assert.equal(answer.headers.get('retry-after'), '40');
  });

  await t.test('the domain and the header that it came from', async () => {
    const { key } = await createPartner(service, {
      partner: { allowedDomains: ['partner.example'], sandboxDomains: ['test.partner.example'] },
    });
    const domain = async (
      headers: Record<string, string>,
      details: object,
      code = 'INVALID_PARTNER_DOMAIN',
    ) => refused(await ask(key, headers), 403, code, { check: 'domain', ...details });
    await domain({ origin: 'https://evil.example:8443' }, { domain: 'evil.example', source: 'Origin' });
    await domain({ referer: 'https://evil.example/x' }, { domain: 'evil.example', source: 'Referer' });
    await domain(
      { 'x-partner-domain': 'evil.example' },
      { domain: 'evil.example', source: 'x-partner-domain' },
    );
    await domain({ origin: 'nonsense' }, { domain: null, source: 'Origin' });
    await domain(
      { origin: 'https://test.partner.example' },
      { domain: 'test.partner.example', source: 'Origin' },
      'SANDBOX_DOMAIN_NOT_ALLOWED',
    );
  });

  await t.test('the required permission', async () => {
    const { key } = await createPartner(service, { permissions: ['partner_bookings_read'] });
    refused(await ask(key), 403, 'FORBIDDEN', { check: 'permission', permission: 'partner_contacts_read' });
  });
});

/** Keys that are well formed and open nothing, each for another reason. */
async function deadKeys(service: TestService): Promise<Record<string, string>> {
  const { createKey } = await import('../src/partners/key-rules.ts');
  const { partnerId, ...revoked } = await createPartner(service);
  const expired = await createPartnerKey(service, partnerId, [], { expiresAt: TEST_NOW - MINUTE });
  const suspended = await createPartner(service, { partner: { status: 'SUSPENDED' } });
  const gone = await service.operator('PATCH', `/keys/${revoked.keyId}`, { status: 'REVOKED' });
  assert.equal(gone.status, 200, gone.text);
  return {
    unknown: createKey('sandbox').key,
    revoked: revoked.key,
    expired: expired.key,
    suspended: suspended.key,
  };
}

test('the operator API and the transport do so too', async (t) => {
  const service = await startTestService(t);
  const as = (authorization: string | null, method: string, path: string, body?: unknown) =>
    call(
      `${service.operatorUrl}/operator`,
      method,
      path,
      body,
      authorization === null ? {} : { authorization },
    );
  refused(await as(null, 'GET', '/partners'), 401, 'UNAUTHORIZED', {
    check: 'token',
    reason: 'missing',
    hints: ['send the token in the header Authorization: Bearer <token>'],
  });
  refused(await as('Bearer nonsense', 'GET', '/partners'), 401, 'UNAUTHORIZED', {
    check: 'token',
    reason: 'not-valid',
  });
  const made = await service.operator('POST', '/tokens', { name: 'Viewer', role: 'viewer' });
  refused(await as(`Bearer ${made.body.data.token}`, 'POST', '/partners', { name: 'N' }), 403, 'FORBIDDEN', {
    check: 'role',
    role: 'admin',
    tokenRole: 'viewer',
  });
  const strict = await startTestService(t, { env: { REQUIRE_HTTPS: 'true' } });
  refused(await strict.v1(null, 'GET', DOOR), 403, 'FORBIDDEN', { check: 'https' });
});

test('missing resources, and moves that a state does not permit', async (t: TestContext) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const at = (booking: Answer, path = '') => `/partners/bookings/${booking.body.data.bookingId}${path}`;
  const patch = (booking: Answer, body: unknown) => service.v1(world.key, 'PATCH', at(booking), body);
  const confirm = (key: string, booking: Answer) =>
    service.v1(key, 'POST', at(booking, '/confirm-payment'), {});
  const reasonId = (
    await service.operator('POST', '/cancellation-reasons', { nameEn: 'Moved', nameAr: 'انتقل' })
  ).body.data.id;
  const cancel = (booking: Answer) => service.v1(world.key, 'PATCH', at(booking, '/cancel'), { reasonId });

  refused(await service.v1(world.key, 'GET', DOOR), 404, 'RESOURCE_NOT_FOUND', { resource: 'contact' });
  refused(await world.book({ addressId: world.serviceId }), 404, 'RESOURCE_NOT_FOUND', {
    resource: 'address',
  });
  refused(await service.v1(world.key, 'GET', '/partners/x'), 404, 'RESOURCE_NOT_FOUND', {
    resource: 'route',
  });

  const booking = await world.book({ externalReference: 'A/1 ü' });
  assert.equal(booking.status, 200, booking.text);
  const taken = {
    externalReference: 'A/1 ü',
    bookingId: booking.body.data.bookingId,
    sameRequest: false,
    hints: ['GET /partners/bookings?externalReference=A%2F1%20%C3%BC returns the booking that has it'],
  };
  refused(await world.book({ externalReference: 'A/1 ü' }), 409, 'DUPLICATE_EXTERNAL_REFERENCE', {
    ...taken,
    sameRequest: true,
  });
  const second = await world.book({ timeslot: { startAt: '15:00', endAt: '17:00' } });
  refused(await patch(second, { externalReference: 'A/1 ü' }), 409, 'DUPLICATE_EXTERNAL_REFERENCE', taken);
  const [path] = /\/partners\S+/.exec(taken.hints[0]!)!;
  const listed = await service.v1(world.key, 'GET', path);
  assert.deepEqual(listed.body.data, [booking.body.data], 'the hint leads to the booking');

  assert.equal((await confirm(world.key, booking)).status, 200);
  refused(await confirm(world.key, booking), 422, 'PAYMENT_ALREADY_CONFIRMED', { paymentStatus: 'PAID' });

  const appointment = second.body.data.appointmentId;
  const moved = await service.operator('PATCH', `/appointments/${appointment}`, { status: 'In The Way' });
  assert.equal(moved.status, 200, moved.text);
  refused(await patch(second, { date: '2026-11-24' }), 422, 'BOOKING_NOT_EDITABLE', {
    status: 'in progress',
    appointmentStatus: 'In The Way',
    hints: ['notes and externalReference can still be changed, without date and timeslot'],
  });

  assert.equal((await cancel(booking)).status, 200);
  refused(await cancel(booking), 422, 'BOOKING_ALREADY_CANCELLED', {
    status: 'canceled',
    cancellable: ['in progress', 'waiting payment', 'success', 'failed'],
  });
  refused(await patch(booking, { notes: 'x' }), 422, 'BOOKING_NOT_EDITABLE', {
    status: 'canceled',
    editable: ['in progress', 'waiting payment'],
  });
  refused(await confirm(world.key, booking), 422, 'BOOKING_NOT_PAYABLE', {
    status: 'canceled',
    payable: ['in progress', 'waiting payment', 'success'],
  });
  const unknown = await service.v1(world.key, 'PATCH', at(second, '/cancel'), { reasonId: world.serviceId });
  assert.deepEqual(hintsOf(unknown, 'reasonId must be the id of an active cancellation reason'), [
    'reasonId: take the id from the list of cancellation reasons',
  ]);

  await t.test('an appointment that is hidden from the partner stays hidden', async () => {
    const deferred = await createWorld(service, { service: { assignment: 'deferred' } });
    const held = await deferred.book();
    const answer = await service.v1(deferred.key, 'PATCH', at(held), { date: '2026-11-24' });
    refused(answer, 422, 'BOOKING_APPOINTMENT_NOT_FOUND', { appointmentStatus: null });
  });

  await t.test('an account that does not collect payments', async () => {
    const platform = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
    refused(await confirm(platform.key, await platform.book()), 422, 'PAYMENT_RESPONSIBILITY_MISMATCH', {
      paymentResponsibility: 'PLATFORM',
      paymentStatus: 'PENDING',
    });
  });

  await t.test('a service that is not offered at the address', async () => {
    const elsewhere = await world.contact({ latitude: '16.1', longitude: '54.9' });
    const { id: contactId, addressId } = elsewhere.body.data;
    refused(await world.book({ contactId, addressId }), 404, 'SERVICE_NOT_ALLOWED', {
      hints: ['GET /partners/services?addressId= lists what can be booked at the address'],
    });
  });
});

test('an unknown path or method gets a hint, for callers with a key', async (t) => {
  const service = await startTestService(t);
  const { key } = await createPartner(service);
  const id = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  const of = async (method: string, path: string): Promise<string[]> => {
    const answer = await service.v1(key, method, path);
    assert.equal(answer.status, 404, answer.text);
    assert.equal(answer.body.error.message, 'Route not found');
    return answer.body.error.details.hints ?? [];
  };
  const bookings = '/v1/partners/bookings';
  assert.deepEqual(await of('GET', `/partners/bookings/${id}`), [
    'GET is no method of this path: send PATCH',
    `did you mean GET ${bookings}/:bookingId/status?`,
    `did you mean GET ${bookings}/:bookingId/quote?`,
  ]);
  assert.deepEqual(await of('POST', `/partners/bookings/${id}/cancel`), [
    'POST is no method of this path: send PATCH',
  ]);
  const removal = await of('DELETE', `/partners/bookings/${id}`);
  assert.ok(removal.includes(`did you mean PATCH ${bookings}/:bookingId/cancel?`), `${removal}`);
  assert.deepEqual(await of('GET', '/partners/timeslots'), [
    'did you mean GET /v1/partners/timeslots/available?',
    'did you mean GET /v1/partners/timeslots/calendar?',
    'did you mean GET /v1/partners/timeslots/next?',
  ]);
  assert.deepEqual(await of('GET', '/partners/nothing/of/the/kind'), []);

  const operator = await service.operator('GET', '/booking');
  assert.deepEqual(operator.body.error.details.hints, ['did you mean GET /operator/bookings?']);
  const stranger = await service.v1(null, 'GET', '/partners/timeslots');
  assert.deepEqual([stranger.status, stranger.text.includes('timeslots/available')], [401, false]);
});

test('a misspelt value of a list gets a hint', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const of = async (answer: Promise<Answer>): Promise<string[]> =>
    (await answer).body.error.details.hints ?? [];
  const list = (query: string) => of(service.v1(world.key, 'GET', `/partners/bookings?${query}`));
  assert.deepEqual(await list('status=cancelled'), ['status: did you mean canceled?']);
  assert.deepEqual(await list('status=in_progress'), ['status: did you mean in progress?']);
  assert.deepEqual((await list('status=IN%20PROGRESS&sortBy=created_at&sortOrder=desc')).sort(), [
    'sortBy: did you mean createdAt?',
    'sortOrder: did you mean DESC?',
    'status: did you mean in progress?',
  ]);
  assert.deepEqual(await list('status=lost'), []);
  const subscribed = service.v1(world.key, 'POST', '/partners/webhooks/subscriptions', {
    url: 'https://hooks.example.sa/in',
    events: ['booking.canceled'],
  });
  assert.deepEqual(await of(subscribed), ['events.0: did you mean booking.cancelled?']);
  assert.deepEqual(await of(service.operator('GET', '/appointments?status=Canceled')), [
    'status: did you mean Cancelled?',
  ]);
});

test('ignored query parameters are named, on every route, and in the log', async (t) => {
  const service = await startTestService(t, { sandboxClock: true });
  const world = await createWorld(service);
  const header = 'x-ignored-parameters';
  const named = async (query: string): Promise<string | null> =>
    (await service.v1(world.key, 'GET', `/partners/bookings?${query}`)).headers.get(header);
  assert.equal(await named('limit=5'), null);
  assert.equal(await named('limit=5&pageSize=3&colour=red'), 'pageSize, colour');
  assert.equal(await named('%D8%AD=1&a%0d%0ab=1&%2C=1&=1'), '%D8%AD, a%0D%0Ab, %2C, ""');
  const long = await named(
    `${'x'.repeat(3_000)}=1&${Array.from({ length: 50 }, (_, at) => `p${at}=1`).join('&')}`,
  );
  assert.ok(long!.length < 3_000 && long!.endsWith('p18, ...'), long!);
  // The key may come as a parameter, which the guard reads.
  const url = `/v1/partners/bookings?api_key=${world.key}&limit=1`;
  assert.equal((await call(service.url, 'GET', url)).headers.get(header), null);

  for (const [file, prefix] of [
    ['partner', '/v1'],
    ['operator', ''],
  ] as const) {
    const text = readFileSync(new URL(`../openapi/${file}.json`, import.meta.url), 'utf8');
    const paths: Record<string, Record<string, unknown>> = JSON.parse(text).paths;
    const reads = Object.entries(paths).filter(
      ([path, methods]) => 'get' in methods && !path.endsWith('/stream') && !path.includes('{'),
    );
    assert.ok(reads.length > 3, file);
    for (const [path] of reads) {
      const target = `${path.replace(/^\/(?:v1|operator)(?=\/)/, '')}?colour=red`;
      const answer =
        prefix === '/v1' ? await service.v1(world.key, 'GET', target) : await service.operator('GET', target);
      assert.equal(answer.headers.get(header), 'colour', path);
    }
  }

  await named('pageSize=3&%2B966501234567=x');
  await service.deps.requestLog!.flush();
  const { body } = await service.operator('GET', `/requests?partnerId=${world.partnerId}&limit=1`);
  const [pageSize, masked] = body.data[0].ignoredParameters;
  assert.equal(pageSize, 'pageSize');
  assert.doesNotMatch(masked, /501234567/);
});
