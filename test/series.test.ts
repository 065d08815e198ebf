import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../src/base/clock.ts';
import { lines, openSeries, SUNDAY } from './series-fixtures.ts';

/** Weekly visits of a customer: each is an ordinary booking, placed as the horizon reaches its date. */

test('a series books its visits of the horizon, one day further than others can', async (t) => {
  const { service, world, ok, create, booking, read } = await openSeries(t, {
    teams: 3,
    service: { bookingHorizonDays: 13 },
  });
  const preview = ok(await create({ preview: true }));
  assert.equal(preview.seriesId, null);
  assert.deepEqual(lines(preview, 'PLACED'), [`1 ${SUNDAY} 09:00 PLACED`, '2 2026-12-06 09:00 PLACED']);
  const series = ok(await create({ externalReference: 'WEEKLY-1' }));
  // 2026-12-06 is 14 days ahead: for others from tomorrow on.
  assert.deepEqual(lines(series, 'PLACED'), lines(preview, 'PLACED'));
  assert.equal(lines(series, 'PLANNED')[0], '3 2026-12-13 09:00 PLANNED');
  const late = await world.book({ date: '2026-12-06', timeslot: { startAt: '13:00', endAt: '15:00' } });
  assert.equal(late.body.error.details.reason, 'SLOT_BEYOND_HORIZON');
  for (const { bookingId, index, keepsTeam } of series.dates.slice(0, 2)) {
    const { seriesId, seriesIndex, price, status } = await booking(bookingId);
    assert.deepEqual([seriesId, seriesIndex, price], [series.seriesId, index, 150], status);
    assert.equal(keepsTeam, true);
  }
  const again = await create({ externalReference: 'WEEKLY-1' });
  assert.equal(again.status, 409);
  assert.deepEqual(
    [again.body.error.details.seriesId, again.body.error.details.sameRequest],
    [series.seriesId, true],
  );
  assert.deepEqual(await read(series.seriesId), series);
  void service;
});

test('what cannot be placed waits with alternatives until it is chosen, skipped or free again', async (t) => {
  const { service, world, ok, create, call, read } = await openSeries(t);
  const taken = ok(await world.book({ date: '2026-12-06', timeslot: { startAt: '09:00', endAt: '11:00' } }));
  const series = ok(await create({ visits: 4 }));
  assert.deepEqual(lines(series), [
    `1 ${SUNDAY} 09:00 PLACED`,
    '2 2026-12-06 09:00 UNPLACED',
    '3 2026-12-13 09:00 PLACED',
    '4 2026-12-20 09:00 PLACED',
  ]);
  const { reason, alternatives } = series.dates[1];
  assert.equal(reason, 'SLOT_UNAVAILABLE');
  assert.equal(alternatives.length, 3);
  assert.equal(series.status, 'ENDED');
  const path = `/${series.seriesId}/visits/2`;
  const refused = await call('POST', `${path}/place`);
  assert.equal(refused.body.error.details.reason, 'SLOT_UNAVAILABLE', refused.text);
  const { date, startAt } = alternatives[0];
  const chosen = ok(await call('POST', `${path}/place`, { date, startAt }));
  assert.deepEqual(
    [chosen.dates[1].date, chosen.dates[1].startAt, chosen.dates[1].movedAlone],
    [date, startAt, true],
  );
  void [service, taken, read];
});

test('from here on: later visits move, earlier ones and those moved by themselves stay', async (t) => {
  const { service, world, ok, create, call } = await openSeries(t, { teams: 2 });
  const series = ok(await create({ visits: 5 }));
  const ids = series.dates.map(({ bookingId }: { bookingId: string }) => bookingId);
  ok(
    await service.v1(world.key, 'PATCH', `/partners/bookings/${ids[3]}`, {
      timeslot: { startAt: '15:00', endAt: '17:00' },
    }),
  );
  const change = { fromIndex: 3, weekday: 2, startAt: '10:00' };
  const preview = ok(await call('PATCH', `/${series.seriesId}`, { ...change, preview: true }));
  const changes = (data: { changes: { index: number; outcome: string; reason: string | null }[] }) =>
    data.changes.map(({ index, outcome, reason }) => [index, outcome, reason]);
  const expected = [
    [3, 'MOVED', null],
    [4, 'STAYS', 'MOVED_ALONE'],
    [5, 'MOVED', null],
  ];
  assert.deepEqual(changes(preview), expected);
  const after = ok(await call('PATCH', `/${series.seriesId}`, change));
  assert.deepEqual(changes(after), expected);
  assert.deepEqual(lines(after), [
    `1 ${SUNDAY} 09:00 PLACED`,
    '2 2026-12-06 09:00 PLACED',
    '3 2026-12-15 10:00 PLACED',
    '4 2026-12-20 15:00 PLACED',
    '5 2026-12-29 10:00 PLACED',
  ]);
  assert.deepEqual(
    after.dates.map(({ bookingId }: { bookingId: string }) => bookingId),
    ids,
  );
  assert.deepEqual(changes(ok(await call('PATCH', `/${series.seriesId}`, change))), [
    [4, 'STAYS', 'MOVED_ALONE'],
  ]);
});

test('skip, pause and end cancel what is placed, and nothing is placed there later', async (t) => {
  const { service, ok, create, call, booking, reasonId, read } = await openSeries(t, {
    service: { bookingHorizonDays: 20 },
  });
  const series = ok(await create());
  const at = `/${series.seriesId}`;
  assert.equal((await call('POST', `${at}/visits/1/skip`)).status, 400);
  const preview = ok(await call('POST', `${at}/visits/1/skip`, { preview: true }));
  assert.equal(preview.changes[0].outcome, 'CANCELLED');
  assert.equal(preview.dates[0].state, 'PLACED');
  const skipped = ok(await call('POST', `${at}/visits/1/skip`, { reasonId }));
  assert.equal(skipped.dates[0].state, 'SKIPPED');
  assert.equal((await booking(series.dates[0].bookingId)).status, 'canceled');
  assert.deepEqual(ok(await call('POST', `${at}/visits/1/skip`, { reasonId })).changes, []);
  ok(await call('POST', `${at}/visits/5/skip`));
  ok(await call('POST', `${at}/pause`, { from: '2026-12-05', to: '2026-12-07', reasonId }));
  service.clock.set(Date.parse('2026-12-20T08:00:00+03:00'));
  const { rollAll } = await import('../src/series/place.ts');
  const { createBookingInserts } = await import('../src/bookings/create.ts');
  const deps = { ...service.deps, insert: createBookingInserts(service.deps.db) };
  await rollAll(deps, service.clock);
  assert.deepEqual(lines(await read(series.seriesId), 'PLACED', 'SKIPPED'), [
    `1 ${SUNDAY} 09:00 SKIPPED`,
    '2 2026-12-06 09:00 SKIPPED',
    '3 2026-12-13 09:00 PLACED',
    '5 2026-12-27 09:00 SKIPPED',
    '6 2027-01-03 09:00 PLACED',
    '7 2027-01-10 09:00 PLACED',
  ]);
  const ended = ok(await call('POST', `${at}/end`, { fromIndex: 7, reasonId }));
  assert.deepEqual([ended.status, ended.reason], ['ENDED', 'ENDED']);
  assert.deepEqual(lines(ended, 'PLANNED'), []);
  assert.equal(addDays(SUNDAY, 42), '2027-01-10');
});
