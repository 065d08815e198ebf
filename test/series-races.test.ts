import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, DAY, dateOf } from '../src/base/clock.ts';
import { createWorld } from './fixtures.ts';
import { type Answer, onPostgres, startTestService } from './harness.ts';
import { clientOf, morningOf, roll, SUNDAY } from './series-fixtures.ts';
import { times } from './storm.ts';

/** Two processes roll, change, withdraw, move and erase at once: each visit has one booking, and nobody waits for ever. */

const skip = !onPostgres && 'several processes need PostgreSQL';
const ROUNDS = process.env.TEST_FULL === 'on' ? 24 : 10;

type Visit = {
  index: number;
  date: string;
  startAt: string;
  state: string;
  bookingId: string | null;
  status: string | null;
  movedAlone: boolean;
  alternatives: { date: string; startAt: string }[];
};
type Series = { seriesId: string; status: string; weekday: number; startAt: string; dates: Visit[] };

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

async function open(t: Parameters<typeof startTestService>[0]) {
  const one = await startTestService(t);
  const other = await startTestService(t, { databaseUrl: one.deps.config.databaseUrl!, clock: one.clock });
  const world = await createWorld(one, {
    teams: 2,
    partner: { paymentResponsibility: 'PARTNER', rateLimitPerMinute: 10_000 },
    service: { bookingHorizonDays: 28, minimumNoticeMinutes: 0 },
  });
  const client = await clientOf(one, world);
  const { db } = one.deps;
  /** Rows that break a rule. */
  const broken = () =>
    db.rows({
      text: `
        select 'twice' as what, series_id, series_index from bookings where series_id is not null
          group by series_id, series_index having count(*) > 1
        union all
        select 'unknown', b.series_id, b.series_index from bookings b where b.series_id is not null and not exists (
          select from series_visits v where v.booking_id = b.id and v.series_id = b.series_id and v.index = b.series_index)
        union all
        select 'skipped, and to come', v.series_id, v.index from series_visits v join bookings b on b.id = v.booking_id
          where v.state = 'SKIPPED' and b.status not in ('canceled', 'failed')
        union all
        select 'left out', s.id, i from series s, generate_series(1, s.next_index - 1) i
          where not exists (select from series_visits v where v.series_id = s.id and v.index = i)
        union all
        select 'decided, and next', s.id, s.next_index from series s
          where exists (select from series_visits v where v.series_id = s.id and v.index = s.next_index)`,
    });
  const none500 = (answers: readonly (Answer | null)[]) => {
    const failed = answers.find((answer) => answer !== null && answer.status >= 500);
    const errors = [one, other]
      .flatMap((it) => it.logged().split('\n'))
      .filter((line) => line.includes('"err"'));
    assert.equal(failed?.text, undefined, errors.join('\n'));
  };
  return { ...client, one, other, world, broken, none500 };
}

test('changes of a series at once, in two processes', { skip }, async (t) => {
  const { one, other, world, broken, none500, create, ok, read, reasonId } = await open(t);
  const { clock } = one;
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    pick([one, other]).v1(world.key, method, `/partners${path}`, body);
  const made = ok(await create()) as Series;
  const at = `/series/${made.seriesId}`;
  for (let round = 0; round < ROUNDS; round++) {
    clock.advance(Math.ceil(Math.random() * 6) * DAY);
    const { dates } = (await read(made.seriesId)) as Series;
    const open = dates.filter(({ date, state }) => state !== 'SKIPPED' && date > dateOf(clock.now()));
    const live = open.filter(({ state, status }) => state === 'PLACED' && status !== 'canceled');
    const [visit, own] = [pick(open), pick(live)];
    const startAt = pick(['09:00', '11:30', '14:00', '16:30']);
    const timeslot = { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}${startAt.slice(2)}` };
    const from = addDays(dateOf(clock.now()), 2 + Math.floor(Math.random() * 30));
    const change = { fromIndex: visit.index, weekday: pick([1, 3, 7]), startAt: pick(['09:00', '14:00']) };
    const answers = await Promise.all([
      call('PATCH', at, change),
      call('PATCH', at, { ...change, startAt: '11:30' }),
      call('POST', `${at}/visits/${pick(open).index}/skip`, { reasonId }),
      call('POST', `${at}/pause`, { from, to: addDays(from, 4), reasonId }),
      ...(own === undefined ? [] : [call('PATCH', `/bookings/${own.bookingId}`, { timeslot })]),
      ...(own === undefined ? [] : [call('PATCH', `/bookings/${pick(live).bookingId}/cancel`, { reasonId })]),
      ...dates
        .filter(({ state }) => state === 'UNPLACED')
        .map(({ index }) => call('POST', `${at}/visits/${index}/place`)),
      world.book({ date: visit.date, timeslot }),
      Promise.all([roll(one), roll(other)]).then(() => null),
    ]);
    none500(answers);
    assert.deepEqual(await broken(), [], `round ${round}`);
    // Alone, the last change moves whatever can be moved.
    const after = ok(await call('PATCH', at, change)) as Series & {
      changes: { index: number; outcome: string }[];
    };
    const stays = after.changes.filter(({ outcome }) => outcome === 'STAYS').map(({ index }) => index);
    for (const { index, date, startAt: start, state, status, movedAlone } of after.dates) {
      if (index < change.fromIndex || state !== 'PLACED' || status === 'canceled') continue;
      if (movedAlone || stays.includes(index) || date <= dateOf(clock.now())) continue;
      const sunday = addDays(SUNDAY, (index - 1) * 7);
      assert.equal(
        `${date} ${start}`,
        `${addDays(sunday, change.weekday % 7)} ${change.startAt}`,
        `${round}: ${index}`,
      );
    }
  }
});

test('a customer is erased while her series are rolled, withdrawn and made', { skip }, async (t) => {
  const { one, other, world, broken, none500, ok, reasonId } = await open(t);
  const { key, serviceId } = world;
  for (let round = 0; round < ROUNDS; round++) {
    const { id: contactId, addressId } = ok(await world.contact({ name: 'Huda' }));
    const wanted = { contactId, addressId, serviceId, startAt: '09:00', notes: 'zq55', accessCode: 'zq55' };
    const firstDate = addDays(SUNDAY, 35 + round * 7);
    const post = (path: string, body: unknown) =>
      pick([one, other]).v1(key, 'POST', `/partners/series${path}`, body);
    const { seriesId } = ok(await post('', { ...wanted, firstDate })) as Series;
    one.clock.set(morningOf(addDays(firstDate, -29)));
    const [erased, ...rest] = await Promise.all([
      pick([one, other]).operator('POST', `/contacts/${contactId}/erase`, { reason: 'Asked for it' }),
      post(`/${seriesId}/visits/2/skip`, {}),
      post(`/${seriesId}/end`, { fromIndex: 5, reasonId }),
      post('', { ...wanted, firstDate: addDays(firstDate, 70) }),
      ...times(2, (index) => roll([one, other][index]!).then(() => null)),
    ]);
    none500([erased, ...rest]);
    // Refused when a visit was booked first.
    if (erased.status !== 200) assert.equal(erased.body.error.details.reason, 'OPEN_BOOKINGS', erased.text);
    else {
      const left = await one.deps.db.rows({
        text: `select id from series where contact_id = $1 and (notes is not null or access is not null or status <> 'ENDED')`,
        values: [contactId],
      });
      assert.deepEqual(left, [], `round ${round}`);
    }
    assert.deepEqual(await broken(), [], `round ${round}`);
  }
});
