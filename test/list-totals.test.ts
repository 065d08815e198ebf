import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createKnownTotals, type KnownTotals } from '../src/bookings/known-totals.ts';
import { listBookings, MAX_SINCE } from '../src/bookings/list-queries.ts';
import { adoptBookings } from '../src/bookings/restored-queries.ts';
import type { Queryable } from '../src/db/connection.ts';
import { createWorld } from './fixtures.ts';
import { onServer, startTestService, type TestService } from './harness.ts';
import { until } from './until.ts';

/** Cached totals (src/bookings/known-totals.ts) are exact, whoever commits when. */

const NEWEST = { by: 'createdAt', direction: 'DESC' } as const;
const PAGE = { limit: 20, offset: 0 };
const ALL = { filter: {}, order: NEWEST, page: PAGE };

/**
 * A partner with one booking, and a function that creates older ones without appointments: only their number counts.
 */
async function startPartner(t: TestContext) {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const { bookingId } = (await world.book()).body.data;
  const more = (db: Queryable, count: number) => db.rows(copies(bookingId, count));
  return { service, partnerId: world.partnerId, more };
}

const copies = (bookingId: string, count: number) => ({
  text: `
    insert into bookings select (jsonb_populate_record(booking, jsonb_build_object(
      'id', gen_random_uuid(), 'created_in', pg_current_xact_id()::text, 'external_reference', null,
      'created_at', created_at - interval '1 day'))).*
    from bookings booking, generate_series(1, $2::integer) where id = $1`,
  values: [bookingId, count],
});

/** Lists, and returns how the bookings were counted: `all`, or the new ones since a cached total. */
function lister(service: TestService, totals: KnownTotals, partnerId: string) {
  const counted: ('all' | 'since')[] = [];
  const db: Queryable = {
    ...service.deps.db,
    rows: (statement) => {
      counted.push(statement.text.includes(') since') ? 'since' : 'all');
      return service.deps.db.rows(statement);
    },
  };
  return async (page = PAGE) => {
    counted.length = 0;
    const { total, rows } = await listBookings(db, totals, partnerId, { filter: {}, order: NEWEST, page });
    return { total, listed: rows.length, counted: [...counted] };
  };
}

test('a page by status has that status and those dates, in order, near and far', async (t) => {
  const { service, partnerId, more } = await startPartner(t);
  const { db } = service.deps;
  await more(db, 140);
  await db.rows({
    text: `update bookings set status = (array['in progress', 'success'])[1 + n % 2], service_date = service_date + n % 5,
        created_at = created_at + n % 40 * interval '1 minute'
      from (select id, row_number() over (order by id)::integer as n from bookings) numbered
      where numbered.id = bookings.id`,
  });
  await db.rows({
    text: `insert into appointments select (jsonb_populate_record(a, jsonb_build_object(
          'id', b.id, 'booking_id', b.id, 'name', 'SA-T' || row_number() over (), 'status', 'Cancelled'))).*
        from appointments a, bookings b where b.id <> a.booking_id`,
  });
  const all = await db.rows<{ id: string; status: string; service_date: string; created_at: number }>({
    text: 'select id, status, service_date::text as service_date, created_at from bookings order by id',
  });
  const values = { createdAt: 'created_at', status: 'status', date: 'service_date' } as const;
  const [fromDate, toDate] = [all[0]!.service_date, all.at(-1)!.service_date].sort() as [string, string];
  const asOf = (await listBookings(db, createKnownTotals(), partnerId, ALL)).asOf;
  for (const filter of [
    {},
    { status: 'success' },
    { fromDate, toDate },
    { status: 'success', fromDate, toDate },
  ] as const)
    for (const moment of [{}, { asOf }])
      for (const by of ['createdAt', 'status', 'date'] as const)
        for (const direction of ['ASC', 'DESC'] as const)
          for (const page of [PAGE, { limit: 20, offset: 40 }, { limit: 100, offset: 30 }]) {
            const asked = { filter: { ...filter, ...moment }, order: { by, direction }, page };
            const found = await listBookings(db, createKnownTotals(), partnerId, asked);
            const sign = direction === 'ASC' ? 1 : -1;
            const column = values[by];
            const wanted = all
              .filter((row) => !('status' in filter) || row.status === filter.status)
              .filter(
                (row) =>
                  !('toDate' in filter) || (row.service_date >= fromDate && row.service_date <= toDate),
              )
              .sort(
                (a, b) =>
                  sign * (a[column] < b[column] ? -1 : a[column] > b[column] ? 1 : a.id < b.id ? -1 : 1),
              );
            const told = `${JSON.stringify({ ...filter, ...moment })} ${by} ${direction} ${page.offset}`;
            assert.equal(found.total, wanted.length, told);
            assert.deepEqual(
              found.rows.map(({ id }) => id),
              wanted.slice(page.offset, page.offset + page.limit).map(({ id }) => id),
              told,
            );
          }
});

test('a booking created late on the day of its service is on the page of that day', async (t) => {
  const { service, partnerId, more } = await startPartner(t);
  const { db } = service.deps;
  await more(db, 1);
  const days = await db.rows<{ day: string }>({
    text: `
      update bookings set created_at = (service_date + time '23:59:59.999') at time zone 'Asia/Riyadh'
      returning service_date::text as day`,
  });
  const { day } = days[0]!;
  const { asOf } = await listBookings(db, createKnownTotals(), partnerId, ALL);
  for (const moment of [{}, { asOf }])
    for (const direction of ['ASC', 'DESC'] as const) {
      const filter = { fromDate: day, toDate: day, ...moment };
      const order = { by: 'createdAt', direction } as const;
      const { rows, total } = await listBookings(db, createKnownTotals(), partnerId, {
        filter,
        order,
        page: PAGE,
      });
      assert.deepEqual([rows.length, total], [1, 2], 'one of the two has an appointment');
    }
});

test('all are counted once; afterwards only new ones', async (t) => {
  const { service, partnerId, more } = await startPartner(t);
  const list = lister(service, createKnownTotals(), partnerId);
  assert.deepEqual(await list(), { total: 1, listed: 1, counted: ['all'] });
  assert.deepEqual(await list(), { total: 1, listed: 1, counted: ['since'] });
  await more(service.deps.db, 3);
  assert.deepEqual((await list()).total, 4);
  await more(service.deps.db, MAX_SINCE);
  const total = MAX_SINCE + 4;
  assert.deepEqual(await list(), { total, listed: 1, counted: ['since', 'all'] });
  // The horizon advances with each list, as soon as no older transaction is active on the whole server.
  await until(async () => {
    const answer = await list();
    assert.equal(answer.total, total);
    return answer.counted.length === 1;
  });
  assert.deepEqual(await list({ limit: 20, offset: 120 }), {
    total,
    listed: 0,
    counted: ['since'],
  });
});

test('a total of another server is not used', async (t) => {
  const { service, partnerId } = await startPartner(t);
  const totals = createKnownTotals();
  const list = lister(service, totals, partnerId);
  await list();
  totals.remember(partnerId, { ...totals.of(partnerId)!, before: 77, server: '2020-01-01 00:00:00+00' });
  assert.deepEqual(await list(), { total: 1, listed: 1, counted: ['since', 'all'] });
});

test("bookings of the horizon's transaction are counted again", async (t) => {
  const { service, partnerId, more } = await startPartner(t);
  const { db } = service.deps;
  const totals = createKnownTotals();
  const list = lister(service, totals, partnerId);
  await list();
  await more(db, 2);
  const newest = await db.first<{ horizon: string }>({
    text: 'select max(created_in)::text as horizon from bookings',
  });
  totals.remember(partnerId, { ...totals.of(partnerId)!, before: 1, ...newest! });
  assert.deepEqual(await list(), { total: 3, listed: 1, counted: ['since'] });
});

test(
  'a transaction that commits after later ones is then counted',
  onServer('an embedded database has one connection'),
  async (t) => {
    const { service, partnerId, more } = await startPartner(t);
    const { db } = service.deps;
    const list = lister(service, createKnownTotals(), partnerId);
    assert.equal((await list()).total, 1);
    await db.transaction(async (slow) => {
      await more(slow, 1);
      assert.equal((await list()).total, 1, 'under way');
      await more(db, 1);
      assert.equal((await list()).total, 2);
      assert.equal((await list()).total, 2, 'the horizon stays before what is under way');
    });
    assert.equal(
      (await list()).total,
      3,
      'committed, though it began before the last horizon was remembered',
    );
    await assert.rejects(
      db.transaction(async (lost) => {
        await more(lost, 1);
        assert.equal((await list()).total, 3);
        throw new Error('rolled back');
      }),
      /rolled back/,
    );
    assert.equal((await list()).total, 3);
  },
);

test('with filters the total equals a count, also after changes of date and status', async (t) => {
  const { service, partnerId, more } = await startPartner(t);
  const { db } = service.deps;
  // More than the days over which they are spread: each has one, also the first and last of a period.
  await more(db, 120);
  const spread = (shift: number) =>
    db.rows({
      text: `update bookings set service_date = date '2026-11-20' + (7 * ($1::integer + n)) % 100,
          status = (array['in progress', 'success', 'failed'])[1 + ($1::integer + n) % 3]
        from (select id, row_number() over (order by id)::integer as n from bookings) numbered
        where numbered.id = bookings.id and ($1 = 0 or n % 2 = 0)`,
      values: [shift],
    });
  const check = async (told: string) => {
    for (const status of [undefined, 'success', 'canceled'] as const)
      for (const period of [
        {},
        // Within a month, over its end, and whole months alone, before, after or between days.
        { fromDate: '2026-12-02' },
        { fromDate: '2026-12-01' },
        { fromDate: '2026-12-02', toDate: '2026-12-20' },
        { fromDate: '2026-11-25', toDate: '2026-12-20' },
        { fromDate: '2026-11-25', toDate: '2027-02-11' },
        { fromDate: '2026-12-01', toDate: '2026-12-31' },
        { fromDate: '2026-11-30', toDate: '2027-02-01' },
        { fromDate: '2027-01-31', toDate: '2027-01-31' },
        { fromDate: '2027-01-20', toDate: '2027-01-10' },
      ]) {
        const filter = { ...(status && { status }), ...period };
        const { total } = await listBookings(db, createKnownTotals(), partnerId, { ...ALL, filter });
        const counted = await db.first<{ total: number }>({
          text: `select count(*) as total from bookings where partner_id = $1 and ($2::text is null or status = $2)
            and ($3::date is null or service_date >= $3) and ($4::date is null or service_date <= $4)`,
          values: [partnerId, status ?? null, filter.fromDate ?? null, filter.toDate ?? null],
        });
        assert.equal(total, counted!.total, `${told}: ${JSON.stringify(filter)}`);
      }
  };
  await spread(0);
  await check('spread over a hundred days');
  await spread(1);
  await check('half of them moved');
});

test('bookings from a dump of another cluster are listed as if created now', async (t) => {
  const { service, partnerId, more } = await startPartner(t);
  const { db } = service.deps;
  await more(db, 3);
  const listed = async (asOf?: string) => {
    const filter = asOf === undefined ? {} : { asOf };
    const page = await listBookings(db, createKnownTotals(), partnerId, { ...ALL, filter });
    return { asOf: page.asOf, total: page.total };
  };
  await db.rows({
    text: `update bookings set created_in = (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000000)::text::xid8`,
  });
  const before = await listed();
  assert.equal(before.total, 4);
  assert.equal((await listed(before.asOf)).total, 0, 'not made yet, by the transactions of this cluster');
  assert.equal(await adoptBookings(db), 4);
  assert.equal(await adoptBookings(db), 0);
  const after = await listed();
  assert.deepEqual([after.total, (await listed(after.asOf)).total], [4, 4]);
});

test('each partner has its own total', async (t) => {
  const { service, partnerId } = await startPartner(t);
  const other = await createWorld(service);
  const totals = createKnownTotals();
  await lister(service, totals, partnerId)();
  assert.equal((await lister(service, totals, other.partnerId)()).total, 0);
  assert.equal((await lister(service, totals, partnerId)()).total, 1);
});
