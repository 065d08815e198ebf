import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { TEST_NOW } from './harness.ts';
import { startMoyasar } from './moyasar-server.ts';
import { providerEnv } from './payment-flows.ts';
import { openSeries, roll, SUNDAY } from './series-fixtures.ts';
import { startUnifonic } from './unifonic-server.ts';
import { until } from './until.ts';

/** Messages to weekly customers: one about the series, none for each visit, and one for each thing that differs from it. */

async function open(t: TestContext, service: Record<string, unknown> = {}) {
  const sms = await startUnifonic(t);
  const moyasar = await startMoyasar(t, () => TEST_NOW);
  const partner = { customerMessages: ['BOOKED' as const], trackingPage: true };
  const it = await openSeries(t, { teams: 2, partner, service }, providerEnv(moyasar, sms));
  const { clock, deps } = it.service;
  const at = (date: string) => clock.set(Date.parse(`${date}T10:00:00+03:00`));
  // The tests' own time is before nine.
  at('2026-11-22');

  /** Waits until every event was looked at, and what is due was sent. */
  const nothingDue = () =>
    until(async () => {
      const row = await deps.db.first<{ left: number }>({
        text: `
          select (select count(*) from unplaced_events)
            + (select count(*) from event_places where place > (select place from customer_messages_cursor))
            + (select count(*) from customer_messages where status = 'SENDING' or status = 'QUEUED' and due_at <= $1) as left`,
        values: [new Date(clock.now()).toISOString()],
      });
      return row!.left === 0;
    });
  let seen = 0;
  /** The English lines of what was sent since, without partner and address. */
  async function told(): Promise<string[]> {
    await nothingDue();
    // A move settles for two minutes.
    clock.advance(3 * MINUTE);
    await nothingDue();
    const sent = sms.messages.slice(seen);
    seen = sms.messages.length;
    return sent.map(({ text }) =>
      text
        .split('\n')
        .slice(1, -1)
        .filter((line) => /^[ -~]+$/.test(line))
        .join(' '),
    );
  }
  const move = async (bookingId: string, startAt: string) => {
    const timeslot = { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}:00` };
    it.ok(await it.service.v1(it.world.key, 'PATCH', `/partners/bookings/${bookingId}`, { timeslot }));
  };
  const cancel = async (bookingId: string) =>
    it.ok(
      await it.service.v1(it.world.key, 'PATCH', `/partners/bookings/${bookingId}/cancel`, {
        reasonId: it.reasonId,
      }),
    );
  return { ...it, at, told, move, cancel };
}

test('one message tells of the series, and none of a visit that is booked later', async (t) => {
  const { service, ok, create, at, told } = await open(t, { bookingHorizonDays: 20 });
  ok(await create());
  assert.deepEqual(await told(), ['Booked every week from 29/11 09:00']);
  at('2026-12-14');
  await roll(service);
  assert.deepEqual(await told(), []);
  ok(await create({ everyWeeks: 2, firstDate: '2026-12-20', startAt: '13:00' }));
  assert.deepEqual(await told(), ['Booked every 2 weeks from 20/12 13:00']);
  ok(await create({ visits: 1, firstDate: '2026-12-21', startAt: '13:00' }));
  assert.deepEqual(await told(), ['Your visit is booked: 21/12 13:00'], 'no other follows');
});

test('a visit that is moved alone, or placed at another time, is told, without the others', async (t) => {
  const { service, world, ok, create, call, told, move } = await open(t);
  for (const _team of world.teamIds)
    ok(await world.book({ date: '2026-12-13', timeslot: { startAt: '09:00', endAt: '11:00' } }));
  await told();
  const { seriesId, dates } = ok(await create({ visits: 4 }));
  assert.deepEqual(await told(), ['Booked every week from 29/11 09:00']);
  await move(dates[1].bookingId, '15:00');
  assert.deepEqual(await told(), ['Your visit has moved to 06/12 15:00']);
  await move(dates[0].bookingId, '15:00');
  assert.deepEqual(
    await told(),
    ['Your visit has moved to 29/11 15:00'],
    'the one that told of the series, too',
  );
  ok(await call('POST', `/${seriesId}/visits/3/place`, { date: '2026-12-14', startAt: '10:00' }));
  assert.deepEqual(await told(), ['Your visit has moved to 14/12 10:00']);
  void service;
});

test('a first visit at a time that was chosen has a message of its own, and the next tells of the series', async (t) => {
  const { service, world, ok, create, call, told, at } = await open(t, { bookingHorizonDays: 8 });
  for (const _team of world.teamIds)
    ok(await world.book({ date: SUNDAY, timeslot: { startAt: '09:00', endAt: '11:00' } }));
  await told();
  const { seriesId } = ok(await create());
  assert.deepEqual(await told(), []);
  ok(await call('POST', `/${seriesId}/visits/1/place`, { date: '2026-11-30', startAt: '10:00' }));
  assert.deepEqual(await told(), ['Your visit is booked: 30/11 10:00']);
  at('2026-11-28');
  await roll(service);
  assert.deepEqual(await told(), ['Booked every week from 06/12 09:00']);
});

test('a change from here on is told once: by the first that moves, or else by the next that is booked', async (t) => {
  const { service, ok, create, call, told, at } = await open(t, { bookingHorizonDays: 20 });
  const { seriesId } = ok(await create());
  await told();
  const change = (fromIndex: number, startAt: string) =>
    call('PATCH', `/${seriesId}`, { fromIndex, startAt });
  ok(await change(1, '12:00'));
  assert.deepEqual(await told(), ['Now every week from 29/11 12:00']);
  ok(await change(2, '14:00'));
  assert.deepEqual(await told(), ['Booked every week from 06/12 14:00']);
  ok(await change(2, '14:00'));
  assert.deepEqual(await told(), [], 'sent again');
  ok(await change(4, '16:00'));
  assert.deepEqual(await told(), [], 'nothing of it is booked yet');
  at('2026-12-05');
  await roll(service);
  assert.deepEqual(await told(), ['Booked every week from 20/12 16:00']);
});

test('a pause or an end is told once, a visit that is skipped alone without the later ones', async (t) => {
  const { ok, create, call, told, cancel, reasonId } = await open(t);
  const { seriesId, dates } = ok(await create());
  await told();
  const post = (path: string, body: Record<string, unknown> = {}) =>
    call('POST', `/${seriesId}/${path}`, { reasonId, ...body });
  ok(await post('visits/9/skip'));
  await cancel(dates[0].bookingId);
  assert.deepEqual(await told(), ['Your visit is cancelled: 29/11 09:00'], 'although a later one is skipped');
  ok(await post('pause', { from: '2026-12-05', to: '2026-12-14' }));
  assert.deepEqual(await told(), ['Visits cancelled from 06/12 09:00']);
  ok(await post('visits/4/skip'));
  assert.deepEqual(await told(), ['Your visit is cancelled: 20/12 09:00']);
  const other = ok(await create({ startAt: '13:00' }));
  await told();
  ok(await call('POST', `/${other.seriesId}/end`, { fromIndex: 2, reasonId }));
  assert.deepEqual(await told(), ['Visits cancelled from 06/12 13:00']);
});
