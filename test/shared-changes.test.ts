import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createPlanCache } from '../src/availability/plan.ts';
import { ApiError } from '../src/base/errors.ts';
import { cancelBooking } from '../src/bookings/cancel.ts';
import { createPlainChanges } from '../src/bookings/change.ts';
import { confirmPayment } from '../src/bookings/confirm-payment.ts';
import { createBooking, createBookingInserts, partitionTeams } from '../src/bookings/create.ts';
import { updateBooking } from '../src/bookings/update.ts';
import { createContactFinder } from '../src/contacts/contacts.ts';
import type { Db, Statement, Tx } from '../src/db/connection.ts';
import { createWorld, randomPhone, WORLD_DATE } from './fixtures.ts';
import { onPostgres, startTestService, TEST_NOW } from './harness.ts';
import { until } from './until.ts';

/** Changes that arrive together share a transaction: each is as if it were alone. */

/** The database, and the lists of keys in its statements of that name. */
function watched(db: Db, name: string): { db: Db; lists: number[] } {
  const lists: number[] = [];
  const note = (statement: Statement): void => {
    if (statement.name?.endsWith(name)) lists.push((statement.values![0] as unknown[]).length);
  };
  const watch = <On extends Pick<Db, 'rows'>>(on: On): On => ({
    ...on,
    rows: (statement: Statement) => {
      note(statement);
      return on.rows(statement);
    },
  });
  return {
    db: { ...watch(db), transaction: (work, key) => db.transaction((tx) => work(watch(tx) as Tx), key) },
    lists,
  };
}

const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : String(error));
const outcomes = (settled: PromiseSettledResult<unknown>[]): string[] =>
  settled.map((one) => (one.status === 'fulfilled' ? 'OK' : codeOf(one.reason)));

const SLOTS = [
  { startAt: '09:00', endAt: '11:00' },
  { startAt: '12:00', endAt: '14:00' },
  { startAt: '15:00', endAt: '17:00' },
];

test('changes in one transaction: each has its own result, as if alone', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 4 });
  const other = await createWorld(service, { teams: 1 });
  const { db: real } = service.deps;
  const reasonId = (
    await service.operator('POST', '/cancellation-reasons', { nameEn: 'Moved', nameAr: 'انتقل' })
  ).body.data.id;
  const booked: string[] = [];
  for (const timeslot of [...SLOTS, ...SLOTS, SLOTS[0]!])
    booked.push((await world.book({ timeslot })).body.data.bookingId);
  const strange = (await other.book()).body.data.bookingId;

  const { db, lists } = watched(real, 'lock-free-bookings');
  const change = createPlainChanges(db);
  const key = (bookingId: string) => ({ partnerId: world.partnerId, bookingId });
  const deps = { db, plans: createPlanCache(db), change, sealer: service.deps.sealer };
  const partner = { id: world.partnerId, paymentResponsibility: 'PARTNER' as const };
  const refer = (bookingId: string, externalReference: string) =>
    updateBooking(deps, TEST_NOW, key(bookingId), { externalReference });
  const cancel = (bookingId: string, id = reasonId) =>
    cancelBooking(change, TEST_NOW, key(bookingId), { reasonId: id });
  const confirm = (bookingId: string) =>
    confirmPayment(change, TEST_NOW, partner, { bookingId, paymentReference: 'paid' });
  await refer(booked[6]!, 'taken');

  const together = [
    refer(booked[0]!, 'first'),
    refer(booked[0]!, 'second'),
    confirm(booked[1]!),
    cancel(booked[1]!),
    cancel(booked[2]!.toUpperCase(), reasonId.toUpperCase()),
    cancel(booked[2]!),
    cancel(booked[3]!, randomUUID()),
    cancel(randomUUID()),
    cancel(strange),
    confirm(booked[4]!),
    confirm(booked[4]!),
    updateBooking(deps, TEST_NOW, key(booked[5]!), { notes: 'the blue door' }),
  ];
  assert.deepEqual(outcomes(await Promise.allSettled(together)), [
    'OK',
    'OK',
    'OK',
    'OK',
    'OK',
    'BOOKING_ALREADY_CANCELLED',
    'VALIDATION_ERROR',
    'RESOURCE_NOT_FOUND',
    'RESOURCE_NOT_FOUND',
    'OK',
    'PAYMENT_ALREADY_CONFIRMED',
    'OK',
  ]);
  assert.deepEqual(lists, [together.length], 'they shared one transaction');

  // The database refuses the list for one of them.
  const refused = [refer(booked[3]!, 'third'), refer(booked[4]!, 'taken'), refer(booked[5]!, 'fourth')];
  assert.deepEqual(outcomes(await Promise.allSettled(refused)), ['OK', 'DUPLICATE_EXTERNAL_REFERENCE', 'OK']);
  assert.equal(lists.at(-1), 3);

  const found = await real.rows<{ id: string; external_reference: string; status: string; notes: string }>({
    text: 'select id, external_reference, status, payment_status, notes from bookings where partner_id = $1',
    values: [world.partnerId],
  });
  const byId = new Map(found.map((row) => [row.id, row]));
  const row = (index: number) => byId.get(booked[index]!)!;
  assert.equal(row(0).external_reference, 'second');
  assert.deepEqual([row(1).status, row(2).status, row(3).status], ['canceled', 'canceled', 'in progress']);
  assert.deepEqual([row(3).external_reference, row(5).external_reference], ['third', 'fourth']);
  assert.equal(row(5).notes, 'the blue door');
  const sequences = await real.rows<{ all: number[] }>({
    text: 'select array_agg(sequence order by sequence)::int[] as all from events group by booking_id',
  });
  for (const { all } of sequences)
    assert.deepEqual(
      all,
      all.map((_, index) => index + 1),
    );
  const names = await real.rows<{ event: string }>({
    text: 'select event from events where booking_id = $1 order by sequence',
    values: [booked[1]],
  });
  assert.deepEqual(
    names.map(({ event }) => event),
    [
      'booking.created',
      'booking.payment_confirmed',
      'booking.cancelled',
      'booking.appointment_status_changed',
    ],
  );
});

test('creations in one statement: no team twice, and one refusal concerns no other', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const { db, lists } = watched(service.deps.db, 'book-appointments');
  const deps = { db, plans: createPlanCache(db), insert: createBookingInserts(db) };
  const { contactId, addressId, serviceId } = world;
  const partner = { id: world.partnerId, paymentResponsibility: 'PARTNER' as const, hasGateway: false };
  const book = (timeslot: { startAt: string; endAt: string }, externalReference?: string) =>
    createBooking(deps, TEST_NOW, {
      partner,
      input: {
        contactId,
        addressId,
        serviceId,
        date: WORLD_DATE,
        timeslot,
        ...(externalReference !== undefined && { externalReference }),
      },
    });
  const five = await Promise.allSettled([1, 2, 3, 4, 5].map(() => book(SLOTS[0]!)));
  assert.deepEqual(outcomes(five).toSorted(), [
    'BOOKING_CREATION_FAILED',
    'BOOKING_CREATION_FAILED',
    'OK',
    'OK',
    'OK',
  ]);
  assert.ok(lists[0]! > 1, 'they shared a statement');
  lists.length = 0;
  const three = await Promise.allSettled([book(SLOTS[1]!, 'one'), book(SLOTS[1]!, 'one'), book(SLOTS[1]!)]);
  assert.deepEqual(outcomes(three).toSorted(), ['DUPLICATE_EXTERNAL_REFERENCE', 'OK', 'OK']);
  const kept = await service.deps.db.rows<{ names: number; teams: number; made: number }>({
    text: `
      select count(*) as made, count(distinct name) as names, count(distinct (team_id, starts_at)) as teams
      from appointments`,
  });
  assert.deepEqual(kept, [{ made: 5, names: 5, teams: 5 }]);
});

test('contacts in one statement: one customer is made once, with each of its addresses', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { db, lists } = watched(service.deps.db, 'insert-contacts');
  const find = createContactFinder(db);
  const partner = { id: world.partnerId, name: 'partner' };
  const phone = randomPhone();
  const found = await Promise.all(
    [
      { phone, name: 'Noura', cityName: 'Riyadh', streetName: 'One' },
      { phone, name: 'Not Noura', cityName: 'Riyadh', streetName: 'Two' },
      { phone: randomPhone(), name: 'Huda' },
      { phone, name: 'Noura' },
    ].map((input) => find(TEST_NOW, partner, input)),
  );
  assert.equal(lists[0], 4);
  const [noura, again, huda, third] = found;
  assert.deepEqual([again!.id, third!.id], [noura!.id, noura!.id]);
  assert.notEqual(huda!.id, noura!.id);
  assert.equal([noura, again, third].filter((one) => one!.is_new).length, 1);
  assert.ok(noura!.address_id !== null && again!.address_id !== null);
  assert.notEqual(noura!.address_id, again!.address_id);
  assert.deepEqual([huda!.address_id, third!.address_id], [null, null]);
});

const skip = !onPostgres && 'the embedded database has one connection';

test('who is locked by another transaction holds up no other', { skip }, async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 2 });
  const { db } = service.deps;
  const first = (await world.book({ timeslot: SLOTS[0] })).body.data;
  const second = (await world.book({ timeslot: SLOTS[0] })).body.data;
  const deps = {
    db,
    plans: createPlanCache(db),
    change: createPlainChanges(db),
    sealer: service.deps.sealer,
  };
  const key = (bookingId: string) => ({ partnerId: world.partnerId, bookingId });
  const client = (await db.open!())!;
  t.after(() => client.end());
  await client.query('begin');
  await client.query('select from bookings where id = $1 for update', [first.bookingId]);
  let isFirstDone = false;
  const waiting = updateBooking(deps, TEST_NOW, key(first.bookingId), { notes: 'waits' }).then(() => {
    isFirstDone = true;
  });
  await updateBooking(deps, TEST_NOW, key(second.bookingId), { notes: 'does not' });
  assert.equal(isFirstDone, false);
  await until(async () => {
    const { rows } = await client.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows.length > 0;
  });
  await client.query('commit');
  await waiting;

  // A team that another transaction is claiming.
  const insert = createBookingInserts(db);
  const { contactId, addressId, serviceId } = world;
  const partner = { id: world.partnerId, paymentResponsibility: 'PARTNER' as const, hasGateway: false };
  const book = (date: string) =>
    createBooking({ db, plans: deps.plans, insert }, TEST_NOW, {
      partner,
      input: { contactId, addressId, serviceId, date, timeslot: SLOTS[2]! },
    });
  await client.query('begin');
  await client.query(
    `select claim_team(null, array[id], ($1::date + time '15:00') at time zone 'Asia/Riyadh',
      ($1::date + time '17:00') at time zone 'Asia/Riyadh') from teams`,
    [WORLD_DATE],
  );
  let isClaimedDone = false;
  const claimed = book(WORLD_DATE).then(() => {
    isClaimedDone = true;
  });
  await book('2026-11-24');
  assert.equal(isClaimedDone, false);
  await client.query('rollback');
  await claimed;
});

test('in a shared statement no two bookings of a day ask for one team, and each for its best', () => {
  const teams = Array.from({ length: 12 }, (_, index) => `team ${index}`);
  for (let round = 0; round < 200; round++) {
    const bookings = Array.from({ length: 1 + Math.floor(Math.random() * 8) }, () => ({
      service_date: Math.random() < 0.7 ? '2026-11-23' : '2026-11-24',
      teamIds: teams.filter(() => Math.random() < 0.6).toSorted(() => Math.random() - 0.5),
    }));
    const apart = partitionTeams(bookings);
    const firsts = new Set<string>();
    const asked = bookings.flatMap(({ service_date }, index) => apart[index]!.map((id) => service_date + id));
    assert.equal(new Set(asked).size, asked.length, 'none twice');
    for (const [index, { service_date, teamIds }] of bookings.entries()) {
      const own = apart[index]!;
      assert.deepEqual(
        own,
        teamIds.filter((id) => own.includes(id)),
        'in the order of preference',
      );
      const left = teamIds.filter((id) => !asked.includes(service_date + id));
      assert.ok(own.length === 4 || left.length === 0, 'as many as it can have');
      const first = teamIds.find((id) => !firsts.has(service_date + id));
      assert.equal(own[0], first, 'the best that no earlier one chose');
      firsts.add(service_date + first);
    }
  }
});
