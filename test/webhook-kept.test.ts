import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { analyzeGrownTables } from '../src/db/upkeep.ts';
import { keepEventsAndDeliveries } from '../src/program/worker.ts';
import { keepDeliveryPartitions } from '../src/webhooks/retention-queries.ts';
import { MAX_PER_SUBSCRIPTION } from '../src/webhooks/rules.ts';
import { alsoOnServer, openTestDatabase, TEST_NOW } from './harness.ts';
import { times } from './storm.ts';
import { until } from './until.ts';
import {
  claim,
  createPartner,
  failed,
  iso,
  releaseAll,
  succeeded,
  type TestPartner,
} from './webhook-queue-fixtures.ts';

/** The rows of the queue and of months, and the reads of its statements. */

for (const withFaults of [false, true]) {
  const told = withFaults ? ', in a sandbox too' : '';
  test(`a long queue is claimed by its indexes, also with the plan of an empty one${told}`, async (t) => {
    const db = await openTestDatabase(t);
    const partner = await createPartner(db);
    await partner.subscribe();
    // Statistics of empty tables, and kept plans: the state after a quiet night.
    await db.rows({ text: `vacuum analyze ${QUEUE}` });
    await claimLongQueue(db, partner, withFaults);
  });

  test(`a long queue is claimed by its indexes, also with the plan of an emptied one${told}`, async (t) => {
    const db = await openTestDatabase(t);
    const partner = await createPartner(db);
    await partner.subscribe();
    // Many pages without rows: the state after a burst. For tables without pages the planner expects some rows.
    await partner.writeEvents(4_000);
    await emptyQueue(db, withFaults);
    const known = await db.rows<{ reltuples: number; isEmpty: boolean }>({
      text: `
        select reltuples::float8, relpages = 0 as "isEmpty" from pg_class where oid = 'webhook_pending'::regclass`,
    });
    assert.deepEqual(known, [{ reltuples: 0, isEmpty: false }]);
    await claimLongQueue(db, partner, withFaults);
  });
}

const QUEUE = 'webhook_deliveries, webhook_pending';
const ANY_OF_QUEUE = '^webhook_(deliveries|pending)';

/** Attempts to deliver all that is due, which succeed, and sees that nothing is left. */
async function emptyQueue(db: Db, withFaults = false): Promise<void> {
  let claimed = await claim(db, { withFaults });
  while (claimed.length > 0) claimed = await claim(db, { withFaults, results: claimed.map(succeeded) });
  await db.rows({ text: `analyze ${QUEUE}` });
}

/** After enough claims that their plans are generic, writes many events, and claims the first of them in turns. */
async function claimLongQueue(db: Db, partner: TestPartner, withFaults: boolean): Promise<void> {
  for (const _ of times(8, () => null)) await claim(db, { withFaults });
  await partner.writeEvents(20_000);
  // As the worker does every few seconds; a table on which autovacuum works is skipped, which may have seen it as empty.
  const knows = async (): Promise<boolean> =>
    (await db.first<{ knows: boolean }>({
      text: `select reltuples >= 10000 as knows from pg_class where oid = 'webhook_pending'::regclass`,
    }))!.knows;
  await until(async () => (await analyzeGrownTables(db)).length === 0 && (await knows()));
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

/** Rows and index entries that were read of these tables so far. */
async function readsOf(db: Db, tables: string): Promise<number> {
  // Statistics of this session are delayed unless flushed.
  await db.rows({ text: 'select pg_stat_force_next_flush(), pg_stat_clear_snapshot()' });
  const row = await db.first<{ reads: number }>({
    text: `
      select (
        select sum(seq_tup_read) from pg_stat_user_tables where relname ~ '^webhook_(deliveries|pending)'
      )::float8 + (
        select sum(idx_tup_read) from pg_stat_user_indexes where relname ~ $1
      )::float8 as reads`,
    values: [tables],
  });
  return row!.reads;
}

test('events that are written together become deliveries of their subscribers', alsoOnServer, async (t) => {
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

test('the queue contains pending deliveries, whoever changes them', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(6);
  const check = async (told: string) => {
    const columns = 'subscription_id, created_at, due_at';
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
  await claim(db, { room: 0, results: [succeeded(one!), failed(two!)] });
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
  await db.rows({
    text: `
      insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, status, created_at, finished_at)
      select subscription_id, gen_random_uuid(), partner_id, booking_id, event, 'FAILED', created_at, created_at
      from webhook_deliveries limit 1`,
  });
  await check('made as one that has failed');

  for (const how of ['production', 'sandbox', 'sandbox with faults']) {
    await releaseAll(db);
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

test('months of deliveries are dropped after 90 days, and a replay with its event', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  const december = Date.parse('2026-12-01T00:00:00Z');
  await partner.writeEvents(2, december);
  const isOver = december + 90 * DAY;
  await keepEventsAndDeliveries(db, isOver - 1);
  assert.equal((await claim(db, { at: december })).length, 3, 'a millisecond before');
  await releaseAll(db);

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

test('streams of changes notice deliveries of every month', async (t) => {
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
    await claim(db, { room: 0, results: claimed.map(succeeded) });
    assert.equal(claimed.length, 3);
    assert.equal((await change()) - before, 1, `${iso(at)}: once for all of a statement`);
  }
  const before = await change();
  await db.rows({ text: 'update webhook_deliveries set due_at = due_at where false' });
  assert.equal(await change(), before);
});
