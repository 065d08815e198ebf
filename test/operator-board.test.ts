import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, everyDay, WORLD_DATE, type World } from './fixtures.ts';
import { call, startTestService, type TestService } from './harness.ts';

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';

async function board(service: TestService, query: Record<string, string>) {
  const answer = await service.operator('GET', `/board?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function booked(world: World, date: string, startAt: string, endAt: string, more = {}) {
  const answer = await world.book({ date, timeslot: { startAt, endAt }, ...more });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
const period = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) => `${startsAt} ${endsAt}`;

test('the board: teams with their day, and their appointments', async (t) => {
  const service = await startTestService(t);
  const change = async (path: string, body: Record<string, unknown>, method = 'PATCH') => {
    const answer = await service.operator(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const empty = await board(service, { date: WORLD_DATE });
  assert.deepEqual(empty, {
    date: WORLD_DATE,
    from: '2026-11-23T00:00:00+03:00',
    until: '2026-11-24T00:00:00+03:00',
    zones: [],
    teams: [],
    appointments: [],
    holds: [],
  });

  const nights = await createWorld(service, {
    zone: { name: 'B Nights' },
    team: { name: 'Night', shifts: everyDay('20:00', '04:00') },
    service: { assignment: 'deferred', name: 'Deep', nameAr: 'عميق' },
  });
  const days = await createWorld(service, { zone: { name: 'A Days' }, teams: 2 });
  const [first, second] = days.teamIds as [string, string];
  await change(`/teams/${first}`, { name: 'Day 1' });
  await change(`/teams/${second}`, { name: 'Day 2' });

  const before = await booked(nights, '2026-11-22', '23:00', '01:00');
  const over = await booked(nights, WORLD_DATE, '22:00', '00:00');
  const after = await booked(nights, '2026-11-24', '20:00', '22:00');
  const morning = await booked(days, WORLD_DATE, '08:00', '10:00');
  const gone = await booked(days, WORLD_DATE, '12:00', '14:00');
  await change(`/appointments/${gone.appointmentId}`, { status: 'Cancelled' });

  const touching = await change(
    `/teams/${first}/time-off`,
    { startsAt: '2026-11-22T12:00:00+03:00', endsAt: '2026-11-23T00:00:01+03:00', reason: 'Away' },
    'POST',
  );
  for (const [startsAt, endsAt] of [
    ['2026-11-22T12:00:00+03:00', '2026-11-23T00:00:00+03:00'],
    ['2026-11-24T00:00:00+03:00', '2026-11-25T00:00:00+03:00'],
  ])
    await change(`/teams/${first}/time-off`, { startsAt, endsAt }, 'POST');

  const all = await board(service, { date: WORLD_DATE });
  assert.deepEqual(ids(all.zones), [days.zoneId, nights.zoneId], 'by name');
  assert.deepEqual(
    all.teams.map(({ name }: { name: string }) => name),
    ['Day 1', 'Day 2', 'Night'],
  );
  const [dayTeam, , nightTeam] = all.teams;
  assert.deepEqual(nightTeam.shifts.map(period), [
    '2026-11-22T20:00:00+03:00 2026-11-23T04:00:00+03:00',
    '2026-11-23T20:00:00+03:00 2026-11-24T04:00:00+03:00',
  ]);
  assert.deepEqual(dayTeam, {
    id: first,
    name: 'Day 1',
    nameAr: null,
    isActive: true,
    homeZoneId: null,
    zoneIds: [days.zoneId],
    serviceIds: [days.serviceId],
    phone: null,
    travelBufferMinutes: 30,
    shifts: [{ startsAt: '2026-11-23T08:00:00+03:00', endsAt: '2026-11-23T20:00:00+03:00' }],
    timeOff: [
      {
        id: touching.id,
        startsAt: '2026-11-22T12:00:00+03:00',
        endsAt: '2026-11-23T00:00:01+03:00',
        reason: 'Away',
      },
    ],
    version: 2,
  });

  // From the night before and into the next one; not the day after's, nor a cancelled one.
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  const nameOf = async ({ bookingId }: { bookingId: string }) =>
    (await service.operator('GET', `/bookings/${bookingId}`)).body.data.trackingReference;
  const beforeName = await nameOf(before);
  const overName = await nameOf(over);
  assert.deepEqual(names(all.appointments), [beforeName, morning.trackingReference, overName]);
  assert.equal(
    names((await board(service, { date: '2026-11-24' })).appointments).join(),
    [overName, await nameOf(after)].join(),
    'the travel buffer still holds the team after midnight',
  );
  const [, atDay, late] = all.appointments;
  assert.deepEqual([late.status, late.isAssigned, late.teamId], ['New', false, nights.teamIds[0]]);
  assert.deepEqual(late.service, { id: nights.serviceId, nameEn: 'Deep', nameAr: 'عميق' });
  const { data: shown } = (await service.operator('GET', `/bookings/${morning.bookingId}`)).body;
  assert.deepEqual(atDay, {
    id: morning.appointmentId,
    version: 1,
    name: morning.trackingReference,
    status: 'Scheduled',
    isAssigned: true,
    lateMinutes: null,
    lastCall: null,
    teamId: shown.team.id,
    zoneId: days.zoneId,
    startsAt: '2026-11-23T08:00:00+03:00',
    endsAt: '2026-11-23T10:00:00+03:00',
    busyUntil: '2026-11-23T10:30:00+03:00',
    problem: null,
    booking: {
      id: morning.bookingId,
      version: 1,
      status: 'in progress',
      paymentStatus: 'PENDING',
      paymentResponsibility: 'PARTNER',
      amount: 150,
      notes: null,
      seriesId: null,
      seriesIndex: null,
    },
    partner: { id: days.partnerId, name: shown.partnerName },
    service: { id: days.serviceId, nameEn: shown.service.name, nameAr: shown.service.name },
    contact: shown.contact,
    address: shown.address,
  });

  // One zone: its teams, and others with an appointment in it.
  assert.deepEqual(ids((await board(service, { date: WORLD_DATE, zoneId: days.zoneId })).teams), [
    first,
    second,
  ]);
  await change(`/teams/${atDay.teamId}`, { zoneIds: [], isActive: false });
  const zone = await board(service, { date: WORLD_DATE, zoneId: days.zoneId });
  assert.deepEqual(ids(zone.zones), [days.zoneId]);
  assert.deepEqual(ids(zone.teams).sort(), [first, second].sort(), 'inactive and elsewhere, but held here');
  assert.equal(zone.appointments.length, 1);
  const another = await board(service, { date: '2026-11-25', zoneId: days.zoneId });
  assert.equal(another.teams.length, 1, 'an inactive team with nothing to do is left out');
  assert.deepEqual(another.appointments, []);

  const refused = await service.operator('GET', '/board?date=tomorrow&zoneId=x');
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.error.details.message, [
    'date must be a valid ISO 8601 date string',
    'zoneId must be a UUID',
  ]);
  assert.equal((await service.operator('GET', '/board')).status, 400);
  const unknown = await service.operator('GET', `/board?date=${WORLD_DATE}&zoneId=${MISSING}`);
  assert.deepEqual([unknown.status, unknown.body.error.details.resource], [404, 'zone']);
});

test("me: the token's name and role, and the deployment", async (t) => {
  const service = await startTestService(t);
  const first = await service.operator('GET', '/me');
  assert.deepEqual(first.body.data, {
    role: 'admin',
    name: null,
    actor: 'operator:first-token',
    session: null,
    deployment: 'sandbox',
    now: '2026-11-22T08:00:00+03:00',
    timeZone: 'Asia/Riyadh',
  });
  const made = await service.operator('POST', '/tokens', { name: 'Front desk', role: 'viewer' });
  const { token, id } = made.body.data;
  const me = () =>
    call(`${service.operatorUrl}/operator`, 'GET', '/me', undefined, { authorization: `Bearer ${token}` });
  const { role, name, actor } = (await me()).body.data;
  assert.deepEqual([role, name, actor], ['viewer', 'Front desk', `operator-token:${id}`]);
});
