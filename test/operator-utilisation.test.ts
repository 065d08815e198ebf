import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { startTestService } from './harness.ts';

const NEXT_DATE = '2026-11-24';

test('utilisation and time off of all teams', async (t) => {
  const service = await startTestService(t);
  const get = async (path: string) => {
    const answer = await service.operator('GET', path);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const send = async (method: string, path: string, body: Record<string, unknown>) => {
    const answer = await service.operator(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const utilisation = async (from: string, to = from) =>
    (await get(`/utilisation?from=${from}&to=${to}`)).data;
  const period = { from: WORLD_DATE, to: WORLD_DATE };
  const none = { workableMinutes: 0, bookedMinutes: 0, utilisation: null };
  assert.deepEqual(await utilisation(WORLD_DATE), { ...period, ...none, zones: [], teams: [] });
  assert.deepEqual((await get(`/time-off?from=${WORLD_DATE}&to=${WORLD_DATE}`)).data, []);

  // A night from Monday to Tuesday, and a day team that serves both zones.
  const night = await createWorld(service, {
    zone: { name: 'A Nights' },
    team: { name: 'Night', shifts: [{ weekday: 1, startAt: '20:00', endAt: '04:00' }] },
  });
  const day = await createWorld(service, {
    zone: { name: 'B Days' },
    team: { name: 'Day', shifts: [{ weekday: 1, startAt: '08:00', endAt: '18:00' }] },
  });
  const dayTeam = day.teamIds[0]!;
  await send('PATCH', `/teams/${dayTeam}`, { zoneIds: [day.zoneId, night.zoneId] });
  const booked = async (world: typeof day, startAt: string, endAt: string) => {
    const answer = await world.book({ timeslot: { startAt, endAt } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.appointmentId as string;
  };
  await booked(night, '23:00', '01:00');
  const hit = await booked(day, '09:00', '11:00');
  const gone = await booked(day, '14:00', '16:00');
  await send('PATCH', `/appointments/${gone}`, { status: 'Cancelled' });
  const off = (startsAt: string, endsAt: string, reason?: string) =>
    send('POST', `/teams/${dayTeam}/time-off`, { startsAt, endsAt, ...(reason !== undefined && { reason }) });
  const first = await off('2026-11-23T10:00:00+03:00', '2026-11-23T12:00:00+03:00', 'Doctor');
  await off('2026-11-23T11:00:00+03:00', '2026-11-23T13:00:00+03:00');
  await off('2026-11-24T00:00:00+03:00', '2026-11-26T00:00:00+03:00');

  const both = await utilisation(WORLD_DATE, NEXT_DATE);
  const figures = (workableMinutes: number, bookedMinutes: number, ratio: number | null) => ({
    workableMinutes,
    bookedMinutes,
    utilisation: ratio,
  });
  // The day team works 10 hours without 3 of time off, half of them in each zone.
  assert.deepEqual(both, {
    from: WORLD_DATE,
    to: NEXT_DATE,
    ...figures(480 + 420, 240, 0.2667),
    zones: [
      {
        id: night.zoneId,
        name: 'A Nights',
        nameAr: null,
        ...figures(480 + 210, 120, 0.1739),
        days: [
          { date: WORLD_DATE, ...figures(240 + 210, 60, 0.1333) },
          { date: NEXT_DATE, ...figures(240, 60, 0.25) },
        ],
      },
      {
        id: day.zoneId,
        name: 'B Days',
        nameAr: null,
        ...figures(210, 120, 0.5714),
        days: [
          { date: WORLD_DATE, ...figures(210, 120, 0.5714) },
          { date: NEXT_DATE, ...figures(0, 0, null) },
        ],
      },
    ],
    teams: [
      { id: dayTeam, name: 'Day', nameAr: null, isActive: true, ...figures(420, 120, 0.2857) },
      { id: night.teamIds[0], name: 'Night', nameAr: null, isActive: true, ...figures(480, 120, 0.25) },
    ],
  });
  // An inactive team has no working time; its appointments stay.
  await send('PATCH', `/teams/${dayTeam}`, { isActive: false });
  const { teams } = await utilisation(WORLD_DATE);
  assert.deepEqual(teams[0], {
    id: dayTeam,
    name: 'Day',
    nameAr: null,
    isActive: false,
    ...figures(0, 120, null),
  });
  assert.equal((await utilisation('2026-11-25')).teams.length, 1);

  const list = await get(`/time-off?from=${WORLD_DATE}&to=${WORLD_DATE}`);
  assert.deepEqual(
    list.data.map(({ startsAt }: { startsAt: string }) => startsAt),
    ['2026-11-23T10:00:00+03:00', '2026-11-23T11:00:00+03:00'],
    'by start, without the day after',
  );
  assert.deepEqual(list.data[0], { ...first, teamName: 'Day', teamNameAr: null });
  assert.deepEqual(
    first.appointments.map(({ id }: { id: string }) => id),
    [hit],
  );
  const count = async (query: string) => (await get(`/time-off?${query}`)).meta.total;
  assert.equal(await count(`from=2026-11-25&to=2026-11-30`), 1, 'it began earlier');
  assert.equal(await count(`from=2026-11-26&to=2026-11-30`), 0);
  assert.equal(await count(`from=2026-11-22&to=2026-11-30&teamId=${dayTeam}&limit=1`), 3);
  assert.equal(await count(`from=2026-11-22&to=2026-11-30&teamId=${night.teamIds[0]}`), 0);

  for (const path of ['/utilisation', '/time-off']) {
    const faults = async (query: string) =>
      (await service.operator('GET', `${path}?${query}`)).body.error.details.message;
    assert.deepEqual(await faults('from=today'), [
      'to must be a valid ISO 8601 date string',
      'from must be a valid ISO 8601 date string',
    ]);
    assert.deepEqual(await faults('from=2026-11-24&to=2026-11-23'), ['to must not be before from']);
  }
  assert.equal((await utilisation('2026-10-01', '2026-12-31')).zones[0].days.length, 92);
  assert.equal((await service.operator('GET', '/utilisation?from=2026-10-01&to=2027-01-01')).status, 400);
});
