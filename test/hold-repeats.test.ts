import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../src/base/clock.ts';
import { sweepHolds } from '../src/bookings/holds.ts';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import { type Answer, alsoOnServer, call, startTestService, type TestService } from './harness.ts';
import { times } from './storm.ts';

/** A repeated hold is the same hold, and a repeated booking is told its booking (docs/decisions/holds.md). */

const SLOT = { startAt: '10:00', endAt: '12:00' };

async function open(
  t: Parameters<typeof startTestService>[0],
  options: Parameters<typeof createWorld>[1] = {},
) {
  const service = await startTestService(t);
  const world = await createWorld(service, options);
  const call = (method: string, path: string, body?: unknown) =>
    service.v1(world.key, method, `/partners${path}`, body);
  const customer = async () => {
    const { id: contactId, addressId } = (await world.contact()).body.data;
    return { contactId, addressId, serviceId: world.serviceId, date: WORLD_DATE, timeslot: SLOT };
  };
  const held = async ({ contactId: _, ...slot }: Awaited<ReturnType<typeof customer>>, more = {}) => {
    const answer = await call('POST', '/holds', { ...slot, ...more });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  return { service, world, call, customer, held };
}

async function setPrice(service: TestService, { serviceId }: World, defaultPrice: number): Promise<void> {
  const path = `/services/${serviceId}`;
  const { version } = (await service.operator('GET', path)).body.data;
  assert.equal((await service.operator('PATCH', path, { defaultPrice, version })).status, 200);
}

const toldOf = ({ status, body }: Answer) => {
  const { code, details } = body.error ?? {};
  return { status, code, bookingId: details?.bookingId, sameRequest: details?.sameRequest };
};

for (const { by, code } of [
  { by: ['externalReference'], code: 'DUPLICATE_EXTERNAL_REFERENCE' },
  { by: ['holdId'], code: 'HOLD_CONSUMED' },
  { by: ['holdId', 'externalReference'], code: 'DUPLICATE_EXTERNAL_REFERENCE' },
])
  test(`a repeated booking with ${by.join(' and ')} is told its booking`, alsoOnServer, async (t) => {
    const { service, call, customer, held } = await open(t, { teams: 1 });
    const who = await customer();
    const { holdId } = await held(who, { seconds: 60 });
    const body = {
      ...who,
      ...(by.includes('holdId') && { holdId }),
      ...(by.includes('externalReference') && { externalReference: 'ORDER-1' }),
    };
    const answers = await Promise.all(times(4, () => call('POST', '/bookings', body)));
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 1);
    const { bookingId } = made[0]!.body.data;
    assert.equal(made[0]!.body.data.holdId, holdId, 'taken with or without its id');
    const same = { status: 409, code, bookingId, sameRequest: true };
    for (const answer of answers.filter((one) => one !== made[0])) assert.deepEqual(toldOf(answer), same);
    assert.deepEqual(toldOf(await call('POST', '/bookings', body)), same);
    // Another body is not the same request, whatever it differs in.
    for (const change of [{ notes: 'Gate 2' }, { timeslot: { startAt: '14:00', endAt: '16:00' } }])
      assert.deepEqual(toldOf(await call('POST', '/bookings', { ...body, ...change })), {
        ...same,
        sameRequest: false,
      });
    service.clock.advance(2 * MINUTE);
    assert.deepEqual(toldOf(await call('POST', '/bookings', body)), same, 'after the end of the hold');
    service.clock.advance(29 * DAY);
    await sweepHolds(service.deps.db, service.clock.now());
    assert.deepEqual(toldOf(await call('POST', '/bookings', body)), { ...same, sameRequest: false });
    const hold = (await call('GET', `/holds/${holdId}`)).body.data;
    assert.deepEqual([hold.status, hold.bookingId], ['CONSUMED', bookingId], 'known as long as its booking');
  });

test('the reference of a failed booking is free', async (t) => {
  const { service, call, customer } = await open(t, { teams: 3 });
  const who = await customer();
  const body = { ...who, externalReference: 'ORDER-1' };
  const first = (await call('POST', '/bookings', body)).body.data.bookingId;
  await service.deps.db.rows({
    text: "update bookings set status = 'failed', payment_status = 'FAILED' where id = $1",
    values: [first],
  });
  const second = await call('POST', '/bookings', body);
  assert.equal(second.status, 200, second.text);
  assert.notEqual(second.body.data.bookingId, first);
});

test(
  'the same hold asked for again is the same hold, with the later end and its price',
  alsoOnServer,
  async (t) => {
    const { service, world, call, customer, held } = await open(t, { teams: 2 });
    const who = await customer();
    const first = await held(who, { seconds: 300 });
    await setPrice(service, world, 300);
    assert.deepEqual(await held(who, { seconds: 60 }), first, 'never shorter');
    service.clock.advance(4 * MINUTE);
    const longer = await held(who, { seconds: 300 });
    assert.deepEqual(longer, { ...first, expiresAt: '2026-11-22T08:09:00+03:00' });
    for (let minute = 4; minute < 29; minute += 5) {
      await held(who, { seconds: 900 });
      service.clock.advance(5 * MINUTE);
    }
    assert.equal(
      (await held(who, { seconds: 900 })).expiresAt,
      '2026-11-22T08:30:00+03:00',
      '30 minutes in all',
    );
    const other = await customer();
    const answers = await Promise.all(times(6, () => held(other)));
    assert.equal(new Set(answers.map(({ holdId }) => holdId)).size, 1, 'also at once');
    // Also when it could not be held anew.
    const { version } = (await service.operator('GET', `/services/${world.serviceId}`)).body.data;
    await service.operator('PATCH', `/services/${world.serviceId}`, { isActive: false, version });
    assert.equal((await held(other)).holdId, answers[0].holdId);
    const { data } = (await call('GET', '/holds')).body;
    assert.deepEqual(
      data.map(({ holdId }: { holdId: string }) => holdId).sort(),
      [first.holdId, answers[0].holdId].sort(),
    );
  },
);

test('a hold never outlasts its start, however it is extended', async (t) => {
  const { service, call, customer, held } = await open(t);
  const who = await customer();
  await service.operator('PATCH', `/services/${who.serviceId}`, {
    minimumNoticeMinutes: 0,
    version: (await service.operator('GET', `/services/${who.serviceId}`)).body.data.version,
  });
  const start = `${WORLD_DATE}T10:00:00+03:00`;
  service.clock.set(Date.parse(start));
  const { contactId: _, ...slot } = who;
  const now = (await call('POST', '/holds', slot)).body.error.details;
  assert.equal(now.reason, 'SLOT_IN_PAST', 'at its very start');
  service.clock.set(Date.parse(start) - 10 * MINUTE);
  const { holdId, expiresAt } = await held(who, { seconds: 900 });
  assert.equal(expiresAt, start);
  const extend = (body: unknown) => call('POST', `/holds/${holdId}/extend`, body);
  assert.equal((await extend({ until: start })).body.data.expiresAt, start);
  assert.equal(
    (await extend({ until: `${WORLD_DATE}T09:55:00+03:00` })).body.data.expiresAt,
    start,
    'never shorter',
  );
  for (const body of [{ seconds: 60 }, { until: `${WORLD_DATE}T10:00:01+03:00` }]) {
    const { code, details } = (await extend(body)).body.error;
    assert.deepEqual([code, details.latestExpiresAt], ['HOLD_LIMIT_REACHED', start]);
  }
  for (const body of [{}, { seconds: 60, until: start }])
    assert.match((await extend(body)).text, /seconds or until must be given, not both/);
});

test("a customer's own hold is hers: her booking has the lower price, her move takes it, none stays behind", async (t) => {
  const { service, world, call, customer, held } = await open(t, { teams: 3 });
  for (const [list, price] of [
    [300, 150],
    [100, 100],
  ] as const) {
    const who = await customer();
    await setPrice(service, world, 150);
    const { holdId } = await held(who);
    await setPrice(service, world, list);
    const { data } = (await call('POST', '/bookings', who)).body;
    assert.deepEqual([data.price, data.holdId], [price, holdId]);
  }
  const who = await customer();
  const [early, late] = [
    { startAt: '14:00', endAt: '16:00' },
    { startAt: '17:00', endAt: '19:00' },
  ];
  const { bookingId } = (await call('POST', '/bookings', { ...who, timeslot: early })).body.data;
  const { holdId } = await held(who, { timeslot: late });
  const moved = await call('PATCH', `/bookings/${bookingId}`, { timeslot: late });
  assert.equal(moved.status, 200, moved.text);
  assert.equal(moved.body.data.holdId, null, 'the hold of its creation');
  const hold = (await call('GET', `/holds/${holdId}`)).body.data;
  assert.deepEqual([hold.status, hold.bookingId], ['CONSUMED', bookingId]);
  const { total } = (await service.deps.db.first<{ total: number }>({
    text: "select count(*) as total from appointments where status = 'Held'",
  }))!;
  assert.equal(total, 0);
});

test('a confirmation or cancellation that is delivered twice is told that it was accepted', async (t) => {
  const { service, world, call: as, customer } = await open(t, { teams: 1 });
  const { bookingId } = (await as('POST', '/bookings', await customer())).body.data;
  const reason = await service.operator('POST', '/cancellation-reasons', { nameEn: 'A', nameAr: 'أ' });
  const send = (method: string, path: string, id: string, body: unknown) =>
    call(`${service.url}/v1/partners/bookings/${bookingId}`, method, path, body, {
      'x-api-key': world.key,
      'x-request-id': id,
    });
  for (const [method, path, body, code] of [
    ['POST', '/confirm-payment', {}, 'PAYMENT_ALREADY_CONFIRMED'],
    ['PATCH', '/cancel', { reasonId: reason.body.data.id }, 'BOOKING_ALREADY_CANCELLED'],
  ] as const) {
    const answers = await Promise.all(times(3, () => send(method, path, `first-${method}`, body)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, code);
    for (const { status, body } of answers.filter((one) => one.status !== 200))
      assert.deepEqual([status, body.error.code, body.error.details.sameRequest], [422, code, true]);
    const later = await send(method, path, 'later', body);
    assert.deepEqual([later.body.error.code, later.body.error.details.sameRequest], [code, undefined]);
  }
});
