import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { HOUR, toUtcIso } from '../src/base/clock.ts';
import { confirmDueAssignments } from '../src/dispatch/jobs.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { onPostgres, startTestService } from './harness.ts';
import { tally, times } from './storm.ts';
import { until } from './until.ts';

test('a change writes only its own columns of the booking', async (t) => {
  const service = await startTestService(t);
  const { db, clock } = service.deps;
  const world = await createWorld(service, { teams: 3 });
  const names = { nameEn: 'Moved', nameAr: 'انتقل' };
  const reasonId = (await service.operator('POST', '/cancellation-reasons', names)).body.data.id;
  const partner = async (method: string, path: string, body: unknown) => {
    const answer = await service.v1(world.key, method, `/partners/bookings/${path}`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.headers.get('x-request-id');
  };
  const booked = await Promise.all(times(3, (index) => world.book({ externalReference: `ORDER-${index}` })));
  const ids = booked.map(({ body }): string => body.data.bookingId);
  const [first, second, third] = ids;
  for (const id of ids) await partner('PATCH', id, { notes: 'Kept' });
  for (const id of [first, second])
    await partner('POST', `${id}/confirm-payment`, { paymentReference: 'PAY-0' });
  const read = () =>
    Promise.all(
      ids.map((id) =>
        db.first<Record<string, unknown>>({ text: 'select * from bookings where id = $1', values: [id] }),
      ),
    );
  const before = await read();
  service.clock.advance(60_000);
  const now = clock.now();
  await partner('PATCH', first!, { notes: 'Ring once' });
  const cancelled = await partner('PATCH', `${second}/cancel`, { reasonId, notes: 'Moved away' });
  const confirmed = await partner('POST', `${third}/confirm-payment`, { paymentReference: 'PAY-1' });
  const changed = (await read()).map((after, index) => {
    const columns = Object.entries(after!).filter(
      ([name, value]) => !isDeepStrictEqual(value, before[index]![name]),
    );
    const { version: _, event_count: _events, changed_in: _changedIn, ...rest } = Object.fromEntries(columns);
    return rest;
  });
  const updated = { updated_at: now };
  assert.deepEqual(changed, [
    { ...updated, notes: 'Ring once' },
    {
      ...updated,
      status: 'canceled',
      payment_status: 'CANCELLED',
      cancellation_reason_id: reasonId,
      cancellation_notes: 'Moved away',
      cancellation_action: 'CANCEL_ONLY',
      cancelled_by: 'partner',
      cancelled_at: now,
      decided_by_request: cancelled,
    },
    {
      ...updated,
      payment_status: 'PAID',
      payment_reference: 'PAY-1',
      payment_confirmed_at: now,
      decided_by_request: confirmed,
    },
  ]);
});

test('simultaneous updates of one booking all succeed, each with its event', async (t) => {
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

test('every change of an appointment that a partner sees writes its booking in the same transaction', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service, { teams: 3 });
  const deferred = await createWorld(service, { teams: 3, service: { assignment: 'deferred' } });
  const { db, clock } = service.deps;
  // If-Match compares the version of the booking's row.
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
