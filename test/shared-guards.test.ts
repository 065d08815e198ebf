import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { SAVE_CHANGES } from '../src/bookings/shared-change-queries.ts';
import type { Queryable, Tx } from '../src/db/connection.ts';
import { rows } from '../src/db/statement.ts';
import { createWorld, type World } from './fixtures.ts';
import { onPostgres, startTestService, type TestService } from './harness.ts';
import { times } from './storm.ts';
import { bookTogether } from './together.ts';

/**
 * Guards of save_changes and book_appointments, each by itself: what
 * test/shared-statements.test.ts sees of them is mended by what is done alone afterwards. A transaction here holds what
 * another one meets.
 */
const skip = !onPostgres && 'an embedded database has one connection';

type Change = { id: string; version: number; cancel?: { events: string[] } };

/** Saves notes, or a cancellation with events, of all in one statement; the outcomes in their order. */
async function save(service: TestService, db: Queryable, changes: Change[]): Promise<string[]> {
  const now = service.clock.now();
  const reason = await db.first<{ id: string }>({ text: 'select id from cancellation_reasons limit 1' });
  const of = <T>(value: (change: Change) => T): T[] => changes.map(value);
  const events = changes.flatMap(({ cancel }, index) =>
    (cancel?.events ?? []).map((name) => ({ name, place: index + 1 })),
  );
  const saved = await rows(db, SAVE_CHANGES, {
    kinds: of(({ cancel }) => (cancel ? 'cancel' : 'update')),
    bookingIds: of(({ id }) => id),
    versions: of(({ version }) => version),
    servers: of(() => null),
    times: of(() => now),
    eventCounts: of(({ cancel }) => cancel?.events.length ?? 0),
    externalReferences: of(() => null),
    notes: of(() => 'Changed'),
    serviceDates: of(({ cancel }) => (cancel ? null : '2026-11-24')),
    paymentStatuses: of(({ cancel }) => (cancel ? 'CANCELLED' : null)),
    paymentReferences: of(() => null),
    statuses: of(({ cancel }) => (cancel ? 'canceled' : null)),
    appointmentStatuses: of(({ cancel }) => (cancel ? 'Cancelled' : null)),
    reasonIds: of(({ cancel }) => (cancel ? reason!.id : null)),
    actions: of(({ cancel }) => (cancel ? 'CANCEL_ONLY' : null)),
    actor: 'partner',
    eventPlaces: events.map(({ place }) => place),
    eventIds: events.map(() => randomUUID()),
    eventNames: events.map(({ name }) => name),
    payloads: events.map(() => '{}'),
  });
  return saved.toSorted((one, other) => one.place - other.place).map(({ outcome }) => outcome);
}

/** Without a worker, which would fold totals meanwhile. */
const startAlone = (t: TestContext): Promise<TestService> => startTestService(t, { env: { ROLES: 'api' } });

async function startWithBookings(t: TestContext, count: number) {
  const service = await startAlone(t);
  const world = await createWorld(service, { teams: count });
  const { db } = service.deps;
  await service.operator('POST', '/cancellation-reasons', { nameEn: 'Moved', nameAr: 'انتقل' });
  for (const _ of times(count, () => null)) assert.equal((await world.book()).status, 200);
  const bookings = await db.rows<{ id: string; version: number }>({
    text: 'select id, version from bookings order by id',
  });
  const notesOf = async (): Promise<(string | null)[]> =>
    (await db.rows<{ notes: string | null }>({ text: 'select notes from bookings order by id' })).map(
      ({ notes }) => notes,
    );
  return { service, world, db, bookings, notesOf };
}

const lockTimeout = async (db: Queryable): Promise<string> =>
  (await db.first<{ it: string }>({ text: `select current_setting('lock_timeout') as it` }))!.it;

test('save_changes: what was written since is CHANGED, what another one holds is LOCKED', {
  skip,
}, async (t) => {
  const { service, db, bookings, notesOf } = await startWithBookings(t, 3);
  const [first, second, third] = bookings as [Change, Change, Change];
  const stale = { ...second, version: second.version - 1 };
  assert.deepEqual(await save(service, db, [third, stale, first]), ['SAVED', 'CHANGED', 'SAVED']);
  assert.deepEqual(await notesOf(), ['Changed', null, 'Changed']);

  await db.transaction(async (holder) => {
    await holder.rows({ text: 'select from bookings where id = $1 for update', values: [second.id] });
    const next = { ...first, version: first.version + 1 };
    assert.deepEqual(await save(service, db, [second, next]), ['LOCKED', 'SAVED']);
    assert.deepEqual(await save(service, db, [stale]), ['CHANGED'], 'held or not: it was written since');
  });
  assert.deepEqual(await notesOf(), ['Changed', null, 'Changed']);
});

test('save_changes: events in their order, and an appointment that is there already is left alone', {
  skip,
}, async (t) => {
  const { service, db, bookings } = await startWithBookings(t, 2);
  const [one, other] = bookings as [Change, Change];
  const cancel = { events: ['booking.cancelled', 'booking.appointment_status_changed'] };
  await db.rows({
    text: `update appointments set status = 'Cancelled' where booking_id = $1`,
    values: [other.id],
  });
  const appointment = () =>
    db.first({ text: 'select * from appointments where booking_id = $1', values: [other.id] });
  const before = await appointment();
  service.clock.advance(1_000);
  assert.deepEqual(
    await save(service, db, [
      { ...one, cancel },
      { ...other, cancel },
    ]),
    ['SAVED', 'SAVED'],
  );
  assert.deepEqual(await appointment(), before);
  const written = await db.rows<{ booking_id: string; sequence: number; event: string }>({
    text: 'select booking_id, sequence, event from events where sequence > 1 order by position',
  });
  assert.deepEqual(
    written,
    [one, other].flatMap(({ id }) =>
      cancel.events.map((event, index) => ({ booking_id: id, sequence: index + 2, event })),
    ),
  );
});

test('save_changes: each kind writes what is its own, and of one booking one change is saved', {
  skip,
}, async (t) => {
  const { service, db, bookings } = await startWithBookings(t, 3);
  const ids = bookings.map(({ id }) => id);
  const reason = await db.first<{ id: string }>({ text: 'select id from cancellation_reasons limit 1' });
  const read = () =>
    db.rows<Record<string, unknown>>({
      text: 'select b.*, a.status as appointment from bookings b join appointments a on a.booking_id = b.id order by b.id',
    });
  const before = await read();
  service.clock.advance(1_000);
  const now = service.clock.now();
  // Values for all, so that what is written of another kind's would show. The last is a change of the first once more.
  const all = <T>(value: T): T[] => times(4, () => value);
  const saved = await rows(db, SAVE_CHANGES, {
    kinds: ['update', 'confirm', 'cancel', 'cancel'],
    bookingIds: [...ids, ids[0]!],
    versions: [...bookings.map(({ version }) => version), bookings[0]!.version],
    servers: all(null),
    times: all(now),
    eventCounts: all(1),
    externalReferences: ['A', 'B', 'C', 'D'],
    notes: all('Notes'),
    serviceDates: all('2026-12-31'),
    paymentStatuses: ['PAID', 'PAID', 'CANCELLED', 'CANCELLED'],
    paymentReferences: all('payment'),
    statuses: all('canceled'),
    appointmentStatuses: all('Cancelled'),
    reasonIds: all(reason!.id),
    actions: all('CANCEL_ONLY'),
    actor: 'partner',
    eventPlaces: [1, 2, 3, 4],
    eventIds: times(4, () => randomUUID()),
    eventNames: all('booking.updated'),
    payloads: all('{}'),
  });
  const outcomeAt = (place: number) => saved.find((row) => row.place === place)?.outcome;
  assert.deepEqual([outcomeAt(2), outcomeAt(3)], ['SAVED', 'SAVED']);
  assert.deepEqual([outcomeAt(1), outcomeAt(4)].sort(), ['CHANGED', 'SAVED']);
  assert.equal(outcomeAt(1), 'SAVED', 'the first of the two');
  const written = [
    { external_reference: 'A', notes: 'Notes', service_date: '2026-12-31' },
    { payment_status: 'PAID', payment_reference: 'payment', payment_confirmed_at: now },
    {
      status: 'canceled',
      payment_status: 'CANCELLED',
      cancellation_reason_id: reason!.id,
      cancellation_notes: 'Notes',
      cancellation_action: 'CANCEL_ONLY',
      cancelled_by: 'partner',
      cancelled_at: now,
      appointment: 'Cancelled',
    },
  ];
  assert.deepEqual(
    await read(),
    before.map((row, index) => ({
      ...row,
      ...written[index],
      updated_at: now,
      event_count: Number(row.event_count) + 1,
      version: Number(row.version) + 1,
    })),
  );
  const events = await db.rows({ text: 'select from events where sequence > 1' });
  assert.equal(events.length, 3);
});

test('functions whose arrays would have them plan at each call keep their plans', async (t) => {
  const { deps } = await startTestService(t);
  const found = await deps.db.rows<{ name: string }>({
    text: `
      select proname as name from pg_proc
      where proconfig @> '{plan_cache_mode=force_generic_plan}' and pronamespace = 'public'::regnamespace order by 1`,
  });
  assert.deepEqual(
    found.map(({ name }) => name),
    ['count_bookings', 'find_or_create_contacts', 'note_booking_moves', 'save_changes'],
  );
});

test('save_changes: bookings in one order, and so their appointments', { skip }, async (t) => {
  const { service, db, bookings } = await startWithBookings(t, 4);
  for (const text of [
    'create table written (nth serial, of_table text, booking_id uuid)',
    `create function note_written() returns trigger language plpgsql as $$
      begin
        insert into written (of_table, booking_id) values (tg_table_name, (to_jsonb(new) ->> tg_argv[0])::uuid);
        return new;
      end $$`,
    `create trigger note_written before update on bookings for each row execute function note_written('id')`,
    `create trigger note_written before update on appointments for each row execute function note_written('booking_id')`,
  ])
    await db.rows({ text });
  const [a, b, c, d] = bookings as [Change, Change, Change, Change];
  const cancel = { events: [] };
  const mixed = [c, a, d, b].map((change) => ({ ...change, cancel }));
  assert.deepEqual(
    await save(service, db, mixed),
    times(4, () => 'SAVED'),
  );
  const written = await db.rows<{ of_table: string; booking_id: string }>({
    text: 'select of_table, booking_id from written order by nth',
  });
  assert.deepEqual(
    written,
    ['bookings', 'appointments'].flatMap((of_table) =>
      [a, b, c, d].map(({ id }) => ({ of_table, booking_id: id })),
    ),
  );
});

type Outcome = { place: number; outcome: string };

/** The rows of book_appointments itself; nothing is booked alone after it. `onDecided` runs before it. */
async function bookShared(
  { service, world }: { service: TestService; world: World },
  tx: Queryable,
  inputs: Record<string, unknown>[],
  onDecided = async (): Promise<void> => {},
): Promise<Outcome[]> {
  let found: Outcome[] | null = null;
  let failed: Error | null = null;
  const db = {
    ...service.deps.db,
    rows: async <Row>(statement: Parameters<Queryable['rows']>[0]): Promise<Row[]> => {
      if (statement.name !== 'book-appointments') return service.deps.db.rows<Row>(statement);
      try {
        await onDecided();
        found = await tx.rows(statement);
      } catch (error) {
        failed = error as Error;
      }
      // No error of the database: nothing is booked alone.
      throw new Error('enough');
    },
  };
  await bookTogether(
    service,
    db,
    inputs.map((input) => ({ world, input })),
  );
  if (failed !== null) throw failed;
  assert.ok(found !== null, 'all were booked in one statement');
  return found;
}

const outcomes = (found: Outcome[]): string[] => found.map(({ outcome }) => outcome).sort();
const LOCK_NOT_AVAILABLE = '55P03';

test('shared statements wait for a tenth of a second, and only they', { skip }, async (t) => {
  const it = await startWithBookings(t, 2);
  const { service, db, bookings } = it;
  await db.transaction(async (tx) => {
    const before = await lockTimeout(tx);
    assert.notEqual(before, '100ms');
    await save(service, tx, [bookings[0]!]);
    assert.equal(await lockTimeout(tx), '100ms');
  });
  await db.transaction(async (tx) => {
    assert.notEqual(await lockTimeout(tx), '100ms', 'only for the transaction');
    const inputs = times(2, () => ({ date: '2026-11-25' }));
    assert.deepEqual(outcomes(await bookShared(it, tx, inputs)), ['BOOKED', 'BOOKED']);
    assert.equal(await lockTimeout(tx), '100ms');
  });
  await db.transaction(async (tx) => assert.notEqual(await lockTimeout(tx), '100ms'));
});

/** As whoever claims a team for something on that day. */
const CLAIM_TEAM = `
  select pg_advisory_xact_lock(2, hashint8(lock_number * 100000::bigint + ($2::date - date '2000-01-01')))
  from teams where id = $1`;

test('book_appointments: a team that somebody else is claiming is LEFT, one that has work is TAKEN', {
  skip,
}, async (t) => {
  const service = await startAlone(t);
  const { db } = service.deps;
  const world = await createWorld(service, { teams: 1 });
  const it = { service, world };
  const [date, later] = [{ date: '2026-11-25' }, { date: '2026-11-26' }];
  const claim = (tx: Tx) => tx.rows({ text: CLAIM_TEAM, values: [world.teamIds[0], date.date] });
  await db.transaction(async (holder) => {
    await claim(holder);
    assert.deepEqual(outcomes(await bookShared(it, db, [date, later])), ['BOOKED', 'LEFT']);
  });

  // When it was decided the team was free. It has work by now, and is being claimed for another hour of the day.
  await db.transaction(async (holder) => {
    const found = await bookShared(it, db, [date, { date: '2026-11-27' }], async () => {
      assert.equal((await world.book(date)).status, 200);
      await claim(holder);
    });
    assert.deepEqual(outcomes(found), ['BOOKED', 'TAKEN']);
  });

  // Somebody else books it between the look and the lock: the second look does not find it free.
  for (const text of [
    'alter function team_is_free rename to team_was_free',
    'create sequence looks',
    `create function team_is_free(uuid, timestamptz, timestamptz, uuid) returns boolean language plpgsql as
      $$ begin return nextval('looks') <> 2 and team_was_free($1, $2, $3, $4); end $$`,
  ])
    await db.rows({ text });
  const found = await bookShared(it, db, [{ date: '2026-11-28' }, { date: '2026-11-29' }]);
  const byPlace = found.toSorted((one, other) => one.place - other.place);
  assert.deepEqual(
    byPlace.map(({ outcome }) => outcome),
    ['TAKEN', 'BOOKED'],
  );
});

test('book_appointments waits for who writes the catalogue', { skip }, async (t) => {
  const service = await startAlone(t);
  const it = { service, world: await createWorld(service, { teams: 2 }) };
  const { db } = service.deps;
  await db.transaction(async (holder) => {
    await holder.rows({ text: 'select pg_advisory_xact_lock(1, 0)' });
    await assert.rejects(
      bookShared(
        it,
        db,
        times(2, () => ({})),
      ),
      { code: LOCK_NOT_AVAILABLE },
    );
  });
  assert.deepEqual(
    outcomes(
      await bookShared(
        it,
        db,
        times(2, () => ({})),
      ),
    ),
    ['BOOKED', 'BOOKED'],
  );
});

test('book_appointments takes references in one order, and leaves those that are taken', {
  skip,
}, async (t) => {
  const service = await startAlone(t);
  const world = await createWorld(service, { teams: 4 });
  const { db } = service.deps;
  assert.equal((await world.book({ externalReference: 'B' })).status, 200);
  for (const text of [
    'create table taken (nth serial, reference text)',
    `create function note_reference() returns trigger language plpgsql as
      $$ begin insert into taken (reference) values (new.external_reference); return new; end $$`,
    'create trigger note_reference before insert on bookings for each row execute function note_reference()',
  ])
    await db.rows({ text });
  const inputs = ['C', 'B', 'A'].map((externalReference) => ({ date: '2026-11-25', externalReference }));
  assert.deepEqual(outcomes(await bookShared({ service, world }, db, inputs)), ['BOOKED', 'BOOKED', 'LEFT']);
  const taken = await db.rows<{ reference: string }>({ text: 'select reference from taken order by nth' });
  assert.deepEqual(
    taken.map(({ reference }) => reference),
    ['A', 'B', 'C'],
  );
});
