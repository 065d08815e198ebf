import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createKnownTotals, type KnownTotals } from '../src/bookings/known-totals.ts';
import { listBookings, MAX_SINCE } from '../src/bookings/list-queries.ts';
import type { Queryable } from '../src/db/connection.ts';
import { createWorld } from './fixtures.ts';
import { onPostgres, startTestService, type TestService } from './harness.ts';
import { until } from './until.ts';

/** Totals that are remembered (src/bookings/known-totals.ts) are exact, whoever commits when. */

const NEWEST = { by: 'createdAt', direction: 'DESC' } as const;
const PAGE = { limit: 20, offset: 0 };

/** A partner with one booking, and what makes older ones like it, which have no appointment: only their number counts. */
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

/** Lists, and says which statements that took. */
function lister(service: TestService, totals: KnownTotals, partnerId: string) {
  const names: string[] = [];
  const db: Queryable = {
    ...service.deps.db,
    rows: (statement) => {
      names.push(statement.name!);
      return service.deps.db.rows(statement);
    },
  };
  return async (page = PAGE) => {
    names.length = 0;
    const { total, rows } = await listBookings(db, totals, partnerId, {}, NEWEST, page);
    return { total, listed: rows.length, names: [...names] };
  };
}

const COUNTED = 'list-createdAt-DESC-';
const FIRST = 'list-createdAt-DESC-known-first';
const FAR = 'list-createdAt-DESC-known';

test('all are counted once; from then on those made since', async (t) => {
  const { service, partnerId, more } = await startPartner(t);
  const list = lister(service, createKnownTotals(), partnerId);
  assert.deepEqual(await list(), { total: 1, listed: 1, names: [COUNTED] });
  assert.deepEqual(await list(), { total: 1, listed: 1, names: [FIRST] });
  await more(service.deps.db, 3);
  assert.deepEqual((await list()).total, 4);
  await more(service.deps.db, MAX_SINCE);
  const total = MAX_SINCE + 4;
  assert.deepEqual(await list(), { total, listed: 1, names: [FIRST, COUNTED] });
  // The horizon moves on with each list, as soon as no transaction from before is under way on the whole server.
  await until(async () => {
    const answer = await list();
    assert.equal(answer.total, total);
    return answer.names.length === 1;
  });
  assert.deepEqual(await list({ limit: 20, offset: 120 }), {
    total,
    listed: 0,
    names: [FAR],
  });
});

test('what another server said is not believed', async (t) => {
  const { service, partnerId } = await startPartner(t);
  const totals = createKnownTotals();
  const list = lister(service, totals, partnerId);
  await list();
  totals.remember(partnerId, { ...totals.of(partnerId)!, before: 77, server: '2020-01-01 00:00:00+00' });
  assert.deepEqual(await list(), { total: 1, listed: 1, names: [FIRST, COUNTED] });
});

test('a transaction that commits after later ones is counted when it has', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
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
  assert.equal((await list()).total, 3, 'committed, though it began before the last horizon was remembered');
  await assert.rejects(
    db.transaction(async (lost) => {
      await more(lost, 1);
      assert.equal((await list()).total, 3);
      throw new Error('rolled back');
    }),
    /rolled back/,
  );
  assert.equal((await list()).total, 3);
});

test('each partner has a total of its own', async (t) => {
  const { service, partnerId } = await startPartner(t);
  const other = await createWorld(service);
  const totals = createKnownTotals();
  await lister(service, totals, partnerId)();
  assert.equal((await lister(service, totals, other.partnerId)()).total, 0);
  assert.equal((await lister(service, totals, partnerId)()).total, 1);
});
