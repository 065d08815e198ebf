import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, DAY } from '../src/base/clock.ts';
import { openAccess } from '../src/bookings/access.ts';
import { findAccessRow } from '../src/bookings/access-queries.ts';
import { listForRetention } from '../src/privacy/request-queries.ts';
import { ACTOR } from './appointment-fixtures.ts';
import { refusedWith, withPolicy } from './fee-fixtures.ts';
import { tablesWith } from './needle.ts';
import { lines, morningOf, openSeries, roll, SUNDAY } from './series-fixtures.ts';
import { times } from './storm.ts';

/** Rules of weekly visits at their edges: ends, pauses, skips, changes and stops, in any order. */

/** 21 days: the visits of 2026-11-29, 12-06 and 12-13. */
const SHORT = { service: { bookingHorizonDays: 20 } };

type Visit = { index: number; bookingId: string; reason: string | null; state: string };
type Change = { index: number; outcome: string; reason: string | null; fee: number | null };
const changesOf = ({ changes }: { changes: Change[] }) =>
  changes.map(({ index, outcome, reason }) =>
    [index, outcome, ...(reason === null ? [] : [reason])].join(' '),
  );
const idsOf = ({ dates }: { dates: Visit[] }) => dates.map(({ bookingId }) => bookingId);

test('a visit that is skipped before it is booked is never booked, also when it is the next one', async (t) => {
  const { service, ok, create, call, read } = await openSeries(t, SHORT);
  const { seriesId } = ok(await create({ visits: 6 }));
  ok(await call('POST', `/${seriesId}/visits/4/skip`));
  ok(await call('POST', `/${seriesId}/visits/6/skip`));
  service.clock.set(morningOf('2026-12-13'));
  await roll(service);
  const after = await read(seriesId);
  assert.deepEqual(lines(after).slice(3), [
    '4 2026-12-20 09:00 SKIPPED',
    '5 2026-12-27 09:00 PLACED',
    '6 2027-01-03 09:00 SKIPPED',
  ]);
  assert.deepEqual([after.status, after.reason], ['ENDED', 'OVER']);
});

test('an end is never put off by a later one, and one far away is an end, too', async (t) => {
  const { service, ok, create, call, read, reasonId } = await openSeries(t, SHORT);
  const end = async (id: string, fromIndex: number) => {
    const { status, visits, until, reason } = ok(await call('POST', `/${id}/end`, { fromIndex, reasonId }));
    return [status, reason, visits, until];
  };
  const endless = ok(await create()).seriesId;
  assert.deepEqual(await end(endless, 1_000), ['ACTIVE', null, null, '2046-01-20']);
  assert.deepEqual(await end(endless, 8), ['ACTIVE', null, 7, null]);
  assert.deepEqual(await end(endless, 9), ['ACTIVE', null, 7, null]);
  assert.deepEqual(await end(endless, 5), ['ACTIVE', null, 4, null]);
  service.clock.set(morningOf('2026-12-20'));
  await roll(service);
  assert.deepEqual(lines(await read(endless)).slice(3), ['4 2026-12-20 09:00 UNPLACED']);
  assert.deepEqual(await end(endless, 9), ['ENDED', 'OVER', 4, null]);
  const limited = ok(
    await create({ firstDate: '2026-12-27', startAt: '13:00', until: '2027-01-20' }),
  ).seriesId;
  assert.deepEqual(await end(limited, 20), ['ACTIVE', null, null, '2027-01-20']);
  assert.deepEqual(await end(limited, 1), ['ENDED', 'ENDED', null, '2026-12-26']);
  assert.deepEqual(await end(limited, 1), ['ENDED', 'ENDED', null, '2026-12-26']);
  const refused = await call('POST', `/${limited}/visits/1/place`);
  refusedWith(refused, 422, 'INVALID_TRANSITION');
});

test('a stopped series goes on within its end, and does not change each night', async (t) => {
  const { service, world, ok, create, read } = await openSeries(t, SHORT);
  ok(await world.book({ date: '2026-12-06', timeslot: { startAt: '09:00', endAt: '11:00' } }));
  const { seriesId } = ok(await create({ visits: 3 }));
  const status = (value: string) =>
    service.operator('PATCH', `/partners/${world.partnerId}`, { status: value });
  ok(await status('SUSPENDED'));
  service.clock.set(morningOf('2026-11-25'));
  await roll(service);
  const stored = () =>
    service.deps.db.first<Record<string, unknown>>({
      text: 'select status, reason, updated_at from series where id = $1',
      values: [seriesId],
    });
  const stopped = await stored();
  assert.deepEqual([stopped?.status, stopped?.reason], ['ENDED', 'OVER']);
  service.clock.set(morningOf('2026-11-25') + 60_000);
  await roll(service);
  assert.deepEqual(await stored(), stopped);
  service.clock.set(morningOf('2026-12-07'));
  ok(await status('ACTIVE'));
  await roll(service);
  assert.deepEqual(lines(await read(seriesId)), [
    `1 ${SUNDAY} 09:00 PLACED`,
    '2 2026-12-06 09:00 UNPLACED',
    '3 2026-12-13 09:00 PLACED',
  ]);
});

test('a series of a suspended partner is tried once a day, and what it missed is told', async (t) => {
  const { service, world, ok, create, read } = await openSeries(t, SHORT);
  const { seriesId } = ok(await create());
  ok(await service.operator('PATCH', `/partners/${world.partnerId}`, { status: 'SUSPENDED' }));
  service.clock.set(morningOf('2026-12-22'));
  await roll(service);
  const stopped = ok(await service.operator('GET', `/series/${seriesId}`));
  assert.deepEqual([stopped.status, stopped.reason], ['STOPPED', 'PARTNER_SUSPENDED']);
  ok(await service.operator('PATCH', `/partners/${world.partnerId}`, { status: 'ACTIVE' }));
  service.clock.set(morningOf('2026-12-23'));
  await roll(service);
  const after = await read(seriesId);
  assert.equal(after.status, 'ACTIVE');
  assert.deepEqual(lines(after, 'PLACED', 'UNPLACED').slice(3), [
    '4 2026-12-20 09:00 UNPLACED',
    '5 2026-12-27 09:00 PLACED',
    '6 2027-01-03 09:00 PLACED',
    '7 2027-01-10 09:00 PLACED',
  ]);
  assert.equal(after.dates[3].reason, 'SLOT_IN_PAST');
});

test('a series whose service is withdrawn waits, is readable, and goes on when it is offered again', async (t) => {
  const { service, world, ok, create, read } = await openSeries(t, SHORT);
  ok(await world.book({ date: '2026-12-06', timeslot: { startAt: '09:00', endAt: '11:00' } }));
  const { seriesId } = ok(await create());
  const offer = async (isActive: boolean) =>
    ok(await service.operator('PATCH', `/services/${world.serviceId}`, { isActive }));
  await offer(false);
  service.clock.set(morningOf('2026-11-30'));
  await roll(service);
  const stopped = await read(seriesId);
  assert.deepEqual([stopped.status, stopped.reason], ['STOPPED', 'SERVICE_NOT_AVAILABLE']);
  assert.deepEqual([stopped.dates[1].state, stopped.dates[1].alternatives], ['UNPLACED', []]);
  await offer(true);
  service.clock.set(morningOf('2026-12-01'));
  await roll(service);
  const after = await read(seriesId);
  assert.deepEqual([after.status, lines(after)[3]], ['ACTIVE', '4 2026-12-20 09:00 PLACED']);
});

test('a refused choice changes nothing; the same choice twice at once books once', async (t) => {
  const { service, world, ok, create, call, booking, read, reasonId } = await openSeries(t);
  ok(await world.book({ date: '2026-12-06', timeslot: { startAt: '09:00', endAt: '11:00' } }));
  const { seriesId } = ok(await create({ visits: 3 }));
  const place = (index: number, body = {}) => call('POST', `/${seriesId}/visits/${index}/place`, body);
  ok(await call('POST', `/${seriesId}/visits/2/skip`));
  refusedWith(await place(2), 422, 'BOOKING_CREATION_FAILED');
  assert.equal((await read(seriesId)).dates[1].state, 'SKIPPED');
  const chosen = { date: '2026-12-07', startAt: '10:00' };
  const both = await Promise.all(times(2, () => place(2, chosen)));
  for (const answer of both) assert.equal(ok(answer).dates[1].state, 'PLACED');
  const { bookingId } = (await read(seriesId)).dates[1];
  const [own] = await service.deps.db.rows<{ count: number }>({
    text: 'select count(*)::int as count from bookings where series_id = $1 and series_index = 2',
    values: [seriesId],
  });
  assert.equal(own?.count, 1);
  ok(await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, { reasonId }));
  assert.equal(refusedWith(await place(2, chosen), 422, 'INVALID_TRANSITION').status, 'canceled');
  assert.equal((await booking(bookingId)).status, 'canceled');
});

test('nothing is booked for an account that is suspended, or paid by link', async (t) => {
  const { service, world, ok, create, call } = await openSeries(t);
  const { seriesId } = ok(await create({ visits: 3, firstDate: '2027-03-07' }));
  ok(await call('POST', `/${seriesId}/visits/1/skip`));
  const place = () =>
    service.operator('POST', `/series/${seriesId}/visits/1/place`, { date: '2026-12-07', startAt: '10:00' });
  const account = (body: Record<string, string>) =>
    service.operator('PATCH', `/partners/${world.partnerId}`, body);
  for (const [body, reason] of [
    [{ paymentResponsibility: 'PLATFORM' }, 'ACCOUNT_PLATFORM'],
    [{ paymentResponsibility: 'PARTNER', status: 'SUSPENDED' }, 'PARTNER_SUSPENDED'],
  ] as const) {
    ok(await account(body));
    assert.equal(refusedWith(await place(), 422, 'INVALID_TRANSITION').reason, reason);
  }
  ok(await account({ status: 'ACTIVE' }));
  assert.equal(ok(await place()).dates[0].state, 'PLACED');
});

test('a change from here on moves nothing past the end, or into a pause, and says so in advance', async (t) => {
  const { service, ok, create, call, read, reasonId } = await openSeries(t, { teams: 2, ...SHORT });
  const { seriesId } = ok(await create({ until: '2026-12-22' }));
  ok(await call('POST', `/${seriesId}/pause`, { from: '2026-12-08', to: '2026-12-10', reasonId }));
  const change = { fromIndex: 1, weekday: 3 };
  const expected = ['1 MOVED', '2 STAYS PAUSED', '3 MOVED'];
  assert.deepEqual(
    changesOf(ok(await call('PATCH', `/${seriesId}`, { ...change, preview: true }))),
    expected,
  );
  assert.deepEqual(changesOf(ok(await call('PATCH', `/${seriesId}`, change))), expected);
  // The fourth would be on Wednesday 23 December, after the end.
  const ended = await read(seriesId);
  assert.deepEqual([ended.status, ended.reason, lines(ended, 'PLANNED')], ['ENDED', 'OVER', []]);
  service.clock.set(morningOf('2026-12-09'));
  await roll(service);
  assert.equal(lines(await read(seriesId)).length, 3);
  const back = ok(await call('PATCH', `/${seriesId}`, { fromIndex: 4, weekday: 2 }));
  assert.deepEqual([back.status, lines(back).slice(3)], ['ENDED', ['4 2026-12-22 09:00 PLACED']]);
});

test('the last visits move to a later weekday, too, although others cannot book that date yet', async (t) => {
  const { ok, create, call } = await openSeries(t, { service: { bookingHorizonDays: 13 } });
  const { seriesId } = ok(await create());
  const after = ok(await call('PATCH', `/${seriesId}`, { fromIndex: 1, weekday: 6 }));
  assert.deepEqual(lines(after, 'PLACED'), ['1 2026-12-05 09:00 PLACED', '2 2026-12-12 09:00 PLACED']);
});

test('a change does not push what waits into the past', async (t) => {
  const { service, world, ok, create, call } = await openSeries(t);
  ok(await world.book({ date: '2026-12-03', timeslot: { startAt: '09:00', endAt: '11:00' } }));
  const { seriesId } = ok(await create({ firstDate: '2026-12-03', visits: 2 }));
  service.clock.set(morningOf('2026-12-02'));
  const after = ok(await call('PATCH', `/${seriesId}`, { fromIndex: 1, weekday: 1 }));
  assert.deepEqual(lines(after), ['1 2026-12-03 09:00 UNPLACED', '2 2026-12-07 09:00 PLACED']);
});

test('a new door code from here on reaches visits that are booked already', async (t) => {
  const { service, ok, create, call } = await openSeries(t, SHORT);
  const series = ok(await create({ accessCode: '1111#' }));
  ok(await call('PATCH', `/${series.seriesId}`, { fromIndex: 2, accessCode: '2222#' }));
  service.clock.set(morningOf('2026-12-01'));
  await roll(service);
  const { db, sealer } = service.deps;
  const codes = [];
  for (const { bookingId } of ok(await call('GET', `/${series.seriesId}`)).dates.slice(0, 4))
    codes.push(openAccess(sealer, bookingId, await findAccessRow(db, bookingId)).accessCode);
  assert.deepEqual(codes, ['1111#', '2222#', '2222#', '2222#']);
});

test('moves cost what moving costs, at most maxFee, and by the operator nothing', async (t) => {
  const { service, world, ok, create, call, booking } = await openSeries(t, SHORT);
  await withPolicy({ service, world }, { graceMinutes: 0, reschedule: [{ hoursBefore: 480, amount: 20 }] });
  const series = ok(await create());
  const change = { fromIndex: 1, startAt: '12:00' };
  for (const preview of [true, false]) {
    const { changes } = ok(await call('PATCH', `/${series.seriesId}`, { ...change, maxFee: 0, preview }));
    assert.deepEqual(changesOf({ changes }), ['1 STAYS FEE_CHANGED', '2 STAYS FEE_CHANGED', '3 MOVED']);
  }
  const byOperator = ok(await service.operator('PATCH', `/series/${series.seriesId}`, change));
  assert.deepEqual(
    byOperator.changes.map(({ outcome, fee }: Change) => [outcome, fee]),
    [
      ['MOVED', null],
      ['MOVED', null],
    ],
  );
  const paid = async () =>
    (await booking(series.dates[0].bookingId)).fees.map(({ amount }: { amount: number }) => amount);
  assert.deepEqual(
    (await paid()).filter((amount: number) => amount > 0),
    [],
  );
  const events = await service.deps.db.rows({
    text: `select actor from events where booking_id = $1 and event = 'booking.updated'`,
    values: [series.dates[0].bookingId],
  });
  assert.deepEqual(events, [{ actor: ACTOR }]);
  const byPartner = ok(await call('PATCH', `/${series.seriesId}`, { ...change, startAt: '15:00' }));
  assert.equal(byPartner.changes[0].fee, 20);
  assert.deepEqual(
    (await paid()).filter((amount: number) => amount > 0),
    [20],
  );
});

test('a pause and an end look at the dates of visits as they are now', async (t) => {
  const { service, world, ok, create, call, booking, reasonId } = await openSeries(t, { teams: 2, ...SHORT });
  const series = ok(await create());
  const [first, second, third] = idsOf(series) as [string, string, string];
  const move = (id: string, date: string) =>
    service.v1(world.key, 'PATCH', `/partners/bookings/${id}`, {
      date,
      timeslot: { startAt: '09:00', endAt: '11:00' },
    });
  ok(await move(first, '2026-12-12'));
  ok(await move(second, '2026-12-02'));
  const pause = { from: '2026-12-05', to: '2026-12-08', reasonId };
  assert.deepEqual(ok(await call('POST', `/${series.seriesId}/pause`, pause)).changes, []);
  service.clock.set(morningOf('2026-12-02'));
  // Today's is done: an end is not refused because of it, and the first is still to come.
  const appointmentId = (await booking(second)).appointmentId;
  for (const status of ['Confirmed', 'In The Way', 'In The location', 'In Progress', 'Finished'])
    ok(await service.operator('PATCH', `/appointments/${appointmentId}`, { status }));
  const ended = ok(await call('POST', `/${series.seriesId}/end`, { fromIndex: 1, reasonId }));
  assert.deepEqual(changesOf(ended).slice(0, 2), ['1 CANCELLED', '3 CANCELLED']);
  for (const id of [first, third]) assert.equal((await booking(id)).status, 'canceled');
});

test('the popular hour of the last day of the horizon is theirs when it opens to others', async (t) => {
  const { service, world, ok, create, read } = await openSeries(t, { service: { bookingHorizonDays: 12 } });
  const { seriesId } = ok(await create());
  const popular = { date: '2026-12-06', timeslot: { startAt: '09:00', endAt: '11:00' } };
  service.clock.set(morningOf('2026-11-23'));
  assert.equal(
    refusedWith(await world.book(popular), 422, 'BOOKING_CREATION_FAILED').reason,
    'SLOT_BEYOND_HORIZON',
  );
  await roll(service);
  service.clock.set(Date.parse('2026-11-24T00:00:00+03:00'));
  assert.equal(
    refusedWith(await world.book(popular), 422, 'BOOKING_CREATION_FAILED').reason,
    'SLOT_UNAVAILABLE',
  );
  assert.deepEqual(lines(await read(seriesId), 'PLACED'), [
    '1 2026-11-29 09:00 PLACED',
    '2 2026-12-06 09:00 PLACED',
  ]);
});

test('a closure says how many of its visits are of series, and how many series have dates there later', async (t) => {
  const { service, world, ok, create, call } = await openSeries(t, { teams: 2, ...SHORT });
  const { seriesId } = ok(await create());
  ok(await create({ startAt: '13:00', visits: 3 }));
  ok(await create({ startAt: '15:00', everyWeeks: 4 }));
  ok(await world.book({ date: '2026-12-06', timeslot: { startAt: '17:30', endAt: '19:30' } }));
  const closure = { nameEn: 'Closed', nameAr: 'مغلق', from: '2026-12-06', to: '2026-12-20', closed: true };
  const preview = async () => {
    const { appointments, laterSeries } = ok(
      await service.operator('POST', '/schedules?preview=true', closure),
    );
    return [appointments.total, appointments.ofSeries, laterSeries];
  };
  // Those of 6 and 13 December; the first series has a visit on the 20th, and the third on the 27th.
  assert.deepEqual(await preview(), [5, 4, 1]);
  ok(await call('POST', `/${seriesId}/pause`, { from: '2026-12-20', to: '2026-12-20' }));
  assert.deepEqual(await preview(), [5, 4, 0]);
});

test('a year of weekly visits reads as a calendar', async (t) => {
  const { service, ok, create, call, read } = await openSeries(t);
  const { seriesId } = ok(await create());
  const eid = { nameEn: 'Eid', nameAr: 'العيد', from: '2027-03-10', to: '2027-03-14', closed: true };
  ok(await service.operator('POST', '/schedules', eid));
  ok(await call('POST', `/${seriesId}/pause`, { from: '2027-07-01', to: '2027-07-31' }));
  ok(await call('PATCH', `/${seriesId}`, { fromIndex: 40, weekday: 2, startAt: '16:00' }));
  for (let day = morningOf('2026-11-25'); day <= morningOf('2027-11-28'); day += 3 * DAY) {
    service.clock.set(day);
    await roll(service);
  }
  const expected = times(52, (week) => {
    const isLater = week + 1 >= 40;
    const date = addDays(SUNDAY, week * 7 + (isLater ? 2 : 0));
    const state = date === '2027-03-14' ? 'UNPLACED' : date.startsWith('2027-07') ? 'SKIPPED' : 'PLACED';
    return `${week + 1} ${date} ${isLater ? '16:00' : '09:00'} ${state}`;
  });
  const year = await read(seriesId);
  assert.deepEqual(lines(year).slice(0, 52), expected);
  const crews = new Set(
    year.dates.slice(0, 52).map(({ keepsTeam }: { keepsTeam: boolean | null }) => keepsTeam),
  );
  assert.deepEqual(crews, new Set([true, null]));
});

test('planned dates in a pause are shown as skipped', async (t) => {
  const { ok, create, call } = await openSeries(t, SHORT);
  const { seriesId } = ok(await create());
  const paused = ok(await call('POST', `/${seriesId}/pause`, { from: '2026-12-20', to: '2026-12-27' }));
  assert.deepEqual(lines(paused).slice(3, 6), [
    '4 2026-12-20 09:00 SKIPPED',
    '5 2026-12-27 09:00 SKIPPED',
    '6 2027-01-03 09:00 PLANNED',
  ]);
});

test('the series of an erased customer ends without its notes, and nothing is tried for it any more', async (t) => {
  const { service, world, ok, create, reasonId } = await openSeries(t, SHORT);
  ok(await world.book({ date: '2026-12-06', timeslot: { startAt: '09:00', endAt: '11:00' } }));
  const customer = ok(await world.contact({ name: 'Huda' }));
  const { id: contactId, addressId } = customer;
  const secrets = { notes: 'zq55 rings', accessCode: 'zq55', instructions: 'zq55 gate' };
  const series = ok(await create({ contactId, addressId, ...secrets, externalReference: 'WEEKLY-9' }));
  const copy = ok(await service.v1(world.key, 'GET', `/partners/contacts/${contactId}/export`));
  assert.deepEqual(
    copy.series.map((one: Record<string, unknown>) => [one.seriesId, one.firstDate, one.notes, one.status]),
    [[series.seriesId, SUNDAY, 'zq55 rings', 'ACTIVE']],
  );
  for (const { bookingId, state } of series.dates as Visit[])
    if (state === 'PLACED')
      ok(await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, { reasonId }));
  ok(
    await service.operator('POST', `/contacts/${contactId}/erase`, {
      reason: 'Asked for it on the telephone',
    }),
  );
  const stored = () =>
    service.deps.db.first<Record<string, unknown>>({
      text: 'select * from series where id = $1',
      values: [series.seriesId],
    });
  const erased = await stored();
  assert.deepEqual(
    [erased?.status, erased?.reason, erased?.notes, erased?.access, erased?.creation_hash],
    ['ENDED', 'CUSTOMER_ERASED', null, null, null],
  );
  service.clock.set(morningOf('2026-11-25'));
  await roll(service);
  assert.deepEqual(await stored(), erased);
  const refused = await create({ contactId, addressId, externalReference: 'WEEKLY-10' });
  assert.equal(refused.status, 404, refused.text);
});

test('a customer whose first visit is far away, and without a booking, is kept, and can be erased', async (t) => {
  const { service, world, ok, create, call } = await openSeries(t);
  const { id: contactId, addressId } = ok(await world.contact({ name: 'Huda' }));
  const { seriesId } = ok(await create({ contactId, addressId, firstDate: '2029-01-07', notes: 'zq55' }));
  service.clock.set(morningOf('2028-12-01'));
  const isDue = async () => {
    const found = await listForRetention(
      service.deps.db,
      service.clock.now(),
      { months: 24, last: null },
      10,
    );
    return found.find(({ id }) => id === contactId)?.is_due;
  };
  assert.equal(await isDue(), false);
  ok(await call('POST', `/${seriesId}/end`, { fromIndex: 1 }));
  assert.equal(await isDue(), true);
  ok(
    await service.operator('POST', `/contacts/${contactId}/erase`, {
      reason: 'Asked for it on the telephone',
    }),
  );
  assert.deepEqual(await tablesWith(service.deps.db, 'zq55'), []);
});
