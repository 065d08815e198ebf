import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, DAY, dateOf } from '../src/base/clock.ts';
import { createWorld } from './fixtures.ts';
import { onPostgres, startTestService } from './harness.ts';
import { enoughKills, startCrew } from './killed-workers.ts';
import { clientOf } from './series-fixtures.ts';
import { times } from './storm.ts';
import { until } from './until.ts';

/** Workers die while they book the weeks of sixty series. */

const SERIES = 60;
const WEEKS = 5;
const HOURS = ['09:00', '11:30', '14:00', '16:30'];

test('each visit is booked once, however workers die', {
  skip: !onPostgres && 'several processes need PostgreSQL',
}, async (t) => {
  const service = await startTestService(t, { sandboxClock: true, env: { ROLES: 'api' } });
  const { clock, db } = service.deps;
  const world = await createWorld(service, {
    teams: 3,
    partner: { paymentResponsibility: 'PARTNER' },
    service: { bookingHorizonDays: WEEKS * 7 },
  });
  const { create, ok, read } = await clientOf(service, world);
  // Beyond the horizon, so that all is left to the workers.
  const first = addDays(dateOf(clock.now()), WEEKS * 7 + 2);
  const made: { id: string; date: string; startAt: string }[] = [];
  for (const number of times(SERIES, (index) => index)) {
    const date = addDays(first, number % 7);
    const startAt = HOURS[Math.floor(number / 7) % HOURS.length]!;
    const { seriesId, dates } = ok(await create({ firstDate: date, startAt }));
    assert.ok(dates.every(({ state }: { state: string }) => state === 'PLANNED'));
    made.push({ id: seriesId, date, startAt });
  }
  ok(await service.operator('POST', '/clock/advance', { seconds: ((WEEKS * 7 - 2) * DAY) / 1000 }));
  await enoughKills(await startCrew(t, { service }));
  const last = addDays(dateOf(clock.now()), WEEKS * 7 + 1);
  await until(async () => {
    const left = await db.first<{ left: number }>({
      text: 'select count(*)::int as left from series where next_date <= $1',
      values: [last],
    });
    return left!.left === 0;
  });
  for (const { id, date, startAt } of made) {
    const expected = times(WEEKS, (week) => `${addDays(date, week * 7)} ${startAt} PLACED`);
    const { dates } = await read(id);
    const placed = dates
      .filter(({ date: on }: { date: string }) => on <= last)
      .map((visit: Record<string, string>) => `${visit.date} ${visit.startAt} ${visit.state}`);
    assert.deepEqual(placed.slice(0, WEEKS), expected.slice(0, placed.length));
    assert.ok(placed.length >= WEEKS - 1);
  }
  const bookings = await db.first<{ total: number; visits: number; known: number }>({
    text: `
      select count(*)::int as total, count(distinct (series_id, series_index))::int as visits,
        (select count(*)::int from series_visits where state = 'PLACED') as known
      from bookings where series_id is not null`,
  });
  assert.deepEqual(bookings, { total: bookings!.known, visits: bookings!.known, known: bookings!.known });
});
