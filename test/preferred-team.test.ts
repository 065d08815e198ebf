import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createWorld, WORLD_DATE, type WorldOptions } from './fixtures.ts';
import { type Answer, startTestService } from './harness.ts';

/** The crew of an earlier visit for a new one of the partner: `preferTeamOf`. */

const slot = (startAt: string) => ({
  startAt,
  endAt: `${String(Number(startAt.slice(0, 2)) + 2).padStart(2, '0')}${startAt.slice(2)}`,
});

/** A customer with a visit at 08:00. */
async function open(t: TestContext, options: WorldOptions) {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'on' } });
  const world = await createWorld(service, options);
  const { addressId, serviceId, key, book } = world;
  const first: string = (await book({ timeslot: slot('08:00') })).body.data.bookingId;
  const place = { addressId, serviceId };
  const teamOf = async ({ body, text }: Answer): Promise<string> => {
    assert.ok(body.success, text);
    return (await service.operator('GET', `/bookings/${body.data.bookingId}`)).body.data.team.id;
  };
  const again = (startAt: string, more: Record<string, unknown> = {}) =>
    book({ timeslot: slot(startAt), preferTeamOf: first, ...more });
  const hold = (startAt: string, more: Record<string, unknown> = {}, headers = {}) =>
    service.v1(
      key,
      'POST',
      '/partners/holds',
      { ...place, date: WORLD_DATE, timeslot: slot(startAt), preferTeamOf: first, ...more },
      headers,
    );
  const calendar = (more: Record<string, string | undefined> = {}) => {
    const wanted = { ...place, from: WORLD_DATE, to: WORLD_DATE, preferTeamOf: first, ...more };
    const query = new URLSearchParams(JSON.parse(JSON.stringify(wanted)));
    return service.v1(key, 'GET', `/partners/timeslots/calendar?${query}`);
  };
  return {
    service,
    world,
    first,
    firstTeam: await teamOf(await again('18:00')),
    teamOf,
    again,
    hold,
    calendar,
  };
}

test('the crew of an earlier visit comes again if it is free, and the response tells', async (t) => {
  const { service, world, first, firstTeam, teamOf, again } = await open(t, { teams: 3 });
  // By chance it would be the same team of three once in 27.
  for (const startAt of ['10:30', '13:00', '15:30']) {
    const booked = await again(startAt);
    assert.equal(booked.body.data.keepsTeam, true);
    assert.equal(await teamOf(booked), firstTeam);
  }
  const other = await again('13:00');
  assert.equal(other.body.data.keepsTeam, false);
  assert.notEqual(await teamOf(other), firstTeam);
  const { bookingId } = other.body.data;
  const read = await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`);
  const { keepsTeam: _, ...rest } = other.body.data;
  assert.deepEqual(read.body.data, rest);
  const { body } = await service.v1(world.key, 'GET', `/partners/bookings/${first}/status`);
  assert.ok(!('keepsTeam' in body.data));
  const events = await service.deps.db.rows<{ payload: object }>({
    text: `select payload from events where booking_id = $1`,
    values: [bookingId],
  });
  assert.equal(events.length, 1);
  assert.ok(!('keepsTeam' in events[0]!.payload));
});

test('the calendar marks the slots of that crew as creation then keeps it', async (t) => {
  const { service, again, calendar } = await open(t, { teams: 2 });
  await again('13:00');
  const [day] = (await calendar()).body.data.days;
  assert.equal(day.state, 'FREE');
  const marks = day.slots.map(({ keepsTeam }: { keepsTeam: boolean }) => keepsTeam);
  assert.deepEqual(new Set(marks), new Set([true, false]));
  for (const { startAt, endAt, keepsTeam } of day.slots) {
    const { body, text } = await again(startAt, { timeslot: { startAt, endAt } });
    assert.equal(body.data?.keepsTeam, keepsTeam, `${startAt} ${text}`);
    const { bookingId } = body.data;
    const freed = await service.operator('POST', `/bookings/${bookingId}/fail`, { reason: 'A test' });
    assert.equal(freed.status, 200, freed.text);
  }
  const plain = await calendar({ preferTeamOf: undefined });
  const unmarked = ({ startAt, endAt }: { startAt: string; endAt: string }) => ({ startAt, endAt });
  assert.deepEqual(plain.body.data.days, [{ ...day, slots: day.slots.map(unmarked) }]);
  const refused = await calendar({ view: 'days' });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /preferTeamOf must not be sent with view=days/);
});

test('a hold keeps the crew for the booking that takes it', async (t) => {
  const { firstTeam, teamOf, again, hold } = await open(t, { teams: 3 });
  for (const startAt of ['10:30', '13:00']) {
    const held = (await hold(startAt)).body.data;
    assert.equal(held.keepsTeam, true);
    const booked = await again(startAt, { holdId: held.holdId, preferTeamOf: undefined });
    assert.ok(!('keepsTeam' in booked.body.data));
    assert.equal(await teamOf(booked), firstTeam);
  }
  const replaced = (await hold('13:00')).body.data;
  assert.equal(replaced.keepsTeam, false);
  const taken = await again('13:00', { holdId: replaced.holdId });
  assert.equal(taken.body.data.keepsTeam, false);
});

test('the same request with its Idempotency-Key has the same answer', async (t) => {
  const { service, world, first, hold } = await open(t, { teams: 2 });
  const headers = { 'idempotency-key': 'again' };
  const post = () =>
    service.v1(
      world.key,
      'POST',
      '/partners/bookings',
      {
        ...{ contactId: world.contactId, addressId: world.addressId, serviceId: world.serviceId },
        ...{ date: WORLD_DATE, timeslot: slot('12:00'), preferTeamOf: first },
      },
      headers,
    );
  const [made, repeated] = [await post(), await post()];
  assert.equal(made.body.data.keepsTeam, true);
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(repeated.body.data, made.body.data);
  const key = { 'idempotency-key': 'held' };
  const [held, same] = [await hold('15:00', {}, key), await hold('15:00', {}, key)];
  assert.equal(held.body.data.keepsTeam, true);
  assert.deepEqual(same.body.data, held.body.data);
});

test('a booking of another partner, or none, is not found', async (t) => {
  const { service, again, hold, calendar } = await open(t, {});
  const theirs = (await (await createWorld(service)).book()).body.data.bookingId;
  for (const preferTeamOf of [theirs, randomUUID()]) {
    const answers = [
      again('13:00', { preferTeamOf }),
      hold('13:00', { preferTeamOf }),
      calendar({ preferTeamOf }),
    ];
    for (const { status, body } of await Promise.all(answers))
      assert.deepEqual([status, body.error.message], [404, 'Booking not found']);
  }
  assert.equal((await again('13:00')).status, 200);
});
