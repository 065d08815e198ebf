import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { alsoOnServer, startTestService } from './harness.ts';

/** A sold visit that the operator moves displaces what is only held (docs/decisions/holds.md). */

const slot = (startAt: string) => ({ startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}:00` });
const HELD = '10:00';
const SOLD = '14:00';

/** A visit at 14:00, and a slot at 10:00 that another customer holds with the same team; of two teams the other is free then. */
async function open(t: TestContext, teams: number) {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams });
  const partner = (method: string, path: string, body?: unknown) =>
    service.v1(world.key, method, `/partners${path}`, body);
  const customer = async () => {
    const { id: contactId, addressId } = (await world.contact()).body.data;
    return { contactId, addressId, serviceId: world.serviceId, date: WORLD_DATE, timeslot: slot(HELD) };
  };
  const who = await customer();
  const { contactId: _, ...place } = who;
  const { holdId, price, expiresAt } = (await partner('POST', '/holds', place)).body.data;
  const listed = async () =>
    (await service.operator('GET', '/holds')).body.data.map((hold: { holdId: string; teamId: string }) => [
      hold.holdId,
      hold.teamId,
    ]);
  const [[, teamId]] = await listed();
  const other = await customer();
  const booked = (await partner('POST', '/bookings', { ...other, timeslot: slot(SOLD) })).body.data;
  const id: string = booked.appointmentId;
  const read = async () => (await service.operator('GET', `/appointments/${id}`)).body.data;
  if ((await read()).team.id !== teamId)
    assert.equal((await service.operator('PATCH', `/appointments/${id}`, { teamId })).status, 200);
  return { service, world, partner, who, holdId, price, expiresAt, listed, teamId, booked, id, read };
}

type Opened = Awaited<ReturnType<typeof open>>;
type Moved = { status: number; reason: string | undefined; holds: { holdId: string }[] | undefined };

/** Each way in which the operator moves a sold visit. */
const DOORS: Record<string, (opened: Opened, displaceHolds?: string[]) => Promise<Moved>> = {
  'a move to the team': async (opened, displaceHolds) =>
    told(await patch(opened, { timeslot: slot(HELD), teamId: opened.teamId, ...named(displaceHolds) })),
  'a forced move': async (opened, displaceHolds) =>
    told(
      await patch(opened, {
        timeslot: slot(HELD),
        teamId: opened.teamId,
        force: true,
        reason: 'The customer asked',
        ...named(displaceHolds),
      }),
    ),
  'a delay': async ({ service, teamId, id, read }, displaceHolds) =>
    told(
      await service.operator('POST', `/teams/${teamId}/delays`, {
        date: WORLD_DATE,
        minutes: -240,
        apply: [{ appointmentId: id, version: (await read()).version, ...named(displaceHolds) }],
      }),
    ),
  'a reassignment': async (opened, displaceHolds) => {
    const { service, id } = opened;
    const { body } = await service.operator('POST', '/appointments/reassignments', {
      appointmentIds: [id],
      apply: [await placeAt(opened, displaceHolds)],
    });
    const [{ outcome, refusal }] = body.data.results;
    return { status: outcome === 'MOVED' ? 200 : 422, reason: refusal?.reason, holds: refusal?.holds };
  },
  'an undo': async (opened, displaceHolds) =>
    told(
      await opened.service.operator('POST', '/appointments/reassignments/undo', {
        apply: [await placeAt(opened, displaceHolds)],
      }),
    ),
  'another visit': async (opened, displaceHolds) => {
    const { service, booked, teamId, read } = opened;
    if ((await read()).status !== 'Cannot Complete')
      for (const status of ['In The Way', 'Cannot Complete'])
        assert.equal((await patch(opened, { status })).status, 200);
    return told(
      await service.operator('POST', `/bookings/${booked.bookingId}/revisit`, {
        date: WORLD_DATE,
        timeslot: slot(HELD),
        teamId,
        ...named(displaceHolds),
      }),
    );
  },
};

const amountOf = async ({ service }: Opened, bookingId: string): Promise<number> =>
  (await service.operator('GET', `/bookings/${bookingId}`)).body.data.amount;
const named = (displaceHolds?: string[]) => displaceHolds && { displaceHolds };
const patch = ({ service, id }: Opened, body: object) =>
  service.operator('PATCH', `/appointments/${id}`, body);
const placeAt = async ({ id, teamId, read }: Opened, displaceHolds?: string[]) => ({
  appointmentId: id,
  version: (await read()).version,
  teamId,
  date: WORLD_DATE,
  timeslot: slot(HELD),
  ...named(displaceHolds),
});
function told({ status, body }: Awaited<ReturnType<typeof patch>>): Moved {
  return { status, reason: body.error?.details.reason, holds: body.error?.details.holds };
}

for (const [name, move] of Object.entries(DOORS)) {
  test(`${name}: the hold goes to another free team`, async (t) => {
    const opened = await open(t, 2);
    const { holdId, teamId, partner, who, price, read, listed } = opened;
    assert.deepEqual(await move(opened), { status: 200, reason: undefined, holds: undefined });
    assert.deepEqual([(await read()).team.id, (await read()).timeslot.startAt], [teamId, HELD]);
    const [[held, now]] = await listed();
    assert.equal(held, holdId);
    assert.notEqual(now, teamId);
    const booked = await partner('POST', '/bookings', { ...who, holdId });
    assert.equal(booked.status, 200, booked.text);
    assert.equal(await amountOf(opened, booked.body.data.bookingId), price);
  });

  test(`${name}: without a free team the hold ends only when it is named`, async (t) => {
    const opened = await open(t, 1);
    const { service, world, holdId, expiresAt, partner, read, listed } = opened;
    const { name: partnerName } = (await service.operator('GET', `/partners/${world.partnerId}`)).body.data;
    const refused = await move(opened);
    assert.deepEqual([refused.status, refused.reason], [422, 'HELD']);
    assert.deepEqual(refused.holds, [
      {
        holdId,
        partnerName,
        startsAt: `${WORLD_DATE}T10:00:00+03:00`,
        endsAt: `${WORLD_DATE}T12:00:00+03:00`,
        expiresAt,
      },
    ]);
    assert.equal((await read()).timeslot.startAt, SOLD, 'nothing has changed');
    assert.deepEqual(
      (await listed()).map(([id]: string[]) => id),
      [holdId],
    );
    // Another name confirms nothing.
    assert.equal((await move(opened, [opened.booked.bookingId])).reason, 'HELD');
    assert.equal((await move(opened, [holdId.toUpperCase()])).status, 200);
    assert.equal((await read()).timeslot.startAt, HELD);
    assert.deepEqual(await listed(), []);
    assert.equal((await partner('GET', `/holds/${holdId}`)).body.data.status, 'RELEASED');
    const { data } = (await service.operator('GET', `/audit?target=hold:${holdId}`)).body;
    assert.deepEqual(
      data.map(({ action }: { action: string }) => action),
      ['hold.displace'],
    );
  });
}

test('the price of a displaced hold holds for other slots until its end', async (t) => {
  const opened = await open(t, 1);
  const { service, world, partner, who, holdId, price, expiresAt } = opened;
  assert.equal((await DOORS['a move to the team']!(opened, [holdId])).status, 200);
  const path = `/services/${world.serviceId}`;
  const { version } = (await service.operator('GET', path)).body.data;
  await service.operator('PATCH', path, { defaultPrice: price + 100, version });
  const refused = await partner('POST', '/bookings', { ...who, holdId });
  const { reason, alternatives, ...details } = refused.body.error.details;
  const without = await partner('POST', '/bookings', who);
  assert.deepEqual(without.body.error.details, { reason, alternatives, ...details }, 'also without its id');
  assert.deepEqual([refused.status, reason], [422, 'HOLD_DISPLACED']);
  assert.deepEqual(
    [details.holdId, details.price, details.currency, details.expiresAt],
    [holdId, price, 'SAR', expiresAt],
  );
  const at = async (index: number) => {
    const { date, ...timeslot } = alternatives[index];
    const { status, body } = await partner('POST', '/bookings', { ...who, date, timeslot, holdId });
    return [status, status === 200 ? await amountOf(opened, body.data.bookingId) : body.error.code];
  };
  assert.deepEqual(await at(0), [200, price]);
  assert.deepEqual(await at(1), [409, 'HOLD_CONSUMED'], 'once');

  const late = await open(t, 1);
  assert.equal((await DOORS['a move to the team']!(late, [late.holdId])).status, 200);
  late.service.clock.set(Date.parse(late.expiresAt));
  const atEnd = await late.partner('POST', '/bookings', { ...late.who, holdId: late.holdId });
  assert.deepEqual(
    [atEnd.body.error.details.reason, atEnd.body.error.details.price],
    ['HOLD_DISPLACED', undefined],
  );
  const { version: then } = (await late.service.operator('GET', `/services/${late.world.serviceId}`)).body
    .data;
  const dearer = { defaultPrice: price + 100, version: then };
  await late.service.operator('PATCH', `/services/${late.world.serviceId}`, dearer);
  const { date, ...timeslot } = atEnd.body.error.details.alternatives[0];
  const over = await late.partner('POST', '/bookings', { ...late.who, date, timeslot, holdId: late.holdId });
  assert.equal(over.body.error.details.reason, 'PRICE_CHANGED');
});

test(
  'two visits change places with a hold: it takes the team that the visit leaves',
  alsoOnServer,
  async (t) => {
    const opened = await open(t, 2);
    const { service, world, id, teamId, holdId, listed } = opened;
    const [left] = world.teamIds.filter((team) => team !== teamId);
    const at = (team: string) => patch(opened, { timeslot: slot(HELD), teamId: team });
    assert.equal((await at(left!)).status, 200);
    assert.equal((await at(teamId)).status, 200);
    assert.equal((await service.operator('GET', `/appointments/${id}`)).body.data.team.id, teamId);
    assert.deepEqual(await listed(), [[holdId, left]]);
  },
);

test('the slot of a customer is not displaced by another customer, nor her own hold by her visit', async (t) => {
  const opened = await open(t, 1);
  const { partner, booked, world, holdId, service } = opened;
  const moved = await partner('PATCH', `/bookings/${booked.bookingId}`, { timeslot: slot(HELD) });
  assert.equal(moved.body.error.details.reason, 'SLOT_UNAVAILABLE');
  assert.equal((await partner('DELETE', `/holds/${holdId}`)).status, 200);
  const own = { addressId: booked.addressId, serviceId: world.serviceId, date: WORLD_DATE };
  const hold = (await partner('POST', '/holds', { ...own, timeslot: slot(HELD) })).body.data;
  const path = `/appointments/${opened.id}/placements?date=${WORLD_DATE}`;
  const { slots } = (await service.operator('GET', path)).body.data.teams[0];
  const ten = slots.find(({ startAt }: { startAt: string }) => startAt === HELD);
  assert.deepEqual([ten.free, ten.holds], [true, []]);
  assert.equal((await patch(opened, { timeslot: slot(HELD) })).status, 200);
  assert.equal((await partner('GET', `/holds/${hold.holdId}`)).body.data.status, 'CONSUMED');
});

test('plans name the holds in their way, and go to no other day because of one', async (t) => {
  const opened = await open(t, 1);
  const { service, teamId, id, holdId, expiresAt } = opened;
  const post = async (path: string, body: object) =>
    (await service.operator('POST', path, body)).body.data.plan;
  const names = (holds: { holdId: string; expiresAt: string }[]) =>
    holds.map((hold) => [hold.holdId, hold.expiresAt]);
  const [late] = await post(`/teams/${teamId}/delays`, { date: WORLD_DATE, minutes: -240 });
  assert.deepEqual([late.problem, names(late.holds)], [null, [[holdId, expiresAt]]]);
  const [soon] = await post(`/teams/${teamId}/delays`, { date: WORLD_DATE, minutes: 30 });
  assert.deepEqual(soon.holds, []);
  // The only two hours that are left are those at which a customer looks.
  await service.operator('POST', `/teams/${teamId}/time-off`, {
    startsAt: `${WORLD_DATE}T12:00:00+03:00`,
    endsAt: `${WORLD_DATE}T23:59:00+03:00`,
    reason: 'ill',
  });
  await service.operator('POST', `/teams/${teamId}/time-off`, {
    startsAt: `${WORLD_DATE}T00:00:00+03:00`,
    endsAt: `${WORLD_DATE}T10:00:00+03:00`,
    reason: 'ill',
  });
  const [{ proposal }] = await post('/appointments/reassignments', { appointmentIds: [id] });
  assert.deepEqual([proposal.date, proposal.timeslot.startAt], [WORLD_DATE, HELD]);
  assert.deepEqual(names(proposal.holds), [[holdId, expiresAt]]);
  const query = new URLSearchParams({
    addressId: opened.who.addressId,
    serviceId: opened.world.serviceId,
    date: WORLD_DATE,
  });
  const { teams } = (await service.operator('GET', `/availability?${query}`)).body.data;
  const ten = teams[0].slots.find(({ startAt }: { startAt: string }) => startAt === HELD);
  assert.deepEqual([ten.reason, ten.appointment, names(ten.holds)], ['BUSY', null, [[holdId, expiresAt]]]);
  service.clock.set(Date.parse(expiresAt));
  assert.deepEqual((await post(`/teams/${teamId}/delays`, { date: WORLD_DATE, minutes: -240 }))[0].holds, []);
});

test('a booking and a move for the same held slot at once: one of them has it', alsoOnServer, async (t) => {
  for (let round = 0; round < 6; round++) {
    const opened = await open(t, 1);
    const { partner, who, holdId, read } = opened;
    const [booked, moved] = await Promise.all([
      partner('POST', '/bookings', { ...who, holdId }),
      DOORS['a move to the team']!(opened, [holdId]),
    ]);
    const { startAt } = (await read()).timeslot;
    const outcome = [booked.status, moved.status, startAt];
    assert.deepEqual(outcome, startAt === HELD ? [422, 200, HELD] : [200, 422, SOLD], `round ${round}`);
    if (startAt === HELD) assert.equal(booked.body.error.details.reason, 'HOLD_DISPLACED');
    else assert.equal(moved.reason, 'BUSY');
    // The displaced customer may come back later.
    opened.service.clock.advance(20 * MINUTE);
  }
});
