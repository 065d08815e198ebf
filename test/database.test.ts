import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { DataDirInUseError, holdDataDir } from '../src/platform/data-dir.ts';
import { connectPostgres, isDbError, parseTimestamp } from '../src/platform/db.ts';
import { DatabaseTooNewError, migrate, pendingMigrations } from '../src/platform/migrate.ts';
import { createPostgresDatabase, onPostgres, startTestService } from './harness.ts';

const fail = (error: Error): never => {
  throw error;
};

test('a database newer than the code is refused', async (t) => {
  const { db } = (await startTestService(t)).deps;
  assert.deepEqual(await pendingMigrations(db), []);
  await db.rows({
    text: `insert into schema_migrations (name, run_on) values ('9999_from_the_future', now())`,
  });
  await assert.rejects(migrate(db), (error: Error) => {
    assert.ok(error instanceof DatabaseTooNewError);
    assert.match(error.message, /9999_from_the_future/);
    return true;
  });
});

test('processes that start at once migrate once', {
  skip: !onPostgres && 'one process holds an embedded database',
}, async (t) => {
  const url = await createPostgresDatabase(t);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query('drop schema public cascade; create schema public');
  await admin.end();
  const databases = Array.from({ length: 4 }, () => connectPostgres(url, 2, fail));
  const ran = await Promise.all(databases.map(migrate));
  assert.deepEqual(ran.filter((names) => names.length > 0).length, 1);
  assert.deepEqual(await pendingMigrations(databases[0]!), []);
  await Promise.all(databases.map((db) => db.close()));
});

test('what is thrown in a transaction rolls it back, and the connection serves again', async (t) => {
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

test('a refused statement costs no connection', async (t) => {
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
  assert.throws(() => parseTimestamp('infinity'), RangeError);
});

test('a data folder is held by one at a time', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-lock-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const release = holdDataDir(folder);
  assert.throws(() => holdDataDir(folder), DataDirInUseError);
  release();
  holdDataDir(folder)();
});
