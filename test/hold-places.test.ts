import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { sweepHolds } from '../src/bookings/holds.ts';
import { createWorld, squareAround, WORLD_DATE, type World } from './fixtures.ts';
import { type Answer, alsoOnServer, startTestService } from './harness.ts';
import { tablesWith } from './needle.ts';
import { tally, times } from './storm.ts';

/** Slots that are held at coordinates, before there is a customer (docs/decisions/holds.md). */

const SLOT = { startAt: '10:00', endAt: '12:00' };
const LATER = { startAt: '14:00', endAt: '16:00' };

async function open(
  t: Parameters<typeof startTestService>[0],
  options: Parameters<typeof createWorld>[1] = {},
  env: Record<string, string> = {},
) {
  const service = await startTestService(t, { env });
  const world = await createWorld(service, options);
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    service.v1(world.key, method, `/partners${path}`, body, headers);
  const coordinates = { latitude: String(world.latitude), longitude: String(world.longitude) };
  const slot = { serviceId: world.serviceId, date: WORLD_DATE, timeslot: SLOT };
  const hold = (more: object = {}, headers = {}) =>
    call('POST', '/holds', { ...coordinates, ...slot, ...more }, headers);
  const held = async (more: object = {}) => dataOf(await hold(more));
  const customer = async (more: Record<string, unknown> = {}) => {
    const { id: contactId, addressId } = dataOf(await world.contact(more));
    return { contactId, addressId };
  };
  const holdFor = ({ addressId }: { addressId: string }, more: object = {}) =>
    call('POST', '/holds', { addressId, ...slot, ...more });
  const read = async (id: string) => dataOf(await call('GET', `/holds/${id}`));
  return { service, world, call, coordinates, slot, hold, held, customer, holdFor, read };
}

function dataOf({ status, body, text }: Answer) {
  assert.ok(status < 300, text);
  return body.data;
}

const codeOf = ({ status, body }: Answer): string =>
  `${status} ${body.error?.details?.reason ?? body.error?.code}`;

const withPrice = async (
  { service, world }: { service: Awaited<ReturnType<typeof startTestService>>; world: World },
  defaultPrice: number,
) => {
  const path = `/services/${world.serviceId}`;
  const { version } = dataOf(await service.operator('GET', path));
  dataOf(await service.operator('PATCH', path, { defaultPrice, version }));
};

test('a hold of a place keeps slot and price for the booking that names it, whoever the customer is', async (t) => {
  const it = await open(t);
  const { service, world, call, coordinates, held, holdFor, read, customer } = it;
  const made = await held({ reference: 'CART-1', seconds: 300 });
  const { holdId, ...rest } = made;
  assert.deepEqual(rest, {
    status: 'HELD',
    expiresAt: '2026-11-22T08:05:00+03:00',
    price: 150,
    currency: 'SAR',
    date: WORLD_DATE,
    timeslot: { ...SLOT, endsAtNextDay: false },
    addressId: null,
    contactId: null,
    ...coordinates,
    reference: 'CART-1',
    serviceId: world.serviceId,
    bookingId: null,
    policyId: null,
  });
  assert.deepEqual(await read(holdId), made);
  assert.deepEqual((await call('GET', '/holds')).body.data, [made]);
  const [shown] = dataOf(await service.operator('GET', '/holds'));
  assert.deepEqual([shown.holdId, shown.contactName], [holdId, null]);

  // It is nobody's: neither a booking nor a hold of the slot takes or replaces it.
  const who = await customer();
  assert.equal(codeOf(await world.book(who)), '422 SLOT_UNAVAILABLE');
  assert.equal(codeOf(await holdFor(who)), '422 SLOT_UNAVAILABLE');
  assert.equal((await read(holdId)).status, 'HELD');
  const query = new URLSearchParams({ ...coordinates, serviceId: world.serviceId, count: '10' });
  const { slots } = dataOf(
    await call('GET', `/timeslots/next?${query}&notBefore=${WORLD_DATE}T08:00:00%2B03:00`),
  );
  assert.ok(slots.every(({ startAt }: { startAt: string }) => startAt !== '10:00'));

  await withPrice(it, 300);
  const longer = dataOf(await call('POST', `/holds/${holdId}/extend`, { seconds: 60 }));
  assert.equal(longer.expiresAt, '2026-11-22T08:06:00+03:00');
  // Elsewhere in its zone.
  const elsewhere = await customer({ latitude: String(world.latitude + 0.001) });
  const booked = dataOf(await world.book({ ...elsewhere, holdId }));
  assert.deepEqual([booked.price, booked.holdId, booked.contactId], [150, holdId, elsewhere.contactId]);
  const taken = await read(holdId);
  assert.deepEqual(
    [taken.status, taken.bookingId, taken.latitude, taken.longitude, taken.contactId, taken.reference],
    ['CONSUMED', booked.bookingId, null, null, null, 'CART-1'],
  );
  assert.equal(codeOf(await world.book({ ...elsewhere, holdId })), '409 HOLD_CONSUMED');
});

test('each request without a reference is a hold of its own, with one it is the same', async (t) => {
  const { service, call, held, hold, holdFor, customer } = await open(t, { teams: 3 });
  const [first, second] = [await held(), await held()];
  assert.notEqual(first.holdId, second.holdId);
  const named = await held({ reference: 'CART-1', seconds: 300 });
  assert.deepEqual(await held({ reference: 'CART-1', seconds: 60 }), named, 'never shorter');
  service.clock.advance(2 * MINUTE);
  assert.deepEqual(await held({ reference: 'CART-1', seconds: 300 }), {
    ...named,
    expiresAt: '2026-11-22T08:07:00+03:00',
  });
  // Anything else needs another reference while it is alive.
  const who = await customer();
  for (const other of [
    await hold({ reference: 'CART-1', timeslot: LATER }),
    await hold({ reference: 'CART-1', latitude: '24.7000001' }),
    await holdFor(who, { reference: 'CART-1', timeslot: LATER }),
  ]) {
    assert.equal(codeOf(other), '409 REFERENCE_TAKEN');
    assert.equal(other.body.error.details.holdId, named.holdId);
  }
  dataOf(await call('DELETE', `/holds/${named.holdId}`));
  const own = dataOf(await holdFor(who, { reference: 'CART-1', timeslot: LATER }));
  assert.deepEqual([own.reference, own.latitude], ['CART-1', null]);
  assert.equal(codeOf(await hold({ reference: 'CART-1', timeslot: LATER })), '409 REFERENCE_TAKEN');
  // The same hold of a customer takes a new reference, the one that replaces it may keep it.
  const renamed = dataOf(await holdFor(who, { reference: 'CART-2', timeslot: LATER }));
  assert.deepEqual(renamed, { ...own, reference: 'CART-2' });
  assert.equal(dataOf(await holdFor(who, { timeslot: LATER })).reference, 'CART-2');
  const moved = dataOf(
    await holdFor(who, { reference: 'CART-2', timeslot: { startAt: '17:00', endAt: '19:00' } }),
  );
  assert.notEqual(moved.holdId, own.holdId);
  const another = await customer();
  dataOf(await holdFor(another, { timeslot: LATER }));
  assert.equal(
    codeOf(await holdFor(another, { reference: 'CART-2', timeslot: LATER })),
    '409 REFERENCE_TAKEN',
  );
  // Over, also before the sweep has seen it.
  service.clock.advance(20 * MINUTE);
  assert.equal((await held({ reference: 'CART-2' })).reference, 'CART-2');
});

test('every refusal of a hold of a place and of a booking with one', async (t) => {
  const { service, world, call, coordinates, slot, hold, held, customer } = await open(t, {
    teams: 4,
    partner: { maxHolds: 10 },
  });
  const messagesOf = async (body: object): Promise<string[]> => {
    const answer = await call('POST', '/holds', body);
    assert.equal(answer.status, 400, answer.text);
    return answer.body.error.details.message;
  };
  const { addressId } = await customer();
  const { latitude, longitude } = coordinates;
  assert.deepEqual(await messagesOf(slot), ['addressId must be a UUID']);
  assert.deepEqual(await messagesOf({ ...slot, latitude }), ['longitude must be sent with latitude']);
  assert.deepEqual(await messagesOf({ ...slot, longitude, addressId }), [
    'longitude must not be sent with addressId',
  ]);
  assert.deepEqual(await messagesOf({ ...slot, ...coordinates, contactId: world.contactId }), [
    'contactId must not be sent with latitude',
  ]);
  assert.deepEqual(await messagesOf({ ...slot, ...coordinates, reference: ' ', latitude: '91' }), [
    'latitude must be a latitude string',
    'reference should not be empty',
  ]);
  assert.equal(codeOf(await hold({ latitude: '0' })), '404 SERVICE_NOT_ALLOWED');
  assert.equal(codeOf(await hold({ serviceId: randomUUID() })), '404 RESOURCE_NOT_FOUND');
  const other = await createWorld(service);
  assert.equal(codeOf(await hold({ serviceId: other.serviceId })), '404 SERVICE_NOT_ALLOWED');
  assert.equal(
    codeOf(await hold({ timeslot: { startAt: '10:10', endAt: '12:10' } })),
    '422 SLOT_NOT_OFFERED',
  );

  // Another zone with the same service and teams.
  dataOf(
    await service.operator('POST', '/zones', {
      name: `North of ${world.zoneId}`,
      area: squareAround(world.latitude + 10, world.longitude),
      serviceIds: [world.serviceId],
    }),
  );
  const north = await customer({ latitude: String(world.latitude + 10) });
  const abroad = await customer({ latitude: '0' });
  const { holdId } = await held({ seconds: 60 });
  for (const who of [north, abroad]) {
    const { status, body } = await world.book({ ...who, holdId });
    assert.deepEqual(
      [status, body.error.code, body.error.details.fields],
      [409, 'HOLD_MISMATCH', ['addressId']],
    );
  }
  const later = await world.book({ ...(await customer()), holdId, timeslot: LATER });
  assert.deepEqual(later.body.error.details.fields, ['timeslot']);
  const foreign = await other.book({ holdId });
  assert.equal(codeOf(foreign), '404 RESOURCE_NOT_FOUND');

  // A fifth of the account's holds.
  await held({ timeslot: LATER });
  const full = await hold({ reference: 'CART-1' });
  assert.equal(codeOf(full), '422 HOLD_LIMIT_REACHED');
  const { maxHolds, maxPlaceHolds } = full.body.error.details;
  assert.deepEqual([maxHolds, maxPlaceHolds], [10, 2]);
  dataOf(await call('POST', '/holds', { ...slot, addressId }));
  // One that is over is for any zone, also before the sweep; that one has no team.
  service.clock.advance(MINUTE);
  assert.equal(codeOf(await world.book({ ...north, holdId })), '422 HOLD_EXPIRED');
  const booked = await world.book({ ...(await customer()), holdId });
  assert.equal(booked.body.data.holdId, holdId);
  assert.equal(codeOf(await world.book({ ...north, holdId })), '409 HOLD_CONSUMED');
});

test('a booking takes the hold that it names and the own one of its customer', async (t) => {
  const { world, held, holdFor, customer, read } = await open(t, { teams: 3 });
  const who = await customer();
  const own = dataOf(await holdFor(who));
  const { holdId } = await held();
  const { bookingId } = dataOf(await world.book({ ...who, holdId }));
  for (const id of [own.holdId, holdId])
    assert.deepEqual([(await read(id)).status, (await read(id)).bookingId], ['CONSUMED', bookingId]);
});

test('the operator sees that a place is held, and a sold visit displaces it', async (t) => {
  const { service, world, coordinates, held, customer, read } = await open(t);
  const { holdId } = await held();
  const at = { lat: coordinates.latitude, lng: coordinates.longitude };
  const query = new URLSearchParams({ ...at, serviceId: world.serviceId, date: WORLD_DATE });
  const { teams } = dataOf(await service.operator('GET', `/availability?${query}`));
  const ten = teams[0].slots.find(({ startAt }: { startAt: string }) => startAt === SLOT.startAt);
  assert.deepEqual([ten.free, ten.reason, ten.holds[0].holdId], [false, 'BUSY', holdId]);
  const who = await customer();
  const { appointmentId } = dataOf(await world.book({ ...who, timeslot: LATER }));
  const move = (displaceHolds: string[]) =>
    service.operator('PATCH', `/appointments/${appointmentId}`, { timeslot: SLOT, displaceHolds });
  assert.equal(codeOf(await move([])), '422 HELD');
  dataOf(await move([holdId]));
  const displaced = await read(holdId);
  assert.deepEqual([displaced.status, displaced.latitude], ['RELEASED', null]);
  const [entry] = dataOf(await service.operator('GET', '/audit?action=hold.displace'));
  assert.deepEqual([entry.before.holdId, 'latitude' in entry.before], [holdId, false]);
});

test('requests with one reference at once make one hold', alsoOnServer, async (t) => {
  const { service, hold, world } = await open(t, { teams: 2, partner: { maxHolds: 100 } });
  const same = await Promise.all(times(8, () => hold({ reference: 'CART-1' })));
  assert.equal(new Set(same.map((answer) => dataOf(answer).holdId)).size, 1);
  const others = await Promise.all(
    times(8, (index) => hold({ reference: 'CART-2', timeslot: index % 2 === 0 ? SLOT : LATER })),
  );
  const made = others.filter(({ status }) => status === 200);
  assert.equal(new Set(made.map((answer) => dataOf(answer).holdId)).size, 1);
  assert.deepEqual(tally(others), { 200: 4, CONFLICT: 4 });
  const rows = await service.deps.db.rows({ text: "select from appointments where status = 'Held'" });
  assert.equal(rows.length, 2, world.partnerId);
});

test('the limit of holds of places is exact', alsoOnServer, async (t) => {
  const { hold, holdFor, customer } = await open(t, { teams: 8, partner: { maxHolds: 10 } });
  // Another's hold of the service is not one of them, and is none that it replaces.
  dataOf(await holdFor(await customer()));
  const answers = await Promise.all(times(6, () => hold()));
  assert.deepEqual(tally(answers), { 200: 2, HOLD_LIMIT_REACHED: 4 });
  const one = await open(t, { teams: 3, partner: { maxHolds: 4 } });
  assert.deepEqual(tally(await Promise.all(times(3, () => one.hold()))), {
    200: 1,
    HOLD_LIMIT_REACHED: 2,
  });
});

test('two bookings at once with one hold of a place have one winner', alsoOnServer, async (t) => {
  const { held, customer, world } = await open(t, { teams: 1 });
  const { holdId } = await held();
  const customers = await Promise.all(times(4, () => customer()));
  const answers = await Promise.all(customers.map((who) => world.book({ ...who, holdId })));
  assert.deepEqual(tally(answers), { 200: 1, HOLD_CONSUMED: 3 });
});

test('where a place is held is forgotten with the hold, and with its customer what was answered', async (t) => {
  const { service, world, call, coordinates, held, hold, customer, read } = await open(
    t,
    { teams: 4, partner: { maxHolds: 100 } },
    { IDEMPOTENCY: 'true' },
  );
  const { db, clock } = service.deps;
  // An own point of the zone, to be looked for.
  const latitude = `${(world.latitude + 0.001).toFixed(4)}191919`;
  const places = async () =>
    (await tablesWith(db, latitude)).filter((table) => !table.startsWith('request_log'));
  const at = { latitude };
  const taken = dataOf(await hold(at, { 'idempotency-key': 'k1' }));
  const released = await held(at);
  const byOperator = await held(at);
  const expired = await held({ ...at, seconds: 60 });
  assert.equal(taken.latitude, latitude);
  assert.deepEqual(await places(), ['holds', 'idempotency_keys']);
  const who = await customer();
  const { bookingId } = dataOf(await world.book({ ...who, holdId: taken.holdId }));
  dataOf(await call('DELETE', `/holds/${released.holdId}`));
  dataOf(await service.operator('DELETE', `/holds/${byOperator.holdId}`));
  service.clock.advance(MINUTE);
  await sweepHolds(db, clock.now());
  for (const [id, status] of [
    [taken.holdId, 'CONSUMED'],
    [released.holdId, 'RELEASED'],
    [byOperator.holdId, 'RELEASED'],
    [expired.holdId, 'EXPIRED'],
  ]) {
    const after = await read(id);
    assert.deepEqual([after.status, after.latitude, after.longitude], [status, null, null]);
  }
  assert.deepEqual(await places(), ['idempotency_keys'], 'for a day');
  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  const reasonId = dataOf(await service.operator('POST', '/cancellation-reasons', reason)).id;
  dataOf(await call('PATCH', `/bookings/${bookingId}/cancel`, { reasonId }));
  dataOf(await service.operator('POST', `/contacts/${who.contactId}/erase`, { reason: 'asked for it' }));
  assert.deepEqual(await places(), []);
  assert.equal(coordinates.longitude, taken.longitude);
});
