import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import {
  createPostgresDatabase,
  onPostgres,
  startTestService,
  TEST_NOW,
  type TestService,
} from './harness.ts';
import { tally, times } from './storm.ts';
import { until } from './until.ts';

/** Two processes over one PostgreSQL database; embedded, where one process holds it, the same one twice. */
async function twoProcesses(t: TestContext): Promise<[TestService, TestService]> {
  if (!onPostgres) {
    const service = await startTestService(t);
    return [service, service];
  }
  const databaseUrl = await createPostgresDatabase(t);
  return [await startTestService(t, { databaseUrl }), await startTestService(t, { databaseUrl })];
}

async function reason(service: TestService): Promise<string> {
  const row = await service.deps.db.first<{ id: string }>({
    text: `insert into cancellation_reasons (name_en, name_ar, created_at, updated_at) values ('x', 'x', $1, $1) returning id`,
    values: [new Date(TEST_NOW).toISOString()],
  });
  return row!.id;
}

const cancel = (service: TestService, world: World, id: string, reasonId: string) =>
  service.v1(world.key, 'PATCH', `/partners/bookings/${id}/cancel`, { reasonId });
const confirm = (service: TestService, world: World, id: string) =>
  service.v1(world.key, 'POST', `/partners/bookings/${id}/confirm-payment`, {});

/** Invariants: no overlap, no event missing or out of order, no cancelled booking paid. */
async function assertSound(service: TestService): Promise<void> {
  const row = await service.deps.db.first({
    text: `
      select
        (select count(*) from appointments a join appointments b on a.team_id = b.team_id and a.id < b.id
          where a.status <> 'Cancelled' and b.status <> 'Cancelled'
            and a.starts_at < b.busy_until and b.starts_at < a.busy_until) as overlaps,
        (select count(*) from bookings where event_count <> (select count(*) from events where booking_id = bookings.id)) as events,
        (select count(*) from bookings b join appointments a on a.booking_id = b.id
          where b.service_date <> (a.starts_at at time zone 'Asia/Riyadh')::date) as dates,
        (select count(*) from bookings b join appointments a on a.booking_id = b.id
          where b.status = 'canceled' and (b.payment_status <> 'CANCELLED' or a.status <> 'Cancelled')) as canceled`,
  });
  assert.deepEqual(row, { overlaps: 0, events: 0, dates: 0, canceled: 0 });
}

test('simultaneous cancels: one wins', async (t) => {
  const [first, second] = await twoProcesses(t);
  const world = await createWorld(first);
  const reasonId = await reason(first);
  for (let round = 0; round < 5; round++) {
    const { bookingId } = (await world.book()).body.data;
    const answers = await Promise.all(
      times(20, (index) => cancel(index % 2 ? first : second, world, bookingId, reasonId)),
    );
    assert.deepEqual(tally(answers), { 200: 1, BOOKING_ALREADY_CANCELLED: 19 });
  }
  await assertSound(first);
});

test('a reason deleted while its cancellation waits is a validation error', {
  skip: !onPostgres && 'needs two connections',
}, async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const reasonId = await reason(service);
  const { bookingId } = (await world.book()).body.data;
  const { db } = service.deps;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holder = db.transaction(async (tx) => {
    await tx.rows({ text: 'select 1 from bookings where id = $1 for update', values: [bookingId] });
    lock();
    await gate;
  });
  await locked;
  const waiting = cancel(service, world, bookingId, reasonId);
  // The cancellation has read its reason once it waits for the booking.
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await db.rows({ text: waits })).length > 0);
  await db.rows({ text: 'delete from cancellation_reasons where id = $1', values: [reasonId] });
  open();
  await holder;
  const answer = await waiting;
  assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR']);
  assert.deepEqual(tally([await service.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`)]), {
    200: 1,
  });
  await assertSound(service);
});

test('simultaneous confirms: one wins', async (t) => {
  const [first, second] = await twoProcesses(t);
  const world = await createWorld(first);
  const { bookingId } = (await world.book()).body.data;
  const answers = await Promise.all(
    times(20, (index) => confirm(index % 2 ? first : second, world, bookingId)),
  );
  assert.deepEqual(tally(answers), { 200: 1, PAYMENT_ALREADY_CONFIRMED: 19 });
  await assertSound(first);
});

test('cancel against confirm: never canceled and paid', async (t) => {
  const [first, second] = await twoProcesses(t);
  const world = await createWorld(first);
  const reasonId = await reason(first);
  for (let round = 0; round < 10; round++) {
    const { bookingId } = (await world.book()).body.data;
    const pair = [() => cancel(first, world, bookingId, reasonId), () => confirm(second, world, bookingId)];
    const answers = await Promise.all((round % 2 ? pair : pair.toReversed()).map((act) => act()));
    const outcome = tally(answers);
    assert.ok(outcome['200'] === 2 || outcome.BOOKING_NOT_PAYABLE === 1, JSON.stringify(outcome));
    const { data } = (await first.v1(world.key, 'GET', `/partners/bookings/${bookingId}/status`)).body;
    assert.deepEqual([data.status, data.paymentStatus], ['canceled', 'CANCELLED']);
  }
  await assertSound(first);
});

test('create against reschedule into one slot: as many win as there are teams', async (t) => {
  const [first, second] = await twoProcesses(t);
  const world = await createWorld(first, { teams: 2 });
  const wanted = { startAt: '15:00', endAt: '17:00' };
  for (let day = 1; day <= 5; day++) {
    const date = `2026-12-0${day}`;
    const held = await Promise.all(times(2, () => world.book({ date })));
    const moves = held.map((answer, index) =>
      (index % 2 ? first : second).v1(
        world.key,
        'PATCH',
        `/partners/bookings/${answer.body.data.bookingId}`,
        { timeslot: wanted },
      ),
    );
    const answers = await Promise.all([...moves, ...times(6, () => world.book({ date, timeslot: wanted }))]);
    assert.deepEqual(tally(answers), { 200: 2, BOOKING_CREATION_FAILED: 6 });
    // The loser of a move still holds its slot.
    for (const [index, answer] of answers.slice(0, 2).entries()) {
      const path = `/partners/bookings/${held[index]!.body.data.bookingId}/status`;
      const { timeslot } = (await first.v1(world.key, 'GET', path)).body.data;
      assert.equal(timeslot.startAt, answer.status === 200 ? '15:00' : '10:00');
    }
  }
  await assertSound(first);
});

test('moves that swap times do not deadlock', async (t) => {
  const [first, second] = await twoProcesses(t);
  const world = await createWorld(first, { teams: 2 });
  const slots = [
    { startAt: '08:00', endAt: '10:00' },
    { startAt: '12:00', endAt: '14:00' },
    { startAt: '16:00', endAt: '18:00' },
  ];
  const bookings = await Promise.all(times(4, (index) => world.book({ timeslot: slots[index % 2]! })));
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      bookings.map(({ body }, index) =>
        (index % 2 ? first : second).v1(world.key, 'PATCH', `/partners/bookings/${body.data.bookingId}`, {
          timeslot: slots[(round + index) % 3]!,
        }),
      ),
    );
    for (const answer of answers) assert.ok([200, 422].includes(answer.status), answer.text);
  }
  await assertSound(first);
});

test('a cancellation frees a slot for waiting creations', async (t) => {
  const [first, second] = await twoProcesses(t);
  const world = await createWorld(first);
  const reasonId = await reason(first);
  let bookingId = (await world.book()).body.data.bookingId;
  for (let round = 0; round < 5; round++) {
    const [canceled, ...answers] = await Promise.all([
      cancel(second, world, bookingId, reasonId),
      ...times(10, () => world.book()),
    ]);
    assert.equal(canceled!.status, 200);
    const winners = answers.filter((answer) => answer!.status === 200);
    assert.ok(winners.length <= 1);
    // At the latest now it is free: nothing is left blocked.
    bookingId = (winners[0] ?? (await world.book())).body.data.bookingId;
    assert.ok(bookingId);
  }
  await assertSound(first);
});

test('the feed: an event that commits late does not appear before a cursor', {
  skip: !onPostgres && 'needs two connections',
}, async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 30 });
  const { bookingId } = (await world.book()).body.data;
  const read = async (after?: string) =>
    (await service.v1(world.key, 'GET', `/partners/events${after ? `?after=${after}` : ''}`)).body;
  const first = await read();
  assert.equal(first.data.length, 1);

  // A transaction writes its event, then dawdles; another one comes and goes meanwhile.
  const { db } = service.deps;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
  const late = db.transaction(async (tx) => {
    await tx.rows({
      text: `insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
        select $1, $2, $3, 2, 'booking.updated', payload, $4 from events where booking_id = $3`,
      values: [randomUUID(), world.partnerId, bookingId, new Date(TEST_NOW).toISOString()],
    });
    await tx.rows({ text: 'update bookings set event_count = 2 where id = $1', values: [bookingId] });
    wrote();
    await gate;
  });
  await written;
  const other = (await world.book()).body.data.bookingId;
  const second = await read(first.meta.nextCursor);
  assert.deepEqual(
    second.data.map((event: { bookingId: string }) => event.bookingId),
    [other],
  );
  open();
  await late;
  const third = await read(second.meta.nextCursor);
  assert.deepEqual(
    third.data.map((event: { bookingId: string; sequence: number }) => [event.bookingId, event.sequence]),
    [[bookingId, 2]],
  );
});

test('the feed: pollers during a storm see every event once and each booking in its order', async (t) => {
  const [first, second] = await twoProcesses(t);
  const world = await createWorld(first, { teams: 12 });
  const reasonId = await reason(first);
  let busy = true;
  const poll = async (service: TestService) => {
    const seen: { id: string; bookingId: string; sequence: number }[] = [];
    let after: string | undefined;
    for (;;) {
      const last = !busy;
      const { data, meta } = (
        await service.v1(world.key, 'GET', `/partners/events?limit=7${after ? `&after=${after}` : ''}`)
      ).body;
      seen.push(...data);
      after = meta.nextCursor;
      if (last && !meta.hasMore && data.length === 0) return seen;
    }
  };
  const pollers = [poll(first), poll(second)];
  await Promise.all(
    times(40, async (index) => {
      const service = index % 2 ? first : second;
      const day = 1 + (index % 4);
      const booked = await world.book({ date: `2026-12-0${day}` });
      if (booked.status !== 200) return;
      const id = booked.body.data.bookingId;
      await confirm(service, world, id);
      await service.v1(world.key, 'PATCH', `/partners/bookings/${id}`, { externalReference: `R${index}` });
      await cancel(service, world, id, reasonId);
    }),
  );
  busy = false;
  const [one, two] = await Promise.all(pollers);
  const stored = await first.deps.db.rows<{ id: string }>({
    text: 'select event_id as id from event_places order by place',
  });
  assert.deepEqual(
    one!.map((event) => event.id),
    stored.map((event) => event.id),
  );
  assert.deepEqual(
    two!.map((event) => event.id),
    one!.map((event) => event.id),
  );
  const sequences = new Map<string, number>();
  for (const { bookingId, sequence } of one!) {
    assert.equal(sequence, (sequences.get(bookingId) ?? 0) + 1);
    sequences.set(bookingId, sequence);
  }
  assert.equal(new Set(one!.map((event) => event.id)).size, one!.length);
  await assertSound(first);
  assert.ok(WORLD_DATE);
});
