import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, everyDay, WORLD_DATE, type World } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

type Slot = { startAt: string; free: boolean; reason: string | null; appointment: unknown };
type TeamSlots = { id: string; name: string; nameAr: string | null; reason: string | null; slots: Slot[] };

const explain = (service: TestService, query: Record<string, string>) =>
  service.operator('GET', `/availability?${new URLSearchParams(query)}`);

async function explained(service: TestService, world: World, query: Record<string, string> = {}) {
  const answer = await explain(service, {
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: WORLD_DATE,
    ...query,
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function offered(service: TestService, world: World, date = WORLD_DATE, serviceId = world.serviceId) {
  const query = new URLSearchParams({ addressId: world.addressId, serviceId, date });
  const answer = await service.v1(world.key, 'GET', `/partners/timeslots/available?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.slots;
}

const times = (slots: { startAt: string; endAt: string }[]) =>
  slots.map(({ startAt, endAt }) => ({ startAt, endAt }));

async function addTeam(
  service: TestService,
  world: World,
  name: string,
  fields: Record<string, unknown> = {},
) {
  const answer = await service.operator('POST', '/teams', {
    name,
    zoneIds: [world.zoneId],
    serviceIds: [world.serviceId],
    shifts: everyDay('08:00', '20:00'),
    travelBufferMinutes: 30,
    ...fields,
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id as string;
}

test('for every team of the zone and every start: free, or the reasons', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 0, zone: { slotGridMinutes: 60, name: 'Centre' } });
  const early = await addTeam(service, world, 'B early', { shifts: everyDay('08:00', '14:00') });
  const booking = (await world.book()).body.data;
  const late = await addTeam(service, world, 'A late', { shifts: everyDay('12:00', '16:00') });
  const off = await service.operator('POST', `/teams/${late}/time-off`, {
    startsAt: '2026-11-23T13:30:00+03:00',
    endsAt: '2026-11-23T14:00:00+03:00',
  });
  assert.equal(off.status, 201);
  const idle = await addTeam(service, world, 'C idle', { isActive: false });
  const unskilled = await addTeam(service, world, 'D unskilled', { serviceIds: [], shifts: [] });
  await addTeam(service, world, 'E elsewhere', { zoneIds: [] });

  const data = await explained(service, world);
  const held = { id: booking.appointmentId, name: booking.trackingReference, bookingId: booking.bookingId };
  const free = { free: true, reason: null, schedule: null, holds: [], appointment: null };
  const offShift = { free: false, reason: 'OFF_SHIFT', schedule: null, holds: [], appointment: null };
  const timeOff = { free: false, reason: 'TIME_OFF', schedule: null, holds: [], appointment: null };
  const busy = { free: false, reason: 'BUSY', schedule: null, holds: [], appointment: held };
  const hours = Array.from({ length: 12 }, (_, index) => `${String(8 + index).padStart(2, '0')}:00`);
  const slots = (...states: (typeof free | typeof offShift | typeof busy)[]) =>
    hours.map((startAt, index) => ({ startAt, ...(states[index] ?? offShift) }));
  assert.equal(data.date, WORLD_DATE);
  assert.deepEqual(data.zone, { id: world.zoneId, name: 'Centre', nameAr: null });
  assert.deepEqual(data.teams, [
    {
      id: late,
      name: 'A late',
      nameAr: null,
      reason: null,
      slots: slots(offShift, offShift, offShift, offShift, timeOff, timeOff, free),
    },
    // 10:00 to 12:00 is booked, with half an hour on either side.
    { id: early, name: 'B early', nameAr: null, reason: null, slots: slots(busy, busy, busy, busy, busy) },
    {
      id: idle,
      name: 'C idle',
      nameAr: null,
      reason: 'INACTIVE',
      slots: hours.map((startAt, index) =>
        index < 11 ? { startAt, ...free, free: false } : { startAt, ...offShift },
      ),
    },
    { id: unskilled, name: 'D unskilled', nameAr: null, reason: 'NO_SKILL', slots: slots() },
  ]);
  assert.deepEqual(data.slots, [{ startAt: '14:00', endAt: '16:00', teams: 1 }]);
  assert.deepEqual(
    data.starts,
    hours.map((startAt, index) => ({
      startAt,
      endAt: `${String(10 + index).padStart(2, '0')}:00`,
      problem: null,
    })),
  );
  assert.deepEqual(times(data.slots), await offered(service, world));

  // The same by coordinates.
  const place = { lat: String(world.latitude), lng: String(world.longitude) };
  const byPlace = await explain(service, { ...place, serviceId: world.serviceId, date: WORLD_DATE });
  assert.deepEqual(byPlace.body.data, data);
});

test('the slots are those of partners', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const night = await createWorld(service, { teams: 2, team: { shifts: everyDay('20:00', '04:00') } });
  await addTeam(service, world, 'Short', { shifts: everyDay('09:00', '13:00'), travelBufferMinutes: 0 });
  await world.book();
  await world.book({ timeslot: { startAt: '13:00', endAt: '15:00' } });
  await night.book({ timeslot: { startAt: '23:00', endAt: '01:00' } });
  // On the next date, in conflict with the last starts of the one before.
  const late = await createWorld(service, { team: { shifts: everyDay('20:00', '04:00') } });
  await late.book({ date: '2026-11-24', timeslot: { startAt: '00:00', endAt: '02:00' } });
  for (const { teamIds } of [world, night]) {
    await service.operator('POST', `/teams/${teamIds[0]}/time-off`, {
      startsAt: '2026-11-23T21:10:30+03:00',
      endsAt: '2026-11-24T09:00:10+03:00',
    });
  }
  const dates = [
    '2026-11-21',
    '2026-11-22',
    WORLD_DATE,
    '2026-11-24',
    '2027-01-21',
    '2027-01-22',
    '2100-12-31',
  ];
  for (const place of [world, night, late]) {
    for (const date of dates) {
      const { slots, teams, starts } = await explained(service, place, { date });
      assert.deepEqual(times(slots), await offered(service, place, date), date);
      // The number of free teams, counted in another way.
      for (const { startAt, teams: count } of slots) {
        const able = teams.filter(
          (team: TeamSlots) => team.slots.find((slot) => slot.startAt === startAt)?.free,
        );
        assert.equal(able.length, count, `${date} ${startAt}`);
      }
      for (const { startAt, problem } of starts) {
        const anybody = teams.some(
          (team: TeamSlots) => team.slots.find((slot) => slot.startAt === startAt)?.free,
        );
        const isOffered = slots.some((slot: { startAt: string }) => slot.startAt === startAt);
        assert.equal(isOffered, anybody && problem === null, `${date} ${startAt}`);
      }
    }
  }
});

test('the longest appointment holds its team until its travel buffer ends', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    service: { durationMinutes: 1440 },
    team: { shifts: everyDay('20:00', '20:00'), travelBufferMinutes: 480 },
  });
  const short = await service.operator('POST', '/services', {
    name: 'An hour',
    categoryId: world.categoryId,
    durationMinutes: 60,
    defaultPrice: 50,
  });
  const serviceId: string = short.body.data.id;
  const [teamId] = world.teamIds;
  for (const path of [`/zones/${world.zoneId}`, `/teams/${teamId}`]) {
    const changed = await service.operator('PATCH', path, { serviceIds: [world.serviceId, serviceId] });
    assert.equal(changed.status, 200, changed.text);
  }
  const long = await world.book({ timeslot: { startAt: '20:00', endAt: '20:00' } });
  assert.equal(long.status, 200, long.text);
  assert.equal(long.body.data.timeslot.endsAtNextDay, true);

  // From the 23rd, 20:00, until the 25th, 04:00.
  const date = '2026-11-25';
  const slots = await offered(service, world, date, serviceId);
  assert.equal(slots[0].startAt, '04:00');
  assert.deepEqual(times((await explained(service, world, { date, serviceId })).slots), slots);
  const refused = await world.book({ serviceId, date, timeslot: { startAt: '03:30', endAt: '04:30' } });
  assert.deepEqual([refused.status, refused.body.error?.details.reason], [422, 'SLOT_UNAVAILABLE']);
  const board = await service.operator('GET', `/board?date=${date}`);
  assert.deepEqual(
    board.body.data.appointments.map(({ id }: { id: string }) => id),
    [long.body.data.appointmentId],
  );
  const lastHour = { from: '2026-11-24T19:00:00+03:00', to: '2026-11-24T20:00:00+03:00' };
  const plan = await service.operator('POST', `/teams/${teamId}/reassignments`, lastHour);
  assert.equal(plan.body.data.plan.length, 1);
});

test('the reasons why no team can take a start', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const problems = async (query: Record<string, string>) => {
    const { starts, slots } = await explained(service, world, query);
    const kinds = new Map<string | null, string>();
    for (const { startAt, problem } of starts) if (!kinds.has(problem)) kinds.set(problem, startAt);
    return { kinds: Object.fromEntries(kinds), slots: slots.length };
  };
  // It is 08:00 on the 22nd; the notice is two hours.
  assert.deepEqual(await problems({ date: '2026-11-22' }), {
    kinds: { SLOT_INSIDE_NOTICE: '08:00', null: '10:00' },
    slots: 17,
  });
  assert.deepEqual(await problems({ date: '2026-11-21' }), { kinds: { SLOT_IN_PAST: '08:00' }, slots: 0 });
  assert.deepEqual(await problems({ date: '2027-01-22' }), {
    kinds: { SLOT_BEYOND_HORIZON: '08:00' },
    slots: 0,
  });

  // Not in the zone's list.
  const other = await createWorld(service);
  assert.deepEqual(await problems({ serviceId: other.serviceId }), {
    kinds: { SLOT_NOT_OFFERED: '08:00' },
    slots: 0,
  });
  assert.deepEqual(await offered(service, world, WORLD_DATE, other.serviceId), []);
  const { teams } = await explained(service, world, { serviceId: other.serviceId });
  assert.deepEqual(
    teams.map(({ reason }: TeamSlots) => reason),
    ['NO_SKILL'],
  );

  // Not enabled for the partner whose address it is; at the place itself it is.
  await service.operator('PUT', `/partners/${world.partnerId}/services`, { restricted: true, services: [] });
  assert.deepEqual((await problems({})).kinds, { SLOT_NOT_OFFERED: '08:00' });
  const place = { lat: String(world.latitude), lng: String(world.longitude) };
  const anybody = await explain(service, { ...place, serviceId: world.serviceId, date: WORLD_DATE });
  assert.equal(anybody.body.data.slots.length, 21);
  await service.operator('PUT', `/partners/${world.partnerId}/services`, {
    restricted: true,
    services: [{ serviceId: world.serviceId, price: null }],
  });
  assert.deepEqual((await problems({})).kinds, { null: '08:00' });

  for (const path of [`/services/${world.serviceId}`, `/categories/${world.categoryId}`]) {
    await service.operator('PATCH', path, { isActive: false });
    assert.deepEqual(await problems({}), { kinds: { SLOT_NOT_OFFERED: '08:00' }, slots: 0 }, path);
    await service.operator('PATCH', path, { isActive: true });
  }
});

test('outside every zone there are no teams', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const hints = [
    'no active zone covers the place: the area of a zone is GeoJSON, longitude first (POST /operator/zones)',
  ];
  const nothing = { date: WORLD_DATE, zone: null, slots: [], starts: [], teams: [], hints };
  const query = { serviceId: world.serviceId, date: WORLD_DATE };
  assert.deepEqual((await explain(service, { ...query, lat: '-80', lng: '10' })).body.data, nothing);
  await service.operator('PATCH', `/zones/${world.zoneId}`, { isActive: false });
  assert.deepEqual(await explained(service, world), nothing);
});

test('validation errors', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const rest = { serviceId: world.serviceId, date: WORLD_DATE };
  const place = { lat: '24.7', lng: '46.7' };
  const faults = async (query: Record<string, string>) => {
    const answer = await explain(service, query);
    assert.deepEqual([answer.status, answer.body.error?.code], [400, 'VALIDATION_ERROR'], answer.text);
    return answer.body.error.details.message;
  };
  const neither = ['addressId, or lat and lng, must be given'];
  const both = ['addressId and lat, lng must not be given together'];
  assert.deepEqual(await faults(rest), neither);
  assert.deepEqual(await faults({ ...rest, lat: '24.7' }), neither);
  assert.deepEqual(await faults({ ...rest, lng: '46.7' }), neither);
  assert.deepEqual(await faults({ ...rest, ...place, addressId: world.addressId }), both);
  assert.deepEqual(await faults({ ...rest, lat: '24.7', addressId: world.addressId }), both);
  assert.deepEqual(await faults({ ...rest, lat: '91', lng: '1e1' }), [
    'lat must be a latitude string',
    'lng must be a longitude string',
  ]);
  assert.deepEqual(await faults({}), [
    'serviceId must be a UUID',
    'date must be a valid ISO 8601 date string',
    ...neither,
  ]);
  const unlocated = await world.contact({ latitude: undefined, longitude: undefined, cityName: 'Riyadh' });
  assert.deepEqual(await faults({ ...rest, addressId: unlocated.body.data.addressId }), [
    'addressId must belong to an address with coordinates',
  ]);
  const missing = async (query: Record<string, string>) => {
    const { status, body } = await explain(service, query);
    return [status, body.error.code, body.error.message];
  };
  assert.deepEqual(await missing({ ...rest, addressId: MISSING }), [
    404,
    'RESOURCE_NOT_FOUND',
    'Address not found',
  ]);
  assert.deepEqual(await missing({ ...rest, ...place, serviceId: MISSING }), [
    404,
    'RESOURCE_NOT_FOUND',
    'Service not found',
  ]);
});

test('without slots it names missing settings, one after the other', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 0, zone: { serviceIds: [], name: 'Centre' } });
  const hints = async () => (await explained(service, world)).hints as string[];
  const matches = async (...patterns: RegExp[]) => {
    const said = await hints();
    assert.equal(said.length, patterns.length, said.join('; '));
    for (const [index, pattern] of patterns.entries()) assert.match(said[index]!, pattern);
  };
  const patch = async (path: string, body: unknown) => {
    const answer = await service.operator('PATCH', path, body);
    assert.equal(answer.status, 200, answer.text);
  };
  const { serviceId, zoneId } = world;
  const noTeam = /^no team serves the zone Centre/;
  await matches(
    /^the zone Centre does not offer the service: .*PATCH \/operator\/zones\/[0-9a-f-]+\)$/,
    noTeam,
  );
  await patch(`/zones/${zoneId}`, { serviceIds: [serviceId] });
  await matches(noTeam);
  const team = await addTeam(service, world, 'Team', { serviceIds: [], shifts: [] });
  await matches(/^no active team of the zone can do the service/);
  await patch(`/teams/${team}`, { serviceIds: [serviceId] });
  await matches(/weekday 1: weekdays are 1 \(Monday\) to 7 \(Sunday\)$/);
  await patch(`/teams/${team}`, { shifts: everyDay('08:00', '20:00') });
  await matches();
  await patch(`/services/${serviceId}`, { isActive: false });
  await matches(/^the service or its category is not active/);
  await patch(`/services/${serviceId}`, { isActive: true });
  const restricted = await service.operator('PUT', `/partners/${world.partnerId}/services`, {
    restricted: true,
    services: [],
  });
  assert.equal(restricted.status, 200, restricted.text);
  await matches(/^the partner may not use the service/);
});

test('a weekday in another numbering is refused with the meaning of the numbers', async (t) => {
  const service = await startTestService(t);
  const shifts = [0, 8].map((weekday) => ({ weekday, startAt: '08:00', endAt: '16:00' }));
  const answer = await service.operator('POST', '/teams', { name: 'Team', shifts });
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.error.details.hints, [
    'shifts.0.weekday: weekdays are 1 (Monday) to 7 (Sunday)',
    'shifts.1.weekday: weekdays are 1 (Monday) to 7 (Sunday)',
  ]);
});
