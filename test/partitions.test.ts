import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY, type Instant } from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import {
  dropPartitions,
  keepPartitions,
  listPartitions,
  makePartitions,
  type PartitionedTable,
  type PartitionState,
  readPartitionState,
  startOf,
} from '../src/db/partitions.ts';
import { EVENT_PARTITIONS } from '../src/events/feed.ts';
import { keepEventsAndDeliveries } from '../src/program/worker.ts';
import { DELIVERY_PARTITIONS, deliveryPartitionPlan } from '../src/webhooks/retention-queries.ts';
import { onPostgres, openTestDatabase, TEST_NOW } from './harness.ts';
import { until } from './until.ts';

const at = (text: string): Instant => Date.parse(text);
const dateOf = (instant: Instant | null): string | null =>
  instant === null ? null : new Date(instant).toISOString().slice(0, 10);

const TABLE: PartitionedTable = { name: 'notes', key: 'written_at' };

/** A small table without partitions. */
async function createNotes(db: Db): Promise<void> {
  for (const text of [
    `create table notes (id uuid, text text default 'none' not null check (text <> ''), written_at timestamptz not null)
      partition by range (written_at)`,
    `create table notes_default (like notes including all, primary key (id)) with (fillfactor = 90)`,
    'create index on notes_default (written_at)',
    'alter table notes attach partition notes_default default',
  ])
    await db.rows({ text });
}

async function note(db: Db, text: string, writtenAt: string): Promise<void> {
  await db.rows({
    text: 'insert into notes (id, text, written_at) values (gen_random_uuid(), $1, $2)',
    values: [text, writtenAt],
  });
}

/** The rows of each partition. */
async function contents(db: Db): Promise<Record<string, string>> {
  const found = await db.rows<{ part: string; texts: string }>({
    text: `select tableoid::regclass::text as part, string_agg(text, ' ' order by text) as texts from notes group by 1 order by 1`,
  });
  return Object.fromEntries(found.map(({ part, texts }) => [part, texts]));
}

const boundsOf = async (db: Db, table = TABLE) =>
  (await listPartitions(db, table)).map(({ name, from, until }) => [name, dateOf(from), dateOf(until)]);

const MONTHS = [
  ['notes_20261101', '2026-11-01', '2026-12-01'],
  ['notes_20261201', '2026-12-01', '2027-01-01'],
];

test('months are created ahead, with the same structure, and every instant always has a partition', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  await note(db, 'now', '2026-11-22');
  assert.deepEqual(await contents(db), { notes_default: 'now' }, 'before any is made');
  assert.equal(await makePartitions(db, TABLE, 'month', TEST_NOW), 2);
  assert.deepEqual(await boundsOf(db), MONTHS);
  assert.equal(await makePartitions(db, TABLE, 'month', TEST_NOW), 0, 'they are there');
  await note(db, 'soon', '2026-12-05');
  await note(db, 'long-ago', '2020-01-01');
  await note(db, 'far', '2031-01-31T23:59:59.999Z');
  const placed = { notes_20261101: 'now', notes_20261201: 'soon' };
  assert.deepEqual(await contents(db), { ...placed, notes_default: 'far long-ago' });
  // A clock that was moved: each row gets its month.
  assert.equal(await makePartitions(db, TABLE, 'month', TEST_NOW), 2);
  assert.deepEqual(await contents(db), { ...placed, notes_20200101: 'long-ago', notes_20310101: 'far' });

  const { kind } = (await db.first<{ kind: string }>({
    text: `
      select string_agg(concat_ws(' ', reloptions::text, indexes, checks), ';' order by relname) as kind
      from pg_class c,
        lateral (select count(*) as indexes from pg_index where indrelid = c.oid) i,
        lateral (select count(*) as checks from pg_constraint where conrelid = c.oid and contype = 'c') k
      where relname in ('notes_default', 'notes_20261101', 'notes_20200101')`,
  }))!;
  assert.equal(kind, Array(3).fill('{fillfactor=90} 2 1').join(';'));
  await assert.rejects(note(db, '', '2026-12-05'), 'the check is there, too');
});

test('a month is dropped when all of it is old, and other data of it with the next run', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  await makePartitions(db, TABLE, 'month', TEST_NOW);
  await note(db, 'a', '2026-11-30T23:59:59.999Z');
  await note(db, 'b', '2026-12-01');
  assert.equal(await dropPartitions(db, TABLE, at('2026-12-01') - 1), 0);
  assert.equal(await dropPartitions(db, TABLE, at('2026-12-01')), 1);
  assert.deepEqual(await boundsOf(db), MONTHS.slice(1));
  assert.deepEqual(await contents(db), { notes_20261201: 'b' });
  assert.equal(await dropPartitions(db, TABLE, at('2026-12-01')), 0, 'there is nothing to drop');

  // A clock that goes ahead, back and ahead again.
  const runAt = (now: string, keptSince: string) =>
    keepPartitions(db, { table: TABLE, step: 'month', now: at(now), keptSince: at(keptSince) });
  assert.deepEqual(await runAt('2027-04-02', '2027-01-02'), { made: 2, dropped: 1 });
  for (const text of ['c', 'd']) {
    await note(db, text, '2026-10-01');
    assert.deepEqual(await contents(db), { notes_default: text });
    assert.deepEqual(await runAt('2027-04-02', '2027-01-02'), { made: 1, dropped: 1 });
    assert.deepEqual(await contents(db), {});
  }
  assert.deepEqual(await boundsOf(db), [
    ['notes_20270401', '2027-04-01', '2027-05-01'],
    ['notes_20270501', '2027-05-01', '2027-06-01'],
  ]);
});

test('days and months of a table whose retention was changed are adjacent', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  assert.equal(await makePartitions(db, TABLE, 'day', TEST_NOW), 4);
  assert.equal(await makePartitions(db, TABLE, 'month', TEST_NOW), 2);
  assert.deepEqual((await boundsOf(db)).slice(-3), [
    ['notes_20261125', '2026-11-25', '2026-11-26'],
    ['notes_20261126', '2026-11-26', '2026-12-01'],
    ['notes_20261201', '2026-12-01', '2027-01-01'],
  ]);
});

test('a table whose partitions cannot be created does not block others', async (t) => {
  const db = await openTestDatabase(t);
  await keepEventsAndDeliveries(db, TEST_NOW);
  const later = TEST_NOW + 60 * DAY;
  // The names that the next partitions are to have.
  const taken: string[] = [];
  for (const table of [deliveryPartitionPlan(later, 0).table, EVENT_PARTITIONS[0]!]) {
    const next = startOf('month', (await listPartitions(db, table)).at(-1)!.until);
    taken.push(`${table.name}_${dateOf(next)!.replaceAll('-', '')}`);
    await db.rows({ text: `create table ${taken.at(-1)} (id integer)` });
  }
  await assert.rejects(keepEventsAndDeliveries(db, later), new RegExp(`"${taken[0]}" already exists`));
  const { until } = (await listPartitions(db, EVENT_PARTITIONS[1]!)).at(-1)!;
  assert.ok(until > later, 'the last table has its partitions');
  await db.rows({ text: `drop table ${taken[0]}` });
  await assert.rejects(keepEventsAndDeliveries(db, later), new RegExp(`"${taken[1]}" already exists`));
});

test("the worker's lag is measured: missing partitions, and overdue ones", async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  const stateAt = (now: string, keptSince = '2020-01-01') =>
    readPartitionState(db, { table: TABLE, step: 'month', now: at(now), keptSince: at(keptSince) });
  const nothing: PartitionState = { late: 0, overdue: 0 };
  assert.deepEqual(await stateAt('2026-11-22'), nothing, 'what was never written to needs none');
  await note(db, 'a', '2026-11-22');
  assert.deepEqual(await stateAt('2026-11-22'), { late: 35 * DAY, overdue: 0 }, 'the worker has never run');

  await makePartitions(db, TABLE, 'month', TEST_NOW);
  assert.deepEqual(await stateAt('2026-11-22'), nothing);
  assert.deepEqual(await stateAt('2026-11-27'), nothing, '35 days before the last one ends');
  assert.deepEqual(await stateAt('2026-11-29'), { ...nothing, late: 2 * DAY });
  assert.deepEqual(await stateAt('2027-01-02'), { ...nothing, late: 35 * DAY });

  assert.deepEqual(await stateAt('2026-11-22', '2026-11-30'), nothing);
  assert.deepEqual(await stateAt('2026-11-22', '2026-12-02'), { ...nothing, overdue: DAY });
  await dropPartitions(db, TABLE, at('2026-12-02'));
  assert.deepEqual(await stateAt('2026-12-03', '2026-12-02'), { late: 6 * DAY, overdue: 0 });
});

const skip = !onPostgres && 'an embedded database has one connection';

test('several simultaneous processes create each partition once', { skip }, async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => makePartitions(db, TABLE, 'month', TEST_NOW)),
  );
  assert.equal(
    runs.reduce((sum, made) => sum + made),
    2,
  );
  assert.deepEqual(await boundsOf(db), MONTHS);
});

test('a process waits while another table gets its partitions', { skip }, async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  const { making } = await db.transaction(async (tx) => {
    await tx.rows({ text: 'select pg_advisory_xact_lock(12, 0)' }); // as src/db/partitions.ts takes it
    const making = makePartitions(db, TABLE, 'month', TEST_NOW);
    await until(() =>
      db.first({ text: `select 1 from pg_locks where locktype = 'advisory' and not granted` }),
    );
    return { making };
  });
  assert.equal(await making, 2);
  assert.deepEqual(await boundsOf(db), MONTHS);
});

test('a used table is waited for briefly and repeatedly, and later statements are not blocked', {
  skip,
}, async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  await note(db, 'a', '2026-11-22');
  let kept: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.rows({ text: `update notes set text = 'b'` });
    kept = makePartitions(db, TABLE, 'month', TEST_NOW);
    await until(() => isBlocked(db, 'notes'));
    // It stands behind the one that waits for us, until that gives up.
    await note(db, 'c', '2026-11-22');
  });
  await kept;
  assert.deepEqual(await boundsOf(db), MONTHS);
  assert.deepEqual(await contents(db), { notes_20261101: 'b c' });
});

async function isBlocked(db: Db, table: string): Promise<boolean> {
  const blocked = `
    select 1 from pg_locks where not granted and relation = $1::regclass
      and database = (select oid from pg_database where datname = current_database())`;
  return (await db.first({ text: blocked, values: [table] })) !== null;
}

test('a transaction that has locked a row changes it while partitions wait: no deadlock', {
  skip,
}, async (t) => {
  const db = await openTestDatabase(t);
  const cases: [PartitionedTable, changed: string][] = [
    [EVENT_PARTITIONS[1]!, 'bookings'],
    [EVENT_PARTITIONS[1]!, 'events'],
    [DELIVERY_PARTITIONS, 'webhook_subscriptions'],
    [DELIVERY_PARTITIONS, 'webhook_deliveries'],
  ];
  for (const [index, [table, changed]] of cases.entries()) {
    const later = TEST_NOW + (index + 1) * 365 * DAY;
    for (const work of [
      () => makePartitions(db, table, 'month', later),
      () => dropPartitions(db, table, later + 365 * DAY),
    ]) {
      const { working } = await db.transaction(async (tx) => {
        await tx.rows({ text: `select from ${changed} for no key update` });
        let isDone = false;
        const working = work().finally(() => {
          isDone = true;
        });
        // Some work does without the lock.
        await until(() => isDone || isBlocked(db, changed));
        await tx.rows({ text: `delete from ${changed}` });
        return { working };
      });
      assert.ok((await working) >= 2, `${changed}, ${work}`);
    }
  }
});

test('an event of a known time is read from one month of many', async (t) => {
  const db = await openTestDatabase(t);
  const events = EVENT_PARTITIONS[1]!;
  for (let month = 1; month <= 12; month++)
    await makePartitions(db, events, 'month', TEST_NOW + month * 30 * DAY);
  const read = async (text: string): Promise<string[]> => {
    const plan = await db.transaction(async (tx) => {
      await tx.rows({ text: 'set local enable_seqscan = off' });
      await tx.rows({ text: 'set local plan_cache_mode = force_generic_plan' });
      await tx.rows({ text: `prepare asked (timestamptz, uuid) as ${text}` });
      const lines = await tx.rows<{ 'QUERY PLAN': string }>({
        text: `explain (costs off) execute asked ('2026-12-05', '${randomUUID()}')`,
      });
      await tx.rows({ text: 'deallocate asked' });
      return lines;
    });
    return plan.flatMap((row) => /on (events_\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
  };
  const parts = await listPartitions(db, events);
  assert.ok(parts.length > 12, `${parts.length} partitions`);
  assert.deepEqual(await read('select payload from events where created_at = $1 and id = $2'), [
    'events_20261201',
  ]);
});
