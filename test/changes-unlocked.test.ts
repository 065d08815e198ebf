import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, toUtcIso } from '../src/base/clock.ts';
import { changeSeen, createBookingChanges } from '../src/bookings/change-seen.ts';
import { confirmDueAssignments } from '../src/dispatch/jobs.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { onPostgres, startTestService } from './harness.ts';
import { tally, times } from './storm.ts';
import { until } from './until.ts';

test('a change that is overtaken decides anew with what the booking is then, and ends by locking it', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { bookingId } = (await world.book()).body.data;
  const { db, clock } = service.deps;
  const write = (notes: string) =>
    db.rows({ text: 'update bookings set notes = $2 where id = $1', values: [bookingId, notes] });

  for (const overtaken of [0, 1, 2, 3]) {
    const seen: (string | null)[] = [];
    const unlocked: boolean[] = [];
    await write('before');
    const wanted = { partnerId: world.partnerId, bookingId };
    const result = await changeSeen(createBookingChanges(db), wanted, async (booking, save, on) => {
      seen.push(booking.notes);
      unlocked.push(on === db);
      // Somebody else writes between the look and the save.
      if (seen.length <= overtaken) await write(`other ${seen.length}`);
      const { external_reference: externalReference, service_date: serviceDate } = booking;
      const changed = { externalReference, serviceDate, notes: `after ${booking.notes}` };
      const change = { kind: 'update' as const, booking, now: clock.now(), changed, events: [] };
      return (await save(change)) ? changed.notes : null;
    });
    const expected = ['before', 'other 1', 'other 2', 'other 3'].slice(0, overtaken + 1);
    assert.deepEqual(seen, expected);
    assert.deepEqual(unlocked, [true, true, true, false].slice(0, overtaken + 1));
    assert.equal(result, `after ${expected.at(-1)}`);
    const stored = await db.first({ text: 'select notes from bookings where id = $1', values: [bookingId] });
    assert.deepEqual(stored, { notes: result }, 'saved once, and nothing of the other lost');
  }
});

test('a reason that is withdrawn while its cancel is overtaken is refused under the lock too', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { bookingId } = (await world.book()).body.data;
  const reason = await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Moved',
    nameAr: 'انتقل',
  });
  const reasonId: string = reason.body.data.id;
  const wanted = { partnerId: world.partnerId, bookingId, reasonId };
  let looks = 0;
  const overtaken = async () => {
    looks += 1;
    if (looks === 3)
      await service.operator('PATCH', `/cancellation-reasons/${reasonId}`, { isActive: false });
    return null;
  };
  await assert.rejects(changeSeen(createBookingChanges(service.deps.db), wanted, overtaken), {
    code: 'VALIDATION_ERROR',
  });
  assert.equal(looks, 3);
});

test('simultaneous updates of one booking all come through, each with its event', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { bookingId } = (await world.book()).body.data;
  const answers = await Promise.all(
    times(24, (index) =>
      service.v1(
        world.key,
        'PATCH',
        `/partners/bookings/${bookingId}`,
        index % 2 ? { externalReference: `order-${index}` } : { notes: `note ${index}` },
      ),
    ),
  );
  assert.deepEqual(tally(answers), { 200: 24 });
  const row = await service.deps.db.first({
    text: `
      select event_count, (select count(*) from events where booking_id = b.id) as events,
        (select count(*) from events where booking_id = b.id and event = 'booking.updated') as updates,
        external_reference is not null and notes is not null as both
      from bookings b where id = $1`,
    values: [bookingId],
  });
  assert.deepEqual(row, { event_count: 13, events: 13, updates: 12, both: true });
});

test('changes that wait for one booking leave connections to others', {
  skip: !onPostgres && 'needs several connections',
}, async (t) => {
  const service = await startTestService(t, { env: { DATABASE_POOL: '4' } });
  const world = await createWorld(service, { teams: 2 });
  const [held, other] = await Promise.all(times(2, async () => (await world.book()).body.data.bookingId));
  const patch = (id: string, notes: string) =>
    service.v1(world.key, 'PATCH', `/partners/bookings/${id}`, { notes });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const holder = service.deps.db.transaction(async (tx) => {
    await tx.rows({ text: 'select 1 from bookings where id = $1 for update', values: [held] });
    lock();
    await gate;
  });
  await locked;
  const waiting = times(12, (index) => patch(held, `note ${index}`));
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await service.deps.db.rows({ text: waits })).length > 0);
  assert.equal((await patch(other, 'meanwhile')).status, 200);
  open();
  await holder;
  assert.deepEqual(tally(await Promise.all(waiting)), { 200: 12 });
});

test('whatever changes what a partner sees of an appointment writes its booking in the same transaction', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const deferred = await createWorld(service, { teams: 3, service: { assignment: 'deferred' } });
  const { db, clock } = service.deps;
  // Changes without a lock compare the version of the booking's row (SeenBooking).
  await db.rows({
    text: `
      create function assert_booking_written() returns trigger language plpgsql as $$
      begin
        if (select xmin from bookings where id = new.booking_id) <> pg_current_xact_id()::xid then
          raise exception 'an appointment changed without its booking';
        end if;
        return null;
      end
      $$`,
  });
  await db.rows({
    text: `
      create constraint trigger appointments_with_bookings after update of status, starts_at, ends_at, name on appointments
      deferrable initially deferred for each row execute function assert_booking_written()`,
  });
  const appointmentOf = async (bookingId: string): Promise<string> => {
    const row = await db.first<{ id: string }>({
      text: 'select id from appointments where booking_id = $1',
      values: [bookingId],
    });
    return row!.id;
  };
  const reason = await service.operator('POST', '/cancellation-reasons', {
    nameEn: 'Moved',
    nameAr: 'انتقل',
  });
  const reasonId = reason.body.data.id;
  const [first, second, third] = await Promise.all(
    times(3, async () => (await world.book()).body.data.bookingId as string),
  );
  const partner = (method: string, path: string, body: unknown) =>
    service.v1(world.key, method, `/partners/bookings/${path}`, body);
  const move = async (bookingId: string, body: unknown) =>
    service.operator('PATCH', `/appointments/${await appointmentOf(bookingId)}`, body);

  const done = [
    await partner('PATCH', first!, { timeslot: { startAt: '15:00', endAt: '17:00' } }),
    await partner('PATCH', `${first}/cancel`, { reasonId }),
    await move(second!, { date: WORLD_DATE, timeslot: { startAt: '17:30', endAt: '19:30' } }),
    await move(second!, { status: 'Confirmed' }),
    await service.operator('POST', `/bookings/${second}/cancel`, { reasonId }),
    await service.operator('POST', `/bookings/${third}/fail`, { reason: 'OTHER' }),
    await deferred.book(),
  ];
  for (const { status, text } of done) assert.equal(status, 200, text);
  assert.equal(await confirmDueAssignments(db, clock.now() + 48 * HOUR), 1);

  // The rule itself can be broken, and is then seen.
  await assert.rejects(
    db.rows({
      text: `update appointments set status = 'Confirmed', updated_at = $1`,
      values: [toUtcIso(clock.now())],
    }),
    /without its booking/,
  );
});
