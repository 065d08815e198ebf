import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { ApiError } from '../src/base/errors.ts';
import { cancelBooking } from '../src/bookings/cancel.ts';
import type { BookingChanges } from '../src/bookings/change-seen.ts';
import { confirmPayment } from '../src/bookings/confirm-payment.ts';
import { FIND_BOOKINGS } from '../src/bookings/queries.ts';
import { SEE_BOOKINGS } from '../src/bookings/shared-change-queries.ts';
import { updateBooking } from '../src/bookings/update.ts';
import { findOrCreateContact } from '../src/contacts/contacts.ts';
import { createContactSaver } from '../src/contacts/queries.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { bind } from '../src/db/statement.ts';
import { DatabaseUnavailableError } from '../src/db/unavailable.ts';
import { createWorld, randomPhone, type World } from './fixtures.ts';
import { afterwards, onPostgres, startTestService, type TestService } from './harness.ts';
import { times } from './storm.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { bookTogether, changeTogether, listening } from './together.ts';
import { until } from './until.ts';

test('bookings that are read together are read right, each for its own partner', async (t) => {
  const service = await startTestService(t);
  const [world, other] = [await createWorld(service, { teams: 4 }), await createWorld(service, { teams: 4 })];
  const read = (key: string, id: string) => service.v1(key, 'GET', `/partners/bookings/${id}/status`);
  const booked = await Promise.all(times(8, (index) => (index % 2 === 0 ? world : other).book()));
  const ids: string[] = booked.map(({ body }) => body.data.bookingId);

  const answers = await Promise.all(
    times(64, async (index) => {
      const place = index % ids.length;
      const ours = index % 3 !== 0;
      const owner = place % 2 === 0 ? world : other;
      const stranger = place % 2 === 0 ? other : world;
      const id = index % 5 === 0 ? ids[place]!.toUpperCase() : ids[place]!;
      return { place, ours, answer: await read(ours ? owner.key : stranger.key, id) };
    }),
  );
  for (const { place, ours, answer } of answers) {
    if (ours) assert.deepEqual(answer.body.data, booked[place]!.body.data);
    else assert.equal(answer.body.error.code, 'RESOURCE_NOT_FOUND');
  }
  const missing = await Promise.all(times(4, () => read(world.key, randomUUID())));
  assert.deepEqual(
    missing.map(({ status }) => status),
    [404, 404, 404, 404],
  );
});

test('a shared lookup of a few keeps its plan', async (t) => {
  const service = await startTestService(t);
  const { db } = service.deps;
  await createWorld(service);
  const few = [randomUUID(), randomUUID()];
  const values = { bookingIds: few, partnerIds: few, reasonIds: [null, few[0]!] };
  for (const statement of [FIND_BOOKINGS, SEE_BOOKINGS]) {
    const { text, values: parameters } = bind(statement, values);
    // Under a name of its own: the session may have used the statement.
    const name = `kept-${statement.name}`;
    const plans = await db.withClient(async (client) => {
      for (let time = 0; time < 10; time++) await client.query({ name, text, values: parameters });
      const { rows } = await client.query(
        'select generic_plans::int as kept, custom_plans::int as made from pg_prepared_statements where name = $1',
        [name],
      );
      return rows[0];
    });
    // PostgreSQL makes five before it decides.
    assert.deepEqual(plans, { kept: 5, made: 5 }, name);
  }
});

const codesOf = (outcomes: readonly PromiseSettledResult<unknown>[]): string[] =>
  outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'done';
    assert.ok(outcome.reason instanceof ApiError, String(outcome.reason));
    return outcome.reason.code;
  });

const valuesOf = <T>(outcomes: readonly PromiseSettledResult<T>[]): T[] =>
  outcomes.map((outcome) => {
    assert.equal(outcome.status, 'fulfilled', String((outcome as PromiseRejectedResult).reason));
    return (outcome as PromiseFulfilledResult<T>).value;
  });

/** Every booking has the events that it counts, in their order, and one appointment. */
async function assertWhole(db: Db): Promise<void> {
  const broken = await db.rows({
    text: `
      select b.id from bookings b
      where event_count <> (select count(*) from events e where e.booking_id = b.id)
        or event_count <> (select max(sequence) from events e where e.booking_id = b.id)
        or 1 <> (select count(*) from appointments a where a.booking_id = b.id)`,
  });
  assert.deepEqual(broken, []);
}

const eventsOf = async (db: Db, bookingId: string): Promise<string[]> =>
  (
    await db.rows<{ event: string }>({
      text: 'select event from events where booking_id = $1 order by sequence',
      values: [bookingId],
    })
  ).map(({ event }) => event);

async function reasonOf(service: TestService): Promise<string> {
  const names = { nameEn: 'Moved', nameAr: 'انتقل' };
  return (await service.operator('POST', '/cancellation-reasons', names)).body.data.id;
}

const confirmed = (world: World, bookingId: string, now: number) => (on: BookingChanges) =>
  confirmPayment(on, now, { id: world.partnerId, paymentResponsibility: 'PARTNER' }, bookingId, 'PAY-1');

test('changes that come together share two statements, and each does its own', async (t) => {
  const service = await startTestService(t);
  const { plans, clock } = service.deps;
  const [world, other] = [await createWorld(service, { teams: 5 }), await createWorld(service)];
  const reasonId = await reasonOf(service);
  const made = await bookTogether(service, service.deps.db, [
    ...times(5, () => ({ world, input: { externalReference: randomUUID() } })),
    { world: other },
  ]);
  const ids = valuesOf(made).map(({ bookingId }) => bookingId);
  const [first, second, third, fourth, fifth, others] = ids as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const { db, names } = listening(service.deps.db);
  const update = (of: World, id: string, input: object) => (on: BookingChanges) =>
    updateBooking(on, plans, clock.now(), of.partnerId, id, input);
  const outcomes = await changeTogether(db, [
    update(world, first, { externalReference: 'New', notes: 'Ring twice' }),
    update(world, second, { notes: 'Ring once' }),
    confirmed(world, third, clock.now()),
    (on) => cancelBooking(on, clock.now(), world.partnerId, fourth, { reasonId, notes: 'Moved away' }),
    (on) => cancelBooking(on, clock.now(), world.partnerId, fifth, { reasonId: randomUUID() }),
    (on) => cancelBooking(on, clock.now(), world.partnerId, randomUUID(), { reasonId: randomUUID() }),
    (on) => cancelBooking(on, clock.now(), world.partnerId, others, { reasonId }),
    confirmed(other, others, clock.now()),
  ]);
  assert.deepEqual(codesOf(outcomes), [
    'done',
    'done',
    'done',
    'done',
    'VALIDATION_ERROR',
    'VALIDATION_ERROR',
    'RESOURCE_NOT_FOUND',
    'done',
  ]);
  assert.deepEqual(names, ['see-bookings', 'save-changes']);
  await assertWhole(db);
  assert.deepEqual(await Promise.all(ids.map((id) => eventsOf(db, id))), [
    ['booking.created', 'booking.updated'],
    ['booking.created'],
    ['booking.created', 'booking.payment_confirmed'],
    ['booking.created', 'booking.cancelled', 'booking.appointment_status_changed'],
    ['booking.created'],
    ['booking.created', 'booking.payment_confirmed'],
  ]);
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'rejected') continue;
    const [of, id] = index === 7 ? [other, others] : [world, ids[index]];
    const read = await service.v1(of.key, 'GET', `/partners/bookings/${id}/status`);
    assert.deepEqual(read.body.data, outcome.value, 'what was answered is what is read');
    const [payload] = await db.rows<{ same: boolean }>({
      text: `
        select payload = $2::jsonb as same from events
        where booking_id = $1 and event in ('booking.updated', 'booking.payment_confirmed', 'booking.cancelled')`,
      values: [id, JSON.stringify(outcome.value)],
    });
    if (index !== 1) assert.deepEqual(payload, { same: true });
  }
  const row = await db.first({
    text: `
      select (select notes from bookings where id = $1) as first, (select notes from bookings where id = $2) as second,
        (select payment_reference from bookings where id = $3) as third, b.cancellation_notes, b.cancelled_by,
        b.cancellation_action, b.cancellation_reason_id = $5 as reason, a.status
      from bookings b join appointments a on a.booking_id = b.id where b.id = $4`,
    values: [first, second, third, fourth, reasonId],
  });
  assert.deepEqual(row, {
    first: 'Ring twice',
    second: 'Ring once',
    third: 'PAY-1',
    cancellation_notes: 'Moved away',
    cancelled_by: 'partner',
    cancellation_action: 'CANCEL_ONLY',
    reason: true,
    status: 'Cancelled',
  });
});

test('a change writes what is its own, and leaves the rest of the booking, alone and together', async (t) => {
  const service = await startTestService(t);
  const { plans, clock } = service.deps;
  const reasonId = await reasonOf(service);
  const { db, names } = listening(service.deps.db);
  const read = (ids: string[]) =>
    Promise.all(
      ids.map((id) =>
        db.first<Record<string, unknown>>({ text: 'select * from bookings where id = $1', values: [id] }),
      ),
    );
  for (const isTogether of [true, false]) {
    const world = await createWorld(service, { teams: 3 });
    const inputs = times(3, () => ({ world, input: { externalReference: randomUUID(), notes: 'Kept' } }));
    const ids = valuesOf(await bookTogether(service, service.deps.db, inputs)).map(
      ({ bookingId }) => bookingId,
    );
    const [first, second, third] = ids as [string, string, string];
    await changeTogether(db, [confirmed(world, first, clock.now()), confirmed(world, second, clock.now())]);
    const before = await read(ids);
    service.clock.advance(60_000);
    const now = clock.now();
    const changes: ((on: BookingChanges) => Promise<unknown>)[] = [
      (on) => updateBooking(on, plans, now, world.partnerId, first, { notes: 'Ring once' }),
      (on) => cancelBooking(on, now, world.partnerId, second, { reasonId, notes: 'Moved away' }),
      confirmed(world, third, now),
    ];
    names.length = 0;
    for (const some of isTogether ? [changes] : changes.map((change) => [change]))
      assert.deepEqual(
        codesOf(await changeTogether(db, some)),
        some.map(() => 'done'),
      );
    assert.equal(names.includes('save-changes'), isTogether);
    const changed = (await read(ids)).map((after, index) => {
      const columns = Object.entries(after!).filter(([name, value]) => value !== before[index]![name]);
      const { version: _, event_count: _events, ...rest } = Object.fromEntries(columns);
      return rest;
    });
    assert.deepEqual(changed, [
      { notes: 'Ring once', updated_at: now },
      {
        status: 'canceled',
        payment_status: 'CANCELLED',
        cancellation_reason_id: reasonId,
        cancellation_notes: 'Moved away',
        cancellation_action: 'CANCEL_ONLY',
        cancelled_by: 'partner',
        cancelled_at: now,
        updated_at: now,
      },
      { payment_status: 'PAID', payment_reference: 'PAY-1', payment_confirmed_at: now, updated_at: now },
    ]);
  }
});

test('one that fails in a shared statement fails alone', async (t) => {
  const service = await startTestService(t);
  const { plans, clock } = service.deps;
  const world = await createWorld(service, { teams: 4 });
  const ids = valuesOf(
    await bookTogether(service, service.deps.db, [
      { world, input: { externalReference: 'Taken' } },
      ...times(3, () => ({ world })),
    ]),
  ).map(({ bookingId }) => bookingId);
  const { db, names } = listening(service.deps.db);
  const outcomes = await changeTogether(
    db,
    ids.slice(1).map(
      (id, index) => (on: BookingChanges) =>
        updateBooking(on, plans, clock.now(), world.partnerId, id, {
          externalReference: index === 1 ? 'Taken' : `Free ${index}`,
        }),
    ),
  );
  assert.deepEqual(codesOf(outcomes), ['done', 'DUPLICATE_EXTERNAL_REFERENCE', 'done']);
  assert.deepEqual(names, ['see-bookings', 'save-changes', ...times(3, () => 'save-update')]);
  await assertWhole(db);

  const poisoned = listening(service.deps.db);
  await poisoned.db.rows({
    text: `
      create function refuse_reference() returns trigger language plpgsql as $$
      begin raise exception 'poisoned'; end $$`,
  });
  await poisoned.db.rows({
    text: `
      create trigger bookings_refuse before insert on bookings for each row
      when (new.external_reference = 'Poison') execute function refuse_reference()`,
  });
  poisoned.names.length = 0;
  const made = await bookTogether(
    service,
    poisoned.db,
    times(3, (index) => ({
      world,
      input: { date: '2026-11-25', externalReference: index === 1 ? 'Poison' : `Later ${index}` },
    })),
  );
  assert.deepEqual(
    made.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const books = poisoned.names.filter((name) => name?.startsWith('book-'));
  assert.deepEqual(books, ['book-appointments', ...times(3, () => 'book-appointment')]);
  await assertWhole(db);
});

test('bookings made together: teams, references and versions of the catalogue, each by itself', async (t) => {
  const service = await startTestService(t);
  const [world, small] = [
    await createWorld(service, { teams: 20 }),
    await createWorld(service, { teams: 2 }),
  ];
  const taken = await small.book({ externalReference: 'Taken' });
  assert.equal(taken.status, 200);
  const { db, names } = listening(service.deps.db);
  const slot = (startAt: string, endAt: string) => ({ timeslot: { startAt, endAt } });
  const outcomes = await bookTogether(service, db, [
    ...times(4, () => ({ world })),
    // One of its two teams is free then, and both three hours later.
    { world: small },
    { world: small },
    { world: small, input: slot('13:00', '15:00') },
    { world: small, input: slot('13:30', '15:30') },
    { world: small, input: slot('14:00', '16:00') },
    { world: small, input: { externalReference: 'Taken', date: '2026-11-26' } },
    { world: small, input: { externalReference: 'Free', date: '2026-11-26' } },
  ]);
  const codes = codesOf(outcomes);
  assert.deepEqual(
    codes.slice(0, 4),
    times(4, () => 'done'),
  );
  // Who comes first wins.
  assert.deepEqual(codes.slice(4, 6).sort(), ['BOOKING_CREATION_FAILED', 'done']);
  assert.deepEqual(codes.slice(6, 9).sort(), ['BOOKING_CREATION_FAILED', 'done', 'done']);
  assert.deepEqual(codes.slice(9), ['DUPLICATE_EXTERNAL_REFERENCE', 'done']);
  // Who lost a team to another of them is not in its way, and only the taken reference is left.
  assert.deepEqual(
    names.filter((name) => name?.startsWith('book-')),
    ['book-appointments', 'book-appointment'],
  );
  const booked = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  assert.equal(new Set(booked.map(({ trackingReference }) => trackingReference)).size, booked.length);
  for (const view of booked) {
    assert.match(view.trackingReference, /^SA-\d{4,}$/);
    assert.equal(view.appointment?.name, view.trackingReference);
    const event = await db.first({
      text: 'select payload from events where booking_id = $1',
      values: [view.bookingId],
    });
    assert.deepEqual(event, { payload: JSON.parse(JSON.stringify(view)) });
  }
  await assertWhole(db);

  // As of an older catalogue nothing is booked, and the next attempt is as of the newer.
  const stale = listening(service.deps.db);
  const racing = bookTogether(
    service,
    {
      ...stale.db,
      rows: async (statement) => {
        if (statement.name === 'book-appointments')
          await db.rows({
            text: `update change_counters set version = version + 1 where name = 'catalogue'`,
          });
        return stale.db.rows(statement);
      },
    },
    times(2, () => ({ world, input: { date: '2026-11-27' } })),
  );
  assert.deepEqual(codesOf(await racing), ['done', 'done']);
  assert.deepEqual(
    stale.names.filter((name) => name?.startsWith('book-')),
    ['book-appointments', 'book-appointment', 'book-appointment'],
  );
});

test('contacts found or made together', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const partner = { id: world.partnerId, name: 'Partner' };
  const { db, names } = listening(service.deps.db);
  const now = service.deps.clock.now();
  const phones = times(4, randomPhone);
  const known = (await world.contact({ phone: phones[0], name: 'Known', cityName: undefined })).body.data;
  const save = createContactSaver(db);
  const place = { latitude: String(world.latitude), longitude: String(world.longitude) };
  const found = await Promise.all([
    findOrCreateContact(db, now, partner, { phone: phones[0]!, name: 'Other', ...place }, save),
    findOrCreateContact(db, now, partner, { phone: phones[1]!, name: 'Without' }, save),
    findOrCreateContact(db, now, partner, { phone: phones[2]!, name: 'Text', cityName: 'Riyadh' }, save),
    // The same customer twice: neither is in the shared statement.
    findOrCreateContact(db, now, partner, { phone: phones[3]!, name: 'Twice', ...place }, save),
    findOrCreateContact(db, now, partner, { phone: phones[3]!, name: 'Twice', ...place }, save),
  ]);
  assert.deepEqual(names.toSorted(), [
    'find-or-create-contact',
    'find-or-create-contact',
    'find-or-create-contacts',
  ]);
  assert.deepEqual(
    found
      .slice(0, 3)
      .map(({ phone, name, is_new, address_id }) => [phone, name, is_new, address_id !== null]),
    [
      [phones[0], 'Known', false, true],
      [phones[1], 'Without', true, false],
      [phones[2], 'Text', true, true],
    ],
  );
  assert.deepEqual([found[0]!.id, found[0]!.address_id], [known.id, known.addressId]);
  const [one, two] = found.slice(3);
  assert.deepEqual([one!.id, one!.address_id], [two!.id, two!.address_id]);
  assert.equal(Number(one!.is_new) + Number(two!.is_new), 1);
});

const skip = !onPostgres && 'needs several connections';

/** Holds what the statement locks until released. */
async function hold(t: TestContext, db: Db, text: string, values: unknown[]) {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holder = db.transaction(async (tx) => {
    await tx.rows({ text, values });
    lock();
    await gate;
  });
  afterwards(t, release);
  await locked;
  return async () => {
    release();
    await holder;
  };
}

test('who has to wait keeps nobody else of its shared statement waiting', { skip }, async (t) => {
  const service = await startTestService(t, { env: { DATABASE_LOCK_TIMEOUT: '60' } });
  const { db, plans, clock } = service.deps;
  const [world, small] = [await createWorld(service, { teams: 4 }), await createWorld(service)];
  const made = await bookTogether(
    service,
    db,
    times(3, () => ({ world })),
  );
  const ids = valuesOf(made).map(({ bookingId }) => bookingId);
  const done: string[] = [];
  const noted = <T>(what: string, work: Promise<T>): Promise<T> =>
    work.then((value) => {
      done.push(what);
      return value;
    });

  const letBooking = await hold(t, db, 'select 1 from bookings where id = $1 for update', [ids[0]]);
  const changes = ids.map(
    (id, index) => (on: BookingChanges) =>
      noted(`change ${index}`, updateBooking(on, plans, clock.now(), world.partnerId, id, { notes: 'New' })),
  );
  const changed = changeTogether(db, changes);
  await until(() => done.length === 2);
  await letBooking();
  valuesOf(await changed);
  assert.deepEqual(done.splice(0), ['change 1', 'change 2', 'change 0']);

  const phone = randomPhone();
  const save = createContactSaver(db);
  const partner = { id: world.partnerId, name: 'Partner' };
  await findOrCreateContact(db, clock.now(), partner, { phone, name: 'Held' });
  const letContact = await hold(t, db, 'select 1 from contacts where phone = $1 for update', [phone]);
  const contacts = [phone, randomPhone(), randomPhone()].map((wanted, index) =>
    noted(
      `contact ${index}`,
      findOrCreateContact(db, clock.now(), partner, { phone: wanted, name: 'N' }, save),
    ),
  );
  await until(() => done.length === 2);
  await letContact();
  await Promise.all(contacts);
  assert.equal(done.splice(0).at(-1), 'contact 0');

  // Somebody else is claiming the only team of that day.
  const letTeam = await hold(
    t,
    db,
    `select pg_advisory_xact_lock(2, hashint8(lock_number * 100000::bigint + ('2026-11-28'::date - date '2000-01-01')))
     from teams where id = $1`,
    [small.teamIds[0]],
  );
  const input = { date: '2026-11-28' };
  const bookings = bookTogether(service, db, [
    { world: small, input },
    { world, input },
    { world, input },
  ]);
  const booked = async () =>
    (await db.first<{ count: number }>({
      text: `select count(*) as count from bookings where service_date = '2026-11-28'`,
    }))!.count;
  await until(async () => (await booked()) === 2);
  await letTeam();
  assert.deepEqual(codesOf(await bookings), ['done', 'done', 'done']);
});

test('a shared statement that was committed and whose answer was lost is not repeated', {
  skip,
}, async (t) => {
  const service = await startTestService(t);
  const { config, clock } = service.deps;
  const world = await createWorld(service, { teams: 6 });
  const proxy = await startTcpProxy(t, config.databaseUrl!);
  const db = connectPostgres(proxy.through(config.databaseUrl!), 4, () => {});
  afterwards(t, () => db.close());
  const unknown = (outcomes: readonly PromiseSettledResult<unknown>[]): void => {
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailableError);
    }
  };

  const lost = proxy.hurtAt('book-appointments', 'reset', 'answered');
  const references = times(3, (index) => ({ world, input: { externalReference: `Lost ${index}` } }));
  unknown(await bookTogether(service, db, references));
  await lost;
  assert.deepEqual(
    codesOf(await bookTogether(service, db, references)),
    times(3, () => 'DUPLICATE_EXTERNAL_REFERENCE'),
    'what was done is found when it is asked for again',
  );
  const rows = await db.rows<{ id: string }>({
    text: 'select id from bookings where partner_id = $1',
    values: [world.partnerId],
  });
  assert.equal(rows.length, 3);

  const changes = rows.map(({ id }) => confirmed(world, id, clock.now()));
  const lostAgain = proxy.hurtAt('save-changes', 'reset', 'answered');
  unknown(await changeTogether(db, changes));
  await lostAgain;
  assert.deepEqual(
    codesOf(await changeTogether(db, changes)),
    times(3, () => 'PAYMENT_ALREADY_CONFIRMED'),
  );
  await assertWhole(db);
});
