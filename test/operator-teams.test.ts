import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { createWorld, everyDay, WORLD_DATE, type World } from './fixtures.ts';
import { type Answer, documented, onServer, startTestService, type TestService } from './harness.ts';

function refusedWith(answer: Answer, ...messages: string[]): void {
  hinted([], answer, ...messages);
}

function hinted(hints: string[], answer: Answer, ...messages: string[]): void {
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
  const details = { message: messages, statusCode: 400, error: 'Bad Request' };
  const expected = documented('VALIDATION_ERROR', { ...details, ...(hints.length > 0 && { hints }) });
  assert.deepEqual(answer.body.error.details, expected);
}

function conflicts(answer: Answer, details: Record<string, unknown> = { reason: 'NAME_TAKEN' }): void {
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.error.code, 'CONFLICT');
  assert.deepEqual(answer.body.error.details, documented('CONFLICT', details));
}

function missing(answer: Answer, message: string): void {
  assert.equal(answer.status, 404, answer.text);
  assert.deepEqual([answer.body.error.code, answer.body.error.message], ['RESOURCE_NOT_FOUND', message]);
}

async function made(service: TestService, path: string, body: unknown) {
  const answer = await service.operator('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

async function changed(service: TestService, path: string, body: unknown) {
  service.clock.advance(1_000); // the order of audit rows
  const answer = await service.operator('PATCH', path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function names(service: TestService, path: string): Promise<string[]> {
  const answer = await service.operator('GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.map((row: { name: string }) => row.name);
}

/** Starts of the free slots of a date. */
async function slots(service: TestService, world: World, date = WORLD_DATE): Promise<string[]> {
  const query = `addressId=${world.addressId}&serviceId=${world.serviceId}&date=${date}`;
  const answer = await service.v1(world.key, 'GET', `/partners/timeslots/available?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.slots.map((slot: { startAt: string }) => slot.startAt);
}

function auditOf(service: TestService, target: string) {
  return service.deps.db.rows<{ actor: string; action: string; before: unknown; after: unknown }>({
    text: 'select actor, action, before, after from audit_log where target = $1 order by position',
    values: [target],
  });
}

const shift = (weekday: number, startAt: string, endAt: string) => ({ weekday, startAt, endAt });

test('teams are created, listed, changed and removed, each with its audit row', async (t) => {
  const service = await startTestService(t);
  const { zoneId, serviceId } = await createWorld(service, { teams: 0 });
  const bare = await made(service, '/teams', { name: ' Alpha ' });
  const { id, ...rest } = bare;
  assert.deepEqual(rest, {
    name: 'Alpha',
    nameAr: null,
    zoneIds: [],
    phone: null,
    homeZoneId: null,
    serviceIds: [],
    travelBufferMinutes: 0,
    shifts: [],
    isActive: true,
    version: 1,
    createdAt: '2026-11-22T08:00:00+03:00',
    updatedAt: '2026-11-22T08:00:00+03:00',
  });

  const full = {
    name: 'Beta',
    zoneIds: [zoneId],
    serviceIds: [serviceId],
    travelBufferMinutes: 45,
    shifts: [shift(1, '08:00', '12:00'), shift(1, '16:00', '00:00'), shift(5, '20:00', '02:30')],
    isActive: false,
  };
  const beta = await made(service, '/teams', {
    ...full,
    zoneIds: [zoneId.toUpperCase()],
    shifts: [shift(5, '20:00:00', '02:30'), shift(1, '16:00', '00:00:00'), shift(1, '08:00', '12:00')],
  });
  assert.deepEqual(beta, { ...bare, ...full, id: beta.id });
  assert.deepEqual((await service.operator('GET', `/teams/${beta.id}`)).body.data, beta);

  conflicts(await service.operator('POST', '/teams', { name: 'ALPHA' }));
  conflicts(await service.operator('PATCH', `/teams/${beta.id}`, { name: 'alpha' }));
  assert.deepEqual(await names(service, '/teams'), ['Alpha', 'Beta']);
  assert.deepEqual(await names(service, '/teams?search=ALP'), ['Alpha']);
  assert.deepEqual(await names(service, '/teams?isActive=true'), ['Alpha']);
  assert.deepEqual(await names(service, `/teams?zoneId=${zoneId}`), ['Beta']);
  assert.deepEqual(await names(service, `/teams?serviceId=${serviceId}`), ['Beta']);
  assert.deepEqual(await names(service, `/teams?serviceId=${zoneId}`), []);
  const page = await service.operator('GET', '/teams?limit=1&page=2');
  assert.deepEqual(page.body.meta, { page: 2, limit: 1, total: 2, totalPages: 2 });
  assert.equal(page.body.data[0].name, 'Beta');

  const answered = await changed(service, `/teams/${beta.id}`, {
    zoneIds: [],
    shifts: [shift(2, '08:00', '08:00')],
  });
  const { appointments, ...after } = answered;
  assert.deepEqual(appointments, [], 'none is taken from it');
  assert.deepEqual(after, {
    ...beta,
    zoneIds: [],
    shifts: [shift(2, '08:00', '08:00')],
    version: 2,
    updatedAt: '2026-11-22T08:00:01+03:00',
  });
  assert.deepEqual(await changed(service, `/teams/${beta.id}`, {}), answered);
  const same = { name: 'Beta ', serviceIds: [serviceId.toUpperCase()], shifts: after.shifts };
  assert.deepEqual(await changed(service, `/teams/${beta.id}`, same), answered);

  service.clock.advance(1_000);
  const removed = await service.operator('DELETE', `/teams/${beta.id}`);
  assert.deepEqual([removed.status, removed.body.data], [200, { id: beta.id, removed: true }]);
  for (const method of ['GET', 'DELETE'])
    missing(await service.operator(method, `/teams/${beta.id}`), 'Team not found');
  missing(await service.operator('PATCH', `/teams/${beta.id}`, { name: 'x' }), 'Team not found');
  const audit = await auditOf(service, `team:${beta.id}`);
  assert.deepEqual(
    audit.map((row) => row.action),
    ['team.create', 'team.update', 'team.delete'],
  );
  assert.deepEqual(audit[1], {
    actor: 'operator:first-token',
    action: 'team.update',
    before: beta,
    after,
  });
  assert.deepEqual([audit[0]?.after, audit[2]?.before, audit[2]?.after], [beta, after, null]);
});

test('the body of a team is validated', async (t) => {
  const service = await startTestService(t);
  const { zoneId, serviceId, teamIds } = await createWorld(service);
  hinted(
    [
      'name is missing',
      'shifts.0.weekday: weekdays are 1 (Monday) to 7 (Sunday)',
      'shifts.1.startAt is missing',
      'shifts.1.endAt is missing',
      'shifts.1.weekday: weekdays are 1 (Monday) to 7 (Sunday)',
    ],
    await service.operator('POST', '/teams', {
      zoneIds: 'all',
      travelBufferMinutes: 481,
      shifts: [{ weekday: 0, startAt: '8:00', endAt: '24:00' }, { weekday: 8 }],
      colour: 'red',
    }),
    'name should not be empty',
    'property colour should not exist',
    'zoneIds must be an array',
    'travelBufferMinutes must not be greater than 480',
    'shifts.0.weekday must not be less than 1',
    'shifts.0.startAt must be a valid time (HH:MM or HH:MM:SS)',
    'shifts.0.endAt must be a valid time (HH:MM or HH:MM:SS)',
    'shifts.1.startAt must be a string',
    'shifts.1.endAt must be a string',
    'shifts.1.weekday must not be greater than 7',
  );
  const many = Array.from({ length: 51 }, (_, n) => shift(1 + (n % 7), `0${Math.floor(n / 7)}:00`, '09:00'));
  const unknown = randomUUID();
  for (const [method, path] of [
    ['POST', '/teams'],
    ['PATCH', `/teams/${teamIds[0]}`],
  ] as const) {
    const send = (body: object) => service.operator(method, path, { name: 'New', ...body });
    refusedWith(await send({ shifts: many }), 'shifts must contain no more than 50 elements');
    refusedWith(
      await send({ shifts: [shift(1, '08:00:30', '09:00'), shift(2, '08:00', '09:00:01')] }),
      'shifts.0.startAt must be a whole minute (HH:MM)',
      'shifts.1.endAt must be a whole minute (HH:MM)',
    );
    refusedWith(
      await send({ zoneIds: [unknown], serviceIds: [serviceId, unknown] }),
      'zoneIds.0 must be the id of a zone',
      'serviceIds.1 must be the id of a service',
    );
    refusedWith(
      await send({
        zoneIds: [zoneId, zoneId.toUpperCase()],
        serviceIds: [serviceId, serviceId.toUpperCase()],
        shifts: [shift(1, '08:00', '10:00'), shift(1, '09:00', '11:00')],
      }),
      "All zoneIds's elements must be unique",
      "All serviceIds's elements must be unique",
      'shifts must not overlap',
    );
  }
  missing(await service.operator('PATCH', `/teams/${unknown}`, { zoneIds: [unknown] }), 'Team not found');
});

test('shifts of a team may touch but not overlap, over midnight and the end of the week too', async (t) => {
  const service = await startTestService(t);
  const { id } = await made(service, '/teams', { name: 'Team' });
  const overlapping = [
    [shift(1, '08:00', '10:00'), shift(1, '08:00', '09:00')],
    [shift(1, '09:00', '12:00'), shift(1, '08:00', '09:01')],
    [shift(1, '22:00', '02:00'), shift(2, '01:59', '03:00')],
    [shift(7, '22:00', '02:00'), shift(1, '00:00', '08:00')],
    [shift(3, '08:00', '08:00'), shift(4, '07:59', '09:00')],
    [shift(7, '08:00', '08:00'), shift(1, '07:00', '09:00')],
    [shift(1, '00:00', '00:00'), shift(1, '23:59', '00:00')],
    [shift(1, '00:00', '23:00'), shift(1, '01:00', '02:00'), shift(1, '03:00', '04:00')],
  ];
  for (const shifts of overlapping) {
    const answer = await service.operator('PATCH', `/teams/${id}`, { shifts });
    assert.equal(answer.status, 400, JSON.stringify(shifts));
    assert.deepEqual(answer.body.error.details.message, ['shifts must not overlap']);
  }
  const fine = [
    [shift(1, '08:00', '10:00'), shift(1, '10:00', '12:00')],
    [shift(1, '22:00', '02:00'), shift(2, '02:00', '03:00')],
    [shift(1, '02:00', '08:00'), shift(7, '22:00', '02:00')],
    [shift(3, '08:00', '08:00'), shift(4, '08:00', '08:00')],
    [1, 2, 3, 4, 5, 6, 7].map((weekday) => shift(weekday, '00:00', '00:00')),
    [],
  ];
  for (const shifts of fine)
    assert.deepEqual((await changed(service, `/teams/${id}`, { shifts })).shifts, shifts);
});

test('a team with appointments is not deleted, one with time off is', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const path = `/teams/${world.teamIds[0]}`;
  assert.equal((await world.book()).status, 200);
  conflicts(await service.operator('DELETE', path), { reason: 'IN_USE', usedBy: { appointments: 1 } });
  await service.deps.db.rows({ text: "update appointments set status = 'Cancelled'" });
  conflicts(await service.operator('DELETE', path), { reason: 'IN_USE', usedBy: { appointments: 1 } });
  assert.equal((await service.operator('GET', path)).status, 200);

  const idle = await made(service, '/teams', {
    name: 'Idle',
    zoneIds: [world.zoneId],
    shifts: everyDay('08:00', '09:00'),
  });
  await made(service, `/teams/${idle.id}/time-off`, {
    startsAt: '2026-12-01T00:00:00+03:00',
    endsAt: '2026-12-02T00:00:00+03:00',
  });
  assert.equal((await service.operator('DELETE', `/teams/${idle.id}`)).status, 200);
});

test('a change of a team shows to partners with the next request', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const path = `/teams/${world.teamIds[0]}`;
  assert.equal((await slots(service, world)).length, 21);

  // 2026-11-23 is a Monday.
  await changed(service, path, { shifts: [shift(1, '09:00', '12:00'), shift(2, '06:00', '08:00')] });
  assert.deepEqual(await slots(service, world), ['09:00', '09:30', '10:00']);
  assert.deepEqual(await slots(service, world, '2026-11-24'), ['06:00']);
  await changed(service, path, { shifts: [shift(1, '21:00', '01:00'), shift(7, '23:00', '03:30')] });
  assert.deepEqual(await slots(service, world), [
    '00:00',
    '00:30',
    '01:00',
    '01:30',
    '21:00',
    '21:30',
    '22:00',
    '22:30',
    '23:00',
  ]);
  await changed(service, path, { shifts: [shift(1, '23:00', '23:00')] });
  assert.deepEqual(await slots(service, world), ['23:00', '23:30']);
  assert.equal((await slots(service, world, '2026-11-24')).at(-1), '21:00');

  await changed(service, path, { shifts: everyDay('08:00', '20:00'), travelBufferMinutes: 60 });
  assert.equal((await world.book()).status, 200);
  assert.deepEqual((await slots(service, world)).slice(0, 2), ['13:00', '13:30']);
  await changed(service, path, { travelBufferMinutes: 0 });
  assert.deepEqual(
    (await slots(service, world)).slice(0, 2),
    ['13:00', '13:30'],
    'what is booked keeps its buffer, before and after',
  );

  await changed(service, path, { isActive: false });
  assert.deepEqual(await slots(service, world), []);
  assert.equal((await world.book({ timeslot: { startAt: '14:00', endAt: '16:00' } })).status, 422);
  await changed(service, path, { isActive: true, serviceIds: [] });
  assert.deepEqual(await slots(service, world), []);
  await changed(service, path, { serviceIds: [world.serviceId], zoneIds: [] });
  assert.deepEqual(await slots(service, world), []);
  await changed(service, path, { zoneIds: [world.zoneId] });
  assert.equal((await slots(service, world)).at(-1), '18:00');
});

test('time off removes slots and names the appointments in it', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const [teamId] = world.teamIds;
  const path = `/teams/${teamId}/time-off`;
  const book = async (startAt: string, endAt: string, date = WORLD_DATE) => {
    const answer = await world.book({ date, timeslot: { startAt, endAt } });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const early = await book('08:00', '10:00');
  const hit = await book('12:00', '14:00');
  const late = await book('17:00', '19:00');
  const cancelled = await book('14:30', '16:30');
  await service.deps.db.rows({
    text: "update appointments set status = 'Cancelled' where id = $1",
    values: [cancelled.appointmentId],
  });

  // From the end of the first appointment to the start of the last: neither is hit.
  const timeOff = await made(service, path, {
    startsAt: '2026-11-23T10:00:00+03:00',
    endsAt: '2026-11-23T14:00:00Z',
    reason: 'Training',
  });
  const { id, ...rest } = timeOff;
  const listed = {
    id: hit.appointmentId,
    name: hit.trackingReference,
    bookingId: hit.bookingId,
    startsAt: '2026-11-23T12:00:00+03:00',
    endsAt: '2026-11-23T14:00:00+03:00',
    status: 'Scheduled',
  };
  assert.deepEqual(rest, {
    teamId,
    startsAt: '2026-11-23T10:00:00+03:00',
    endsAt: '2026-11-23T17:00:00+03:00',
    reason: 'Training',
    createdAt: '2026-11-22T08:00:00+03:00',
    appointments: [listed],
  });
  assert.deepEqual(await slots(service, world), []);

  const whole = await made(service, path, {
    startsAt: '2026-11-23T00:00:00+03:00',
    endsAt: '2026-11-25T00:00:00+03:00',
  });
  assert.equal(whole.reason, '');
  assert.deepEqual(
    whole.appointments.map((appointment: { id: string }) => appointment.id),
    [early.appointmentId, hit.appointmentId, late.appointmentId],
  );
  assert.deepEqual(await slots(service, world, '2026-11-24'), []);
  assert.equal((await world.book({ date: '2026-11-24' })).status, 422);
  assert.equal((await slots(service, world, '2026-11-25')).length, 21);

  const list = await service.operator('GET', path);
  assert.deepEqual(list.body.data, [timeOff, whole]);
  assert.deepEqual(list.body.meta, { page: 1, limit: 20, total: 2, totalPages: 1 });
  assert.deepEqual((await service.operator('GET', `${path}?limit=1&page=2`)).body.data, [whole]);

  const removed = await service.operator('DELETE', `${path}/${whole.id}`);
  assert.deepEqual([removed.status, removed.body.data], [200, { id: whole.id, removed: true }]);
  assert.equal((await slots(service, world, '2026-11-24')).length, 21);
  assert.equal((await service.operator('DELETE', `${path}/${id}`)).status, 200);
  assert.deepEqual(await slots(service, world), ['14:30']);

  const audit = await auditOf(service, `time-off:${id}`);
  const { appointments: _appointments, ...decided } = timeOff;
  assert.deepEqual(
    audit
      .map((row) => [row.actor, row.action, row.before, row.after])
      .sort((a, b) => (a[1]! < b[1]! ? -1 : 1)),
    [
      ['operator:first-token', 'time-off.create', null, decided],
      ['operator:first-token', 'time-off.delete', decided, null],
    ],
  );
});

test('the body and the path of a time off are validated', async (t) => {
  const service = await startTestService(t);
  const { teamIds } = await createWorld(service, { teams: 2 });
  const path = `/teams/${teamIds[0]}/time-off`;
  const [startsAt, endsAt] = ['2026-12-01T00:00:00+03:00', '2026-12-02T00:00:00+03:00'];
  hinted(
    ['endsAt is missing'],
    await service.operator('POST', path, { startsAt: '2026-12-01', reason: 'x'.repeat(501), teamId: 1 }),
    'endsAt must be a string',
    'property teamId should not exist',
    'startsAt must be a valid ISO 8601 date and time with offset',
    'reason must be shorter than or equal to 500 characters',
  );
  refusedWith(
    await service.operator('POST', path, { startsAt, endsAt: '2026-12-01T00:00:00' }),
    'endsAt must be a valid ISO 8601 date and time with offset',
  );
  for (const end of [startsAt, '2026-11-30T23:59:59+03:00', '2026-12-01T00:00:00+04:00'])
    refusedWith(
      await service.operator('POST', path, { startsAt, endsAt: end }),
      'endsAt must be after startsAt',
    );
  refusedWith(
    await service.operator('POST', path, {
      startsAt: '0000-01-01T00:00:00Z',
      endsAt: '9999-12-31T23:59:59Z',
    }),
    'startsAt must be in the years 2000 to 2100',
    'endsAt must be in the years 2000 to 2100',
  );
  refusedWith(await service.operator('DELETE', `${path}/7`), 'timeOffId must be a UUID');

  const unknown = randomUUID();
  const nobody = `/teams/${unknown}/time-off`;
  missing(await service.operator('GET', nobody), 'Team not found');
  missing(await service.operator('POST', nobody, { startsAt, endsAt }), 'Team not found');
  missing(await service.operator('DELETE', `${nobody}/${unknown}`), 'Team not found');
  missing(await service.operator('DELETE', `${path}/${unknown}`), 'Time off not found');
  const { id } = await made(service, path, { startsAt, endsAt });
  missing(await service.operator('DELETE', `/teams/${teamIds[1]}/time-off/${id}`), 'Time off not found');
  assert.equal((await service.operator('GET', path)).body.data.length, 1);
});

test(
  'a time off waits for the booking being written and names its appointment',
  onServer('needs several connections'),
  async (t) => {
    const service = await startTestService(t);
    const world = await createWorld(service);
    const writer = new pg.Client({ connectionString: service.deps.config.databaseUrl! });
    await writer.connect();
    const booked = await world.book();
    const { bookingId, appointmentId } = booked.body.data;

    // A booking in progress: everything that book_appointment writes, not committed.
    await writer.query('begin');
    await writer.query('select pg_advisory_xact_lock_shared(1, 0)');
    await writer.query(
      `insert into bookings select (jsonb_populate_record(b, '{"id": "11111111-1111-4111-8111-111111111111"}')).*
     from bookings b where id = $1`,
      [bookingId],
    );
    await writer.query(
      `insert into appointments select (jsonb_populate_record(a, '{"id": "22222222-2222-4222-8222-222222222222",
       "booking_id": "11111111-1111-4111-8111-111111111111", "name": "SA-9999",
       "starts_at": "2026-11-23T15:00:00+03:00", "ends_at": "2026-11-23T17:00:00+03:00",
       "busy_until": "2026-11-23T17:30:00+03:00"}')).* from appointments a where id = $1`,
      [appointmentId],
    );

    const timeOff = service.operator('POST', `/teams/${world.teamIds[0]}/time-off`, {
      startsAt: '2026-11-23T00:00:00+03:00',
      endsAt: '2026-11-24T00:00:00+03:00',
    });
    const waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
    while ((await writer.query(waiting)).rowCount === 0);
    await writer.query('commit');
    await writer.end();
    const answer = await timeOff;
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(
      answer.body.data.appointments.map((appointment: { name: string }) => appointment.name),
      [booked.body.data.trackingReference, 'SA-9999'],
    );
  },
);

test('a home zone is a zone, and may be none', async (t) => {
  const service = await startTestService(t);
  const { zoneId, teamIds } = await createWorld(service);
  const change = (homeZoneId: string | null) =>
    service.operator('PATCH', `/teams/${teamIds[0]}`, { homeZoneId });
  assert.equal((await change(zoneId.toUpperCase())).body.data.homeZoneId, zoneId);
  const refused = await change(teamIds[0]!);
  assert.deepEqual(refused.body.error.details.message, ['homeZoneId must be the id of a zone']);
  const { data } = (await service.operator('GET', `/board?date=${WORLD_DATE}`)).body;
  assert.equal(data.teams[0].homeZoneId, zoneId);
  assert.equal((await change(null)).body.data.homeZoneId, null);
});
