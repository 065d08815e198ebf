import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import {
  afterwards,
  createPostgresDatabase,
  onPostgres,
  startTestService,
  type TestService,
} from './harness.ts';
import { tally, times } from './storm.ts';
import { until } from './until.ts';

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

/** Another booking like $1, for the team $2 and so much later ($3), past all code. */
const COPY = `
  with b as (
    insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
      payment_responsibility, amount, service_date, created_at, updated_at)
    select gen_random_uuid(), partner_id, contact_id, address_id, service_id, status, payment_status,
      payment_responsibility, amount, service_date, created_at, updated_at from bookings where id = $1 returning id
  )
  insert into appointments (id, booking_id, team_id, zone_id, name, status, starts_at, ends_at, busy_until, created_at,
    updated_at)
  select gen_random_uuid(), b.id, $2, zone_id, gen_random_uuid()::text, 'Scheduled', starts_at + $3::interval,
    ends_at + $3::interval, busy_until + $3::interval, created_at, updated_at
  from appointments, b where booking_id = $1`;

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

test('partly overlapping slots: nothing overlaps, and the free rest is offered', async (t) => {
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

test('time off against bookings: the time off lists every appointment committed before it', async (t) => {
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

/** A transaction on a separate connection, as in another process. */
async function beginBeside(t: TestContext, databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  afterwards(t, () => client.end());
  await client.query('begin');
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return { client, pid: rows[0].pid as number };
}

test('a booking that waits for a team holds no other', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const service = await startTestService(t, { databaseUrl });
  const { db } = service.deps;
  const world = await createWorld(service, { teams: 2 });
  const { data } = (await world.book()).body;
  const teams = await db.rows<{ id: string }>({ text: 'select id from teams' });
  const slot = `select starts_at, ends_at from appointments where booking_id = '${data.bookingId}'`;
  // A free slot, for which either team will do.
  await db.rows({ text: `update appointments set status = 'Cancelled'` });

  const claim = (wanted: typeof teams) => ({
    text: `
      select (claim_team(null, $1, slot.starts_at, slot.ends_at)).outcome from (${slot}) slot`,
    values: [wanted.map(({ id }) => id)],
  });
  const [one, other] = teams as [(typeof teams)[0], (typeof teams)[0]];
  const winners = [];
  for (const team of [one, other]) {
    const winner = await beginBeside(t, databaseUrl);
    assert.equal((await winner.client.query(claim([team]))).rows[0].outcome, 'CLAIMED');
    winners.push({ ...winner, team });
  }
  const waiting: { pid: number; claimed: Promise<unknown> }[] = [];
  for (const wanted of [
    [one, other],
    [other, one],
  ]) {
    const waiter = await beginBeside(t, databaseUrl);
    const claimed = waiter.client.query(claim(wanted)).then(
      ({ rows }) => rows[0].outcome,
      (error) => error.code,
    );
    waiting.push({ pid: waiter.pid, claimed });
    await until(async () => (await held(waiter.pid)).waits === 1);
  }

  for (const { client, team } of winners) {
    const before = await Promise.all(waiting.map(({ pid }) => held(pid)));
    await client.query(COPY, [data.bookingId, team.id, '0 minutes']);
    assert.deepEqual(
      before.map(({ has }) => has),
      [0, 0],
    );
    await client.query('commit');
    // The waiting booking checks this team, and continues to wait for the other.
    if (team === one)
      await until(async () => {
        const { key } = await held(waiting[0]!.pid);
        return key !== null && key !== before[0]!.key;
      });
  }
  assert.deepEqual(await Promise.all(waiting.map(({ claimed }) => claimed)), ['TAKEN', 'TAKEN']);

  /** How many teams it waits for, and has; and which it waits for. */
  async function held(pid: number): Promise<{ waits: number; has: number; key: string | null }> {
    const row = await db.first<Awaited<ReturnType<typeof held>>>({
      text: `
        select count(*) filter (where not granted)::integer as waits, count(*) filter (where granted)::integer as has,
          max(objid::text) filter (where not granted) as key
        from pg_locks where locktype = 'advisory' and classid = 2 and pid = $1`,
      values: [pid],
    });
    return row!;
  }
});

test('the constraint refuses an overlap that code would allow', async (t) => {
  const service = await startTestService(t);
  const world: World = await createWorld(service, { teams: 1 });
  const booked = await world.book();
  assert.equal(booked.status, 200);
  const copy = (shift: string) =>
    service.deps.db.rows({ text: COPY, values: [booked.body.data.bookingId, world.teamIds[0], shift] });
  // 10:00 to 12:00 and a buffer until 12:30.
  await assert.rejects(copy('149 minutes'), { code: '23P01', constraint: 'appointments_no_overlap' });
  await copy('150 minutes');
});

test('a booking waits for a change of the catalogue, and is then decided by it', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const service = await startTestService(t, { databaseUrl });
  const world = await createWorld(service, { teams: 2 });
  const { client } = await beginBeside(t, databaseUrl);
  await client.query('update teams set is_active = false where id = $1', [world.teamIds[0]]);
  await client.query('update services set default_price = 321 where id = $1', [world.serviceId]);
  const waiting = times(3, () => world.book());
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
  // Bookings that arrive together share a transaction, so one backend may wait for all of them.
  await until(async () => (await service.deps.db.rows({ text: waits })).length > 0);
  await client.query('commit');
  assert.deepEqual(tally(await Promise.all(waiting)), { 200: 1, BOOKING_CREATION_FAILED: 2 });
  const made = await service.deps.db.rows({
    text: 'select amount::integer, team_id from bookings join appointments a on a.booking_id = bookings.id',
  });
  assert.deepEqual(made, [{ amount: 321, team_id: world.teamIds[1] }]);
});
