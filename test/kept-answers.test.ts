import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createPlanCache } from '../src/availability/plan.ts';
import { readAvailability } from '../src/availability/queries.ts';
import { availableSlots, dayOn, loadSlotContext, type Slot } from '../src/availability/slots.ts';
import { HOUR, MINUTE, manualClock } from '../src/base/clock.ts';
import { ApiError } from '../src/base/errors.ts';
import { createBooking, createBookingInserts } from '../src/bookings/create.ts';
import { offeredServices } from '../src/catalogue/offered-services.ts';
import { categoryView } from '../src/catalogue/view.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { createWorld, everyDay, squareAround, WORLD_DATE, type World } from './fixtures.ts';
import {
  afterwards,
  createPostgresDatabase,
  onPostgres,
  startTestService,
  TEST_NOW,
  type TestService,
} from './harness.ts';
import { times } from './storm.ts';

/** Caches have no visible effect: a process responds like a newly started one. */

/** The last one has separate changes: no appointment reaches it from the others. */
const DATES = [WORLD_DATE, '2026-11-24', '2026-11-25', '2026-12-10'];
const FIRST = { limit: 20, offset: 0 };

type Room = {
  world: World;
  /** The service that makes changes; on PostgreSQL another process than the responding one. */
  changing: TestService;
  answering: TestService;
  sql(text: string, ...values: unknown[]): Promise<unknown>;
};

async function openRoom(t: TestContext): Promise<Room> {
  const clock = manualClock(TEST_NOW);
  const shared = onPostgres ? { databaseUrl: await createPostgresDatabase(t) } : {};
  const answering = await startTestService(t, { ...shared, clock });
  const changing = onPostgres ? await startTestService(t, { ...shared, clock }) : answering;
  const world = await createWorld(changing, { teams: 2 });
  const { db } = changing.deps;
  return { world, changing, answering, sql: (text, ...values) => db.rows({ text, values }) };
}

/** The result of a newly started process, or the code of its error. */
async function freshAnswer<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

/** Requests all of it at once, some of it repeatedly, and compares with fresh results; returns those. */
async function compare({ world, answering }: Room, what: string): Promise<string> {
  const { db, clock } = answering.deps;
  const { partnerId, addressId, serviceId, key } = world;
  const answers = await Promise.all([
    ...[...DATES, ...DATES].map(async (date) => {
      const query = new URLSearchParams({ addressId, serviceId, date });
      const { body } = await answering.v1(key, 'GET', `/partners/timeslots/available?${query}`);
      return body.data?.slots ?? body.error.code;
    }),
    ...times(2, async () => {
      const { body } = await answering.v1(key, 'GET', `/partners/services?addressId=${addressId}`);
      return body.data ?? body.error.code;
    }),
  ]);
  const fresh: unknown[] = [];
  for (const date of DATES) {
    const query = { partnerId, addressId, serviceId, date };
    fresh.push(
      await freshAnswer(
        async () => (await availableSlots(db, createPlanCache(db), clock.now(), query)).slots,
      ),
    );
  }
  const offered = await freshAnswer(async () =>
    (await offeredServices(db, partnerId, addressId, FIRST)).rows.map(categoryView),
  );
  assert.deepEqual(answers, [...fresh, ...fresh, offered, offered], what);
  return JSON.stringify([fresh, offered]);
}

test('after every kind of change a process responds like a newly started one', async (t) => {
  const room = await openRoom(t);
  const { world, changing, answering, sql } = room;
  const { partnerId, serviceId, zoneId, categoryId, addressId, teamIds } = world;
  const operator = async (method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await changing.operator(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  };
  const service = (body: object) => operator('PATCH', `/services/${serviceId}`, body);
  const zone = (body: object) => operator('PATCH', `/zones/${zoneId}`, body);
  const team = (index: number, body: object) => operator('PATCH', `/teams/${teamIds[index]}`, body);
  const partner = (body: object) => operator('PATCH', `/partners/${partnerId}`, body);
  const prices = (restricted: boolean, ...services: object[]) =>
    operator('PUT', `/partners/${partnerId}/services`, { restricted, services });
  const at = (latitude: number, longitude: number) =>
    sql('update addresses set latitude = $2, longitude = $3 where id = $1', addressId, latitude, longitude);
  const { latitude, longitude } = world;
  let bookings: string[] = [];
  const book = async (timeslot: object, date = WORLD_DATE): Promise<void> => {
    const { status, body } = await changing.v1(world.key, 'POST', '/partners/bookings', {
      contactId: world.contactId,
      addressId,
      serviceId,
      date,
      timeslot,
    });
    assert.equal(status, 200, JSON.stringify(body));
    bookings = [body.data.bookingId, ...bookings];
  };
  const change = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await changing.v1(world.key, method, `/partners/bookings/${bookings[0]}${path}`, body);
    assert.equal(answer.status, 200, answer.text);
  };
  const reasons = await changing.operator('POST', '/cancellation-reasons', {
    nameEn: 'Moved',
    nameAr: 'انتقل',
  });
  const noon = { startAt: '12:00', endAt: '14:00' };
  const evening = { startAt: '17:00', endAt: '19:00' };

  // Each of them changes the results, so that an outdated one differs.
  const changes: [string, () => unknown][] = [
    ['the default price', () => service({ defaultPrice: 175 })],
    ["the partner's price", () => prices(false, { serviceId, price: 99 })],
    ['the name', () => service({ name: 'Deep cleaning', nameAr: 'تنظيف عميق' })],
    ["the partner's language", () => partner({ language: 'ar' })],
    ['the language by SQL', () => sql("update partners set language = 'en' where id = $1", partnerId)],
    ['the category', () => operator('PATCH', `/categories/${categoryId}`, { nameEn: 'Another' })],
    ['the service is not for the partner', () => prices(true)],
    ['it is again', () => prices(true, { serviceId, price: 99 })],
    ['the grid', () => zone({ slotGridMinutes: 60 })],
    ['the duration', () => service({ durationMinutes: 180 })],
    ['the duration as it was', () => service({ durationMinutes: 120 })],
    ['the zone lies elsewhere', () => zone({ area: squareAround(latitude + 3, longitude) })],
    ['the address is moved into it', () => at(latitude + 3, longitude)],
    ['the address is moved out of it', () => at(latitude, longitude)],
    ['the zone is back', () => zone({ area: squareAround(latitude, longitude) })],
    [
      'the address has no coordinates',
      () =>
        sql(
          "update addresses set latitude = null, longitude = null, city_name = 'Riyadh' where id = $1",
          addressId,
        ),
    ],
    ['the address has its coordinates again', () => at(latitude, longitude)],
    ['the zone is closed', () => zone({ isActive: false })],
    ['the zone is open', () => zone({ isActive: true })],
    ['the service is not offered in the zone', () => zone({ serviceIds: [] })],
    ['it is again offered', () => zone({ serviceIds: [serviceId] })],
    [
      'the shifts of the only active team',
      async () => {
        await team(0, { isActive: false });
        await team(1, { shifts: everyDay('09:00', '19:00') });
      },
    ],
    ['a booking weeks later', () => book(noon, '2026-12-10')],
    ['a booking', () => book(noon)],
    ['a booking of the day beside it', () => book(noon, '2026-11-24')],
    ['that is moved', () => change('PATCH', '', { timeslot: evening })],
    ['the buffer', () => team(1, { travelBufferMinutes: 90 })],
    ['and cancelled', () => change('PATCH', '/cancel', { reasonId: reasons.body.data.id })],
    [
      'a time off',
      () =>
        operator('POST', `/teams/${teamIds[1]}/time-off`, {
          startsAt: '2026-11-25T09:00:00+03:00',
          endsAt: '2026-11-25T13:00:00+03:00',
        }),
    ],
    ['the other team again', () => team(0, { isActive: true })],
    ['the notice', () => service({ minimumNoticeMinutes: 30 * 60 })],
    ['the horizon', () => service({ bookingHorizonDays: 2 })],
    ['the service is closed', () => service({ isActive: false })],
    ['the service is open', () => service({ isActive: true })],
    ['time goes on', () => changing.clock.advance(2 * HOUR)],
    ['and a start of the grid goes by', () => changing.clock.advance(31 * MINUTE)],
    ['another day', () => changing.clock.advance(18 * HOUR)],
    ['time goes back', () => changing.clock.set(TEST_NOW)],
  ];
  let before = await compare(room, 'at first');
  for (const [what, make] of changes) {
    await make();
    if (changing !== answering) await answering.deps.versions.refresh();
    const after = await compare(room, what);
    assert.notEqual(after, before, `${what}: changes nothing`);
    before = after;
  }
});

test('a booking is created or refused by the current data', async (t) => {
  const { world, changing, answering, sql } = await openRoom(t);
  const { serviceId, zoneId, addressId, partnerId } = world;
  const book = async (startAt = '10:00', endAt = '12:00', date = WORLD_DATE) => {
    const body = { contactId: world.contactId, addressId, serviceId, date, timeslot: { startAt, endAt } };
    const answer = await answering.v1(world.key, 'POST', '/partners/bookings', body);
    return answer.status === 200 ? answer.body.data.bookingId : answer.body.error.code;
  };
  const price = async (id: string) => {
    const row = await answering.deps.db.first<{ amount: string }>({
      text: 'select amount from bookings where id = $1',
      values: [id],
    });
    return Number(row!.amount);
  };
  const zone = (body: object) => changing.operator('PATCH', `/zones/${zoneId}`, body);

  for (const date of DATES) assert.equal(await price(await book('10:00', '12:00', date)), 150);
  await sql('update services set default_price = 160 where id = $1', serviceId);
  assert.equal(await price(await book('16:00', '18:00')), 160, 'the claim has told that the price was old');

  assert.equal(await book('13:15', '15:15'), 'BOOKING_CREATION_FAILED');
  await zone({ slotGridMinutes: 15 });
  assert.match(await book('13:15', '15:15'), /^[0-9a-f-]{36}$/, 'a start that was not on the grid before');
  await zone({ serviceIds: [] });
  assert.equal(await book('08:00', '10:00'), 'SERVICE_NOT_ALLOWED');
  await zone({ serviceIds: [serviceId] });
  assert.match(await book('08:00', '10:00', '2026-11-26'), /^[0-9a-f-]{36}$/, 'offered again');
  await sql('update partners set service_restricted = true where id = $1', partnerId);
  assert.equal(await book('08:00', '10:00', '2026-11-27'), 'SERVICE_NOT_ALLOWED');
  await sql('update partners set service_restricted = false where id = $1', partnerId);
  assert.match(await book('08:00', '10:00', '2026-11-27'), /^[0-9a-f-]{36}$/, 'enabled again');
});

test('data of a rolled back transaction is not cached', async (t) => {
  const { world, answering } = await openRoom(t);
  const { db, plans, clock } = answering.deps;
  const look = async (on: Parameters<typeof loadSlotContext>[0]) => {
    const context = await loadSlotContext(on, plans, world, { from: WORLD_DATE, days: 1 });
    const [{ startAt, endAt }] = dayOn(context, WORLD_DATE, clock.now()).slots as [Slot];
    return [Number(context.priceAt(clock.now())), `${startAt}-${endAt}`];
  };
  const set = (price: number, minutes: number) => ({
    text: 'update services set default_price = $2, duration_minutes = $3 where id = $1',
    values: [world.serviceId, price, minutes],
  });
  assert.deepEqual(await look(db), [150, '08:00-10:00']);
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.rows(set(99, 180));
      assert.deepEqual(await look(tx), [99, '08:00-11:00']);
      throw new Error('taken back');
    }),
    /taken back/,
  );
  await db.rows(set(77, 60));
  assert.deepEqual(await look(db), [77, '08:00-09:00'], 'of the same version as what was taken back');
});

test("reads belong to the plan's version: a catalogue that changes meanwhile is read again", async (t) => {
  const { world, answering, sql } = await openRoom(t);
  const { db, clock } = answering.deps;
  const [held, other] = world.teamIds;
  await sql('delete from team_zones where team_id = $1', other);
  const at = { startAt: '10:00', endAt: '12:00' };
  const { contactId, addressId, serviceId } = world;
  const body = { contactId, addressId, serviceId, date: WORLD_DATE, timeslot: at };
  assert.equal((await answering.v1(world.key, 'POST', '/partners/bookings', body)).status, 200);
  // Its zone is removed and added again between the two statements of a process without a plan.
  await sql('insert into team_zones (team_id, zone_id) values ($1, $2)', other, world.zoneId);
  await sql('delete from team_zones where team_id = $1', held);
  let reads = 0;
  const overtaken: Db = {
    ...db,
    async first<Row>(statement: Parameters<Db['first']>[0]) {
      const row = await db.first<Row>(statement);
      if (statement.name === 'read-availability' && ++reads === 1) {
        await sql('insert into team_zones (team_id, zone_id) values ($1, $2)', held, world.zoneId);
        await sql('delete from team_zones where team_id = $1', other);
        await sql('update services set default_price = 99 where id = $1', world.serviceId);
      }
      return row;
    },
  };
  const days = { from: WORLD_DATE, days: 1 };
  const context = await loadSlotContext(overtaken, createPlanCache(overtaken), world, days);
  const starts = dayOn(context, WORLD_DATE, clock.now()).slots.map(({ startAt }) => startAt);
  assert.deepEqual([reads, Number(context.priceAt(clock.now())), starts.includes('10:00')], [2, 99, false]);
  assert.ok(starts.includes('14:00'));
});

test('creations that arrive together share one read, which has no holds', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 5 });
  assert.equal((await world.book()).status, 200);
  const { db } = service.deps;
  const reads: { held: string | null }[] = [];
  const watched: Db = {
    ...db,
    async first<Row>(statement: Parameters<Db['first']>[0]) {
      const row = await db.first<Row>(statement);
      if (statement.name === 'read-availability') reads.push(row as { held: string | null });
      return row;
    },
  };
  const { contactId, addressId, serviceId, partnerId } = world;
  const partner = { id: partnerId, paymentResponsibility: 'PARTNER', hasGateway: false } as const;
  const timeslot = { startAt: '10:00', endAt: '12:00' };
  const plans = createPlanCache(watched);
  const booked = await Promise.all(
    DATES.map((date) => {
      const input = { contactId, addressId, serviceId, date, timeslot };
      return createBooking({ db: watched, plans, insert: createBookingInserts(watched) }, TEST_NOW, {
        partner,
        input,
      });
    }),
  );
  assert.equal(new Set(booked.map(({ bookingId }) => bookingId)).size, DATES.length);
  assert.deepEqual(
    reads.map(({ held }) => held),
    [null],
  );
});

test('PostgreSQL keeps one generic plan for the statements of every request', {
  skip: !onPostgres && 'counts plans of one connection',
}, async (t) => {
  const db = connectPostgres(await createPostgresDatabase(t), 1, (error) => {
    throw error;
  });
  afterwards(t, () => db.close());
  const ids = () => ({ partnerId: randomUUID(), addressId: randomUUID(), serviceId: randomUUID() });
  for (let time = 0; time < 8; time++) {
    await readAvailability(db, { from: WORLD_DATE, days: 1 + (time % 2) * 6 }, times(1 + time, ids));
  }
  const statements = await db.rows<{ name: string; generic_plans: number }>({
    text: 'select name, generic_plans from pg_prepared_statements order by name',
  });
  assert.deepEqual(
    statements.map(({ name, generic_plans }) => [name, Number(generic_plans)]),
    [['read-availability', 3]],
  );
});
