import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../src/base/clock.ts';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import { call, documented, OPERATOR_TOKEN, startTestService, TEST_NOW, type TestService } from './harness.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

async function slots(service: TestService, world: World, query: Record<string, string> = {}) {
  const parameters = new URLSearchParams({
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: WORLD_DATE,
    ...query,
  });
  return service.v1(world.key, 'GET', `/partners/timeslots/available?${parameters}`);
}

const starts = (answer: Awaited<ReturnType<typeof slots>>): string[] =>
  answer.body.data.slots.map((slot: { startAt: string }) => slot.startAt);

/** Row counts, to check that an error left nothing. */
async function counts(service: TestService) {
  return service.deps.db.first({
    text: `select (select count(*) from bookings) as bookings, (select count(*) from appointments) as appointments,
      (select count(*) from events) as events`,
  });
}

test('timeslots (4.4)', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);

  await t.test('are sorted, and accepted unchanged', async () => {
    const answer = await slots(service, world);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.data.date, WORLD_DATE);
    assert.deepEqual(answer.body.data.slots[0], { startAt: '08:00', endAt: '10:00' });
    assert.deepEqual(answer.body.data.slots.at(-1), { startAt: '18:00', endAt: '20:00' });
    assert.equal(answer.body.data.slots.length, 21);
    const booked = await world.book({ timeslot: answer.body.data.slots[4] });
    assert.equal(booked.status, 200, booked.text);
    // 10:00 to 12:00 and half an hour on either side.
    assert.deepEqual(starts(await slots(service, world)), [
      '12:30',
      '13:00',
      '13:30',
      '14:00',
      '14:30',
      '15:00',
      '15:30',
      '16:00',
      '16:30',
      '17:00',
      '17:30',
      '18:00',
    ]);
  });

  await t.test('none inside the notice, in the past and beyond the horizon', async () => {
    // It is 08:00 on the 22nd; the notice is two hours.
    assert.equal(starts(await slots(service, world, { date: '2026-11-22' }))[0], '10:00');
    assert.deepEqual(starts(await slots(service, world, { date: '2026-11-21' })), []);
    assert.equal(starts(await slots(service, world, { date: '2027-01-21' })).length, 21);
    assert.deepEqual(starts(await slots(service, world, { date: '2027-01-22' })), []);
    assert.deepEqual(starts(await slots(service, world, { date: '2000-01-01' })), []);
  });

  await t.test('errors', async () => {
    const nothing = await service.v1(world.key, 'GET', '/partners/timeslots/available');
    assert.deepEqual(nothing.body.error.details.message, [
      'addressId must be a UUID',
      'serviceId must be a UUID',
      'date must be a valid ISO 8601 date string',
    ]);
    assert.equal((await slots(service, world, { date: '2026-02-30' })).status, 400);
    assert.equal((await slots(service, world, { unknown: 'ignored' })).status, 200);
    const other = await createWorld(service);
    const foreign = await slots(service, world, { addressId: other.addressId });
    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
    const unknown = await slots(service, world, { serviceId: MISSING });
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
    const unlocated = (await world.contact({ latitude: undefined, longitude: undefined, cityName: 'Riyadh' }))
      .body.data.addressId;
    const nowhere = await slots(service, world, { addressId: unlocated });
    assert.equal(nowhere.status, 400);
    assert.deepEqual(nowhere.body.error.details.message, [
      'addressId must belong to an address with coordinates',
    ]);
    await service.operator('PUT', `/partners/${world.partnerId}/services`, {
      restricted: true,
      services: [],
    });
    const disabled = await slots(service, world);
    assert.deepEqual([disabled.status, disabled.body.error.code], [404, 'SERVICE_NOT_ALLOWED']);
    await service.operator('PUT', `/partners/${world.partnerId}/services`, {
      restricted: false,
      services: [],
    });
    const outside = (await world.contact({ latitude: '-80', longitude: '10' })).body.data.addressId;
    assert.deepEqual(starts(await slots(service, world, { addressId: outside })), []);
    assert.deepEqual(
      starts(await slots(service, world, { serviceId: other.serviceId })),
      [],
      'not in the zone',
    );
  });

  await t.test('depend on service and zone', async () => {
    const own = await createWorld(service);
    const elsewhere = await createWorld(service, { zone: { slotGridMinutes: 60 } });
    const made = await service.operator('POST', '/services', {
      name: 'Twice as long',
      categoryId: own.categoryId,
      durationMinutes: 240,
      defaultPrice: 300,
    });
    const serviceIds = [own.serviceId, made.body.data.id];
    for (const { zoneId, teamIds } of [own, elsewhere]) {
      for (const path of [`/zones/${zoneId}`, `/teams/${teamIds[0]}`])
        assert.equal((await service.operator('PATCH', path, { serviceIds })).status, 200);
    }
    const { latitude, longitude } = elsewhere;
    const there = await own.contact({ latitude: String(latitude), longitude: String(longitude) });
    const { addressId } = there.body.data;
    const offered = async (query: Record<string, string>) => {
      const { slots: found } = (await slots(service, own, query)).body.data;
      return [found.length, found[0].endAt];
    };
    const long = { serviceId: made.body.data.id };
    assert.deepEqual(await offered({}), [21, '10:00']);
    assert.deepEqual(await offered(long), [17, '12:00']);
    assert.deepEqual(await offered({ addressId }), [11, '10:00']);
    assert.deepEqual(await offered({ ...long, addressId }), [9, '12:00']);
  });

  await t.test('over midnight', async () => {
    const night = await createWorld(service, {
      team: {
        shifts: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, startAt: '22:00', endAt: '02:00' })),
      },
    });
    assert.deepEqual((await slots(service, night)).body.data.slots, [
      { startAt: '00:00', endAt: '02:00' },
      { startAt: '22:00', endAt: '00:00' },
      { startAt: '22:30', endAt: '00:30' },
      { startAt: '23:00', endAt: '01:00' },
      { startAt: '23:30', endAt: '01:30' },
    ]);
    const booked = await night.book({ timeslot: { startAt: '23:30', endAt: '01:30' } });
    assert.equal(booked.status, 200, booked.text);
    assert.deepEqual(booked.body.data.timeslot, { startAt: '23:30', endAt: '01:30', endsAtNextDay: true });
    assert.equal(booked.body.data.date, `${WORLD_DATE}T00:00:00.000Z`);
    assert.equal(booked.body.data.appointment.scheduledStartDateTime, '2026-11-23T23:30:00+03:00');
    assert.equal(booked.body.data.appointment.scheduledEndDateTime, '2026-11-24T01:30:00+03:00');
    assert.deepEqual(starts(await slots(service, night, { date: '2026-11-24' })), [
      '22:00',
      '22:30',
      '23:00',
      '23:30',
    ]);
  });
});

test('create a booking (4.5) and read it (4.7)', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const platform = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });

  await t.test('under PARTNER: in progress, PENDING, one event', async () => {
    const created = await world.book({ externalReference: 'ORDER 1' });
    assert.equal(created.status, 200, created.text);
    const { data } = created.body;
    assert.match(data.bookingId, UUID);
    assert.match(data.appointmentId, UUID);
    assert.match(data.trackingReference, /^SA-\d{4,}$/);
    assert.deepEqual(data, {
      bookingId: data.bookingId,
      externalReference: 'ORDER 1',
      appointmentId: data.appointmentId,
      status: 'in progress',
      paymentStatus: 'PENDING',
      trackingReference: data.trackingReference,
      date: '2026-11-23T00:00:00.000Z',
      timeslot: { startAt: '10:00', endAt: '12:00', endsAtNextDay: false },
      appointment: {
        id: data.appointmentId,
        name: data.trackingReference,
        status: 'Scheduled',
        scheduledStartDateTime: '2026-11-23T10:00:00+03:00',
        scheduledEndDateTime: '2026-11-23T12:00:00+03:00',
      },
      serviceId: world.serviceId,
      serviceNameEn: data.serviceNameEn,
      serviceNameAr: data.serviceNameEn,
      holdId: null,
      seriesId: null,
      seriesIndex: null,
      contactId: world.contactId,
      addressId: world.addressId,
      price: 150,
      currency: 'SAR',
      cancellation: null,
      failureReason: null,
      outcome: null,
      trackingUrl: null,
      policyId: null,
      fees: [],
      refund: null,
      createdAt: '2026-11-22T08:00:00+03:00',
      updatedAt: '2026-11-22T08:00:00+03:00',
      paymentLink: null,
    });
    const read = await service.v1(
      world.key,
      'GET',
      `/partners/bookings/${data.bookingId.toUpperCase()}/status`,
    );
    assert.deepEqual(read.body, created.body);
    const events = await service.deps.db.rows({
      text: 'select event, sequence, payload, created_at from events where booking_id = $1',
      values: [data.bookingId],
    });
    assert.deepEqual(events, [
      { event: 'booking.created', sequence: 1, payload: data, created_at: TEST_NOW },
    ]);
    const stored = await service.deps.db.first<{ amount: string }>({
      text: 'select amount from bookings where id = $1',
      values: [data.bookingId],
    });
    assert.equal(stored?.amount, '150.00');
  });

  await t.test('under PLATFORM: waiting payment', async () => {
    const { body } = await platform.book();
    assert.deepEqual([body.data.status, body.data.paymentStatus], ['waiting payment', 'PENDING']);
  });

  await t.test('a price of zero', async () => {
    const states = async (partner: object, fields: object) => {
      const free = await createWorld(service, { partner, service: { defaultPrice: 0, ...fields } });
      const { body } = await free.book();
      return [body.data.status, body.data.paymentStatus];
    };
    assert.deepEqual(await states({ paymentResponsibility: 'PLATFORM' }, {}), [
      'in progress',
      'NOT_REQUIRED',
    ]);
    assert.deepEqual(await states({ paymentResponsibility: 'PLATFORM' }, { zeroPriceMeans: 'deferred' }), [
      'success',
      'NOT_REQUIRED',
    ]);
    assert.deepEqual(await states({ paymentResponsibility: 'PARTNER' }, { zeroPriceMeans: 'deferred' }), [
      'in progress',
      'PENDING',
    ]);
  });

  await t.test("the partner's own price is locked", async () => {
    const priced = await createWorld(service);
    const set = (price: number | null) =>
      service.operator('PUT', `/partners/${priced.partnerId}/services`, {
        restricted: false,
        services: [{ serviceId: priced.serviceId, price }],
      });
    await set(99.95);
    const { body } = await priced.book();
    await set(120);
    const stored = await service.deps.db.first<{ amount: string }>({
      text: 'select amount from bookings where id = $1',
      values: [body.data.bookingId],
    });
    assert.equal(stored?.amount, '99.95');
  });

  await t.test('a deferred assignment holds a team that the partner does not see', async () => {
    const deferred = await createWorld(service, { service: { assignment: 'deferred' } });
    const { status, body } = await deferred.book();
    assert.equal(status, 200);
    assert.deepEqual([body.data.appointment, body.data.appointmentId], [null, null]);
    assert.match(body.data.trackingReference, /^SA-\d{4,}$/);
    assert.equal(starts(await slots(service, deferred)).includes('10:00'), false, 'the team is held');
  });

  await t.test('validation errors of the body', async () => {
    const faults = async (overrides: Record<string, unknown>) => {
      const before = await counts(service);
      const { status, body } = await world.book(overrides);
      assert.equal(status, 400);
      assert.equal(body.error.code, 'VALIDATION_ERROR');
      assert.deepEqual(await counts(service), before);
      return body.error.details.message;
    };
    assert.deepEqual(
      await faults({
        contactId: 'x',
        addressId: undefined,
        serviceId: 9,
        date: '2026-02-30',
        timeslot: { startAt: 9, endAt: '25:00' },
      }),
      [
        'addressId must be a UUID',
        'contactId must be a UUID',
        'serviceId must be a UUID',
        'date must be a valid ISO 8601 date string',
        'timeslot.startAt must be a string',
        'timeslot.endAt must be a valid time (HH:MM or HH:MM:SS)',
      ],
    );
    assert.deepEqual(await faults({ timeslot: undefined }), ['timeslot must be an object']);
    assert.deepEqual(await faults({ timeslot: { startAt: '10:00', endAt: '12:00', x: 1 } }), [
      'property timeslot.x should not exist',
    ]);
    assert.deepEqual(await faults({ timeslot: { endAt: '12:00' } }), ['timeslot.startAt must be a string']);
    for (const externalReference of ['', ' ', '\u00a0\t', '\u200b\ufeff', '\u3164'])
      assert.deepEqual(await faults({ externalReference }), ['externalReference should not be empty']);
    assert.deepEqual(await faults({ externalReference: 'x'.repeat(151) }), [
      'externalReference must be shorter than or equal to 150 characters',
    ]);
    assert.deepEqual(await faults({ externalReference: null }), ['externalReference must be a string']);
    for (const removed of [
      'categoryId',
      'price',
      'packageId',
      'customServices',
      'hours',
      'numberOfTeams',
      'workType',
      'userId',
      'couponIds',
      'codes',
      'promoCode',
      'contractCode',
      'discountCode',
      'tapId',
      'paymentRedirectUrl',
      'paymentId',
    ]) {
      assert.deepEqual(await faults({ [removed]: 'x' }), [`property ${removed} should not exist`]);
    }
  });

  await t.test('unknown ids', async () => {
    const refused = async (overrides: Record<string, unknown>) => {
      const { status, body } = await world.book(overrides);
      assert.equal(status, 404);
      return [body.error.code, body.error.message];
    };
    assert.deepEqual(await refused({ contactId: MISSING }), ['RESOURCE_NOT_FOUND', 'Contact not found']);
    assert.deepEqual(await refused({ contactId: platform.contactId }), [
      'RESOURCE_NOT_FOUND',
      'Contact not found',
    ]);
    assert.deepEqual(await refused({ addressId: MISSING }), ['RESOURCE_NOT_FOUND', 'Address not found']);
    assert.deepEqual(await refused({ addressId: platform.addressId }), [
      'RESOURCE_NOT_FOUND',
      'Address not found',
    ]);
    const sibling = (await world.contact()).body.data;
    assert.deepEqual(
      await refused({ addressId: sibling.addressId }),
      ['RESOURCE_NOT_FOUND', 'Address not found'],
      "another contact's",
    );
    assert.deepEqual(await refused({ serviceId: MISSING }), ['RESOURCE_NOT_FOUND', 'Service not found']);
    assert.equal(
      (await refused({ serviceId: platform.serviceId }))[0],
      'SERVICE_NOT_ALLOWED',
      'not in the zone',
    );
    const outside = (await world.contact({ latitude: '-80', longitude: '10' })).body.data;
    assert.equal(
      (await refused({ contactId: outside.id, addressId: outside.addressId }))[0],
      'SERVICE_NOT_ALLOWED',
    );
    const booking = (await world.book({ timeslot: { startAt: '08:00', endAt: '10:00' } })).body.data;
    const foreign = await service.v1(platform.key, 'GET', `/partners/bookings/${booking.bookingId}/status`);
    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'RESOURCE_NOT_FOUND']);
    const malformed = await service.v1(world.key, 'GET', '/partners/bookings/nonsense/status');
    assert.deepEqual(malformed.body.error.details.message, ['bookingId must be a UUID']);
  });

  await t.test("an externalReference is unique in the partner's account, exactly", async () => {
    const own = await createWorld(service, { teams: 5 });
    assert.equal((await own.book({ externalReference: 'A' })).status, 200);
    const again = await own.book({ externalReference: 'A', timeslot: { startAt: '02:00', endAt: '03:00' } });
    assert.deepEqual(
      [again.status, again.body.error.code],
      [409, 'DUPLICATE_EXTERNAL_REFERENCE'],
      'conflict before state',
    );
    assert.equal((await own.book({ externalReference: 'a' })).status, 200);
    assert.equal((await own.book({ externalReference: 'A ' })).status, 200);
    assert.equal(
      (await platform.book({ externalReference: 'A', timeslot: { startAt: '16:00', endAt: '18:00' } }))
        .status,
      200,
    );
    await service.deps.db.rows({
      text: `update bookings set status = 'failed', payment_status = 'FAILED' where external_reference = 'A' and partner_id = $1`,
      values: [own.partnerId],
    });
    assert.equal(
      (await own.book({ externalReference: 'A' })).status,
      200,
      'a failed booking lets go of its reference',
    );
  });

  await t.test('an unavailable slot: the reason and the nearest free slots', async () => {
    const own = await createWorld(service);
    assert.equal((await own.book()).status, 200);
    const refused = async (date: string, startAt: string, endAt: string) => {
      const before = await counts(service);
      const { status, body } = await own.book({ date, timeslot: { startAt, endAt } });
      assert.deepEqual([status, body.error.code], [422, 'BOOKING_CREATION_FAILED']);
      assert.deepEqual(await counts(service), before);
      return body.error.details;
    };
    const taken = {
      reason: 'SLOT_UNAVAILABLE',
      alternatives: ['12:30', '13:00', '13:30', '14:00', '14:30'].map((startAt) => ({
        date: WORLD_DATE,
        startAt,
        endAt: `${String(Number(startAt.slice(0, 2)) + 2)}${startAt.slice(2)}`,
      })),
    };
    const details = await refused(WORLD_DATE, '10:00', '12:00');
    assert.deepEqual(details, documented('BOOKING_CREATION_FAILED', taken));
    const reason = async (...slot: [string, string, string]) => (await refused(...slot)).reason;
    assert.equal(await reason(WORLD_DATE, '14:10', '16:10'), 'SLOT_NOT_OFFERED', 'off the grid');
    assert.equal(await reason(WORLD_DATE, '14:00:30', '16:00:30'), 'SLOT_NOT_OFFERED');
    assert.equal(await reason(WORLD_DATE, '14:00', '15:00'), 'SLOT_NOT_OFFERED', 'too short');
    assert.equal(await reason(WORLD_DATE, '14:00', '14:00'), 'SLOT_NOT_OFFERED', '24 hours');
    assert.equal(await reason(WORLD_DATE, '05:00', '07:00'), 'SLOT_NOT_OFFERED', 'nobody is on shift');
    assert.equal(await reason('2026-11-22', '07:30', '09:30'), 'SLOT_IN_PAST');
    assert.equal(await reason('2026-11-22', '09:30', '11:30'), 'SLOT_INSIDE_NOTICE');
    assert.deepEqual(
      await refused('2027-01-22', '10:00', '12:00'),
      documented('BOOKING_CREATION_FAILED', { reason: 'SLOT_BEYOND_HORIZON', alternatives: [] }),
    );
    const earlierFirst = (await refused('2026-11-24', '14:15', '16:15')).alternatives;
    assert.deepEqual(
      earlierFirst.map(({ startAt }: { startAt: string }) => startAt),
      ['14:00', '14:30', '13:30', '15:00', '13:00'],
    );
    const past = await refused('2020-01-01', '10:00', '12:00');
    assert.equal(past.reason, 'SLOT_IN_PAST');
    assert.deepEqual(past.alternatives[0], { date: '2026-11-22', startAt: '10:00', endAt: '12:00' });
    assert.equal(
      (await own.book({ timeslot: { startAt: '14:00:00', endAt: '16:00:00' } })).body.data.timeslot.startAt,
      '14:00',
    );
    const shouted = {
      contactId: own.contactId.toUpperCase(),
      addressId: own.addressId.toUpperCase(),
      serviceId: own.serviceId.toUpperCase(),
    };
    assert.equal((await own.book({ ...shouted, date: '2026-11-25' })).status, 200);
  });
});

test('alternatives are within seven days of the wanted date, and free on their date', async (t) => {
  const service = await startTestService(t);
  const sundays = { shifts: [{ weekday: 7, startAt: '08:00', endAt: '10:00' }] };
  const world = await createWorld(service, { team: sundays });
  const alternatives = async (date: string) => {
    const refused = await world.book({ date, timeslot: { startAt: '12:00', endAt: '14:00' } });
    assert.equal(refused.status, 422, refused.text);
    return refused.body.error.details.alternatives.map((slot: { date: string }) => slot.date);
  };
  assert.deepEqual(await alternatives(WORLD_DATE), ['2026-11-29'], 'the seventh');
  assert.deepEqual(await alternatives('2026-11-29'), ['2026-11-29'], 'not the eighth');
  const taken = await world.book({ date: '2026-11-29', timeslot: { startAt: '08:00', endAt: '10:00' } });
  assert.equal(taken.status, 200, taken.text);
  assert.deepEqual(await alternatives(WORLD_DATE), []);
});

test("the tracking reference is the appointment's name from the first response on", async (t) => {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'on' } });
  const world = await createWorld(service, { teams: 12, service: { assignment: 'deferred' } });
  const { key, partnerId, contactId, addressId, serviceId } = world;
  const slot = { date: '2026-11-24', timeslot: { startAt: '10:00', endAt: '12:00' } };
  const customer = { contactId, addressId, serviceId };
  const created = [
    // Together in one statement, alone, and in a transaction of their own.
    ...(await Promise.all(Array.from({ length: 6 }, () => world.book(slot)))),
    await world.book(slot),
    await service.v1(key, 'POST', '/partners/bookings', { ...customer, ...slot }, { 'idempotency-key': 'k' }),
    await service.operator('POST', '/bookings', { partnerId, ...customer, ...slot }),
  ];
  const names = new Map<string, string>();
  for (const { body, text } of created) {
    assert.match(body.data.trackingReference, /^SA-\d{4,}$/, text);
    names.set(body.data.bookingId, body.data.trackingReference);
  }
  assert.equal(new Set(names.values()).size, created.length);
  const session = await call(service.url, 'POST', '/portal/api/sessions', { key });
  const bearer = { authorization: `Bearer ${session.body.data.token}` };
  const read = async (bookingId: string) => [
    (await service.v1(key, 'GET', `/partners/bookings/${bookingId}/status`)).body.data,
    (await service.operator('GET', `/bookings/${bookingId}`)).body.data,
    (await call(service.url, 'GET', `/portal/api/bookings/${bookingId}`, undefined, bearer)).body.data,
  ];
  const shown = async () => [
    ...(await service.v1(key, 'GET', '/partners/bookings')).body.data,
    ...(await service.v1(key, 'GET', '/partners/events?limit=100')).body.data.map(
      ({ payload }: { payload: unknown }) => payload,
    ),
    ...(await Promise.all([...names.keys()].map(read))).flat(),
  ];
  const assertNamed = async (least: number) => {
    const views = await shown();
    assert.ok(views.length >= least * names.size, `${views.length}`);
    for (const view of views) {
      assert.equal(view.trackingReference, names.get(view.bookingId), JSON.stringify(view));
      if (view.appointment) assert.equal(view.appointment.name, view.trackingReference);
    }
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, accept: 'text/csv' };
    const text = await (await fetch(`${service.operatorUrl}/operator/bookings`, { headers })).text();
    for (const [bookingId, name] of names)
      assert.ok(
        text.split('\r\n').some((line) => line.includes(bookingId) && line.includes(name)),
        name,
      );
  };
  const { data } = (await service.v1(key, 'GET', '/partners/bookings')).body;
  assert.ok(data.every(({ appointment }: { appointment: unknown }) => appointment === null));
  await assertNamed(5);
  const { confirmDueAssignments } = await import('../src/dispatch/jobs.ts');
  assert.equal(
    await confirmDueAssignments(service.deps.db, Date.parse('2026-11-24T10:00:00+03:00')),
    names.size,
  );
  await assertNamed(6);
});

test('the worker assigns deferred appointments 24 hours before the start', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { service: { assignment: 'deferred' } });
  const { bookingId } = (await world.book({ date: '2026-11-24' })).body.data;
  const read = async () =>
    (await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`)).body.data;
  const { confirmDueAssignments } = await import('../src/dispatch/jobs.ts');
  const startsAt = Date.parse('2026-11-24T10:00:00+03:00');
  assert.equal(await confirmDueAssignments(service.deps.db, startsAt - 24 * HOUR - MINUTE), 0);
  assert.equal((await read()).appointment, null);
  assert.equal(await confirmDueAssignments(service.deps.db, startsAt - 24 * HOUR), 1);
  assert.equal(await confirmDueAssignments(service.deps.db, startsAt - 24 * HOUR), 0);
  const after = await read();
  assert.equal(after.appointment.status, 'Scheduled');
  assert.match(after.trackingReference, /^SA-/);
  const event = await service.deps.db.first({
    text: 'select event, sequence, payload from events where booking_id = $1 order by sequence desc limit 1',
    values: [bookingId],
  });
  assert.deepEqual(event, {
    event: 'booking.appointment_status_changed',
    sequence: 2,
    payload: {
      ...after,
      appointmentStatusChange: { from: 'New', to: 'Scheduled', changedAt: '2026-11-23T10:00:00+03:00' },
    },
  });
});

test('the worker assigns all due appointments at once, in batches', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { service: { assignment: 'deferred' } });
  const { db, clock } = service.deps;
  const { bookingId } = (await world.book()).body.data;
  const copies = 50;
  await db.rows({
    text: `
      with b as (
        insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date, event_count, created_at, updated_at)
        select gen_random_uuid(), partner_id, contact_id, address_id, service_id, status, payment_status,
          payment_responsibility, amount, service_date - day, 0, created_at, updated_at
        from bookings, generate_series(1, $2::integer) day where id = $1 returning id, service_date
      )
      insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until,
        created_at, updated_at)
      select gen_random_uuid(), b.id, team_id, zone_id, b.id::text, status, starts_at - age, ends_at - age,
        busy_until - age, created_at, updated_at
      from b, appointments, lateral (select ($3::date - service_date) * interval '1 day' as age) earlier
      where booking_id = $1`,
    values: [bookingId, copies, WORLD_DATE],
  });
  const { confirmDueAssignments } = await import('../src/dispatch/jobs.ts');
  assert.equal(await confirmDueAssignments(db, clock.now() + 3 * HOUR), copies + 1);
  assert.equal(await confirmDueAssignments(db, clock.now() + 3 * HOUR), 0);
});
