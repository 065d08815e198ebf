import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, SECOND, weekdayOf } from '../src/base/clock.ts';
import { createWorld, everyDay, WORLD_DATE, type World } from './fixtures.ts';
import {
  call,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onServer,
  startTestService,
  type TestService,
} from './harness.ts';
import { until } from './until.ts';

/** Hours of teams on dates that are not like the others. */

const SEASON = { nameEn: 'Season', nameAr: 'موسم' };

async function ok(service: TestService, method: string, path: string, body?: unknown) {
  const answer = await service.operator(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body.data;
}

/** The starts that the partner is offered on the date. */
async function startsOn(service: TestService, world: World, date: string): Promise<string[]> {
  const query = `addressId=${world.addressId}&serviceId=${world.serviceId}`;
  const answer = await service.v1(world.key, 'GET', `/partners/timeslots/available?${query}&date=${date}`);
  assert.equal(answer.status, 200, answer.text);
  const starts = answer.body.data.slots.map((slot: { startAt: string }) => slot.startAt);
  const calendar = await service.v1(
    world.key,
    'GET',
    `/partners/timeslots/calendar?${query}&from=${date}&to=${date}`,
  );
  assert.deepEqual(
    calendar.body.data.days[0].slots.map((slot: { startAt: string }) => slot.startAt),
    starts,
    'the calendar has the same',
  );
  return starts;
}

const edges = (starts: string[]) => [starts[0], starts.at(-1)];

test('a schedule sets the hours of its dates for slots, bookings, holds, board and utilisation', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  assert.deepEqual(edges(await startsOn(service, world, WORLD_DATE)), ['08:00', '18:00']);

  // An evening until after midnight, with a pause.
  const next = addDays(WORLD_DATE, 1);
  const { schedule } = await ok(service, 'POST', '/schedules', {
    ...SEASON,
    from: WORLD_DATE,
    to: WORLD_DATE,
    weekly: everyDay('18:00', '02:00'),
    breaks: [{ startAt: '20:00', endAt: '20:30' }],
  });
  assert.deepEqual(
    edges(await startsOn(service, world, addDays(next, 1))),
    ['08:00', '18:00'],
    'the dates after it',
  );
  const evening = await startsOn(service, world, WORLD_DATE);
  assert.deepEqual(
    evening.filter((start) => start < '20:30'),
    ['18:00'],
    'the pause begins two hours after',
  );
  assert.ok(evening.includes('20:30') && evening.includes('23:30'));
  assert.equal(
    (await startsOn(service, world, next))[0],
    '00:00',
    'the rest of the night belongs to the day before',
  );

  const day = { startAt: '10:00', endAt: '12:00' };
  const refused = await world.book({ timeslot: day });
  assert.equal(refused.status, 422, refused.text);
  const hold = (timeslot: unknown) =>
    service.v1(world.key, 'POST', '/partners/holds', {
      addressId: world.addressId,
      serviceId: world.serviceId,
      date: WORLD_DATE,
      timeslot,
    });
  assert.equal((await hold(day)).status, 422);
  assert.equal((await hold({ startAt: '23:00', endAt: '01:00' })).status, 200);
  const booked = await world.book({ timeslot: { startAt: '18:00', endAt: '20:00' } });
  assert.equal(booked.status, 200, booked.text);

  const board = await ok(service, 'GET', `/board?date=${WORLD_DATE}`);
  const shifts = board.teams
    .find(({ id }: { id: string }) => id === world.teamIds[0])
    .shifts.map((shift: { startsAt: string; endsAt: string }) => [
      shift.startsAt.slice(11, 16),
      shift.endsAt.slice(11, 16),
    ]);
  assert.deepEqual(shifts, [
    ['18:00', '20:00'],
    ['20:30', '02:00'],
  ]);
  const used = await ok(service, 'GET', `/utilisation?from=${WORLD_DATE}&to=${WORLD_DATE}`);
  const team = used.teams.find(({ id }: { id: string }) => id === world.teamIds[0]);
  assert.equal(team.workableMinutes, 330, '18:00 to midnight without the pause');

  const [hours] = await ok(
    service,
    'GET',
    `/teams/${world.teamIds[0]}/hours?from=${WORLD_DATE}&to=${WORLD_DATE}`,
  );
  assert.deepEqual(hours.schedule, { id: schedule.id, ...SEASON });
  assert.equal(hours.breaks[0].startsAt, `${WORLD_DATE}T20:00:00+03:00`);

  await ok(service, 'DELETE', `/schedules/${schedule.id}`);
  assert.deepEqual(
    edges(await startsOn(service, world, WORLD_DATE)),
    ['08:00', '15:30'],
    'the visit at 18:00 stays',
  );
});

test('availability names the schedule that is against a slot', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { schedule } = await ok(service, 'POST', '/schedules', {
    ...SEASON,
    from: WORLD_DATE,
    to: WORLD_DATE,
    closed: true,
  });
  const place = `addressId=${world.addressId}&serviceId=${world.serviceId}&date=${WORLD_DATE}`;
  const { slots, teams } = await ok(service, 'GET', `/availability?${place}`);
  assert.deepEqual(slots, []);
  const at = (startAt: string) =>
    teams[0].slots.find((slot: { startAt: string }) => slot.startAt === startAt);
  assert.deepEqual([at('10:00').reason, at('10:00').schedule], ['SCHEDULE', { id: schedule.id, ...SEASON }]);
  assert.deepEqual(
    [at('18:30').reason, at('18:30').schedule],
    ['OFF_SHIFT', null],
    'the weekly shift ends before',
  );
});

test('the highest priority wins for its teams; breaks of all add up', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const other = await createWorld(service);
  const season = (fields: Record<string, unknown>) =>
    ok(service, 'POST', '/schedules', { ...SEASON, from: WORLD_DATE, to: null, ...fields });
  await season({ weekly: everyDay('10:00', '16:00'), priority: 1 });
  await season({ weekly: everyDay('12:00', '18:00'), priority: 2, zoneIds: [world.zoneId] });
  assert.deepEqual(edges(await startsOn(service, world, WORLD_DATE)), ['12:00', '16:00']);
  assert.deepEqual(edges(await startsOn(service, other, WORLD_DATE)), ['10:00', '14:00']);

  const { schedule: prayer } = await season({
    breaks: [{ weekdays: [weekdayOf(WORLD_DATE)], startAt: '12:00', endAt: '13:00' }],
    priority: -5,
    teamIds: [world.teamIds[0]],
  });
  assert.equal(
    (await startsOn(service, world, WORLD_DATE))[0],
    '13:00',
    'a break keeps the hours of another',
  );
  assert.equal((await startsOn(service, world, addDays(WORLD_DATE, 1)))[0], '12:00', 'another weekday');
  // Of equal priority the last made.
  service.clock.advance(SECOND);
  await season({ closed: true, priority: 2 });
  assert.deepEqual(await startsOn(service, world, WORLD_DATE), []);

  // A zone's hours are those of the active teams that serve it, by name, as each of them has them.
  for (const { zoneId, teamIds } of [world, other]) {
    const dates = `from=${WORLD_DATE}&to=${addDays(WORLD_DATE, 1)}`;
    const teams = await ok(service, 'GET', `/zones/${zoneId}/hours?${dates}`);
    const own = await ok(service, 'GET', `/teams/${teamIds[0]}/hours?${dates}`);
    assert.equal(own.length, 2);
    assert.deepEqual(teams, [
      { team: { id: teamIds[0], name: teams[0].team.name, nameAr: null }, days: own },
    ]);
    await ok(service, 'PATCH', `/teams/${teamIds[0]}`, { isActive: false });
    assert.deepEqual(await ok(service, 'GET', `/zones/${zoneId}/hours?${dates}`), []);
    await ok(service, 'PATCH', `/teams/${teamIds[0]}`, { isActive: true });
  }

  const changed = await ok(service, 'PATCH', `/schedules/${prayer.id}`, { zoneIds: [other.zoneId] });
  assert.deepEqual([changed.schedule.teamIds, changed.schedule.zoneIds], [null, [other.zoneId]]);
});

test('a preview says what saving then does, and sold visits stay in attention', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const book = async (date: string, startAt: string, endAt: string) => {
    const answer = await world.book({ date, timeslot: { startAt, endAt } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const eid = addDays(WORLD_DATE, 2);
  const sold = [await book(eid, '10:00', '12:00'), await book(eid, '14:00', '16:00')];
  await book(WORLD_DATE, '10:00', '12:00');
  const cancelled = await book(addDays(eid, 1), '10:00', '12:00');
  await ok(service, 'POST', `/bookings/${cancelled.bookingId}/cancel`, { reason: 'Asked' }).catch(() =>
    ok(service, 'PATCH', `/appointments/${cancelled.appointment.id}`, { status: 'Cancelled' }),
  );

  const body = { ...SEASON, from: eid, to: addDays(eid, 3), closed: true };
  const preview = await ok(service, 'POST', '/schedules?preview=true', body);
  assert.equal(preview.isApplied, false);
  assert.deepEqual((await service.operator('GET', '/schedules')).body.data, [], 'nothing is kept');
  assert.deepEqual(
    preview.appointments.rows.map((row: { bookingId: string }) => row.bookingId),
    sold.map(({ bookingId }) => bookingId),
  );
  assert.deepEqual(preview.appointments.days, [
    {
      date: eid,
      zoneId: world.zoneId,
      zoneName: preview.appointments.rows[0].zone.name,
      zoneNameAr: null,
      appointments: 2,
    },
  ]);
  assert.match(preview.appointments.rows[0].contact.phone, /^\+966/);
  // Two teams, four days of twelve hours.
  assert.deepEqual(
    preview.hours.map(({ minutesBefore, minutesAfter }: Record<string, number>) => [
      minutesBefore,
      minutesAfter,
    ]),
    [[2 * 4 * 720, 0]],
  );
  const attention = async () => (await ok(service, 'GET', '/attention')).teamAway.count;
  assert.equal(await attention(), 0);

  const { schedule, ...saved } = await ok(service, 'POST', '/schedules', body);
  const { schedule: _previewed, ...expected } = preview;
  assert.deepEqual(saved, { ...expected, isApplied: true });
  assert.equal(await attention(), 2);
  for (const { bookingId } of sold) {
    const status = await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`);
    assert.equal(status.body.data.appointment.status, 'Scheduled', 'what is sold is kept');
  }

  // A shorter closure gives one day back; the visits of the first stay lost.
  const shorter = await ok(service, 'PATCH', `/schedules/${schedule.id}?preview=true`, {
    from: addDays(eid, 1),
  });
  assert.equal(shorter.appointments.total, 0);
  assert.equal(await attention(), 2, 'a preview');
  await ok(service, 'PATCH', `/schedules/${schedule.id}`, { from: addDays(eid, 1) });
  assert.equal(await attention(), 0);
});

test(
  'a schedule that one process saves holds in the other one',
  onServer('an embedded database has one process'),
  async (t) => {
    const databaseUrl = await createPostgresDatabase(t);
    const one = await startTestService(t, { databaseUrl });
    const other = await startTestService(t, { databaseUrl });
    const world = await createWorld(one);
    const { contactId, addressId, serviceId } = world;
    const query = `addressId=${addressId}&serviceId=${serviceId}&date=${WORLD_DATE}`;
    const slots = async (): Promise<number> => {
      const answer = await other.v1(world.key, 'GET', `/partners/timeslots/available?${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data.slots.length;
    };
    await until(async () => (await slots()) > 0);
    const day = { ...SEASON, from: WORLD_DATE, to: WORLD_DATE };
    const { schedule } = await ok(one, 'POST', '/schedules', { ...day, closed: true });
    // Bookings are decided by the schedule at once, whatever a process still shows.
    const booking = { contactId, addressId, serviceId, date: WORLD_DATE };
    const refused = await other.v1(world.key, 'POST', '/partners/bookings', {
      ...booking,
      timeslot: { startAt: '10:00', endAt: '12:00' },
    });
    assert.equal(refused.status, 422, refused.text);
    await until(async () => (await slots()) === 0);
    await ok(one, 'DELETE', `/schedules/${schedule.id}`);
    await until(async () => (await slots()) > 0);
  },
);

test('yearly dates of both calendars, moved in a year', async (t) => {
  const service = await startTestService(t);
  const yearly = { calendar: 'islamic-umalqura', month: 10, day: 1, days: 4, shifts: [] as unknown[] };
  const { schedule } = await ok(service, 'POST', '/schedules', { ...SEASON, yearly, closed: true });
  const periods = schedule.periods.map(({ from, to }: Record<string, string>) => [from, to]);
  assert.deepEqual(
    periods.filter(([from]: string[]) => from! > '2027' && from! < '2030'),
    [
      ['2027-03-09', '2027-03-12'],
      ['2028-02-26', '2028-02-29'],
      ['2029-02-14', '2029-02-17'],
    ],
  );
  assert.ok(periods.length >= 11);
  yearly.shifts = [{ year: 1448, days: 1 }];
  const moved = await ok(service, 'PATCH', `/schedules/${schedule.id}`, { yearly });
  assert.deepEqual(
    moved.schedule.periods.filter(({ from }: { from: string }) => from > '2027' && from < '2029'),
    [
      { from: '2027-03-10', to: '2027-03-13' },
      { from: '2028-02-26', to: '2028-02-29' },
    ],
  );
  // What is sent back as it was read changes nothing, field by field and as a whole.
  const {
    id,
    periods: _periods,
    version,
    createdAt: _created,
    updatedAt: _updated,
    ...read
  } = moved.schedule;
  for (const body of [read, ...Object.entries(read).map(([name, value]) => ({ [name]: value }))]) {
    const same = await ok(service, 'PATCH', `/schedules/${id}`, body);
    assert.deepEqual(same.schedule, moved.schedule, JSON.stringify(body));
  }
  assert.equal(version, 2);

  const leap = { calendar: 'gregorian', month: 2, day: 29, days: 1, shifts: [] };
  const { schedule: leapDay } = await ok(service, 'POST', '/schedules', {
    ...SEASON,
    yearly: leap,
    closed: true,
  });
  assert.deepEqual(
    leapDay.periods.map(({ from }: { from: string }) => from),
    ['2028-02-29', '2032-02-29', '2036-02-29'],
  );
  const single = await ok(service, 'PATCH', `/schedules/${schedule.id}`, {
    yearly: null,
    from: '2027-03-01',
    to: '2027-03-02',
  });
  assert.deepEqual(single.schedule.periods, [{ from: '2027-03-01', to: '2027-03-02' }]);
});

test('more than six hours on a day in Ramadan are a warning, for the teams of the schedule', async (t) => {
  const service = await startTestService(t);
  const { teamIds } = await createWorld(service, { teams: 2 });
  const ramadan = { from: '2027-02-08', to: '2027-03-08' };
  const day = everyDay('10:00', '16:00');
  const save = async (body: object, preview = true) =>
    await ok(service, 'POST', `/schedules?preview=${preview}`, { ...SEASON, ...ramadan, ...body });
  const longOf = async (body: object) => {
    const { longDays } = await save(body);
    return longDays.map(({ teamId, minutes }: { teamId: string; minutes: number }) => [
      teamIds.indexOf(teamId),
      minutes,
    ]);
  };
  const both = (minutes: number) => [
    [0, minutes],
    [1, minutes],
  ];
  const sorted = async (body: object) => (await longOf(body)).sort();
  assert.deepEqual(await sorted({ weekly: [...day, ...everyDay('20:00', '01:00')] }), both(660));
  assert.deepEqual(await longOf({ weekly: day }), []);
  assert.deepEqual(await longOf({ weekly: everyDay('20:00', '02:00') }), []);
  assert.deepEqual(await longOf({ weekly: everyDay('10:00', '16:15'), teamIds: [teamIds[1]] }), [[1, 375]]);
  // A break counts; so do the weekly shifts of the teams where the schedule has only breaks.
  const pause = [{ startAt: '12:00', endAt: '13:00' }];
  assert.deepEqual(await longOf({ weekly: everyDay('10:00', '17:00'), breaks: pause }), []);
  assert.deepEqual(await sorted({ breaks: pause }), both(660));
  const other = { from: '2027-01-04', to: '2027-01-31', weekly: everyDay('08:00', '20:00') };
  assert.deepEqual(await longOf(other), [], 'in another month');
  // One day of it is enough, and it can be saved.
  const saved = await save({ ...other, to: '2027-02-08' }, false);
  assert.deepEqual([saved.isApplied, saved.longDays.length], [true, 2]);
  const season = (await save({ weekly: day, priority: 5 }, false)).schedule;
  const removal = await ok(service, 'DELETE', `/schedules/${season.id}?preview=true`);
  assert.equal(removal.longDays.length, 2, 'without it the weekly shifts count again');
});

test('templates: Ramadan, both Eids and the national days of five years', async (t) => {
  const service = await startTestService(t);
  const templates = await ok(service, 'GET', '/schedules/templates?year=1448');
  assert.deepEqual(
    templates.map(({ key, from, to }: Record<string, string>) => [key, from, to]),
    [
      ['national-day', '2026-09-23', '2026-09-23'],
      ['ramadan', '2027-02-08', '2027-03-08'],
      ['founding-day', '2027-02-22', '2027-02-22'],
      ['eid-al-fitr', '2027-03-09', '2027-03-12'],
      ['eid-al-adha', '2027-05-15', '2027-05-19'],
    ],
  );
  for (let year = 1448; year <= 1452; year++)
    for (const { key: _, ...template } of await ok(service, 'GET', `/schedules/templates?year=${year}`)) {
      const { weekly, ...rest } = template;
      await ok(service, 'POST', '/schedules', rest.closed ? rest : { ...rest, weekly });
    }
  assert.equal((await service.operator('GET', '/schedules/templates?year=1453')).status, 400);
  const years = [];
  for (let year = 1448; year <= 1452; year++)
    years.push(...(await ok(service, 'GET', `/schedules/templates?year=${year}`)));
  assert.deepEqual(await ok(service, 'GET', '/schedules/templates'), years);
});

test('what a schedule must not be', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const messages = async (fields: Record<string, unknown>) => {
    const answer = await service.operator('POST', '/schedules', { ...SEASON, from: WORLD_DATE, ...fields });
    assert.equal(answer.status, 400, answer.text);
    return answer.body.error.details.errors ?? answer.body.error.details;
  };
  const table: [Record<string, unknown>, RegExp][] = [
    [{ from: undefined }, /from, or yearly, must be given/],
    [{ to: addDays(WORLD_DATE, -1) }, /to must not be before from/],
    [{ zoneIds: [world.zoneId], teamIds: world.teamIds }, /must not be given together/],
    [{ closed: true, weekly: everyDay('08:00', '12:00') }, /must not be given together/],
    [{}, /closed, weekly or breaks must be given/],
    [{ weekly: null, closed: false, breaks: [] }, /closed, weekly or breaks must be given/],
    [{ weekly: [] }, /closed says that there is none/],
    [{ weekly: [...everyDay('08:00', '12:00'), ...everyDay('11:00', '13:00')] }, /must not overlap/],
    [{ zoneIds: [world.teamIds[0]] }, /zoneIds\.0 must be the id of a zone/],
    [{ teamIds: [world.zoneId] }, /teamIds\.0 must be the id of a team/],
    [
      { from: undefined, yearly: { calendar: 'islamic-umalqura', month: 1, day: 31, days: 1, shifts: [] } },
      /yearly\.day must be at most 30/,
    ],
    [
      { yearly: { calendar: 'gregorian', month: 1, day: 31, days: 1, shifts: [] } },
      /must not be given together/,
    ],
    [{ breaks: [{ startAt: '25:00', endAt: '01:00' }] }, /startAt/],
  ];
  for (const [fields, message] of table) assert.match(JSON.stringify(await messages(fields)), message);

  const { schedule } = await ok(service, 'POST', '/schedules', {
    ...SEASON,
    from: WORLD_DATE,
    breaks: [{ startAt: '12:00', endAt: '12:30' }],
  });
  const without = await service.operator('PATCH', `/schedules/${schedule.id}`, { breaks: [] });
  assert.deepEqual([without.status, without.body.error.code], [400, 'VALIDATION_ERROR']);
  const stale = await call(
    `${service.operatorUrl}/operator`,
    'PATCH',
    `/schedules/${schedule.id}`,
    { priority: 3 },
    { authorization: `Bearer ${OPERATOR_TOKEN}`, 'if-match': '"7"' },
  );
  assert.equal(stale.status, 409, stale.text);
  const same = await ok(service, 'PATCH', `/schedules/${schedule.id}`, { priority: 0 });
  assert.equal(same.schedule.version, schedule.version, 'no difference, no change');
  assert.equal((await service.operator('GET', `/schedules/${world.zoneId}`)).status, 404);
});
