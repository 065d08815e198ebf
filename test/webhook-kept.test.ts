import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { listPartitions } from '../src/db/partitions.ts';
import { keepEventsAndDeliveries } from '../src/program/worker.ts';
import { lookForDueWork } from '../src/runtime/due-work-queries.ts';
import { listDeliveryRows, retryFailed } from '../src/webhooks/delivery-queries.ts';
import { settleAndClaim } from '../src/webhooks/queue-queries.ts';
import {
  DELIVERY_PARTITIONS,
  foldDeliveryTotals,
  keepDeliveryPartitions,
} from '../src/webhooks/retention-queries.ts';
import { DELIVERY_STATUSES, MAX_PER_SUBSCRIPTION } from '../src/webhooks/rules.ts';
import { openTestDatabase, TEST_NOW } from './harness.ts';
import { times } from './storm.ts';
import { claim, createPartner, failed, iso, succeeded, type TestPartner } from './webhook-queue-fixtures.ts';

/** What the queue keeps beside deliveries: who is pending, totals, months; and what its statements read of it. */

for (const withFaults of [false, true]) {
  const told = withFaults ? ', in a sandbox too' : '';
  test(`a long queue is claimed by its indexes, also with the plan of an empty one${told}`, async (t) => {
    const db = await openTestDatabase(t);
    const partner = await createPartner(db);
    await partner.subscribe();
    // Statistics of nothing, and plans that are kept: what a quiet night leaves behind.
    await db.rows({ text: `vacuum analyze ${QUEUE}` });
    await claimLongQueue(db, partner, withFaults);
  });

  test(`a long queue is claimed by its indexes, also with the plan of an emptied one${told}`, async (t) => {
    const db = await openTestDatabase(t);
    const partner = await createPartner(db);
    await partner.subscribe();
    // No rows in many pages: what a burst leaves behind. Of tables without pages the planner expects some rows.
    await partner.writeEvents(4_000);
    await emptyQueue(db, withFaults);
    const known = await db.rows<{ relname: string; reltuples: number; isEmpty: boolean }>({
      text: `
        select relname, reltuples::float8, relpages = 0 as "isEmpty" from pg_class
        where oid in ('webhook_pending'::regclass, 'webhook_leases'::regclass) order by 1`,
    });
    assert.deepEqual(known, [
      { relname: 'webhook_leases', reltuples: 0, isEmpty: false },
      { relname: 'webhook_pending', reltuples: 0, isEmpty: false },
    ]);
    await claimLongQueue(db, partner, withFaults);
  });
}

const QUEUE = 'webhook_deliveries, webhook_pending, webhook_leases';
const ANY_OF_QUEUE = '^webhook_(deliveries|pending|leases)';

/** Attempts to deliver all that is due, which succeed, and sees that nothing is left. */
async function emptyQueue(db: Db, withFaults = false): Promise<void> {
  let claimed = await claim(db, { withFaults });
  while (claimed.length > 0) claimed = await claim(db, { withFaults, results: claimed.map(succeeded) });
  await db.rows({ text: `analyze ${QUEUE}` });
}

/** After so many claims that their plans are kept, writes many events, and claims the first of them in turns. */
async function claimLongQueue(db: Db, partner: TestPartner, withFaults: boolean): Promise<void> {
  for (const _ of times(8, () => null)) await claim(db, { withFaults });
  await partner.writeEvents(20_000);
  const before = await readsOf(db, ANY_OF_QUEUE);
  let claimed = await claim(db, { withFaults });
  for (const _ of times(20, () => null))
    claimed = await claim(db, { withFaults, results: claimed.map(succeeded) });
  assert.equal(claimed.length, MAX_PER_SUBSCRIPTION);
  const read = (await readsOf(db, ANY_OF_QUEUE)) - before;
  // What is over stays in the indexes for a while, so that each claim reads 1,300 of the queue on average. What scans of
  // everything would read is 20,000 each time.
  assert.ok(read < 4 * 20_000, `${read} were read`);
}

/** Rows and index entries that were read of deliveries so far, or of them and their queue. */
async function readsOf(db: Db, tables = '^webhook_deliveries'): Promise<number> {
  // Statistics of this session arrive late unless it is told to.
  await db.rows({ text: 'select pg_stat_force_next_flush(), pg_stat_clear_snapshot()' });
  const row = await db.first<{ reads: number }>({
    text: `
      select (
        select sum(seq_tup_read) from pg_stat_user_tables where relname ~ '^webhook_(deliveries|pending|leases)'
      )::float8 + (
        select sum(idx_tup_read) from pg_stat_user_indexes where relname ~ $1
      )::float8 as reads`,
    values: [tables],
  });
  return row!.reads;
}

test('a look for due work reads nothing of what is over', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(2_000);
  await db.rows({
    text: `update webhook_deliveries set status = 'DELIVERED', due_at = null, finished_at = created_at`,
  });
  const before = await readsOf(db);
  for (const _ of times(10, () => null))
    assert.equal((await lookForDueWork(db, TEST_NOW, Date.now())).deliveries, false);
  assert.equal((await readsOf(db)) - before, 0);
});

test('a look for due work reads nothing of what waits, also with the plan of an emptied queue', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1_000);
  await emptyQueue(db);
  const look = async () => assert.equal((await lookForDueWork(db, TEST_NOW, Date.now())).deliveries, false);
  for (const _ of times(8, () => null)) await look();
  // As when an endpoint is down and all of it is tried again later.
  await partner.writeEvents(5_000, TEST_NOW + 60_000);
  await look();
  const before = await readsOf(db, ANY_OF_QUEUE);
  await look();
  const read = (await readsOf(db, ANY_OF_QUEUE)) - before;
  // Of the 5,000 that wait none. Entries of the 1,000 that are over are met by two looks, until they are known to be:
  // a while after their commit, which nothing waited for.
  assert.ok(read < 5_000, `${read} were read`);
});

test('writing a result looks for its delivery alone, also when the queue was seen empty', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(60);
  await claim(db, { results: (await claim(db)).map(succeeded) });
  await db.rows({ text: 'analyze webhook_deliveries, webhook_pending, webhook_leases' });
  await partner.writeEvents(5);
  const results = (await claim(db)).map(succeeded);
  const room = { total: 0, slow: 0, fastSubscriptions: {}, held: {} };
  const read = await db.transaction(async (tx) => {
    const count = async () =>
      (await tx.first<{ key: number }>({
        text: `
          select sum(pg_stat_get_xact_tuples_returned(indexrelid))::float8 as key from pg_index
          where indrelid::regclass::text like 'webhook_deliveries%'`,
      }))!.key;
    const before = await count();
    await settleAndClaim(tx, TEST_NOW, results, randomUUID(), room);
    return (await count()) - before;
  });
  assert.equal(read, results.length);
});

test('events that are written together become deliveries of those who want them', async (t) => {
  const db = await openTestDatabase(t);
  const [partner, other] = [await createPartner(db), await createPartner(db)];
  const [wanting, ...unwanting] = await Promise.all(times(4, () => partner.subscribe()));
  await other.subscribe();
  const changes = ["events = array['booking.created']", "status = 'INACTIVE'", 'removed_at = now()'];
  for (const [index, change] of changes.entries())
    await db.rows({
      text: `update webhook_subscriptions set ${change} where id = $1`,
      values: [unwanting[index]],
    });
  await partner.writeEvents(3);
  const delivered = await db.rows<{ subscription_id: string; events: number; exact: boolean }>({
    text: `
      select subscription_id, count(distinct event_id)::int as events,
        bool_and((e.partner_id, e.booking_id, e.event, e.created_at, d.due_at)
          = (d.partner_id, d.booking_id, d.event, d.created_at, d.created_at)) as exact
      from webhook_deliveries d join events e on e.id = d.event_id group by 1`,
  });
  assert.deepEqual(delivered, [{ subscription_id: wanting, events: 3, exact: true }]);
  const unplaced = await db.rows({
    text: `
      select from unplaced_events u join events e
      on (e.id, e.position, e.partner_id, e.created_at) = (u.event_id, u.position, u.partner_id, u.created_at)`,
  });
  assert.equal(unplaced.length, 3);
});

test('the queue has what is pending, whoever changes deliveries', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(6);
  const check = async (told: string) => {
    const columns = 'subscription_id, event, created_at, due_at';
    const differing = await db.rows({
      text: `
        (select id, ${columns} from webhook_deliveries where status = 'PENDING'
          except select delivery_id, ${columns} from webhook_pending)
        union all
        (select delivery_id, ${columns} from webhook_pending
          except select id, ${columns} from webhook_deliveries where status = 'PENDING')`,
    });
    assert.deepEqual(differing, [], told);
    const failed = await db.rows({
      text: `
        select 1 from webhook_deliveries
        where failed_at is distinct from case when status = 'FAILED' then finished_at end`,
    });
    assert.deepEqual(failed, [], told);
  };
  await check('written');
  const [one, two, three] = await claim(db);
  await claim(db, { total: 0, results: [succeeded(one!), failed(two!)] });
  await check('with a success, and with a failure that is tried again');
  const run = (text: string) => db.rows({ text, values: [three!.id] });
  await run(
    `update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = created_at where id = $1`,
  );
  await check('failed');
  await run(
    `update webhook_deliveries set status = 'PENDING', due_at = now(), finished_at = null where id = $1`,
  );
  await check('retried');
  await run(`update webhook_deliveries set created_at = created_at + interval '3 months' where id = $1`);
  await check('in another month');
  await run('delete from webhook_deliveries where id = $1');
  await check('deleted');
  await db.rows({
    text: `
      insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, status, created_at, finished_at)
      select subscription_id, gen_random_uuid(), partner_id, booking_id, event, 'FAILED', created_at, created_at
      from webhook_deliveries limit 1`,
  });
  await check('made as one that has failed');

  // An entry without a delivery ends at its claim, also in a sandbox, and there with a fault that others take.
  for (const how of ['production', 'sandbox', 'sandbox with faults']) {
    await db.rows({ text: 'delete from webhook_leases' });
    await db.rows({
      text: `
        insert into webhook_pending (delivery_id, subscription_id, event, created_at, due_at)
        select gen_random_uuid(), subscription_id, event, created_at, due_at from webhook_pending limit 1`,
    });
    if (how === 'sandbox with faults') {
      await db.rows({
        text: `
          insert into webhook_faults (subscription_id, kind, remaining, set_at)
          select id, 'duplicate', 100, now() from webhook_subscriptions`,
      });
    }
    const claimed = await claim(db, { withFaults: how !== 'production' });
    assert.equal(claimed.length, 3, how);
    assert.equal(
      claimed.filter(({ fault }) => fault === 'duplicate').length,
      how === 'sandbox with faults' ? 3 : 0,
    );
    await check(`claimed in ${how}`);
  }
});

test('kept totals are those of a count, whatever became of deliveries and whenever months are dropped', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  const id = await partner.subscribe();
  const check = async (told: string) => {
    for (const status of [undefined, ...DELIVERY_STATUSES])
      for (const event of [undefined, 'booking.updated', 'booking.created'] as const) {
        const filter = { subscriptionId: id, ...(status && { status }), ...(event && { event }) };
        const { total, rows } = await listDeliveryRows(db, filter, { limit: 50, offset: 0 });
        const counted = await db.first<{ total: number }>({
          text: `
            select count(*) as total from webhook_deliveries
            where subscription_id = $1 and ($2::text is null or status = $2) and ($3::text is null or event = $3)`,
          values: [id, status ?? null, event ?? null],
        });
        const { total: far } = await listDeliveryRows(db, filter, { limit: 50, offset: 1_000 });
        const expected = counted!.total;
        assert.deepEqual(
          [total, rows.length, far],
          [expected, expected, expected],
          `${told}: ${status} ${event}`,
        );
      }
  };
  await partner.writeEvents(8);
  await check('pending');
  const claimed = await claim(db);
  await claim(db, { total: 0, results: [...claimed.slice(0, 3).map(succeeded), failed(claimed[3]!)] });
  await db.rows({
    text: `
      update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = created_at, event = 'booking.created'
      where id = any ($1::uuid[])`,
    values: [claimed.slice(4, 6).map((delivery) => delivery.id)],
  });
  await check('only changes');
  assert.ok((await foldDeliveryTotals(db)) > 0);
  await check('only totals');
  await retryFailed(db, TEST_NOW, null, claimed[4]!.id);
  await db.rows({ text: 'delete from webhook_deliveries where id = $1', values: [claimed[0]!.id] });
  await check('both');
  await Promise.all([foldDeliveryTotals(db), foldDeliveryTotals(db)]);
  await check('moved by two');

  const later = Date.parse('2026-12-05T00:00:00Z');
  await partner.writeEvents(2, later);
  await claim(db, { total: 0, results: (await claim(db, { at: later })).map(succeeded) });
  await check('in two months');
  const { until } = (await listPartitions(db, DELIVERY_PARTITIONS))[0]!;
  assert.deepEqual(await keepDeliveryPartitions(db, TEST_NOW, until!), { made: 0, dropped: 1 });
  await check('dropped');
  assert.deepEqual(
    await db.rows({ text: 'select 1 from webhook_pending where created_at < $1', values: [iso(later)] }),
    [],
  );
});

test('months of deliveries are dropped when they are older than 90 days, and a replay with its event', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  const december = Date.parse('2026-12-01T00:00:00Z');
  await partner.writeEvents(2, december);
  const isOver = december + 90 * DAY;
  await keepEventsAndDeliveries(db, isOver - 1);
  assert.equal((await claim(db, { at: december })).length, 3, 'a millisecond before');
  await db.rows({ text: 'delete from webhook_leases' });

  // A replay finds its event, which is older, and goes when that is gone.
  await db.rows({
    text: `
      insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, replay, due_at, created_at)
      select subscription_id, event_id, partner_id, booking_id, event, 1, $1, $1
      from webhook_deliveries order by created_at limit 1`,
    values: [iso(isOver)],
  });
  const claimed = await claim(db, { at: isOver });
  assert.deepEqual(
    claimed.map(({ payload }) => payload),
    Array(4).fill({}),
  );
  await keepEventsAndDeliveries(db, isOver);
  const left = await db.rows<{ created_at: number }>({ text: 'select created_at from webhook_deliveries' });
  assert.deepEqual(
    left.map((row) => row.created_at),
    [december, december],
  );
});

test('who looks on hears of changed deliveries of every month', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  const december = Date.parse('2026-12-05T00:00:00Z');
  await keepDeliveryPartitions(db, december, 0);
  const change = async (): Promise<number> =>
    (await db.first<{ last: number }>({ text: 'select last_value as last from delivery_changes' }))!.last;
  for (const at of [TEST_NOW, december]) {
    await partner.writeEvents(3, at);
    const claimed = await claim(db, { at });
    const before = await change();
    await claim(db, { total: 0, results: claimed.map(succeeded) });
    assert.equal(claimed.length, 3);
    assert.equal((await change()) - before, 1, `${iso(at)}: once for all of a statement`);
  }
  const before = await change();
  await db.rows({ text: 'update webhook_deliveries set due_at = due_at where false' });
  assert.equal(await change(), before);
});
