import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createWorld, randomPhone, WORLD_DATE } from './fixtures.ts';
import { alsoOnServer, call, OPERATOR_TOKEN, onServer, startTestService } from './harness.ts';

const FIRST_TOKEN = 'operator:first-token';

test('the team of an earlier booking is assigned when it is free', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const other = await createWorld(service);
  const { partnerId, contactId, addressId, serviceId } = world;
  const book = (startAt: string, endAt: string, preferTeamOf?: string) =>
    service.operator('POST', '/bookings', {
      ...{ partnerId, contactId, addressId, serviceId, date: WORLD_DATE, preferTeamOf },
      timeslot: { startAt, endAt },
    });
  const first = (await book('08:00', '10:00')).body.data;
  assert.equal(first.keepsTeam, null);
  // Of three teams by chance it would be the same six times in 729.
  for (const date of ['10:30', '13:00', '15:30']) {
    const end = `${Number(date.slice(0, 2)) + 2}${date.slice(2)}`;
    const { status, body, text } = await book(date, end, first.bookingId);
    assert.equal(status, 201, text);
    assert.deepEqual([body.data.team.id, body.data.keepsTeam], [first.team.id, true]);
  }
  // Its team is busy then: another comes, and the answer says so.
  const busy = (await book('15:30', '17:30', first.bookingId)).body.data;
  assert.notEqual(busy.team.id, first.team.id);
  assert.equal(busy.keepsTeam, false);
  const theirs = (await other.book()).body.data;
  for (const id of [theirs.bookingId, randomUUID()]) {
    const answer = await book('18:00', '20:00', id);
    assert.deepEqual([answer.status, answer.body.error.message], [404, 'Booking not found']);
  }
});

test("the operator books for a partner's customer, by the partner's rules", async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const { partnerId, contactId, addressId, serviceId } = world;
  const body = {
    partnerId,
    contactId,
    addressId,
    serviceId,
    date: WORLD_DATE,
    timeslot: { startAt: '10:00', endAt: '12:00' },
  };
  const book = (overrides: Record<string, unknown> = {}) =>
    service.operator('POST', '/bookings', { ...body, ...overrides });

  const { token, id: tokenId } = (
    await service.operator('POST', '/tokens', { name: 'Desk', role: 'dispatcher' })
  ).body.data;
  const answer = await call(
    `${service.operatorUrl}/operator`,
    'POST',
    '/bookings',
    { ...body, externalReference: 'CALL-1' },
    { authorization: `Bearer ${token}` },
  );
  assert.equal(answer.status, 201, answer.text);
  const booking = answer.body.data;
  const actor = `operator-token:${tokenId}`;
  assert.deepEqual(
    [booking.status, booking.amount, booking.partnerId, booking.externalReference],
    ['in progress', 150, partnerId, 'CALL-1'],
  );
  assert.deepEqual(
    booking.history.map(({ by, what }: { by: string; what: string }) => [by, what]),
    [[actor, 'booking.created']],
  );
  // The partner sees it like its own, and gets the event.
  const own = await service.v1(world.key, 'GET', `/partners/bookings/${booking.bookingId}/status`);
  assert.equal(own.body.data.appointment.name, booking.trackingReference);
  const events = await service.deps.db.rows<{ event: string; actor: string }>({
    text: 'select event, actor from events where booking_id = $1',
    values: [booking.bookingId],
  });
  assert.deepEqual(events, [{ event: 'booking.created', actor }]);
  const audit = await service.operator('GET', `/audit?target=booking:${booking.bookingId}`);
  assert.deepEqual(
    audit.body.data.map((entry: Record<string, { bookingId: string }>) => [
      entry.actor,
      entry.action,
      entry.after?.bookingId,
    ]),
    [[actor, 'booking.create', booking.bookingId]],
  );

  // Refused as the partner is; nothing is left of it.
  const twice = await book({ externalReference: 'CALL-1', timeslot: { startAt: '14:00', endAt: '16:00' } });
  assert.deepEqual([twice.status, twice.body.error.code], [409, 'DUPLICATE_EXTERNAL_REFERENCE']);
  assert.match(twice.body.error.details.hints[0], /^GET \/operator\/bookings\?externalReference=CALL-1 /);
  assert.equal((await book()).status, 201);
  const full = await book();
  const { reason, alternatives } = full.body.error.details;
  assert.deepEqual([full.status, reason, alternatives.length > 0], [422, 'SLOT_UNAVAILABLE', true]);
  const other = await createWorld(service);
  const foreign = await book({ contactId: other.contactId, addressId: other.addressId });
  assert.deepEqual([foreign.status, foreign.body.error.details.resource], [404, 'contact']);
  assert.equal((await service.operator('GET', '/audit?action=booking.create')).body.meta.total, 2);

  // A customer on the phone, possibly a new one.
  const contact = {
    phone: randomPhone(),
    name: 'Reem Al-Harbi',
    latitude: String(world.latitude),
    longitude: String(world.longitude),
  };
  const call1 = { contactId: undefined, addressId: undefined, contact };
  const first = await book({ ...call1, timeslot: { startAt: '14:00', endAt: '16:00' } });
  const second = await book({ ...call1, timeslot: { startAt: '17:00', endAt: '19:00' } });
  assert.deepEqual([first.status, second.status], [201, 201], first.text);
  assert.equal(first.body.data.contact.name, 'Reem Al-Harbi');
  assert.equal(first.body.data.contact.id, second.body.data.contact.id, 'found by the phone');
  assert.equal(first.body.data.address.id, second.body.data.address.id);

  // The next booking can choose from its addresses.
  const { id: newId } = first.body.data.contact;
  const customer = (await service.operator('GET', `/contacts/${newId}`)).body.data;
  assert.deepEqual(
    [customer.name, customer.phone, customer.partnerId, customer.addresses.length],
    ['Reem Al-Harbi', contact.phone, partnerId, 1],
  );
  assert.equal(customer.addresses[0].id, first.body.data.address.id);
  assert.equal((await service.operator('GET', `/contacts/${partnerId}`)).status, 404);

  const faults = async (overrides: Record<string, unknown>) =>
    (await book(overrides)).body.error.details.message.sort();
  assert.deepEqual(await faults({ contact, colour: 'red', date: 'x' }), [
    'contactId and addressId, or contact, must be given, and not both',
    'date must be a valid ISO 8601 date string',
    'property colour should not exist',
  ]);
  assert.deepEqual(await faults({ addressId: undefined }), ['addressId must be a UUID']);
  assert.deepEqual(await faults({ ...call1, contact: { ...contact, latitude: '91', longitude: '0' } }), [
    'contact.latitude must be a latitude string',
  ]);
  const stranger = { phone: randomPhone(), name: 'x' };
  assert.deepEqual(await faults({ ...call1, contact: stranger }), ['contact must have an address']);
  assert.deepEqual(await faults({ ...call1, contact: { ...stranger, cityName: 'Riyadh' } }), [
    'contact.latitude should not be empty',
    'contact.longitude should not be empty',
  ]);
  assert.equal((await service.operator('GET', `/search?q=${stranger.phone.slice(1)}`)).body.data.length, 0);
  // A customer without a booking is in the audit log, like those with one.
  const unknownService = randomUUID();
  const refused = await book({
    ...call1,
    serviceId: unknownService,
    contact: { ...contact, phone: randomPhone() },
  });
  assert.deepEqual([refused.status, refused.body.error.details.resource], [404, 'service']);
  const made = (await service.operator('GET', '/audit?action=contact.create')).body.data;
  assert.deepEqual(
    made.map((entry: { actor: string; after: { partnerId: string } }) => [
      entry.actor,
      entry.after.partnerId,
    ]),
    [
      [FIRST_TOKEN, partnerId],
      [FIRST_TOKEN, partnerId],
    ],
  );
  assert.equal(made[1].target, `contact:${newId}`);
  const viewer = (await service.operator('POST', '/tokens', { name: 'Wall', role: 'viewer' })).body.data;
  const asViewer = await call(`${service.operatorUrl}/operator`, 'POST', '/bookings', body, {
    authorization: `Bearer ${viewer.token}`,
  });
  assert.equal(asViewer.status, 403);
  await service.operator('PATCH', `/partners/${partnerId}`, { status: 'SUSPENDED' });
  assert.equal((await book({ timeslot: { startAt: '08:00', endAt: '10:00' } })).status, 409);
});

test('with force the operator books inside the notice, and breaks no other rule', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { partnerId, contactId, addressId, serviceId } = world;
  const customer = { contactId, addressId, serviceId };
  const book = (body: Record<string, unknown>) =>
    service.operator('POST', '/bookings', { partnerId, ...customer, ...body });
  const soon = { date: '2026-11-22', timeslot: { startAt: '09:00', endAt: '11:00' } };
  const refused = await book(soon);
  assert.deepEqual(
    [refused.status, refused.body.error.details.reason, refused.body.error.details.hints],
    [422, 'SLOT_INSIDE_NOTICE', ['force: true books inside the minimum notice']],
  );
  assert.deepEqual((await book({ ...soon, force: false })).status, 422);
  const forced = await book({ ...soon, force: true, reason: 'The customer is at the door' });
  assert.equal(forced.status, 201, forced.text);
  const [entry] = (await service.operator('GET', `/audit?target=booking:${forced.body.data.bookingId}`)).body
    .data;
  assert.deepEqual([entry.after.forced, entry.after.forcedBecause], [true, 'The customer is at the door']);
  for (const [wrong, why] of [
    [{ date: '2026-11-21' }, 'SLOT_IN_PAST'],
    [{ timeslot: { startAt: '09:10', endAt: '11:10' } }, 'SLOT_NOT_OFFERED'],
    [{ timeslot: { startAt: '05:00', endAt: '07:00' } }, 'SLOT_IN_PAST'],
    [{ timeslot: { startAt: '19:00', endAt: '21:00' } }, 'SLOT_NOT_OFFERED'],
    [{ date: '2027-06-01' }, 'SLOT_BEYOND_HORIZON'],
  ] as const) {
    const answer = await book({ ...soon, ...wrong, force: true });
    assert.deepEqual([answer.status, answer.body.error.details.reason], [422, why]);
  }
  const own = { ...soon, ...customer, force: true };
  const byPartner = await service.v1(world.key, 'POST', '/partners/bookings', own);
  assert.deepEqual(byPartner.body.error.details.message, ['property force should not exist']);
});

test(
  'of a simultaneous operator and partner, one gets the last slot',
  onServer('needs several connections'),
  async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service);
    const { partnerId, contactId, addressId, serviceId } = world;
    const slot = { date: WORLD_DATE, timeslot: { startAt: '10:00', endAt: '12:00' } };
    const body = { partnerId, contactId, addressId, serviceId, ...slot };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        n % 2 ? service.operator('POST', '/bookings', body) : world.book(),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.equal(statuses.filter((status) => status < 300).length, 1, statuses.join());
    assert.equal(statuses.filter((status) => status === 422).length, 7, statuses.join());
    const { total } = (await service.operator('GET', '/audit?action=booking.create')).body.meta;
    assert.equal(total, statuses.filter((status) => status === 201).length);
  },
);

test('the same Idempotency-Key books once, also simultaneously', alsoOnServer, async (t) => {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'on' } });
  const world = await createWorld(service, { teams: 4 });
  const { partnerId, contactId, addressId, serviceId } = world;
  const timeslot = { startAt: '10:00', endAt: '12:00' };
  const wanted = { partnerId, contactId, addressId, serviceId, date: WORLD_DATE, timeslot };
  const post = (key: string, overrides: Record<string, unknown> = {}) =>
    call(
      `${service.operatorUrl}/operator`,
      'POST',
      '/bookings',
      { ...wanted, ...overrides },
      { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': key },
    );
  const total = async () => (await service.operator('GET', '/bookings')).body.meta.total;

  const first = await post('one');
  assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null], first.text);
  const { bookingId, appointmentId } = first.body.data;
  await service.operator('PATCH', `/appointments/${appointmentId}`, { status: 'Confirmed' });
  const again = await post('one');
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'], again.text);
  // The same booking, in its current state.
  assert.deepEqual([again.body.data.bookingId, again.body.data.appointment.status], [bookingId, 'Confirmed']);
  const other = await post('one', { timeslot: { startAt: '14:00', endAt: '16:00' } });
  assert.deepEqual([other.status, other.body.error.code], [409, 'IDEMPOTENCY_KEY_CONFLICT']);
  assert.equal(await total(), 1);

  // The partner's keys are its own.
  const own = await service.v1(
    world.key,
    'POST',
    '/partners/bookings',
    { contactId, addressId, serviceId, date: WORLD_DATE, timeslot },
    { 'idempotency-key': 'one' },
  );
  assert.deepEqual([own.status, own.headers.get('idempotent-replayed')], [200, null], own.text);

  const both = await Promise.all([post('two'), post('two')]);
  assert.ok(
    both.every(({ status }) => status === 201 || status === 409),
    both.map(({ text }) => text).join(),
  );
  assert.equal(await total(), 3);

  // A final error is stored, a temporary one is not, nor is an invalid request.
  for (const [overrides, ...wanted] of [
    [{ addressId: randomUUID() }, 404, 404, 'true'],
    [{ date: '2020-01-01' }, 422, 422, null],
  ] as const) {
    const refused = await post(`three-${wanted[0]}`, overrides);
    const stored = await post(`three-${wanted[0]}`, overrides);
    assert.deepEqual([refused.status, stored.status, stored.headers.get('idempotent-replayed')], wanted);
  }
  assert.equal((await post('three-422', { date: '2026-11-26' })).status, 201);
  assert.equal((await post('four', { partnerId: randomUUID() })).status, 404);
  assert.equal((await post('with a blank')).status, 400);
  assert.equal((await post('x'.repeat(255))).status, 201);
});
