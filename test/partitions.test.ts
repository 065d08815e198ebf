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
  nextStart,
  type PartitionedTable,
  type PartitionState,
  readPartitionState,
} from '../src/db/partitions.ts';
import { EVENT_PARTITIONS } from '../src/events/feed.ts';
import { keepEventsAndDeliveries } from '../src/program/worker.ts';
import { keepRequestPartitions, REQUEST_PARTITIONS } from '../src/requests/retention.ts';
import { deliveryPartitionPlan } from '../src/webhooks/retention-queries.ts';
import { onPostgres, openTestDatabase, TEST_NOW } from './harness.ts';
import { until } from './until.ts';

const at = (text: string): Instant => Date.parse(text);
const dateOf = (instant: Instant | null): string | null =>
  instant === null ? null : new Date(instant).toISOString().slice(0, 10);

const TABLE: PartitionedTable = { name: 'notes', key: 'written_at', kind: 'time' };

/** A small table of months in the state in which a migration leaves it. */
async function createNotes(db: Db): Promise<void> {
  for (const text of [
    `create table notes_first (id uuid primary key, text text default 'none' not null check (text <> ''),
      written_at timestamptz not null) with (fillfactor = 90)`,
    'create index on notes_first (written_at)',
    'create table notes (like notes_first including defaults) partition by range (written_at)',
    'alter table notes attach partition notes_first for values from (minvalue) to (maxvalue)',
  ])
    await db.rows({ text });
}

async function note(db: Db, text: string, writtenAt: string): Promise<void> {
  await db.rows({
    text: 'insert into notes (id, text, written_at) values (gen_random_uuid(), $1, $2)',
    values: [text, writtenAt],
  });
}

/** What each partition holds. */
async function contents(db: Db): Promise<Record<string, string>> {
  const found = await db.rows<{ part: string; texts: string }>({
    text: `select tableoid::regclass::text as part, string_agg(text, ' ' order by text) as texts from notes group by 1 order by 1`,
  });
  return Object.fromEntries(found.map(({ part, texts }) => [part, texts]));
}

const boundsOf = async (db: Db, table = TABLE) =>
  (await listPartitions(db, table)).map(({ name, from, until }) => [name, dateOf(from), dateOf(until)]);

const MONTHS = [
  ['notes_first', null, '2026-12-01'],
  ['notes_20261201', '2026-12-01', '2027-01-01'],
  ['notes_20270101', '2027-01-01', null],
];

test('months are made ahead, of the same kind, and every instant has a place at every time', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  await note(db, 'now', '2026-11-22');
  await note(db, 'long-ago', '2020-01-01');
  await note(db, 'soon', '2026-12-05');
  await note(db, 'far', '2031-01-01');
  assert.equal(await makePartitions(db, TABLE, 'month', TEST_NOW), 2);
  assert.deepEqual(await boundsOf(db), MONTHS);
  // What lay ahead has moved.
  const moved = { notes_20261201: 'soon', notes_20270101: 'far', notes_first: 'long-ago now' };
  assert.deepEqual(await contents(db), moved);
  assert.equal(await makePartitions(db, TABLE, 'month', TEST_NOW), 0, 'they are there');

  const { kind } = (await db.first<{ kind: string }>({
    text: `
      select string_agg(concat_ws(' ', reloptions::text, indexes, checks), ';' order by relname) as kind
      from pg_class c,
        lateral (select count(*) as indexes from pg_index where indrelid = c.oid) i,
        lateral (select count(*) as checks from pg_constraint where conrelid = c.oid and contype = 'c') k
      where relname in ('notes_first', 'notes_20261201', 'notes_20270101')`,
  }))!;
  assert.equal(kind, Array(3).fill('{fillfactor=90} 2 1').join(';'));
  await assert.rejects(note(db, '', '2027-05-05'), 'the check is there, too');
});

test('a month is dropped when all of it is old, and what is stamped with it later is kept', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  await makePartitions(db, TABLE, 'month', TEST_NOW);
  await note(db, 'a', '2026-11-30T23:59:59.999Z');
  await note(db, 'b', '2026-12-01');
  assert.equal(await dropPartitions(db, TABLE, at('2026-12-01') - 1), 0);
  assert.equal(await dropPartitions(db, TABLE, at('2026-12-01')), 1);
  assert.deepEqual(await boundsOf(db), [['notes_before_20261201', null, '2026-12-01'], ...MONTHS.slice(1)]);
  assert.deepEqual(await contents(db), { notes_20261201: 'b' });
  assert.equal(await dropPartitions(db, TABLE, at('2026-12-01')), 0, 'there is nothing to drop');

  // A clock that goes back.
  await note(db, 'c', '2026-10-01');
  assert.deepEqual(await contents(db), { notes_20261201: 'b', notes_before_20261201: 'c' });
  const kept = await keepPartitions(db, {
    table: TABLE,
    step: 'month',
    now: at('2027-04-02'),
    keptSince: at('2027-01-02'),
  });
  assert.deepEqual(kept, { made: 5, dropped: 2 });
  assert.deepEqual(await contents(db), {});
  assert.deepEqual((await boundsOf(db)).at(0), ['notes_before_20270101', null, '2027-01-01']);
  assert.deepEqual((await boundsOf(db)).at(-1), ['notes_20270601', '2027-06-01', null]);
});

test('a clock that goes ahead, back and ahead again leaves a first partition to drop like any other', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  const runAt = (now: string, keptSince: string) =>
    keepPartitions(db, { table: TABLE, step: 'month', now: at(now), keptSince: at(keptSince) });
  await runAt('2026-11-22', '2026-08-22');
  await note(db, 'a', '2026-11-22');
  await runAt('2027-04-02', '2027-01-02');
  assert.deepEqual((await boundsOf(db))[0], ['notes_before_20270101', null, '2027-01-01']);
  await note(db, 'back', '2026-11-23');
  const again = { made: 0, dropped: 1 };
  assert.deepEqual(await runAt('2027-04-02', '2027-01-02'), again);
  assert.deepEqual(await contents(db), {});
  await note(db, 'once more', '2026-11-23');
  assert.deepEqual(await runAt('2027-04-02', '2027-01-02'), again);
  assert.deepEqual((await boundsOf(db))[0], ['notes_before_20270101', null, '2027-01-01']);
});

test('tables whose partitions cannot be made keep no other from theirs', async (t) => {
  const db = await openTestDatabase(t);
  await keepEventsAndDeliveries(db, TEST_NOW);
  const later = TEST_NOW + 60 * DAY;
  // The names that the next partitions are to have.
  const taken: string[] = [];
  for (const table of [deliveryPartitionPlan(later, 0).table, EVENT_PARTITIONS[0]!]) {
    const next = nextStart('month', (await listPartitions(db, table)).at(-1)!.from!);
    taken.push(`${table.name}_${dateOf(next)!.replaceAll('-', '')}`);
    await db.rows({ text: `create table ${taken.at(-1)} (id integer)` });
  }
  await assert.rejects(keepEventsAndDeliveries(db, later), new RegExp(`"${taken[0]}" already exists`));
  const { from } = (await listPartitions(db, EVENT_PARTITIONS[1]!)).at(-1)!;
  assert.ok(from! > later, 'the last table has its partitions');
  await db.rows({ text: `drop table ${taken[0]}` });
  await assert.rejects(keepEventsAndDeliveries(db, later), new RegExp(`"${taken[1]}" already exists`));
});

test('what the worker leaves undone is known: what is missing, what piles up, what should be gone', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  const stateAt = (now: string, keptSince = '2020-01-01') =>
    readPartitionState(db, { table: TABLE, step: 'month', now: at(now), keptSince: at(keptSince) });
  const nothing: PartitionState = { late: 0, openBytes: 0, overdue: 0 };
  assert.deepEqual(await stateAt('2026-11-22'), nothing, 'what was never written to needs none');
  await note(db, 'a', '2026-11-22');
  const { late, openBytes } = (await stateAt('2026-11-22'))!;
  assert.ok(late > 0 && openBytes > 0, 'the worker has never run');

  await makePartitions(db, TABLE, 'month', TEST_NOW);
  assert.deepEqual(await stateAt('2026-11-22'), nothing);
  assert.deepEqual(await stateAt('2026-11-27'), nothing, '35 days before the open one begins');
  assert.deepEqual(await stateAt('2026-11-29'), { ...nothing, late: 2 * DAY });
  await note(db, 'ahead of its time', '2031-01-01');
  assert.deepEqual(await stateAt('2026-11-22'), nothing, 'a clock that was moved');
  const filled = (await stateAt('2027-01-02'))!;
  assert.equal(filled.late, 36 * DAY);
  assert.ok(filled.openBytes > 0);

  assert.deepEqual(await stateAt('2026-11-22', '2026-11-30'), nothing);
  assert.deepEqual(await stateAt('2026-11-22', '2026-12-02'), { ...nothing, overdue: DAY });
  await dropPartitions(db, TABLE, at('2026-12-02'));
  assert.deepEqual(await stateAt('2026-11-22', '2026-12-02'), nothing, 'an empty first one stays');
  assert.deepEqual(await stateAt('2026-11-22', '2027-01-03'), { ...nothing, overdue: 2 * DAY });
  await db.rows({ text: 'create table whole (written_at timestamptz)' });
  const whole = { ...TABLE, name: 'whole' };
  const plan = { table: whole, step: 'month', now: TEST_NOW, keptSince: TEST_NOW } as const;
  assert.equal(await readPartitionState(db, plan), null);
});

test('a clock that leaps by years leaves one partition for them', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  await makePartitions(db, TABLE, 'month', TEST_NOW);
  await note(db, 'leapt', '2036-11-22');
  assert.equal(await makePartitions(db, TABLE, 'month', at('2036-11-22')), 2);
  assert.deepEqual((await boundsOf(db)).slice(-3), [
    ['notes_20270101', '2027-01-01', '2036-12-01'],
    ['notes_20361201', '2036-12-01', '2037-01-01'],
    ['notes_20370101', '2037-01-01', null],
  ]);
  assert.deepEqual(await contents(db), { notes_20270101: 'leapt' });
});

test('a large open partition gets its bound while it is in use, and another run goes on', async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  await note(db, 'now', '2026-11-22');
  await note(db, 'ahead', '2027-03-10');
  const ofAnySize = 0;
  // An end between the two steps: the next run goes on with the bound that it finds.
  await db.rows({
    text: `alter table notes_first add constraint partition_bound check (written_at < '2027-05-01') not valid`,
  });
  await db.rows({
    text: `comment on constraint partition_bound on notes_first is '${at('2027-05-01')}'`,
  });
  assert.equal(await makePartitions(db, TABLE, 'month', TEST_NOW, ofAnySize), 1);
  assert.deepEqual(await boundsOf(db), [
    ['notes_first', null, '2027-05-01'],
    ['notes_20270501', '2027-05-01', null],
  ]);
  // From the beginning: behind the last row, and four weeks at least.
  await note(db, 'next', '2027-08-10');
  assert.equal(await makePartitions(db, TABLE, 'month', at('2027-05-02'), ofAnySize), 1);
  assert.deepEqual(await boundsOf(db), [
    ['notes_first', null, '2027-05-01'],
    ['notes_20270501', '2027-05-01', '2027-09-01'],
    ['notes_20270901', '2027-09-01', null],
  ]);
  assert.deepEqual(await contents(db), { notes_20270501: 'next', notes_first: 'ahead now' });
  const checks = await db.rows({ text: `select 1 from pg_constraint where conname = 'partition_bound'` });
  assert.equal(checks.length, 0);
});

const skip = !onPostgres && 'an embedded database has one connection';

test('several processes at once make each partition once', { skip }, async (t) => {
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

test('while another table gets its partitions, its end is waited for', { skip }, async (t) => {
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

test('who uses the table is waited for, a moment at a time, and the statement behind is not held', {
  skip,
}, async (t) => {
  const db = await openTestDatabase(t);
  await createNotes(db);
  await note(db, 'a', '2026-11-22');
  let kept: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.rows({ text: `update notes set text = 'b'` });
    kept = makePartitions(db, TABLE, 'month', TEST_NOW);
    await untilBlocked(db);
    // It stands behind the one that waits for us, until that gives up.
    await note(db, 'c', '2026-11-22');
  });
  await kept;
  assert.deepEqual(await boundsOf(db), MONTHS);
  assert.deepEqual(await contents(db), { notes_first: 'b c' });
});

async function untilBlocked(db: Db): Promise<void> {
  const blocked = `select 1 from pg_locks where not granted and relation = 'notes'::regclass`;
  while ((await db.first({ text: blocked })) === null);
}

test("an entry's id leads to its partition, and the newest are read first", async (t) => {
  const db = await openTestDatabase(t);
  for (let day = 0; day < 30; day++) await keepRequestPartitions(db, TEST_NOW + day * DAY, 31);
  assert.equal((await listPartitions(db, REQUEST_PARTITIONS)).length, 32);
  const { id } = (await db.first<{ id: number }>({
    text: `
      insert into request_batches (id, partner_id, recorded_at, first_at, last_at, key_ids, routes, statuses, codes,
        request_ids, seconds, entries)
      select request_batch_id(at), gen_random_uuid(), at, at, at, '{}', '{}', '{}', '{}', '', '{}', ''
      from generate_series(timestamptz '2026-11-22 05:00Z', timestamptz '2026-12-20 05:00Z', interval '1 day') at
      returning id`,
  }))!;
  const read = async (text: string): Promise<string[]> => {
    const plan = await db.transaction(async (tx) => {
      await tx.rows({ text: 'set local enable_seqscan = off' });
      return tx.rows<{ 'QUERY PLAN': string }>({
        text: `explain (analyze, costs off, timing off, summary off) ${text}`,
      });
    });
    return plan
      .map((row) => row['QUERY PLAN'])
      .filter((line) => / on request_batches_/.test(line) && !line.includes('never executed'))
      .map((line) => /request_batches_\w+/.exec(line.replace(/using \w+ /, ''))![0]);
  };
  assert.deepEqual(await read(`select * from request_batches where id = ${id}`), ['request_batches_first']);
  assert.deepEqual(await read('select * from request_batches order by id desc limit 1'), [
    'request_batches_20261223',
    'request_batches_20261222',
    'request_batches_20261221',
    'request_batches_20261220',
  ]);
});

test('an event of a known time is looked for in one month of many', async (t) => {
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
