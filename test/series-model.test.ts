import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, DAY, dateOf, startOfDate } from '../src/base/clock.ts';
import { createWorld } from './fixtures.ts';
import { onPostgres, startTestService } from './harness.ts';
import { clientOf, roll as rollIn, SUNDAY } from './series-fixtures.ts';
import { seeded } from './storm.ts';

/** Random days of a series against what a calendar of weeks says, in two processes where there is a server. */

type Visit = {
  index: number;
  date: string;
  startAt: string;
  state: string;
  bookingId: string | null;
  status: string | null;
  reason: string | null;
  movedAlone: boolean;
  alternatives: { date: string; startAt: string }[];
};
type Series = {
  seriesId: string;
  status: string;
  reason: string | null;
  dates: Visit[];
  changes?: { index: number }[];
};
/** From an index on; the day counts from Sunday. */
type Rule = { from: number; day: number; startAt: string };

const RUNS = Number(process.env.SERIES_RUNS ?? 6);
const STEPS = 30;
const HOURS = ['09:00', '11:30', '14:00', '16:30'];

for (let run = 1; run <= RUNS; run++) {
  test(`random days of a series, ${run}`, async (t) => {
    const random = seeded(run);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const service = await startTestService(t);
    const world = await createWorld(service, {
      teams: 2,
      partner: { paymentResponsibility: 'PARTNER' },
      service: { bookingHorizonDays: 30, minimumNoticeMinutes: 0 },
    });
    const { clock } = service;
    const other = onPostgres
      ? await startTestService(t, { databaseUrl: service.deps.config.databaseUrl!, clock })
      : service;
    const { ok, create, read, reasonId } = await clientOf(service, world);
    const call = (method: string, path: string, body: unknown) =>
      pick([service, other]).v1(world.key, method, `/partners/series${path}`, body);
    const every = pick([1, 1, 2]);
    const roll = () => Promise.all([service, other].map(rollIn));
    const today = () => dateOf(service.clock.now());

    const rules: Rule[] = [{ from: 1, day: 0, startAt: '09:00' }];
    const pauses: { from: string; to: string }[] = [];
    let endedAt = Number.POSITIVE_INFINITY;
    const expected = (index: number) => {
      const { day, startAt } = rules.findLast(({ from }) => from <= index)!;
      return `${addDays(SUNDAY, (index - 1) * 7 * every + day)} ${startAt}`;
    };
    const { seriesId } = ok(await create({ everyWeeks: every })) as Series;
    let before = (await read(seriesId)) as Series;
    const decided = ({ dates }: Series) => dates.filter(({ state }) => state !== 'PLANNED');
    const textOf = ({ index, date, startAt, state, bookingId }: Visit) =>
      `${index} ${date} ${startAt} ${state} ${bookingId}`;

    async function check(doing: string, untouchedBefore = 0): Promise<void> {
      const now = (await read(seriesId)) as Series;
      const all = now.dates.map(({ index }) => index);
      assert.deepEqual(
        all,
        all.map((_, place) => place + 1),
        `${doing}: each index once`,
      );
      for (const visit of now.dates) {
        const { index, state, status, movedAlone, date, startAt, reason } = visit;
        const isStale = before.changes?.some((change) => change.index === index) ?? false;
        if (!movedAlone && !isStale && state !== 'SKIPPED' && status !== 'canceled')
          assert.equal(`${date} ${startAt}`, expected(index), `${doing}: ${index}`);
        assert.equal(reason !== null, state === 'UNPLACED', doing);
        if (state === 'SKIPPED')
          assert.ok(status === null || status === 'canceled', `${doing}: ${textOf(visit)}`);
        if (index >= endedAt && date >= today())
          assert.ok(state !== 'PLACED' || status === 'canceled', `${doing}: over`);
        if (state === 'PLANNED')
          assert.ok(
            date > addDays(today(), 31) || now.status === 'STOPPED',
            `${doing}: ${textOf(visit)} is due`,
          );
      }
      const earlier = (series: Series) =>
        decided(series)
          .filter(({ index }) => index < untouchedBefore)
          .map(textOf);
      if (untouchedBefore > 0) assert.deepEqual(earlier(now), earlier(before), `${doing}: earlier ones stay`);
      const twice = await service.deps.db.rows({
        text: 'select series_index from bookings where series_id = $1 group by series_index having count(*) > 1',
        values: [seriesId],
      });
      assert.deepEqual(twice, [], `${doing}: an index has one booking`);
      const lost = await service.deps.db.rows({
        text: `select b.id from bookings b where b.series_id = $1 and not exists (
          select from series_visits v where v.booking_id = b.id and v.series_id = b.series_id and v.index = b.series_index)`,
        values: [seriesId],
      });
      assert.deepEqual(lost, [], `${doing}: each booking is known to the series`);
      before = { ...now, changes: before.changes ?? [] };
    }

    const open = () => decided(before).filter(({ date, state }) => date > today() && state !== 'SKIPPED');
    const operations: Record<string, () => Promise<number | undefined>> = {
      async 'days pass'() {
        service.clock.advance(Math.ceil(random() * 9) * DAY);
        await roll();
        return undefined;
      },
      async skip() {
        const visit = pick(open());
        if (visit === undefined) return undefined;
        const live = visit.state === 'PLACED' && visit.status !== 'canceled';
        ok(await call('POST', `/${seriesId}/visits/${visit.index}/skip`, live ? { reasonId } : {}));
        return visit.index;
      },
      async pause() {
        const from = addDays(today(), 1 + Math.floor(random() * 40));
        const to = addDays(from, Math.floor(random() * 10));
        const answer = await call('POST', `/${seriesId}/pause`, { from, to, reasonId });
        if (endedAt === Number.POSITIVE_INFINITY) ok(answer);
        pauses.push({ from, to });
        return undefined;
      },
      async 'move one'() {
        const visit = pick(open().filter(({ state, status }) => state === 'PLACED' && status !== 'canceled'));
        if (visit === undefined) return undefined;
        const startAt = pick(HOURS);
        const endAt = `${Number(startAt.slice(0, 2)) + 2}${startAt.slice(2)}`;
        await service.v1(world.key, 'PATCH', `/partners/bookings/${visit.bookingId}`, {
          timeslot: { startAt, endAt },
        });
        return undefined;
      },
      async 'cancel one'() {
        const visit = pick(open().filter(({ state, status }) => state === 'PLACED' && status !== 'canceled'));
        if (visit !== undefined)
          ok(
            await service.v1(world.key, 'PATCH', `/partners/bookings/${visit.bookingId}/cancel`, {
              reasonId,
            }),
          );
        return undefined;
      },
      async 'from here on'() {
        const fromIndex = (pick(open())?.index ?? decided(before).length) + 1;
        const [day, startAt] = [Math.floor(random() * 7), pick(HOURS)];
        const answer = await call('PATCH', `/${seriesId}`, {
          fromIndex,
          weekday: day === 0 ? 7 : day,
          startAt,
        });
        if (answer.status !== 200) {
          assert.equal(answer.body.error.code, 'INVALID_TRANSITION', answer.text);
          return undefined;
        }
        const { changes } = answer.body.data;
        const stays = changes.filter(({ outcome }: { outcome: string }) => outcome === 'STAYS');
        before = { ...before, changes: [...(before.changes ?? []), ...stays] };
        while (rules.at(-1)!.from >= fromIndex && rules.length > 1) rules.pop();
        rules.push({ from: fromIndex, day, startAt });
        return fromIndex;
      },
      async 'choose another time'() {
        const waiting = ((await read(seriesId)) as Series).dates.find(
          ({ state, alternatives }) => state === 'UNPLACED' && alternatives.length > 0,
        );
        if (waiting !== undefined)
          await call(
            'POST',
            `/${seriesId}/visits/${waiting.index}/place`,
            pick(waiting.alternatives.map(({ date, startAt }) => ({ date, startAt }))),
          );
        return undefined;
      },
      async 'others book'() {
        for (let index = 0; index < 3; index++) {
          const date = addDays(SUNDAY, Math.floor(random() * 6) * 7 + pick([0, 1, 2, 3]));
          const startAt = pick(HOURS);
          await world.book({
            date,
            timeslot: { startAt, endAt: `${Number(startAt.slice(0, 2)) + 2}${startAt.slice(2)}` },
          });
        }
        return undefined;
      },
      async 'a team is off'() {
        const startsAt = new Date(startOfDate(addDays(today(), Math.floor(random() * 30)))).toISOString();
        const endsAt = new Date(Date.parse(startsAt) + 3 * DAY).toISOString();
        await service.operator('POST', `/teams/${pick(world.teamIds)}/time-off`, {
          startsAt,
          endsAt,
          reason: 'Training',
        });
        return undefined;
      },
      async 'the partner is suspended for some days'() {
        ok(await service.operator('PATCH', `/partners/${world.partnerId}`, { status: 'SUSPENDED' }));
        service.clock.advance(3 * DAY);
        await roll();
        ok(await service.operator('PATCH', `/partners/${world.partnerId}`, { status: 'ACTIVE' }));
        service.clock.advance(DAY);
        await roll();
        return undefined;
      },
      async end() {
        if (random() < 0.8) return undefined;
        const fromIndex = pick(open())?.index ?? decided(before).length + 1;
        ok(await call('POST', `/${seriesId}/end`, { fromIndex, reasonId }));
        endedAt = Math.min(endedAt, fromIndex);
        return fromIndex;
      },
    };
    for (let step = 0; step < STEPS; step++) {
      const name = pick(Object.keys(operations));
      const untouched = await operations[name]!();
      await check(`${run}.${step} ${name}`, untouched);
    }
  });
}
