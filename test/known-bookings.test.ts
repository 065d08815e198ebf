import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '../src/base/errors.ts';
import { cancelBooking } from '../src/bookings/cancel.ts';
import { type BookingChanges, createBookingChanges } from '../src/bookings/change-seen.ts';
import { confirmPayment } from '../src/bookings/confirm-payment.ts';
import { type CreateBookingInput, createBooking } from '../src/bookings/create.ts';
import { createKnownBookings, type KnownBookings, rememberBooked } from '../src/bookings/known-bookings.ts';
import { createBooker } from '../src/bookings/queries.ts';
import { updateBooking } from '../src/bookings/update.ts';
import type { BookingView } from '../src/bookings/view.ts';
import type { Db } from '../src/db/connection.ts';
import { createWorld, WORLD_DATE, type World } from './fixtures.ts';
import { startTestService, type TestService } from './harness.ts';
import { times } from './storm.ts';
import { changeTogether, listening } from './together.ts';

/** What a process remembers of bookings, and what it must not believe of it (docs/decisions/known-bookings.md). */

type Process = {
  changes: BookingChanges;
  known: KnownBookings;
  names: (string | undefined)[];
  book(input?: Partial<CreateBookingInput>): Promise<BookingView>;
};

/** What routes.ts makes of a database, and the statements that are asked of it. */
function startProcess(service: TestService, world: World, known = createKnownBookings()): Process {
  const { plans, clock } = service.deps;
  const { db, names } = listening(service.deps.db);
  const book = rememberBooked(createBooker(db), known);
  const { partnerId: id, contactId, addressId, serviceId } = world;
  const partner = { id, paymentResponsibility: 'PARTNER' as const, hasGateway: true };
  const timeslot = { startAt: '10:00', endAt: '12:00' };
  return {
    known,
    names,
    changes: createBookingChanges(db, known),
    book: (input) => {
      const wanted = { contactId, addressId, serviceId, date: WORLD_DATE, timeslot, ...input };
      return createBooking(db, plans, clock.now(), partner, wanted, undefined, book);
    },
  };
}

async function start(t: Parameters<typeof startTestService>[0], teams = 4) {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams });
  const reason = await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Moved',
    nameAr: 'انتقل',
  });
  const reasonId: string = reason.body.data.id;
  const process = startProcess(service, world);
  const { changes } = process;
  const { plans, clock, db } = service.deps;
  const partner = { id: world.partnerId, paymentResponsibility: 'PARTNER' as const };
  return {
    service,
    world,
    db,
    reasonId,
    ...process,
    update: (id: string, externalReference: string, on = changes) =>
      updateBooking(on, plans, clock.now(), partner.id, id, { externalReference }),
    confirm: (id: string, on = changes) => confirmPayment(on, clock.now(), partner, id, 'payment'),
    cancel: (id: string, on = changes) => cancelBooking(on, clock.now(), partner.id, id, { reasonId }),
    stored: async (id: string): Promise<BookingView> =>
      (await service.v1(world.key, 'GET', `/partners/bookings/${id}/status`)).body.data,
  };
}

const codeOf = (failed: Promise<unknown>): Promise<string> =>
  failed.then(
    () => 'done',
    (error: ApiError) => error.code,
  );

const write = (db: Db, id: string, what: string): Promise<unknown> =>
  db.rows({ text: `update bookings set ${what} where id = $1`, values: [id] });

test('a booking that was made or changed here is changed by one statement, with the answer that is stored', async (t) => {
  const { book, names, update, confirm, cancel, stored } = await start(t);
  const { bookingId } = await book();
  for (const [change, statement] of [
    [() => update(bookingId.toUpperCase(), 'order-1'), 'save-update'],
    [() => confirm(bookingId), 'save-payment-confirmation'],
    [() => update(bookingId, 'order-2'), 'save-update'],
    [() => cancel(bookingId), 'save-cancellation'],
  ] as const) {
    names.splice(0);
    const answer = await change();
    assert.deepEqual(names.splice(0), [statement]);
    assert.deepEqual(answer, await stored(bookingId));
  }
});

test('so is one that was read for a change here, and so are many together', async (t) => {
  const { service, world, names, update, stored } = await start(t);
  const elsewhere = startProcess(service, world);
  const made = [];
  for (const startAt of ['08:00', '14:00'])
    made.push(
      await elsewhere.book({ timeslot: { startAt, endAt: startAt === '08:00' ? '10:00' : '16:00' } }),
    );
  for (const [index, { bookingId }] of made.entries()) await update(bookingId, `first-${index}`);
  names.splice(0);
  const answers = await Promise.all(made.map(({ bookingId }, index) => update(bookingId, `second-${index}`)));
  assert.deepEqual(names, ['save-changes']);
  for (const answer of answers) assert.deepEqual(answer, await stored(answer.bookingId));
});

test('changes of known bookings that come together share one statement, and each holds by itself', async (t) => {
  const { service, db, book, known, reasonId, stored, world } = await start(t, 6);
  const other = await service.operator('POST', '/cancellation-reasons', { nameEn: 'Other', nameAr: 'آخر' });
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await book()).bookingId);
  const [first, overtaken, elsewhere, withReason, withOther] = made as [
    string,
    string,
    string,
    string,
    string,
  ];
  await write(db, overtaken, `notes = 'by another'`);
  known.set({ ...known.get(world.partnerId, elsewhere)!, server: 1 });
  await service.operator('PATCH', `/cancellation-reasons/${other.body.data.id}`, { isActive: false });
  const { db: heard, names } = listening(db);
  const { clock, plans } = service.deps;
  const outcomes = await changeTogether(
    heard,
    [
      (on: BookingChanges) =>
        updateBooking(on, plans, clock.now(), world.partnerId, first, { notes: 'together' }),
      (on: BookingChanges) =>
        updateBooking(on, plans, clock.now(), world.partnerId, overtaken, { externalReference: 'order' }),
      (on: BookingChanges) => cancelBooking(on, clock.now(), world.partnerId, elsewhere, { reasonId }),
      (on: BookingChanges) => cancelBooking(on, clock.now(), world.partnerId, withReason, { reasonId }),
      (on: BookingChanges) =>
        cancelBooking(on, clock.now(), world.partnerId, withOther, { reasonId: other.body.data.id }),
    ],
    known,
  );
  // Those that were not as remembered were read after it.
  assert.deepEqual(names, ['save-changes', 'see-bookings', 'save-changes']);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.code)),
    ['done', 'done', 'done', 'done', 'VALIDATION_ERROR'],
  );
  const notes = await db.rows({
    text: 'select notes, external_reference from bookings where id = any ($1) order by external_reference nulls first',
    values: [[first, overtaken]],
  });
  assert.deepEqual(notes, [
    { notes: 'together', external_reference: null },
    { notes: 'by another', external_reference: 'order' },
  ]);
  assert.equal((await stored(withOther)).status, 'in progress');
});

test('what has changed since is read, and decided on anew', async (t) => {
  const { db, book, names, update, cancel, confirm, stored } = await start(t);
  const { bookingId } = await book();
  await write(db, bookingId, `external_reference = 'by another', notes = 'kept'`);
  names.splice(0);
  assert.equal((await confirm(bookingId)).externalReference, 'by another');
  assert.deepEqual(names.splice(0), [
    'save-payment-confirmation',
    'see-booking',
    'save-payment-confirmation',
  ]);

  await write(db, bookingId, `status = 'failed', payment_status = 'FAILED'`);
  names.splice(0);
  assert.equal(await codeOf(update(bookingId, 'order')), 'BOOKING_NOT_EDITABLE');
  assert.equal(await codeOf(update(bookingId, 'order')), 'BOOKING_NOT_EDITABLE');
  const refused = ['see-booking', 'find-reference'];
  assert.deepEqual(names.splice(0), ['save-update', ...refused, ...refused], 'what was wrong is forgotten');
  await cancel(bookingId);
  const [row] = await db.rows<{ notes: string }>({
    text: 'select notes from bookings where id = $1',
    values: [bookingId],
  });
  assert.equal(row!.notes, 'kept');
  assert.equal((await stored(bookingId)).status, 'canceled');
});

test('nobody is refused by what is only remembered', async (t) => {
  const { db, book, update, confirm, cancel } = await start(t);
  const { bookingId } = await book();
  await confirm(bookingId);
  await write(
    db,
    bookingId,
    `payment_status = 'PENDING', payment_reference = null, payment_confirmed_at = null`,
  );
  assert.equal((await confirm(bookingId)).paymentStatus, 'PAID');
  assert.equal(await codeOf(confirm(bookingId)), 'PAYMENT_ALREADY_CONFIRMED');

  await cancel(bookingId);
  await write(
    db,
    bookingId,
    `status = 'success', payment_status = 'PAID', cancelled_at = null, cancelled_by = null,
      cancellation_action = null, cancellation_reason_id = null`,
  );
  assert.equal((await cancel(bookingId)).status, 'canceled');
  assert.equal(await codeOf(update(bookingId, 'order')), 'BOOKING_NOT_EDITABLE');
});

test('an update that changes nothing is answered as the booking is', async (t) => {
  const { db, book, update, stored } = await start(t);
  const { bookingId } = await book({ externalReference: 'order' });
  await write(db, bookingId, `external_reference = 'by another'`);
  const answer = await update(bookingId, 'order');
  assert.equal(answer.externalReference, 'order');
  assert.deepEqual(answer, await stored(bookingId));
});

test('a reason that was withdrawn since is refused', async (t) => {
  const { service, book, cancel, reasonId, stored } = await start(t);
  const { bookingId } = await book();
  await service.operator('PATCH', `/cancellation-reasons/${reasonId}`, { isCustomerFacing: false });
  assert.equal(await codeOf(cancel(bookingId)), 'VALIDATION_ERROR');
  assert.equal((await stored(bookingId)).status, 'in progress');
});

test('a known booking of another partner is not there', async (t) => {
  const { service, book, changes, stored } = await start(t);
  const { bookingId } = await book();
  const stranger = await createWorld(service);
  const partner = { id: stranger.partnerId, paymentResponsibility: 'PARTNER' as const };
  const asked = confirmPayment(changes, service.clock.now(), partner, bookingId, null);
  assert.equal(await codeOf(asked), 'RESOURCE_NOT_FOUND');
  assert.equal((await stored(bookingId)).paymentStatus, 'PENDING');
});

test('what was seen on another server is read again, though the version is the same', async (t) => {
  const { world, book, known, names, update, confirm, cancel, stored } = await start(t);
  for (const [change, statement] of [
    [(id: string) => update(id, `order-${id}`), 'save-update'],
    [confirm, 'save-payment-confirmation'],
    [cancel, 'save-cancellation'],
  ] as const) {
    const { bookingId } = await book();
    // As after a failover that lost what the first server had made of the booking.
    const lost = { ...known.get(world.partnerId, bookingId)!, external_reference: 'lost', server: 1 };
    known.set(lost);
    names.splice(0);
    const answer = await change(bookingId);
    assert.deepEqual(names.splice(0), [
      statement,
      statement === 'save-cancellation' ? 'see-to-cancel' : 'see-booking',
      statement,
    ]);
    assert.notEqual(answer.externalReference, 'lost');
    assert.deepEqual(answer, await stored(bookingId));
  }
});

test('changes of one known booking at once all come through, each once', async (t) => {
  const { db, book, changes, update } = await start(t);
  const { bookingId } = await book();
  const answers = await Promise.all(times(8, (index) => update(bookingId, `order-${index}`, changes)));
  assert.equal(new Set(answers.map(({ externalReference }) => externalReference)).size, 8);
  const [row] = await db.rows({
    text: `
      select version - 1 as changes, event_count, (select count(*)::integer from events where booking_id = b.id) as events
      from bookings b where id = $1`,
    values: [bookingId],
  });
  assert.deepEqual(row, { changes: 8, event_count: 9, events: 9 });
});

test('no more are remembered than there is room for: the one that was not used for longest goes', async (t) => {
  const { service, world } = await start(t);
  const { known, book } = startProcess(service, world, createKnownBookings(2));
  const isKnown = (id: string): boolean => known.get(world.partnerId, id) !== null;
  const { bookingId: first } = await book();
  const { bookingId: second } = await book();
  assert.ok(isKnown(first));
  const { bookingId: third } = await book();
  assert.deepEqual([first, second, third].map(isKnown), [true, false, true]);
});
