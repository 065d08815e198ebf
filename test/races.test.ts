import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import { createPostgresDatabase, onPostgres, startTestService, type TestService } from './harness.ts';
import { tally, times } from './storm.ts';

/** Pairs of appointments of one team that overlap with their buffers; there must never be any. */
async function overlaps(service: TestService): Promise<number> {
  const row = await service.deps.db.first<{ pairs: number }>({
    text: `
      select count(*) as pairs from appointments a join appointments b on a.team_id = b.team_id and a.id < b.id
      where a.status <> 'Cancelled' and b.status <> 'Cancelled'
        and a.starts_at < b.busy_until and b.starts_at < a.busy_until`,
  });
  return row!.pairs;
}

async function orphans(service: TestService) {
  return service.deps.db.first({
    text: `
      select (select count(*) from bookings b left join appointments a on a.booking_id = b.id where a.id is null) as bookings,
        (select count(*) from bookings) - (select count(*) from events where event = 'booking.created') as events`,
  });
}

test('200 requests for one slot: exactly as many win as there are teams', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const answers = await Promise.all(times(200, () => world.book()));
  assert.deepEqual(tally(answers), { 200: 3, BOOKING_CREATION_FAILED: 197 });
  for (const { status, body } of answers) {
    if (status === 422) assert.equal(body.error.details.reason, 'SLOT_UNAVAILABLE');
  }
  assert.equal(await overlaps(service), 0);
  assert.deepEqual(await orphans(service), { bookings: 0, events: 0 });
});

test('partly overlapping slots: whoever wins, nothing overlaps, and what is left is offered', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const starts = times(21, (index) => 8 * 60 + index * 30);
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const slot = (start: number) => ({ startAt: clock(start), endAt: clock(start + 120) });
  const answers = await Promise.all(
    times(126, (index) => world.book({ timeslot: slot(starts[index % starts.length]!) })),
  );
  const outcome = tally(answers);
  assert.deepEqual(Object.keys(outcome).sort(), ['200', 'BOOKING_CREATION_FAILED']);
  // 12 hours hold at most 4 appointments of 2.5 hours with their buffers (the last buffer may lie after the shift).
  assert.ok(outcome['200']! <= 10, `${outcome['200']} won`);
  assert.equal(await overlaps(service), 0);

  const parameters = new URLSearchParams({
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: WORLD_DATE,
  });
  const path = `/partners/timeslots/available?${parameters}`;
  const offered = new Set(
    (await service.v1(world.key, 'GET', path)).body.data.slots.map(
      ({ startAt }: { startAt: string }) => startAt,
    ),
  );
  for (const start of starts) {
    const stillOffered = (await service.v1(world.key, 'GET', path)).body.data.slots.some(
      ({ startAt }: { startAt: string }) => startAt === clock(start),
    );
    const { status } = await world.book({ timeslot: slot(start) });
    assert.equal(
      status === 200,
      stillOffered,
      `${clock(start)} was ${stillOffered ? 'shown and refused' : 'hidden and booked'}`,
    );
  }
  assert.ok(offered.size <= 21);
  assert.equal(await overlaps(service), 0);
});

test('around midnight, where the locks of two days meet, the constraint decides', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, {
    team: {
      shifts: times(7, (index) => ({ weekday: index + 1, startAt: '20:00', endAt: '04:00' })),
    },
  });
  const evening = (startAt: string, endAt: string) =>
    world.book({ date: '2026-11-23', timeslot: { startAt, endAt } });
  const morning = (startAt: string, endAt: string) =>
    world.book({ date: '2026-11-24', timeslot: { startAt, endAt } });
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([
      evening('22:30', '00:30'),
      morning('00:00', '02:00'),
      evening('23:00', '01:00'),
      morning('00:30', '02:30'),
    ]);
    assert.equal(await overlaps(service), 0);
    assert.equal(tally(answers)['200'], 1, JSON.stringify(tally(answers)));
    await service.deps.db.rows({ text: `update appointments set status = 'Cancelled'` });
  }
});

test('50 creates with one externalReference: one wins', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 60 });
  const answers = await Promise.all(times(50, () => world.book({ externalReference: 'ORDER' })));
  assert.deepEqual(tally(answers), { 200: 1, DUPLICATE_EXTERNAL_REFERENCE: 49 });
  assert.deepEqual(await orphans(service), { bookings: 0, events: 0 });
});

test('time off against bookings: the time off lists every appointment that got in before it', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 1 });
  for (let day = 10; day < 25; day++) {
    const date = `2026-12-${day}`;
    const [booked, off] = await Promise.all([
      world.book({ date }),
      service.operator('POST', `/teams/${world.teamIds[0]}/time-off`, {
        startsAt: `${date}T00:00:00+03:00`,
        endsAt: `${date}T23:59:00+03:00`,
      }),
    ]);
    assert.equal(off.status, 201, off.text);
    const listed = off.body.data.appointments.map(
      (appointment: { bookingId: string }) => appointment.bookingId,
    );
    assert.deepEqual(listed, booked.status === 200 ? [booked.body.data.bookingId] : [], date);
  }
});

test('two processes, one slot', {
  skip: !onPostgres && 'one process holds an embedded database',
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const first = await startTestService(t, { databaseUrl });
  const second = await startTestService(t, { databaseUrl });
  const world = await createWorld(first, { teams: 4 });
  const body = {
    contactId: world.contactId,
    addressId: world.addressId,
    serviceId: world.serviceId,
    date: WORLD_DATE,
    timeslot: { startAt: '10:00', endAt: '12:00' },
  };
  const answers = await Promise.all(
    times(100, (index) =>
      (index % 2 === 0 ? first : second).v1(world.key, 'POST', '/partners/bookings', body),
    ),
  );
  assert.deepEqual(tally(answers), { 200: 4, BOOKING_CREATION_FAILED: 96 });
  assert.equal(await overlaps(first), 0);
});

test('the constraint refuses what code would let through', async (t) => {
  const service = await startTestService(t);
  const world: World = await createWorld(service, { teams: 1 });
  assert.equal((await world.book()).status, 200);
  const copy = (shift: string) =>
    service.deps.db.rows({
      text: `
        with b as (
          insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
            payment_responsibility, amount, service_date, created_at, updated_at)
          select gen_random_uuid(), partner_id, contact_id, address_id, service_id, status, payment_status,
            payment_responsibility, amount, service_date, created_at, updated_at from bookings limit 1 returning id)
        insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until, created_at, updated_at)
        select gen_random_uuid(), b.id, team_id, zone_id, gen_random_uuid()::text, status, starts_at + $1::interval,
          ends_at + $1::interval, busy_until + $1::interval, created_at, updated_at from appointments, b limit 1`,
      values: [shift],
    });
  // 10:00 to 12:00 and a buffer until 12:30.
  await assert.rejects(copy('149 minutes'), { code: '23P01', constraint: 'appointments_no_overlap' });
  await copy('150 minutes');
});
