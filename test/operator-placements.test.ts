import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, everyDay, WORLD_DATE } from './fixtures.ts';
import { startTestService } from './harness.ts';

const MISSING = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
type Slot = {
  startAt: string;
  free: boolean;
  reason: string | null;
  detourKm: number | null;
  appointment: unknown;
};
type Team = {
  id: string;
  name: string;
  reason: string | null;
  rank: number | null;
  keepsTeam: boolean;
  usedMinutes: number;
  best: { startAt: string; endAt: string; keepsTime: boolean; detourKm: number } | null;
  slots: Slot[];
};

test('placements of an appointment: every team and start, the best first', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 0, zone: { slotGridMinutes: 60 } });
  const { latitude } = world;
  const add = async (name: string, fields: Record<string, unknown> = {}): Promise<string> => {
    const answer = await service.operator('POST', '/teams', {
      name,
      zoneIds: [world.zoneId],
      serviceIds: [world.serviceId],
      shifts: everyDay('08:00', '20:00'),
      travelBufferMinutes: 30,
      ...fields,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data.id;
  };
  const own = await add('Own');
  const book = async (startAt: string, teamId: string, north = 0): Promise<string> => {
    const contact = await world.contact({ latitude: String((latitude + north).toFixed(6)) });
    const { id: contactId, addressId } = contact.body.data;
    const endAt = `${String(Number(startAt.slice(0, 2)) + 2).padStart(2, '0')}:00`;
    const answer = await world.book({ contactId, addressId, timeslot: { startAt, endAt } });
    assert.equal(answer.status, 200, answer.text);
    const moved = await service.operator('PATCH', `/appointments/${answer.body.data.appointmentId}`, {
      teamId,
    });
    assert.equal(moved.status, 200, moved.text);
    return answer.body.data.appointmentId;
  };
  const id = await book('10:00', own);
  const near = await add('Near');
  const far = await add('Far');
  await add('Night', { shifts: everyDay('22:00', '06:00') });
  await add('Off', { isActive: false });
  await add('Untaught', { serviceIds: [] });
  const placements = async (query = `?date=${WORLD_DATE}`) => {
    const answer = await service.operator('GET', `/appointments/${id}/placements${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const teamOf = (data: { teams: Team[] }, name: string): Team =>
    data.teams.find((team) => team.name === name)!;
  const slotAt = (team: Team, startAt: string): Slot => team.slots.find((slot) => slot.startAt === startAt)!;

  // Near is a kilometre away from its other visit, Far eleven. 0.01 degrees of latitude are 1.1 km.
  const blocking = await book('13:00', near, 0.01);
  await book('13:00', far, 0.09);
  const data = await placements();
  assert.deepEqual(
    data.teams.map(({ name, rank }: Team) => [name, rank]),
    [
      ['Own', 1],
      ['Near', 2],
      ['Far', 3],
      ['Night', 4],
      ['Off', null],
      ['Untaught', null],
    ],
  );
  assert.deepEqual(
    [data.appointmentId, data.date, data.isMovable, data.zone.id, data.version],
    [id, WORLD_DATE, true, world.zoneId, 1],
  );
  const mine = teamOf(data, 'Own');
  assert.deepEqual(
    [mine.keepsTeam, mine.usedMinutes, mine.best],
    [true, 0, { startAt: '10:00', endAt: '12:00', keepsTime: true, detourKm: 0 }],
  );
  assert.equal(slotAt(mine, '10:00').free, true, 'what it holds itself is free');
  const others = teamOf(data, 'Near');
  assert.deepEqual(
    [others.keepsTeam, others.usedMinutes, others.best],
    [false, 150, { startAt: '10:00', endAt: '12:00', keepsTime: true, detourKm: 1.1 }],
  );
  const busy = slotAt(others, '12:00');
  assert.deepEqual([busy.free, busy.reason, busy.detourKm], [false, 'BUSY', null]);
  assert.equal((busy.appointment as { id: string }).id, blocking);
  assert.equal(teamOf(data, 'Far').best!.detourKm, 10);
  assert.equal(slotAt(teamOf(data, 'Night'), '10:00').reason, 'OFF_SHIFT');
  assert.deepEqual(teamOf(data, 'Night').best, {
    startAt: '04:00',
    endAt: '06:00',
    keepsTime: false,
    detourKm: 0,
  });
  assert.deepEqual(
    ['Off', 'Untaught'].map((name) => teamOf(data, name).reason),
    ['INACTIVE', 'NO_SKILL'],
  );
  assert.ok(data.starts.every(({ startAt }: Slot, index: number) => startAt === mine.slots[index]!.startAt));

  // Between two visits: the travel there and on, minus the saved one. At another time than its own: a lower rank.
  await book('08:00', near, 0.01);
  const between = teamOf(await placements(), 'Near');
  assert.deepEqual(
    [slotAt(between, '10:00').reason, between.best!.keepsTime, between.rank],
    ['BUSY', false, 4],
  );
  assert.equal(slotAt(between, '16:00').detourKm, 1.1);

  // A slot that is free here is accepted there, and others are not.
  const free = slotAt(between, '16:00');
  const take = (teamId: string, startAt: string, endAt: string) =>
    service.operator('PATCH', `/appointments/${id}`, {
      teamId,
      date: WORLD_DATE,
      timeslot: { startAt, endAt },
    });
  assert.equal((await take(near, '12:00', '14:00')).body.error.details.reason, 'BUSY');
  assert.equal((await take(near, free.startAt, '18:00')).status, 200);
  assert.equal(
    teamOf(await placements(''), 'Near').keepsTeam,
    true,
    "without a date it is the appointment's",
  );

  const past = await placements('?date=2026-11-22');
  assert.equal(past.starts.find(({ startAt }: Slot) => startAt === '08:00').problem, 'SLOT_INSIDE_NOTICE');
  const over = await placements('?date=2026-11-21');
  assert.deepEqual(
    over.teams.filter(({ best, rank }: Team) => best !== null || rank !== null),
    [],
    'nothing suits of what is not offered',
  );
  await service.operator('PATCH', `/zones/${world.zoneId}`, { isActive: false });
  // It is sold: at its own time other teams of the zone may still do it, and at no other.
  const switchedOff = await placements();
  assert.equal(switchedOff.zone.id, world.zoneId);
  assert.deepEqual(
    switchedOff.starts
      .filter(({ problem }: { problem: string | null }) => problem === null)
      .map(({ startAt, endAt }: Slot & { endAt: string }) => [startAt, endAt]),
    [['16:00', '18:00']],
  );
  const { best } = teamOf(switchedOff, 'Own');
  assert.deepEqual([best!.startAt, best!.keepsTime], ['16:00', true]);
  assert.equal((await take(own, '12:00', '14:00')).status, 422);
  assert.equal((await take(own, '16:00', '18:00')).status, 200);
  await service.operator('PATCH', `/appointments/${id}`, { status: 'Cancelled' });
  assert.equal((await placements()).isMovable, false);

  assert.equal((await service.operator('GET', `/appointments/${MISSING}/placements`)).status, 404);
  const bad = await service.operator('GET', '/appointments/x/placements?date=x');
  assert.deepEqual(bad.body.error.details.message, [
    'id must be a UUID',
    'date must be a valid ISO 8601 date string',
  ]);
});
