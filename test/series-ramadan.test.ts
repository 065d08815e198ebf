import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, DAY } from '../src/base/clock.ts';
import { templatesOf } from '../src/teams/schedule-templates.ts';
import { createWorld } from './fixtures.ts';
import { onPostgres, startTestService } from './harness.ts';
import { clientOf, morningOf, roll } from './series-fixtures.ts';
import { times } from './storm.ts';

/** Two hundred weekly customers through Ramadan and Eid: each date is booked as the hours allow, or waits; none is moved. */

const SERIES = 200;
/** Ramadan has 10:00 to 16:00 by day: the second and third fit. */
const HOURS = ['08:30', '11:00', '13:30', '16:30'];
const FITTING = HOURS.slice(1, 3);
const HORIZON = 6;

type Visit = {
  index: number;
  date: string;
  startAt: string;
  state: string;
  reason: string | null;
  movedAlone: boolean;
};

test('two hundred series go through Ramadan', {
  skip: !onPostgres && 'too slow on the embedded database',
}, async (t) => {
  const service = await startTestService(t, { env: { ROLES: 'api' } });
  const { clock } = service;
  const [ramadan, eid] = templatesOf(1448).filter(
    ({ key }) => key === 'ramadan' || key === 'eid-al-fitr',
  ) as [ReturnType<typeof templatesOf>[number], ReturnType<typeof templatesOf>[number]];
  clock.set(morningOf(addDays(ramadan.from, -2 * HORIZON)));
  const world = await createWorld(service, {
    teams: Math.ceil(SERIES / (7 * HOURS.length)),
    partner: { paymentResponsibility: 'PARTNER', rateLimitPerMinute: 10_000 },
    service: { bookingHorizonDays: HORIZON, minimumNoticeMinutes: 0 },
  });
  const { create, ok, read } = await clientOf(service, world);
  const first = addDays(ramadan.from, -HORIZON);
  const made = [];
  for (const number of times(SERIES, (index) => index)) {
    const date = addDays(first, number % 7);
    const startAt = HOURS[Math.floor(number / 7) % HOURS.length]!;
    made.push({ id: ok(await create({ firstDate: date, startAt })).seriesId, date, startAt });
  }
  const dayOf = (date: string): number => new Date(date).getUTCDay();
  const isIn = ({ from }: { from: string }, date: string): boolean =>
    times(4, (days) => dayOf(addDays(from, days))).includes(dayOf(date));
  for (const { nameEn, nameAr, from, to, closed, weekly, priority } of [ramadan, eid]) {
    const body = { nameEn, nameAr, from, to, priority, ...(closed ? { closed } : { weekly }) };
    const { laterSeries } = ok(await service.operator('POST', '/schedules?preview=true', body));
    // Eid has four days.
    assert.equal(laterSeries, closed ? made.filter(({ date }) => isIn(eid, date)).length : SERIES);
    ok(await service.operator('POST', '/schedules', body));
  }
  const stateOf = (date: string, startAt: string): string =>
    (eid.from <= date && date <= eid.to) ||
    (ramadan.from <= date && date <= ramadan.to && !FITTING.includes(startAt))
      ? 'UNPLACED'
      : 'PLACED';
  const end = addDays(eid.to, 8);
  for (let today = clock.now(); today <= morningOf(end); today += DAY) {
    clock.set(today);
    await roll(service);
    if (today !== morningOf(addDays(ramadan.from, 10))) continue;
    const { seriesUnplaced } = ok(await service.operator('GET', '/attention'));
    assert.equal(seriesUnplaced.count, made.filter(({ startAt }) => !FITTING.includes(startAt)).length);
  }
  for (const { id, date, startAt } of made) {
    const { dates } = (await read(id)) as { dates: Visit[] };
    const decided = dates.filter((visit) => visit.date <= end);
    assert.deepEqual(
      decided.map((visit) => [visit.index, visit.date, visit.startAt, visit.state, visit.movedAlone]),
      decided.map((_, week) => {
        const on = addDays(date, week * 7);
        return [week + 1, on, startAt, stateOf(on, startAt), false];
      }),
    );
    assert.ok(decided.length >= 6);
    for (const { state, reason } of decided)
      assert.equal(reason, state === 'UNPLACED' ? 'SLOT_NOT_OFFERED' : null);
  }
});
