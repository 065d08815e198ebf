import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createWorld, everyDay, WORLD_DATE, type World } from './fixtures.ts';
import { type Answer, startTestService, type TestService } from './harness.ts';

/** A value that was answered is taken as it is, and means the same. */

const MIDNIGHT = 'T00:00:00.000Z';
const NIGHTS = { team: { shifts: everyDay('08:00', '04:00') } };

function succeeded({ status, body, text }: Answer, wanted = 200) {
  assert.equal(status, wanted, text);
  return body.data;
}

function refused({ status, body, text }: Answer): string[] {
  assert.equal(status, 400, text);
  return body.error.details.message;
}

const updates = async (service: TestService, { key }: World, bookingId: string): Promise<number> => {
  const feed = succeeded(await service.v1(key, 'GET', '/partners/events?limit=100'));
  return feed.filter(
    (event: { event: string; bookingId: string }) =>
      event.event === 'booking.updated' && event.bookingId === bookingId,
  ).length;
};

test("a booking's own date and timeslot, sent back, change nothing", async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, NIGHTS);
  const reason = { nameEn: 'Moved', nameAr: 'انتقل' };
  const { id: reasonId } = succeeded(await service.operator('POST', '/cancellation-reasons', reason), 201);
  for (const [startAt, endAt, endsAtNextDay] of [
    ['10:00', '12:00', false],
    ['16:00', '18:00:00', false],
    ['22:00', '00:00', true],
  ] as const) {
    const booking = succeeded(await world.book({ timeslot: { startAt, endAt } }));
    assert.equal(booking.timeslot.endsAtNextDay, endsAtNextDay);
    const path = `/partners/bookings/${booking.bookingId}`;
    const { date, timeslot } = booking;
    for (const body of [{ date, timeslot }, { date }, { timeslot }, { timeslot: { ...timeslot, date } }])
      assert.deepEqual(succeeded(await service.v1(world.key, 'PATCH', path, body)), booking);
    assert.equal(await updates(service, world, booking.bookingId), 0);

    const shown = succeeded(await service.operator('GET', `/bookings/${booking.bookingId}`));
    const appointment = `/appointments/${booking.appointmentId}`;
    const before = succeeded(await service.operator('GET', appointment));
    for (const body of [
      { date: shown.date, timeslot: shown.timeslot },
      { date: before.date, timeslot: before.timeslot },
    ])
      assert.deepEqual(succeeded(await service.operator('PATCH', appointment, body)), before);

    // Books the same again when the first has gone.
    succeeded(await service.v1(world.key, 'PATCH', `${path}/cancel`, { reasonId }));
    const again = succeeded(await world.book({ date, timeslot }));
    assert.deepEqual([again.date, again.timeslot], [date, timeslot]);
  }
});

test('an element of the alternatives is a timeslot, its date included', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, NIGHTS);
  const booking = succeeded(await world.book());
  const full = await world.book();
  assert.equal(full.body.error.code, 'BOOKING_CREATION_FAILED');
  const { alternatives } = full.body.error.details;
  assert.ok(alternatives.length >= 3, full.text);
  const [next, , last] = alternatives;
  const made = succeeded(await world.book({ date: next.date, timeslot: next }));
  assert.deepEqual(made.date, `${next.date}${MIDNIGHT}`);
  assert.equal(made.timeslot.startAt, next.startAt);

  // Without a date beside it, it brings its own.
  const wanted = { ...last, date: '2026-11-25' };
  const path = `/partners/bookings/${booking.bookingId}`;
  const moved = succeeded(await service.v1(world.key, 'PATCH', path, { timeslot: wanted }));
  assert.equal(moved.date, `2026-11-25${MIDNIGHT}`);
  assert.equal(moved.timeslot.startAt, last.startAt);

  const appointment = `/appointments/${booking.appointmentId}`;
  const back = succeeded(
    await service.operator('PATCH', appointment, {
      timeslot: { ...booking.timeslot, date: booking.date },
    }),
  );
  assert.deepEqual([back.date, back.timeslot.startAt], [WORLD_DATE, '10:00']);

  const plan = { from: `${WORLD_DATE}T00:00:00+03:00`, to: '2026-11-24T04:00:00+03:00' };
  const reassign = (apply: object[]) =>
    service.operator('POST', `/teams/${back.team.id}/reassignments`, { ...plan, apply });
  const { version, id: appointmentId } = back;
  const place = { appointmentId, version, teamId: back.team.id };
  const { results } = succeeded(
    await reassign([{ ...place, date: booking.date, timeslot: { ...booking.timeslot, date: booking.date } }]),
  );
  assert.equal(results[0].outcome, 'ALREADY_THERE');
});

test('a timeslot that contradicts itself or its date is refused', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, NIGHTS);
  const { bookingId, appointmentId } = succeeded(await world.book());
  const day = { startAt: '10:00', endAt: '12:00' };
  const night = { startAt: '22:00', endAt: '00:00' };
  const nextDay = (wanted: boolean) =>
    `timeslot.endsAtNextDay must be ${wanted}: endAt is ${wanted ? 'not after' : 'after'} startAt`;
  const otherDate = 'timeslot.date must be the same as date';
  for (const [date, timeslot, ...messages] of [
    [WORLD_DATE, { ...day, endsAtNextDay: true }, nextDay(false)],
    [WORLD_DATE, { ...night, endsAtNextDay: false }, nextDay(true)],
    [WORLD_DATE, { ...day, endAt: '10:00:00', endsAtNextDay: false }, nextDay(true)],
    [WORLD_DATE, { ...day, date: '2026-11-24' }, otherDate],
    [
      `${WORLD_DATE}${MIDNIGHT}`,
      { ...night, endsAtNextDay: false, date: '2026-11-24' },
      nextDay(true),
      otherDate,
    ],
  ] as const) {
    const body = { date, timeslot };
    assert.deepEqual(refused(await world.book(body)), messages);
    assert.deepEqual(
      refused(await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, body)),
      messages,
    );
    assert.deepEqual(
      refused(await service.operator('PATCH', `/appointments/${appointmentId}`, body)),
      messages,
    );
    const { partnerId, contactId, addressId, serviceId } = world;
    const customer = { partnerId, contactId, addressId, serviceId };
    assert.deepEqual(
      refused(await service.operator('POST', '/bookings', { ...customer, ...body })),
      messages,
    );
  }
  assert.deepEqual(refused(await world.book({ timeslot: { ...day, endsAtNextDay: 'no' } })), [
    'timeslot.endsAtNextDay must be a boolean value',
  ]);
});

test('a date is accepted in its midnight form everywhere, and in no other long form', async (t) => {
  const service = await startTestService(t, { env: { IDEMPOTENCY: 'on' } });
  const world = await createWorld(service);
  const booking = succeeded(await world.book());
  assert.equal(booking.date, `${WORLD_DATE}${MIDNIGHT}`);
  const get = (path: string) => service.v1(world.key, 'GET', path);
  const at = `addressId=${world.addressId}&serviceId=${world.serviceId}`;
  for (const date of [booking.date, `${WORLD_DATE}T00:00:00Z`]) {
    const slots = succeeded(await get(`/partners/timeslots/available?${at}&date=${date}`));
    assert.equal(slots.date, WORLD_DATE);
    assert.deepEqual(slots, succeeded(await get(`/partners/timeslots/available?${at}&date=${WORLD_DATE}`)));
    assert.equal(succeeded(await get(`/partners/bookings?fromDate=${date}&toDate=${date}`)).length, 1);
    const board = await service.operator('GET', `/board?date=${date}`);
    assert.equal(succeeded(board).date, WORLD_DATE);
    const times = await service.operator('GET', `/time-off?from=${date}&to=${date}`);
    assert.deepEqual(succeeded(times), []);
  }
  for (const date of [
    `${WORLD_DATE}T00:00:01.000Z`,
    `${WORLD_DATE}T00:00:00+03:00`,
    `${WORLD_DATE}T00:00:00`,
    `${WORLD_DATE} 00:00:00Z`,
    `2026-02-30${MIDNIGHT}`,
    `1999-12-31${MIDNIGHT}`,
  ])
    assert.deepEqual(
      refused(await world.book({ date })),
      ['date must be a valid ISO 8601 date string'],
      date,
    );

  // The same date is the same request.
  const timeslot = { startAt: '15:00', endAt: '17:00' };
  const { contactId, addressId, serviceId } = world;
  const keyed = (date: string) =>
    service.v1(
      world.key,
      'POST',
      '/partners/bookings',
      { contactId, addressId, serviceId, date, timeslot },
      { 'idempotency-key': 'dates' },
    );
  const first = succeeded(await keyed('2026-11-24'));
  assert.equal(succeeded(await keyed(`2026-11-24${MIDNIGHT}`)).bookingId, first.bookingId);
});

type Schema = { $ref?: string; properties?: Record<string, Schema> };
type Operation = {
  operationId: string;
  requestBody?: { content: { 'application/json': { schema: Schema } } };
};

test('a resource that the operator sends back unchanged changes nothing', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    key: { ipAllowlist: ['2001:DB8::/32', '10.1.2.3/8', '::ffff:127.0.0.1', '127.0.0.1'] },
    zone: { priority: 3 },
    team: { shifts: [...everyDay('08:00', '00:00'), { weekday: 1, startAt: '00:00', endAt: '08:00' }] },
  });
  const domains = { allowedDomains: ['Café.example.SA'], allowedWebhookDomains: ['Hooks.example.sa'] };
  succeeded(await service.operator('PATCH', `/partners/${world.partnerId}`, domains));
  const made = async (path: string, body: object): Promise<string> =>
    succeeded(await service.operator('POST', path, body), 201).id;
  const paths: Record<string, string> = {
    '/partners/{id}': world.partnerId,
    '/contacts/{id}': world.contactId,
    '/categories/{id}': world.categoryId,
    '/services/{id}': world.serviceId,
    '/zones/{id}': world.zoneId,
    '/teams/{id}': world.teamIds[0]!,
    '/pricing-tiers/{id}': await made('/pricing-tiers', { minMinutes: 1, factor: 0.3333 }),
    '/cancellation-reasons/{id}': await made('/cancellation-reasons', {
      nameEn: 'Moved',
      nameAr: 'انتقل',
    }),
    '/policies/{id}': await made('/policies', {
      nameEn: 'Standard',
      nameAr: 'قياسية',
      cancel: [
        { hoursBefore: 3, amount: 20.5 },
        { hoursBefore: 12, percent: 25 },
      ],
      assignments: [
        { serviceId: world.serviceId },
        { partnerId: world.partnerId, serviceId: world.serviceId },
        { partnerId: world.partnerId },
      ],
    }),
    '/schedules/{id}': succeeded(
      await service.operator('POST', '/schedules', {
        nameEn: 'Eid',
        nameAr: 'عيد',
        from: '2031-01-01',
        to: '2031-01-02',
        teamIds: world.teamIds,
        closed: true,
      }),
    ).schedule.id,
    '/appointments/{id}': succeeded(await world.book()).appointmentId,
    '/bookings/{id}': succeeded(
      await world.book({ notes: 'Ring twice', timeslot: { startAt: '14:00', endAt: '16:00' } }),
    ).bookingId,
  };
  const document = JSON.parse(readFileSync(new URL('../openapi/operator.json', import.meta.url), 'utf8'));
  const schemaOf = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').pop()!];
  const changeable = Object.entries(document.paths as Record<string, Record<string, Operation>>).filter(
    ([path, { get, patch }]) => get && patch && path.endsWith('{id}'),
  );
  assert.deepEqual(changeable.map(([path]) => path).sort(), Object.keys(paths).sort());
  for (const [path, { patch }] of changeable) {
    const url = path.replace('{id}', paths[path]!);
    const before = succeeded(await service.operator('GET', url));
    const fields = Object.keys(
      schemaOf(patch!.requestBody!.content['application/json'].schema).properties ?? {},
    ).filter((name) => name in before);
    assert.ok(fields.length > 0, path);
    const all = Object.fromEntries(fields.map((name) => [name, before[name]]));
    for (const body of [all, ...fields.map((name) => ({ [name]: before[name] }))]) {
      // The response of a team's change also has lost appointments: none. That of a schedule has effects.
      const answer = succeeded(await service.operator('PATCH', url, body));
      const { appointments = [], ...after } = answer.schedule ?? answer;
      assert.deepEqual([after, appointments], [before, []], `${url} ${Object.keys(body)}`);
    }
  }
});
