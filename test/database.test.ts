import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { DAY, toUtcIso } from '../src/base/clock.ts';
import { connectPostgres, isDbError } from '../src/db/connection.ts';
import { DataDirInUseError, holdDataDir } from '../src/db/data-dir.ts';
import { openInMemory } from '../src/db/embedded.ts';
import { DatabaseTooNewError, migrate, pendingMigrations } from '../src/db/migrate.ts';
import { tendTables } from '../src/db/upkeep.ts';
import { parseTimestamp } from '../src/db/values.ts';
import {
  afterwards,
  createPostgresDatabase,
  onPostgres,
  openTestDatabase,
  startTestService,
  TEST_NOW,
} from './harness.ts';

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
  const ran = await Promise.all(databases.map((db) => migrate(db)));
  assert.deepEqual(ran.filter((names) => names.length > 0).length, 1);
  assert.deepEqual(await pendingMigrations(databases[0]!), []);
  await Promise.all(databases.map((db) => db.close()));
});

test('a database of before payments is brought up to date with its bookings', async (t) => {
  const db = onPostgres
    ? connectPostgres(await createPostgresDatabase(t), 2, fail)
    : (await openInMemory()).db;
  afterwards(t, () => db.close());
  const upTo = (count: number) =>
    db.withClient(async (client) => {
      await client.query('drop schema public cascade; create schema public');
      const dir = fileURLToPath(new URL('../migrations', import.meta.url));
      const logger = { debug() {}, info() {}, warn() {}, error() {} };
      const table = { migrationsTable: 'schema_migrations', direction: 'up', count } as const;
      await runner({ dbClient: client, dir, logger, ...table });
    });
  await upTo(2);
  await db.rows({
    text: `
      with partner as (
        insert into partners (name, created_at, updated_at) values ('P', $1, $1) returning id
      ), category as (
        insert into categories (name_en, name_ar, created_at, updated_at) values ('C', 'C', $1, $1) returning id
      ), service as (
        insert into services (category_id, name, duration_minutes, default_price, created_at, updated_at)
        select id, 'S', 60, 100, $1, $1 from category returning id
      ), contact as (
        insert into contacts (partner_id, phone, name, utm_source, created_at)
        select id, '+966501234567', 'N', 'P', $1 from partner returning id, partner_id
      ), address as (
        insert into addresses (contact_id, partner_id, city_name, created_at)
        select id, partner_id, 'Riyadh', $1 from contact returning id, contact_id, partner_id
      )
      insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
        payment_responsibility, amount, service_date, created_at, updated_at)
      select gen_random_uuid(), address.partner_id, address.contact_id, address.id, service.id, state.status,
        'PENDING', 'PLATFORM', 100, '2026-11-23', $1, $1
      from address, service, (values ('waiting payment'), ('in progress')) as state (status)`,
    values: [toUtcIso(TEST_NOW)],
  });
  assert.deepEqual((await migrate(db)).slice(0, 2), ['0003_webhooks', '0004_payments']);
  const payments = await db.rows({
    text: `
      select b.status as booking, p.status, p.amount, p.due_at, p.expires_at
      from payments p join bookings b on b.id = p.booking_id`,
  });
  assert.deepEqual(payments, [
    {
      booking: 'waiting payment',
      status: 'CREATED',
      amount: '100.00',
      due_at: TEST_NOW,
      expires_at: TEST_NOW + DAY,
    },
  ]);
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

test('tables that have grown are analysed, each time that they are twice as large', async (t) => {
  // Nobody else may analyse it between two lines: no worker is here, and autovacuum looks once a minute.
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
  await grow(2_000);
  assert.ok((await known()) <= 0);
  assert.deepEqual(await tendTables(db), ['contacts']);
  assert.equal(await known(), 2_000);
  assert.deepEqual(await tendTables(db), []);
  await grow(500);
  assert.deepEqual(await tendTables(db), []);
  await grow(2_500);
  assert.deepEqual(await tendTables(db), ['contacts']);
  assert.equal(await known(), 5_000);
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

test('a data folder is held by one at a time', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-lock-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const release = holdDataDir(folder);
  assert.throws(() => holdDataDir(folder), DataDirInUseError);
  release();
  holdDataDir(folder)();
});
