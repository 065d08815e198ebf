import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../src/base/clock.ts';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import {
  type Answer,
  alsoOnServer,
  onPostgres,
  startTestService,
  TEST_NOW,
  type TestService,
} from './harness.ts';
import { tally, times } from './storm.ts';
import { until } from './until.ts';

/** Slots that are held with their price (docs/decisions/holds.md). */

const SLOT = { startAt: '10:00', endAt: '12:00' };
const LATER = { startAt: '14:00', endAt: '16:00' };

type Customer = { contactId: string; addressId: string };

async function customerOf(world: World): Promise<Customer> {
  const { id: contactId, addressId } = (await world.contact()).body.data;
  return { contactId, addressId };
}

const customersOf = (world: World, count: number): Promise<Customer[]> =>
  Promise.all(times(count, () => customerOf(world)));

function clientOf(service: TestService, world: World) {
  const { serviceId, key } = world;
  const own = { contactId: world.contactId, addressId: world.addressId };
  return {
    own,
    hold: ({ addressId }: Customer = own, more: Record<string, unknown> = {}) =>
      service.v1(key, 'POST', '/partners/holds', {
        addressId,
        serviceId,
        date: WORLD_DATE,
        timeslot: SLOT,
        ...more,
      }),
    held: async (customer?: Customer, more?: Record<string, unknown>) => {
      const answer = await clientOf(service, world).hold(customer, more);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data;
    },
    book: (customer: Customer = own, more: Record<string, unknown> = {}) =>
      world.book({ ...customer, ...more }),
    read: (id: string) => service.v1(key, 'GET', `/partners/holds/${id}`),
    release: (id: string) => service.v1(key, 'DELETE', `/partners/holds/${id}`),
    extend: (id: string, seconds: number) =>
      service.v1(key, 'POST', `/partners/holds/${id}/extend`, { seconds }),
    async offered({ addressId }: Customer = own, date = WORLD_DATE): Promise<string[]> {
      const query = new URLSearchParams({ addressId, serviceId, date });
      const { body } = await service.v1(key, 'GET', `/partners/timeslots/available?${query}`);
      return body.data.slots.map(({ startAt }: { startAt: string }) => startAt);
    },
  };
}

async function open(
  t: Parameters<typeof startTestService>[0],
  options: Parameters<typeof createWorld>[1] = {},
  env = {},
) {
  const service = await startTestService(t, { env });
  const world = await createWorld(service, options);
  return { service, world, ...clientOf(service, world) };
}

/** Rows of appointments that are held, or of holds that count, without the other. */
const UNPAIRED = `
  select (select count(*) from appointments a where a.status = 'Held'
      and not exists (select from holds h where h.id = a.id and h.ended_at is null))
    + (select count(*) from holds h where h.ended_at is null
      and not exists (select from appointments a where a.id = h.id and a.status = 'Held')) as total`;

const unpaired = async ({ deps }: TestService) =>
  (await deps.db.first<{ total: number }>({ text: UNPAIRED }))!.total;
const heldRows = async ({ deps }: TestService) =>
  (await deps.db.first<{ total: number }>({
    text: "select count(*) as total from appointments where status = 'Held'",
  }))!.total;

test('a hold keeps the slot and its price until a booking takes it', async (t) => {
  const { service, world, hold, held, book, read, offered } = await open(t);
  const other = await customerOf(world);
  const made = await hold(undefined, { seconds: 300 });
  assert.equal(made.status, 200, made.text);
  const { holdId, ...rest } = made.body.data;
  assert.deepEqual(rest, {
    status: 'HELD',
    expiresAt: '2026-11-22T08:05:00+03:00',
    price: 150,
    currency: 'SAR',
    date: WORLD_DATE,
    timeslot: { ...SLOT, endsAtNextDay: false },
    addressId: world.addressId,
    serviceId: world.serviceId,
    contactId: world.contactId,
    latitude: null,
    longitude: null,
    reference: null,
    bookingId: null,
    policyId: null,
  });
  assert.ok(!(await offered(other)).includes('10:00'), 'hidden from others');
  assert.ok((await offered()).includes('10:00'), 'shown to its customer');
  const taken = await book(other);
  assert.equal(taken.body.error.details.reason, 'SLOT_UNAVAILABLE');
  assert.ok(
    taken.body.error.details.alternatives.every(({ startAt }: { startAt: string }) => startAt !== '10:00'),
  );

  const path = `/services/${world.serviceId}`;
  const { version } = (await service.operator('GET', path)).body.data;
  assert.equal((await service.operator('PATCH', path, { defaultPrice: 300, version })).status, 200);
  const booked = await book(undefined, { holdId });
  assert.equal(booked.status, 200, booked.text);
  assert.equal(booked.body.data.price, 150);
  const consumed = (await read(holdId)).body.data;
  assert.deepEqual([consumed.status, consumed.bookingId], ['CONSUMED', booked.body.data.bookingId]);
  const again = await book(undefined, { holdId });
  assert.deepEqual([again.status, again.body.error.code], [409, 'HOLD_CONSUMED']);
  assert.equal(again.body.error.details.bookingId, booked.body.data.bookingId);
  const events = await service.deps.db.rows<{ event: string }>({
    text: 'select event from events order by position',
  });
  assert.deepEqual(
    events.map(({ event }) => event),
    ['booking.created'],
  );
  assert.equal(await heldRows(service), 0);
  // The next one has the new price.
  assert.equal((await held(undefined, { timeslot: LATER })).price, 300);
});

test('every refusal of a hold and of a booking with one', async (t) => {
  const { service, world, hold, held, book, read, release, extend, own } = await open(t);
  const other = await createWorld(service);
  const code = ({ status, body }: Answer) => `${status} ${body.error.code}`;
  const { holdId } = await held();
  const another = await customerOf(world);
  const NOBODY = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

  assert.equal(code(await book(another, { holdId })), '409 HOLD_MISMATCH');
  const later = await book(own, { holdId, timeslot: LATER });
  assert.equal(code(later), '409 HOLD_MISMATCH');
  assert.deepEqual(later.body.error.details.fields, ['timeslot']);
  assert.equal(code(await book(own, { holdId: NOBODY })), '404 RESOURCE_NOT_FOUND');
  const foreign = clientOf(service, other);
  const theirs = await foreign.held();
  for (const answer of [
    await book(own, { holdId: theirs.holdId }),
    await read(theirs.holdId),
    await release(theirs.holdId),
    await extend(theirs.holdId, 60),
    await hold({ ...own, addressId: NOBODY }),
    await hold(own, { serviceId: NOBODY }),
    await hold(own, { contactId: NOBODY }),
    await hold(own, { contactId: another.contactId }),
  ])
    assert.equal(code(answer), '404 RESOURCE_NOT_FOUND', answer.text);
  assert.equal(code(await hold(own, { seconds: 59 })), '400 VALIDATION_ERROR');
  assert.equal(code(await hold(own, { seconds: 901 })), '400 VALIDATION_ERROR');
  const taken = await hold(another);
  assert.equal(code(taken), '422 BOOKING_CREATION_FAILED');
  assert.equal(taken.body.error.details.reason, 'SLOT_UNAVAILABLE');
  assert.ok(taken.body.error.details.alternatives.length > 0);
  assert.equal(
    code(await hold(another, { timeslot: { startAt: '10:10', endAt: '12:10' } })),
    '422 BOOKING_CREATION_FAILED',
  );

  assert.equal((await extend(holdId, 600)).body.data.expiresAt, '2026-11-22T08:20:00+03:00');
  const tooLong = await extend(holdId, 601);
  assert.equal(code(tooLong), '422 HOLD_LIMIT_REACHED');
  assert.equal(tooLong.body.error.details.latestExpiresAt, '2026-11-22T08:30:00+03:00');
  assert.equal((await extend(holdId, 600)).status, 200);

  assert.equal((await release(holdId)).status, 200);
  assert.equal((await release(holdId)).status, 200);
  assert.equal((await read(holdId)).body.data.status, 'RELEASED');
  assert.equal(code(await extend(holdId, 60)), '409 HOLD_ENDED');
  const [booked] = [await book(own, { holdId })];
  assert.equal(booked.status, 200, 'as without the hold');
  assert.equal(code(await release(holdId)), '409 HOLD_CONSUMED');
  assert.equal(code(await extend(holdId, 60)), '409 HOLD_CONSUMED');
});

test('a hold that is over: the booking is made as without it, unless the slot is gone or dearer', async (t) => {
  const { service, world, held, book, own, offered } = await open(t);
  const price = async (defaultPrice: number) => {
    const path = `/services/${world.serviceId}`;
    const { version } = (await service.operator('GET', path)).body.data;
    assert.equal((await service.operator('PATCH', path, { defaultPrice, version })).status, 200);
  };
  const other = await customerOf(world);
  const [cheaper, dearer, gone] = [
    await held(own, { timeslot: SLOT, seconds: 60 }),
    await held(other, { timeslot: LATER, seconds: 60 }),
    await held(await customerOf(world), { timeslot: { startAt: '17:00', endAt: '19:00' }, seconds: 60 }),
  ];
  service.clock.advance(60_000);
  assert.ok((await offered(other)).includes('10:00'), 'free at the instant, without a job');
  await price(100);
  const booked = await book(own, { holdId: cheaper.holdId });
  assert.deepEqual([booked.status, booked.body.data?.price], [200, 100]);
  assert.equal((await book(own, { holdId: cheaper.holdId })).body.error.code, 'HOLD_CONSUMED');

  await price(200);
  const refused = await book(other, { holdId: dearer.holdId, timeslot: LATER });
  assert.equal(refused.status, 422, refused.text);
  const { reason, price: now, currency } = refused.body.error.details;
  assert.deepEqual(
    [refused.body.error.code, reason, now, currency],
    ['BOOKING_CREATION_FAILED', 'PRICE_CHANGED', 200, 'SAR'],
  );

  await price(150);
  const evening = { startAt: '17:00', endAt: '19:00' };
  assert.equal((await book(own, { timeslot: evening })).status, 200);
  const lost = await book(
    { contactId: gone.contactId, addressId: gone.addressId },
    { holdId: gone.holdId, timeslot: evening },
  );
  assert.deepEqual([lost.status, lost.body.error?.details.reason], [422, 'HOLD_EXPIRED']);
  assert.ok(lost.body.error.details.alternatives.length > 0);
  assert.equal(await unpaired(service), 0);
});

test('a customer has one hold for a service, and may book past its own', async (t) => {
  const { service, world, held, book, own, read, offered } = await open(t);
  const same = await held();
  const second = await held(own, { timeslot: { startAt: '11:00', endAt: '13:00' } });
  assert.equal((await read(same.holdId)).body.data.status, 'RELEASED');
  assert.equal(await heldRows(service), 1);
  // Another address of the same contact is the same customer.
  const elsewhere = await service.v1(world.key, 'POST', '/partners/contacts', {
    phone: (await service.v1(world.key, 'GET', `/partners/contacts/${own.contactId}`)).body.data.phone,
    name: 'Noura',
    latitude: String(world.latitude + 0.01),
    longitude: String(world.longitude),
  });
  const moved = { contactId: own.contactId, addressId: elsewhere.body.data.addressId };
  assert.ok((await offered(moved)).includes('11:00'));
  const third = await held(moved, {
    contactId: own.contactId,
    timeslot: { startAt: '12:00', endAt: '14:00' },
  });
  assert.equal((await read(second.holdId)).body.data.status, 'RELEASED');
  // Without naming it: at the price of the list, and the hold in its way is taken.
  const booked = await book(own, { timeslot: { startAt: '13:00', endAt: '15:00' } });
  assert.equal(booked.status, 200, booked.text);
  const { status, bookingId } = (await read(third.holdId)).body.data;
  assert.deepEqual([status, bookingId], ['CONSUMED', booked.body.data.bookingId]);
  assert.equal(await heldRows(service), 0);
});

test("a booking beside the customer's own hold leaves it while another team is free", async (t) => {
  const { held, book, own, read } = await open(t, { teams: 2 });
  for (let day = 0; day < 8; day++) {
    const date = addDays(WORLD_DATE, day);
    const { holdId } = await held(own, { date, timeslot: { startAt: '10:00', endAt: '12:00' } });
    const beside = await book(own, { date, timeslot: { startAt: '12:00', endAt: '14:00' } });
    assert.equal(beside.status, 200, beside.text);
    assert.equal((await read(holdId)).body.data.status, 'HELD', date);
    assert.equal((await book(own, { date, holdId })).status, 200);
  }
});

test('the limit of a partner, which the operator sets', alsoOnServer, async (t) => {
  const { service, world, hold, held, release } = await open(t, { teams: 4, partner: { maxHolds: 2 } });
  const customers = await customersOf(world, 8);
  const answers = await Promise.all(customers.map((customer) => hold(customer)));
  assert.deepEqual(tally(answers), { 200: 2, HOLD_LIMIT_REACHED: 6 });
  const [refused] = answers.filter(({ status }) => status === 422);
  assert.equal(refused!.body.error.details.maxHolds, 2);
  const [made] = answers.filter(({ status }) => status === 200);
  // A replacement is no further one.
  await held(made!.body.data);
  assert.equal(
    (await release(answers.findLast(({ status }) => status === 200)!.body.data.holdId)).status,
    200,
  );
  assert.equal((await hold(await customerOf(world))).status, 200, 'in place of the released one');
  const path = `/partners/${world.partnerId}`;
  assert.equal((await service.operator('GET', path)).body.data.maxHolds, 2);
  assert.equal((await service.operator('PATCH', path, { maxHolds: 0 })).status, 200);
  assert.equal((await hold(await customerOf(world))).body.error.code, 'HOLD_LIMIT_REACHED');
});

test('the operator sees holds and releases one, with an audit entry', async (t) => {
  const { service, world, held, read, own, book } = await open(t);
  const { holdId } = await held();
  const listed = await service.operator('GET', `/holds?date=${WORLD_DATE}&partnerId=${world.partnerId}`);
  assert.equal(listed.body.meta.total, 1);
  const [shown] = listed.body.data;
  assert.deepEqual(
    [shown.holdId, shown.teamId, shown.contactName],
    [holdId, world.teamIds[0], 'Noura Al-Qahtani'],
  );
  assert.equal((await service.operator('GET', '/holds?date=2026-11-24')).body.meta.total, 0);
  // No visit: neither on the board nor in the figures.
  const board = await service.operator('GET', `/board?date=${WORLD_DATE}`);
  assert.deepEqual(board.body.data.appointments, []);
  const { name: partnerName } = (await service.operator('GET', `/partners/${world.partnerId}`)).body.data;
  const onBoard = {
    holdId,
    teamId: world.teamIds[0],
    partnerName,
    startsAt: `${WORLD_DATE}T10:00:00+03:00`,
    endsAt: `${WORLD_DATE}T12:00:00+03:00`,
    expiresAt: shown.expiresAt,
  };
  assert.deepEqual(board.body.data.holds, [onBoard]);
  assert.deepEqual((await service.operator('GET', '/board?date=2026-11-24')).body.data.holds, []);
  assert.equal((await service.operator('GET', '/appointments')).body.meta.total, 0);
  const query = new URLSearchParams({
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: WORLD_DATE,
  });
  const explained = (await service.operator('GET', `/availability?${query}`)).body.data;
  const ten = explained.teams[0].slots.find(({ startAt }: { startAt: string }) => startAt === '10:00');
  assert.deepEqual([ten.free, ten.reason, ten.appointment], [false, 'BUSY', null]);

  assert.equal((await service.operator('DELETE', `/holds/${holdId}`)).status, 200);
  assert.equal((await service.operator('DELETE', `/holds/${holdId}`)).status, 200);
  assert.equal((await read(holdId)).body.data.status, 'RELEASED');
  const { data } = (await service.operator('GET', `/audit?target=hold:${holdId}`)).body;
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['hold.release'],
  );
  assert.equal((await book(own, { holdId })).status, 200);
  assert.equal((await service.operator('DELETE', `/holds/${holdId}`)).body.error.code, 'HOLD_CONSUMED');
});

test('a team that goes away: another free one is taken, else the booking is refused', async (t) => {
  const { service, world, held, book, own } = await open(t, { teams: 2 });
  const other = await customerOf(world);
  const teamOf = async (id: string) =>
    (await service.deps.db.first<{ team_id: string }>({
      text: 'select team_id from appointments where id = $1',
      values: [id],
    }))!.team_id;
  const away = (teamId: string) =>
    service.operator('POST', `/teams/${teamId}/time-off`, {
      startsAt: '2026-11-23T00:00:00+03:00',
      endsAt: '2026-11-24T00:00:00+03:00',
      reason: 'ill',
    });
  const { holdId } = await held();
  const gone = await teamOf(holdId);
  assert.equal((await away(gone)).status, 201);
  const booked = await book(own, { holdId });
  assert.equal(booked.status, 200, booked.text);
  assert.equal(await heldRows(service), 0);
  const rest = await held(other, { timeslot: LATER });
  assert.equal((await away(await teamOf(rest.holdId))).status, 201);
  const refused = await book(other, { holdId: rest.holdId, timeslot: LATER });
  assert.deepEqual([refused.status, refused.body.error.code], [422, 'BOOKING_CREATION_FAILED']);
});

test('what is held is booked also inside the notice and after a change of the duration', async (t) => {
  const { service, world, held, book, own } = await open(t, { teams: 2 });
  const other = await customerOf(world);
  const today = '2026-11-22';
  // Two hours and a minute ahead.
  const slot = { startAt: '10:30', endAt: '12:30' };
  service.clock.set(Date.parse('2026-11-22T08:29:00+03:00'));
  const { holdId } = await held(own, { date: today, timeslot: slot });
  service.clock.advance(5 * 60_000);
  const path = `/services/${world.serviceId}`;
  const { version } = (await service.operator('GET', path)).body.data;
  assert.equal((await service.operator('PATCH', path, { durationMinutes: 90, version })).status, 200);
  assert.equal(
    (await book(other, { date: today, timeslot: slot })).body.error.details.reason,
    'SLOT_INSIDE_NOTICE',
  );
  assert.equal((await book(own, { date: today, timeslot: slot, holdId })).status, 200);
});

test('an Idempotency-Key makes one hold, and is no key of a booking', async (t) => {
  const { service, world } = await open(t, {}, { IDEMPOTENCY: 'true' });
  const body = {
    contactId: world.contactId,
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: WORLD_DATE,
    timeslot: SLOT,
  };
  const key = { 'idempotency-key': 'hold-1' };
  const first = await service.v1(world.key, 'POST', '/partners/holds', body, key);
  const second = await service.v1(world.key, 'POST', '/partners/holds', body, key);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(second.body, first.body);
  const booking = await service.v1(world.key, 'POST', '/partners/bookings', body, key);
  assert.equal(booking.body.error.code, 'IDEMPOTENCY_KEY_CONFLICT');
});

test('200 holds at once for three teams: exactly three', alsoOnServer, async (t) => {
  const { service, world, hold } = await open(t, { teams: 3, partner: { maxHolds: 1000 } });
  const customers = await customersOf(world, 200);
  assert.deepEqual(tally(await Promise.all(customers.map((customer) => hold(customer)))), {
    200: 3,
    BOOKING_CREATION_FAILED: 197,
  });
  assert.equal(await heldRows(service), 3);
  assert.equal(await unpaired(service), 0);
});

test('holds and bookings for the last team at once: one winner', alsoOnServer, async (t) => {
  const { service, world, hold, book } = await open(t);
  const customers = await customersOf(world, 20);
  const answers = await Promise.all(
    customers.map((customer, index) => (index % 2 === 0 ? hold(customer) : book(customer))),
  );
  assert.deepEqual(tally(answers), { 200: 1, BOOKING_CREATION_FAILED: 19 });
  assert.equal(await unpaired(service), 0);
});

test('a hold that is taken twice at once makes one booking', alsoOnServer, async (t) => {
  const { service, held, book, own } = await open(t, { teams: 3 });
  for (let round = 0; round < 10; round++) {
    const timeslot = round % 2 === 0 ? SLOT : LATER;
    const date = `2026-11-2${3 + Math.floor(round / 2)}`;
    const { holdId } = await held(own, { date, timeslot });
    const answers = await Promise.all(times(6, () => book(own, { date, timeslot, holdId })));
    assert.deepEqual(tally(answers), { 200: 1, HOLD_CONSUMED: 5 });
  }
  assert.equal(await heldRows(service), 0);
  assert.equal(await unpaired(service), 0);
});

/** Holds whose slot their customer and another want at once, at the instant of the expiry and a millisecond beside it. */
const EXPIRIES = process.env.TEST_FULL === 'on' && onPostgres ? 1_000 : 120;
const STARTS = ['08:00', '10:30', '13:00', '15:30', '18:00'];

test('around the expiry exactly one of its customer and another gets the slot', alsoOnServer, async (t) => {
  const { service, world, held, book, extend, release } = await open(t);
  const days = times(8, (day) => `2026-11-${23 + day}`);
  const slots = days.flatMap((date) =>
    STARTS.map((startAt) => ({
      date,
      timeslot: { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}${startAt.slice(2)}` },
    })),
  );
  const [holders, others] = [await customersOf(world, slots.length), await customersOf(world, slots.length)];
  let taken = 0;
  for (let batch = 0; batch < EXPIRIES / slots.length; batch++) {
    const made = await Promise.all(
      slots.map((slot, index) => held(holders[index]!, { ...slot, seconds: 60 })),
    );
    const offset = (batch % 3) - 1;
    service.clock.set(Date.parse(made[0].expiresAt) + offset);
    await Promise.all(
      slots.map(async (slot, index) => {
        const { holdId } = made[index];
        const [mine, theirs] = await Promise.all([
          index % 5 === 4 ? extend(holdId, 60) : book(holders[index]!, { ...slot, holdId }),
          book(others[index]!, slot),
        ]);
        const which = `${batch} ${index}: ${mine.text} ${theirs.text}`;
        if (offset < 0) assert.deepEqual([mine.status, theirs.status], [200, 422], which);
        else assert.equal([mine, theirs].filter(({ status }) => status === 200).length, 1, which);
        taken += Number(theirs.status === 200);
        await release(holdId);
      }),
    );
    await service.deps.db.rows({
      text: "update appointments set status = 'Cancelled' where booking_id is not null",
    });
    assert.equal(await unpaired(service), 0);
  }
  assert.ok(taken > 0);
});

test(
  'a release and a booking at once: the booking is made, and nothing stays held',
  alsoOnServer,
  async (t) => {
    const { service, held, book, own, release } = await open(t);
    for (let round = 0; round < 10; round++) {
      const date = `2026-11-${23 + (round % 7)}`;
      const timeslot = round < 7 ? SLOT : LATER;
      const { holdId } = await held(own, { date, timeslot });
      const [booked, released] = await Promise.all([book(own, { date, timeslot, holdId }), release(holdId)]);
      assert.equal(booked.status, 200, booked.text);
      assert.ok([200, 409].includes(released.status), released.text);
      assert.equal(await heldRows(service), 0);
    }
    assert.equal(await unpaired(service), 0);
  },
);

test('the worker ends what nobody looks for, also after the clock went back', async (t) => {
  const { service, held, own } = await open(t);
  await held(own, { seconds: 60 });
  service.clock.advance(60_000);
  await until(async () => (await heldRows(service)) === 0);
  service.clock.set(TEST_NOW + 3_600_000);
  await held(own);
  service.clock.set(TEST_NOW);
  await until(async () => (await heldRows(service)) === 0);
  assert.equal(await unpaired(service), 0);
});
