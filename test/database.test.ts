import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectPostgres, isDbError } from '../src/db/connection.ts';
import { DataDirInUseError, holdDataDir } from '../src/db/data-dir.ts';
import { analyzeGrownTables } from '../src/db/upkeep.ts';
import { parseTimestamp } from '../src/db/values.ts';
import {
  afterwards,
  createPostgresDatabase,
  onPostgres,
  openTestDatabase,
  startTestService,
} from './harness.ts';
import { until } from './until.ts';

const fail = (error: Error): never => {
  throw error;
};

test('an error in a transaction rolls it back, and the connection is reused', async (t) => {
  const { db } = (await startTestService(t)).deps;
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.rows({ text: `update change_counters set version = 77` });
      throw new Error('no');
    }),
    /no/,
  );
  assert.equal((await db.rows({ text: 'select 1 from change_counters where version = 77' })).length, 0);
  await assert.rejects(
    db.rows({ text: `insert into change_counters (name) values ('access')` }),
    (error) =>
      isDbError(error, 'uniqueViolation') &&
      !isDbError(error, 'uniqueViolation', 'another') &&
      !isDbError(error, 'deadlock'),
  );
});

test('a statement that commits ends its transaction, and a failing one rolls back', async (t) => {
  const { db } = (await startTestService(t)).deps;
  const version = async () =>
    (await db.first<{ version: string }>({
      text: `select version::text from change_counters where name = 'access'`,
    }))!.version;
  const set = (to: number, commits: boolean) => ({
    text: `update change_counters set version = $1 where name = 'access'`,
    values: [to],
    commits,
  });
  await db.transaction(async (tx) => {
    await tx.rows(set(501, false));
    await tx.rows(set(502, true));
    await assert.rejects(tx.rows(set(503, false)), /over/);
  });
  assert.equal(await version(), '502');
  const doubled = `insert into change_counters (name) values ('access')`;
  for (const text of [doubled, 'nonsense']) {
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.rows(set(504, false));
        await tx.rows({ text, commits: true });
      }),
      { code: text === doubled ? '23505' : '42601' },
    );
  }
  assert.equal(await version(), '502');
  // An error after the commit rolls nothing back, and the connection is reused.
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.rows(set(505, true));
      throw new Error('late');
    }),
    /late/,
  );
  assert.equal(await version(), '505');
  // A constraint that is checked at the commit.
  await db.transaction((tx) =>
    tx.rows({ text: 'create table deferred (id integer primary key deferrable initially deferred)' }),
  );
  await assert.rejects(
    db.transaction((tx) => tx.rows({ text: 'insert into deferred values (1), (1)', commits: true })),
    { code: '23505' },
  );
  assert.deepEqual(await db.rows({ text: 'select from deferred' }), []);
  await db.rows({ text: 'drop table deferred' });
});

test('a refused statement does not close its connection', async (t) => {
  const { db } = onPostgres
    ? { db: connectPostgres(await createPostgresDatabase(t), 1, fail) }
    : (await startTestService(t)).deps;
  const session = () => db.first<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
  const before = await session();
  for (let round = 0; round < 5; round++) {
    await assert.rejects(db.rows({ text: `insert into change_counters (name) values ('access')` }), {
      code: '23505',
    });
    assert.deepEqual(await session(), before);
  }
  if (onPostgres) await db.close();
});

test('grown tables are analysed, each time they have doubled', async (t) => {
  // Nothing else may analyse it between two lines: there is no worker, and autovacuum checks once a minute.
  const db = await openTestDatabase(t);
  await db.rows({ text: 'alter table contacts set (autovacuum_enabled = false)' });
  await db.rows({
    text: `insert into partners (name, created_at, updated_at) values ('Growing', now(), now())`,
  });
  const grow = (count: number) =>
    db.rows({
      text: `insert into contacts (partner_id, phone, name, utm_source, created_at)
        select id, '+9665' || lpad(nextval('appointment_number')::text, 8, '0'), 'N', 'test', now()
        from partners, generate_series(1, $1::integer)`,
      values: [count],
    });
  const known = async () =>
    (await db.first<{ rows: number }>({
      text: `select reltuples::integer as rows from pg_class where relname = 'contacts'`,
    }))!.rows;
  // Left by earlier tests in a reused database, whose counts may not be told yet.
  await db.rows({ text: 'select pg_stat_force_next_flush()' });
  await analyzeGrownTables(db);
  await grow(2_000);
  assert.ok((await known()) <= 0);
  assert.deepEqual(await analyzeGrownTables(db), ['contacts']);
  assert.equal(await known(), 2_000);
  assert.deepEqual(await analyzeGrownTables(db), []);
  await grow(500);
  assert.deepEqual(await analyzeGrownTables(db), []);
  await grow(2_500);
  assert.deepEqual(await analyzeGrownTables(db), ['contacts']);
  assert.equal(await known(), 5_000);
});

test('a table that a vacuum saw as empty while it was filled is analysed, however large it is', {
  skip: !onPostgres && 'needs two connections',
}, async (t) => {
  const db = await openTestDatabase(t);
  await db.rows({ text: 'alter table contacts set (autovacuum_enabled = false)' });
  await db.rows({
    text: `insert into partners (name, created_at, updated_at) values ('Grown', now(), now())`,
  });
  await db.rows({ text: 'analyze contacts' });
  await db.withClient(async (client) => {
    await client.query('begin');
    await client.query(`insert into contacts (partner_id, phone, name, utm_source, created_at)
      select id, '+9665' || lpad(n::text, 8, '0'), 'N', 'test', now() from partners, generate_series(1, 2000) n`);
    await db.rows({ text: 'vacuum contacts' });
    await client.query('commit');
  });
  const known = async () =>
    (await db.first<{ rows: number; pages: number }>({
      text: `select reltuples::integer as rows, relpages as pages from pg_class where relname = 'contacts'`,
    }))!;
  const { rows, pages } = await known();
  assert.equal(rows, 0);
  assert.ok(pages > 20, `${pages}`);
  // The number of changes is told to the statistics when that session is idle.
  await until(async () => (await analyzeGrownTables(db)).includes('contacts'));
  assert.equal((await known()).rows, 2_000);
  assert.deepEqual(await analyzeGrownTables(db), []);
});

test('values leave the database exactly', async (t) => {
  const { db } = (await startTestService(t)).deps;
  const row = await db.first({
    text: `select 9999999999.99::numeric(12,2) as money, 9007199254740991::bigint as big, date '2026-11-22' as day,
      timestamptz '2026-11-22 10:00:00.123+03' as moment`,
  });
  assert.deepEqual(row, {
    money: '9999999999.99',
    big: Number.MAX_SAFE_INTEGER,
    day: '2026-11-22',
    moment: Date.parse('2026-11-22T07:00:00.123Z'),
  });
  assert.equal(parseTimestamp('2026-11-22 10:00:00+03'), Date.parse('2026-11-22T07:00:00Z'));
  assert.equal(parseTimestamp('2026-11-22 12:30:00+05:30'), Date.parse('2026-11-22T07:00:00Z'));
  for (const [text, iso] of [
    ['2026-11-22 07:08:09+00', '2026-11-22T07:08:09Z'],
    ['2026-11-22 07:08:09.5+00', '2026-11-22T07:08:09.500Z'],
    ['0050-02-28 23:59:59+00', '0050-02-28T23:59:59Z'],
    ['9999-12-31 23:59:59+00', '9999-12-31T23:59:59Z'],
  ] as const) {
    assert.equal(parseTimestamp(text), Date.parse(iso), text);
  }
  assert.throws(() => parseTimestamp('infinity'), RangeError);
});

test('a data folder is held by one process at a time', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-lock-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const release = holdDataDir(folder);
  assert.throws(() => holdDataDir(folder), DataDirInUseError);
  release();
  holdDataDir(folder)();
});

test('times are read in a database of any DateStyle', { skip: !onPostgres }, async (t) => {
  const url = await createPostgresDatabase(t);
  for (const style of ['SQL, DMY', 'German', 'Postgres, MDY']) {
    const admin = connectPostgres(url, 1, fail);
    await admin.rows({ text: `alter database ${new URL(url).pathname.slice(1)} set DateStyle to ${style}` });
    await admin.close();
    const db = connectPostgres(url, 1, fail);
    afterwards(t, () => db.close());
    const row = await db.first<{ at: number; day: string }>({
      text: `select timestamptz '2026-11-22 05:00:00+00' as at, date '2026-11-22' as day`,
    });
    assert.deepEqual(row, { at: Date.UTC(2026, 10, 22, 5), day: '2026-11-22' }, style);
  }
});
