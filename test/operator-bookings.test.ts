import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { auditedOf } from './audited.ts';
import { createPartner, createWorld, randomPhone, WORLD_DATE, type World } from './fixtures.ts';
import { type Answer, call, startTestService, type TestService } from './harness.ts';

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const ACTOR = 'operator:first-token';
const NO_REASON = { reason: null, notes: null, happenedAt: null, isTimeUncertain: false };

async function booked(world: World, overrides: Record<string, unknown> = {}) {
  const answer = await world.book(overrides);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function read(service: TestService, bookingId: string) {
  const answer = await service.operator('GET', `/bookings/${bookingId}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function listed(service: TestService, query: Record<string, string>) {
  const answer = await service.operator('GET', `/bookings?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.error.code], [status, code], answer.text);
}

async function reason(service: TestService, fields: { active?: boolean; customerFacing?: boolean } = {}) {
  const row = await service.deps.db.first<{ id: string }>({
    text: `
      insert into cancellation_reasons (name_en, name_ar, is_active, is_customer_facing, created_at, updated_at)
      values ('No team', 'لا فريق', $1, $2, to_timestamp(0), to_timestamp(0)) returning id`,
    values: [fields.active ?? true, fields.customerFacing ?? true],
  });
  return row!.id;
}

const auditOf = (service: TestService, target: string) => auditedOf(service.deps.db, target);

test('the operator reads a booking with all its details', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { service: { defaultPrice: 99.95 } });
  const booking = await booked(world, { externalReference: 'ORDER 1' });
  const shown = await read(service, booking.bookingId);
  const names = await service.deps.db.first<Record<string, string>>({
    text: `
      select p.name as partner, c.name as contact, c.phone, s.name as service, t.name as team
      from partners p, contacts c, services s, teams t where p.id = $1 and c.id = $2 and s.id = $3 and t.id = $4`,
    values: [world.partnerId, world.contactId, world.serviceId, world.teamIds[0]],
  });
  const { paymentLink: _paymentLink, trackingUrl: _trackingUrl, ...common } = booking;
  assert.deepEqual(shown, {
    ...common,
    appointment: { ...booking.appointment, version: 1 },
    partnerId: world.partnerId,
    partnerName: names!.partner,
    contact: { id: world.contactId, name: names!.contact, phone: names!.phone },
    address: {
      id: world.addressId,
      latitude: String(world.latitude),
      longitude: String(world.longitude),
      cityName: null,
      districtName: null,
      streetName: null,
      shortAddress: null,
      buildingNumber: null,
      unit: null,
      floor: null,
      postalCode: null,
      directions: null,
    },
    service: { id: world.serviceId, name: names!.service },
    team: { id: world.teamIds[0], name: names!.team, nameAr: null, phone: null },
    amount: 99.95,
    notes: null,
    payment: null,
    paymentReference: null,
    paymentConfirmedAt: null,
    cancellation: null,
    version: 1,
    createdAt: '2026-11-22T08:00:00+03:00',
    updatedAt: '2026-11-22T08:00:00+03:00',
    feeHistory: [],
    feesGivenBack: 0,
    history: [
      { at: '2026-11-22T08:00:00+03:00', by: 'partner', what: 'booking.created', ...NO_REASON, sequence: 1 },
    ],
  });
  const { history: _history, feeHistory: _fees, feesGivenBack: _given, ...item } = shown;
  assert.deepEqual((await listed(service, {})).data, [item]);
  assert.deepEqual(
    (await service.operator('GET', `/bookings/${booking.bookingId.toUpperCase()}`)).body.data,
    shown,
  );

  refused(await service.operator('GET', `/bookings/${MISSING}`), 404, 'RESOURCE_NOT_FOUND');
  refused(await service.operator('GET', '/bookings/nonsense'), 400, 'VALIDATION_ERROR');
  const byKey = await call(`${service.operatorUrl}/operator`, 'GET', '/bookings', undefined, {
    'x-api-key': world.key,
  });
  refused(byKey, 401, 'UNAUTHORIZED');
});

test('a deferred appointment is shown to the operator, not to the partner', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { service: { assignment: 'deferred' } });
  const booking = await booked(world);
  assert.deepEqual([booking.appointment, booking.appointmentId], [null, null]);
  const shown = await read(service, booking.bookingId);
  assert.match(shown.trackingReference, /^SA-\d{4,}$/);
  assert.deepEqual(shown.appointment, {
    id: shown.appointmentId,
    name: shown.trackingReference,
    status: 'New',
    version: 1,
    scheduledStartDateTime: '2026-11-23T10:00:00+03:00',
    scheduledEndDateTime: '2026-11-23T12:00:00+03:00',
  });
  assert.equal((await listed(service, {})).data[0].appointment.status, 'New');
});

test('bookings of all partners are listed, newest first, and filtered', async (t) => {
  const service = await startTestService(t);
  const one = await createWorld(service, { teams: 3 });
  const other = await createWorld(service, { partner: { paymentResponsibility: 'PLATFORM' } });
  const phone = randomPhone();
  const made: Record<string, { bookingId: string; trackingReference: string }> = {};
  const make = async (name: string, world: World, overrides: Record<string, unknown> = {}) => {
    service.clock.advance(MINUTE);
    made[name] = await booked(world, overrides);
  };
  await make('a', one, { externalReference: 'Order-A' });
  await make('b', one, { externalReference: 'Order-B', date: '2026-11-24' });
  const customer = (await one.contact({ phone })).body.data;
  await make('c', one, { contactId: customer.id, addressId: customer.addressId, date: '2026-11-25' });
  await make('d', other, { externalReference: 'Order-A' });
  const names = new Map(Object.entries(made).map(([name, { bookingId }]) => [bookingId, name]));
  const found = async (query: Record<string, string>): Promise<string> => {
    const { data, meta } = await listed(service, query);
    assert.equal(meta.total, data.length);
    return data.map(({ bookingId }: { bookingId: string }) => names.get(bookingId)).join('');
  };

  assert.equal(await found({}), 'dcba');
  assert.equal(await found({ partnerId: one.partnerId }), 'cba');
  assert.equal(await found({ status: 'waiting payment' }), 'd');
  assert.equal(await found({ paymentStatus: 'PENDING', status: 'in progress' }), 'cba');
  assert.equal(await found({ paymentStatus: 'PAID' }), '');
  assert.equal(await found({ fromDate: '2026-11-24' }), 'cb');
  assert.equal(await found({ toDate: '2026-11-24' }), 'dba');
  assert.equal(await found({ fromDate: '2026-11-24', toDate: '2026-11-24' }), 'b');
  assert.equal(await found({ externalReference: 'Order-A' }), 'da');
  assert.equal(await found({ externalReference: 'Order-' }), '');
  assert.equal(await found({ externalReference: 'Order-A', partnerId: one.partnerId }), 'a');
  assert.equal(await found({ phone }), 'c');
  assert.equal(await found({ phone: `+9660${phone.slice(4)}` }), 'c');
  assert.equal(await found({ phone: randomPhone() }), '');
  assert.equal(await found({ search: 'rder-' }), 'dba');
  assert.equal(await found({ search: 'ORDER-b' }), 'b');
  assert.equal(await found({ search: '%' }), '');
  assert.equal(await found({ search: made.b!.trackingReference }), 'b');
  assert.equal(await found({ search: ` ${made.b!.trackingReference.toLowerCase()} ` }), 'b');
  assert.equal(await found({ search: made.c!.bookingId.toUpperCase() }), 'c');
  assert.equal(await found({ search: made.c!.bookingId.slice(0, 30) }), '');
  assert.equal(await found({ search: '' }), 'dcba');
  // A phone as people say it, in the filter and in the search; there also its end.
  const national = phone.replace('+966', '0');
  const arabic = national.replaceAll(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
  for (const spelling of [
    national,
    national.slice(1),
    `00${phone.slice(1)}`,
    `${national.slice(0, 3)} ${national.slice(3)}`,
    arabic,
  ]) {
    assert.equal(await found({ phone: spelling }), 'c', spelling);
    assert.equal(await found({ search: spelling }), 'c', spelling);
  }
  assert.equal(await found({ search: phone.slice(-6) }), 'c');
  assert.equal(await found({ contactId: customer.id }), 'c');
  const digits = Number(made.b!.trackingReference.slice(3));
  assert.equal(await found({ search: `sa ${digits}` }), 'b');
  assert.equal(await found({ search: String(digits) }), 'b');

  const page = await listed(service, { page: '2', limit: '3' });
  assert.deepEqual(page.meta, { page: 2, limit: 3, total: 4, totalPages: 2 });
  assert.deepEqual(
    page.data.map(({ bookingId }: { bookingId: string }) => names.get(bookingId)),
    ['a'],
  );
  // A full page says nothing of the others: all are counted.
  for (const limit of ['2', '4']) assert.equal((await listed(service, { limit })).meta.total, 4);
  const beyond = await listed(service, { page: '9' });
  assert.deepEqual([beyond.data, beyond.meta.total], [[], 4]);

  for (const [query, message] of [
    ['phone=050123456', 'phone must be a valid phone number'],
    ['partnerId=x', 'partnerId must be a UUID'],
    ['fromDate=2026-02-30', 'fromDate must be a valid ISO 8601 date string'],
    [
      'status=done',
      'status must be one of the following values: in progress, waiting payment, success, canceled, failed',
    ],
    ['search=%00', 'search must not contain NUL characters or lone surrogates'],
    ['limit=101', 'limit must not be greater than 100'],
  ]) {
    const answer = await service.operator('GET', `/bookings?${query}`);
    refused(answer, 400, 'VALIDATION_ERROR');
    assert.deepEqual(answer.body.error.details.message, [message]);
  }

  // Words of the customer's name, district and street.
  const hessa = {
    name: 'Hessa Al-Mansour',
    phone: randomPhone(),
    districtName: 'An Narjis',
    streetName: 'Anas Street',
  };
  const there = (await one.contact(hessa)).body.data;
  await make('e', one, { contactId: there.id, addressId: there.addressId, date: '2026-11-26' });
  names.set(made.e!.bookingId, 'e');
  for (const search of ['mansour', 'hessa', 'narjis', 'anas street'])
    assert.equal(await found({ search }), 'e', search);
  assert.equal(await found({ search: 'narjis', toDate: '2026-11-25' }), '');

  // By the appointment: its status, team, concern and start.
  const { appointmentId, team } = (await service.operator('GET', `/bookings/${made.e!.bookingId}`)).body.data;
  await service.operator('PATCH', `/appointments/${appointmentId}`, { status: 'Confirmed' });
  assert.equal(await found({ appointmentStatus: 'Confirmed' }), 'e');
  assert.equal(await found({ teamId: team.id, fromDate: '2026-11-26' }), 'e');
  assert.equal(await found({ attention: 'unconfirmed', confirmWithinMinutes: '1440' }), '');
  assert.equal(await found({ attention: 'unconfirmed', confirmWithinMinutes: '2880' }), 'da');
  assert.equal(await found({ sortBy: 'startsAt', sortOrder: 'ASC', partnerId: one.partnerId }), 'abce');
  assert.equal(await found({ sortBy: 'startsAt', fromDate: '2026-11-24', toDate: '2026-11-25' }), 'cb');
  const reasonId = await reason(service);
  await service.operator('POST', `/bookings/${made.e!.bookingId}/cancel`, { reasonId });
  assert.equal(await found({ appointmentStatus: 'Cancelled' }), 'e');
});

test('the operator cancels a booking of any partner', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const internal = await reason(service, { customerFacing: false });
  const inactive = await reason(service, { active: false });
  const booking = await booked(world, { externalReference: 'ORDER 1' });
  const path = `/bookings/${booking.bookingId}/cancel`;

  const unknown = 'reasonId must be the id of an active cancellation reason';
  for (const reasonId of [MISSING, inactive]) {
    const answer = await service.operator('POST', path, { reasonId });
    refused(answer, 400, 'VALIDATION_ERROR');
    assert.deepEqual(answer.body.error.details.message, [unknown]);
  }
  const faulty = await service.operator('POST', path, { notes: 1, x: 1 });
  assert.deepEqual(faulty.body.error.details.message.toSorted(), [
    'notes must be a string',
    'property x should not exist',
    'reasonId must be a UUID',
  ]);
  const nowhere = await service.operator('POST', `/bookings/${MISSING}/cancel`, { reasonId: internal });
  refused(nowhere, 404, 'RESOURCE_NOT_FOUND');
  assert.deepEqual(await auditOf(service, `booking:${booking.bookingId}`), []);

  service.clock.advance(MINUTE);
  const answer = await service.operator('POST', path, { reasonId: internal, notes: 'Flood' });
  assert.equal(answer.status, 200, answer.text);
  const { data } = answer.body;
  const { paymentLink: _paymentLink, trackingUrl: _trackingUrl, ...before } = booking;
  const { cancellation: _cancellation, ...common } = before;
  const cancelled = {
    ...common,
    updatedAt: '2026-11-22T08:01:00+03:00',
    status: 'canceled',
    paymentStatus: 'CANCELLED',
    appointment: { ...booking.appointment, status: 'Cancelled' },
  };
  const appointment = { ...cancelled.appointment, version: 2 };
  assert.deepEqual({ ...data, ...cancelled, appointment }, data);
  assert.deepEqual(data.cancellation, {
    reasonId: internal,
    reasonNameEn: 'No team',
    reasonNameAr: 'لا فريق',
    notes: 'Flood',
    action: 'CANCEL_ONLY',
    by: ACTOR,
    at: '2026-11-22T08:01:00+03:00',
    fee: null,
    feeToDecide: false,
    kept: 0,
    onBehalfOf: null,
    workReached: null,
  });
  assert.deepEqual(data.history, [
    { at: '2026-11-22T08:00:00+03:00', by: 'partner', what: 'booking.created', ...NO_REASON, sequence: 1 },
    { at: '2026-11-22T08:01:00+03:00', by: ACTOR, what: 'booking.cancelled', ...NO_REASON, sequence: 2 },
    {
      at: '2026-11-22T08:01:00+03:00',
      by: ACTOR,
      what: 'booking.appointment_status_changed',
      ...NO_REASON,
      sequence: 3,
    },
  ]);
  assert.deepEqual(await read(service, booking.bookingId), data);
  assert.deepEqual(await auditOf(service, `booking:${booking.bookingId}`), [
    {
      actor: ACTOR,
      action: 'booking.cancel',
      before,
      after: { ...cancelled, cancellation: { reasonId: internal, notes: 'Flood', action: 'CANCEL_ONLY' } },
    },
  ]);
  const event = await service.deps.db.first({
    text: 'select event, payload, actor from events where booking_id = $1 and sequence = 2',
    values: [booking.bookingId],
  });
  const cancellation = {
    reasonId: internal,
    by: 'OPERATOR',
    at: '2026-11-22T08:01:00+03:00',
    notes: null,
    fee: null,
    feeToDecide: false,
    kept: 0,
    onBehalfOf: null,
    workReached: null,
  };
  assert.deepEqual(event, {
    event: 'booking.cancelled',
    payload: { ...cancelled, paymentLink: null, trackingUrl: null, cancellation },
    actor: ACTOR,
  });
  assert.equal((await world.book()).status, 200, 'the team is free at once');

  refused(await service.operator('POST', path, { reasonId: internal }), 422, 'BOOKING_ALREADY_CANCELLED');
  assert.equal((await auditOf(service, `booking:${booking.bookingId}`)).length, 1);
});

test('the operator fails a booking that its partner collects: no payment event', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { bookingId } = (await world.book()).body.data;
  const failed = await service.operator('POST', `/bookings/${bookingId}/fail`, { reason: 'Nobody is there' });
  assert.equal(failed.status, 200, failed.text);
  assert.equal(failed.body.data.paymentStatus, 'FAILED');
  const events = await service.deps.db.rows<{ event: string }>({
    text: 'select event from events where booking_id = $1 order by sequence',
    values: [bookingId],
  });
  assert.deepEqual(
    events.map(({ event }) => event),
    ['booking.created', 'booking.failed', 'booking.appointment_status_changed'],
  );
});

test('when the audit row cannot be written, the booking is not canceled', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const reasonId = await reason(service);
  await service.deps.db.rows({
    text: `alter table audit_log add constraint refuse_cancel check (action <> 'booking.cancel')`,
  });
  const before = await read(service, booking.bookingId);
  const answer = await service.operator('POST', `/bookings/${booking.bookingId}/cancel`, { reasonId });
  refused(answer, 500, 'INTERNAL_ERROR');
  assert.deepEqual(await read(service, booking.bookingId), before);
});

test("a partner's cancellation is in the history and not in the audit log", async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const reasonId = await reason(service);
  const { cancelBooking } = await import('../src/bookings/cancel.ts');
  const { createPlainChanges } = await import('../src/bookings/change.ts');
  const { db, clock } = service.deps;
  const key = { partnerId: world.partnerId, bookingId: booking.bookingId };
  await cancelBooking(createPlainChanges(db), clock.now(), key, { reasonId });
  const shown = await read(service, booking.bookingId);
  assert.deepEqual(
    shown.history.map(({ by, what }: { by: string; what: string }) => [by, what]),
    [
      ['partner', 'booking.created'],
      ['partner', 'booking.cancelled'],
      ['partner', 'booking.appointment_status_changed'],
    ],
  );
  assert.equal(shown.cancellation.by, 'partner');
  assert.deepEqual(await auditOf(service, `booking:${booking.bookingId}`), []);
});

test('the history has changes without an event, and the order of events', async () => {
  const { historyView } = await import('../src/dispatch/view.ts');
  const event = (sequence: number, created_at: number, name: string, actor = 'partner') => ({
    sequence,
    created_at,
    event: name,
    actor,
  });
  const at = (status: string, startsAt = 'x') => ({ status, startsAt, endsAt: 'y' });
  const change = (moment: number, before: unknown, after: unknown, action = 'appointment.update') => ({
    at: moment,
    actor: ACTOR,
    action,
    before,
    after,
  });
  const what = (...args: Parameters<typeof historyView>): string[] =>
    historyView(...args).map((entry) => `${entry.sequence ?? '-'} ${entry.what}`);

  const moved = event(2, 2_000, 'booking.updated', ACTOR);
  const statusChanged = event(3, 3_000, 'booking.appointment_status_changed', ACTOR);
  assert.deepEqual(
    what(
      [event(1, 1_000, 'booking.created'), moved, statusChanged],
      [
        change(1_500, at('New'), at('New')), // another team
        change(2_000, at('New'), at('New', 'z')),
        change(2_000, at('New'), at('New')),
        change(3_000, at('New'), at('Scheduled')),
        change(4_000, null, null, 'booking.note'),
      ],
    ),
    [
      '1 booking.created',
      '- appointment.update',
      '2 booking.updated',
      '- appointment.update',
      '3 booking.appointment_status_changed',
      '- booking.note',
    ],
  );
  // Events past their retention: the audit log still has them.
  assert.deepEqual(what([], [change(3_000, at('New'), at('Scheduled'))]), ['- appointment.update']);
  assert.deepEqual(what([], [change(3_000, {}, {}, 'booking.cancel')]), ['- booking.cancel']);
  // A clock that went back.
  assert.deepEqual(what([event(1, 9_000, 'booking.created'), event(2, 1_000, 'booking.updated')], []), [
    '1 booking.created',
    '2 booking.updated',
  ]);
});

test('permissions by role', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const booking = await booked(world);
  const reasonId = await reason(service);
  const as = async (role: string) => {
    const made = await service.operator('POST', '/tokens', { name: role, role });
    assert.equal(made.status, 201, made.text);
    const { token } = made.body.data;
    return (method: string, path: string, body?: unknown) =>
      call(`${service.operatorUrl}/operator`, method, path, body, { authorization: `Bearer ${token}` });
  };
  const viewer = await as('viewer');
  const dispatcher = await as('dispatcher');
  const appointment = `/appointments/${booking.appointmentId}`;
  const availability = `/availability?addressId=${world.addressId}&serviceId=${world.serviceId}&date=${WORLD_DATE}`;
  for (const path of [
    '/bookings',
    `/bookings/${booking.bookingId}`,
    '/appointments',
    appointment,
    availability,
  ]) {
    assert.equal((await viewer('GET', path)).status, 200, path);
  }
  const cancel = `/bookings/${booking.bookingId}/cancel`;
  refused(await viewer('PATCH', appointment, { status: 'Confirmed' }), 403, 'FORBIDDEN');
  refused(await viewer('POST', cancel, { reasonId }), 403, 'FORBIDDEN');
  assert.equal((await dispatcher('PATCH', appointment, { status: 'Confirmed' })).status, 200);
  assert.equal((await dispatcher('POST', cancel, { reasonId })).status, 200);
});

test('a list without rows', async (t) => {
  const service = await startTestService(t);
  const { partnerId } = await createPartner(service);
  const { data, meta } = await listed(service, { partnerId });
  assert.deepEqual([data, meta], [[], { page: 1, limit: 20, total: 0, totalPages: 0 }]);
});
