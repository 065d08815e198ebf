import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import {
  DatabaseTooNewError,
  DatabaseUnfitError,
  isOlder,
  migrate,
  pendingMigrations,
} from '../src/db/migrate.ts';
import { ownSources } from '../src/db/sources.ts';
import { afterwards, createPostgresDatabase, onPostgres, openTestDatabase } from './harness.ts';

/** The databases that a version of the program accepts, and processes of two versions on one. */

const names = async (db: Db): Promise<string[]> =>
  (await db.rows<{ name: string }>({ text: 'select name from schema_migrations order by name' })).map(
    ({ name }) => name,
  );

/** The objects of migrations and functions, without their records, and without partitions, which depend on the date. */
async function schemaOf(db: Db): Promise<unknown[]> {
  return db.rows({
    text: `
      select pg_get_functiondef(oid) as made from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
      union all
      select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and not c.relispartition
      union all
      select n.conname || pg_get_constraintdef(n.oid) from pg_constraint n left join pg_class c on c.oid = n.conrelid
      where n.connamespace = 'public'::regnamespace and c.relispartition is not true
        and n.conrelid::regclass::text <> 'schema_functions'
      order by 1`,
  });
}

// ---------------------------------------------------------------------------
// A newer version has been here

const NEWER = `insert into schema_migrations (name, run_on, compatible_since) values ($1, now(), $2)`;

test('a database of a newer version is refused, unless it is compatible with this one', async (t) => {
  const db = await openTestDatabase(t);
  const { release } = ownSources();
  const note = (name: string, since: string | null) => db.rows({ text: NEWER, values: [name, since] });
  assert.deepEqual(await pendingMigrations(db), []);
  await note('9990_compatible', release);
  await note('9991_compatible', '0.0.9');
  assert.deepEqual(await pendingMigrations(db), []);
  assert.deepEqual(await migrate(db), []);

  for (const since of ['9.0.0', null]) {
    await note('9999_from_the_future', since);
    await assert.rejects(migrate(db), (error: Error) => {
      assert.ok(error instanceof DatabaseTooNewError);
      assert.match(error.message, /newer version of this program \(9999_from_the_future\)/);
      return true;
    });
    await db.rows({ text: `delete from schema_migrations where name = '9999_from_the_future'` });
  }
});

test('a renamed migration is named with its new name, and the way out leads out', async (t) => {
  const db = await openTestDatabase(t);
  const [now] = (await names(db)).slice(-1);
  const before = now!.replace(/^\d+/, '0099');
  await db.rows({
    text: 'update schema_migrations set name = $1 where name = $2',
    values: [before, now],
  });
  let way = '';
  await assert.rejects(migrate(db), (error: Error) => {
    assert.ok(error instanceof DatabaseUnfitError);
    assert.ok(error.message.includes(`${before}, which was renamed to ${now}`), error.message);
    way = /run (update .*)$/.exec(error.message)![1]!;
    return true;
  });
  await db.rows({ text: way });
  assert.deepEqual(await migrate(db), []);
});

test('a process of the previous version starts during and after an upgrade, and changes no function', async (t) => {
  const db = await openTestDatabase(t);
  const old = ownSources();
  const migrations = mkdtempSync(join(tmpdir(), 'migrations-'));
  t.after(() => rmSync(migrations, { recursive: true }));
  for (const file of readdirSync(old.migrations))
    copyFileSync(join(old.migrations, file), join(migrations, file));
  writeFileSync(
    join(migrations, '8000_column.sql'),
    `-- compatible since: ${old.release}\nalter table partners add column next text;\n`,
  );
  const next = { ...old, migrations, release: '99.0.0' };
  assert.deepEqual(await migrate(db, next), ['8000_column']);
  // As functions of the newer one: this one has others.
  await db.rows({
    text: `update schema_functions set hash = 'newer', release = '99.0.0' where name = 'bookings'`,
  });
  assert.deepEqual(await migrate(db), []);
  assert.deepEqual(await db.rows({ text: `select from schema_functions where hash = 'newer'` }), [{}]);
  assert.deepEqual(await migrate(db, next), ['bookings/functions.sql']);

  writeFileSync(
    join(migrations, '8001_gone.sql'),
    '-- compatible since: 99.0.0\nalter table partners drop column next;\n',
  );
  assert.deepEqual(await migrate(db, next), ['8001_gone']);
  await assert.rejects(migrate(db), DatabaseTooNewError);
});

test('versions are compared by their numbers', () => {
  for (const [one, other] of [
    ['0.1.0', '0.1.1'],
    ['0.1.9', '0.1.10'],
    ['0.9.9', '1.0.0'],
  ] as const)
    assert.deepEqual([isOlder(one, other), isOlder(other, one), isOlder(one, one)], [true, false, false]);
});

// ---------------------------------------------------------------------------
// Starts at once

test('simultaneous starts migrate once', {
  skip: !onPostgres && 'one process holds an embedded database',
}, async (t) => {
  const url = await createPostgresDatabase(t);
  const databases = connections(t, url, 4);
  await databases[0]!.withClient((client) =>
    client.query('drop schema public cascade; create schema public'),
  );
  const ran = await Promise.all(databases.map((db) => migrate(db)));
  assert.equal(ran.filter((steps) => steps.length > 0).length, 1);
  assert.deepEqual(await pendingMigrations(databases[0]!), []);
});

function connections(t: TestContext, url: string, count: number): Db[] {
  const databases = Array.from({ length: count }, () => connectPostgres(url, 2, assert.fail));
  afterwards(t, () => Promise.all(databases.map((db) => db.close())));
  return databases;
}

// ---------------------------------------------------------------------------
// From before release 0.1

test('a database from before release 0.1 is refused in one sentence with the remedy, and stays as it is', async (t) => {
  const db = await openTestDatabase(t);
  const done = ['0001_foundation', '0088_deliveries_in_order'];
  await db.withClient((client) =>
    client.query(`
      drop table schema_functions;
      alter table schema_migrations drop column compatible_since;
      truncate schema_migrations;
      insert into schema_migrations (name, run_on) select name, now() from unnest('{${done.join(',')}}'::text[]) name`),
  );
  const before = await schemaOf(db);
  for (const attempt of [migrate, pendingMigrations])
    await assert.rejects(attempt(db), (error: Error) => {
      assert.ok(error instanceof DatabaseUnfitError);
      assert.match(
        error.message,
        /^[^\n]+ before release 0\.1, at migration 0088_deliveries_in_order, [^\n]+: use an empty database, or [^\n]+$/,
      );
      return true;
    });
  assert.deepEqual(await names(db), done);
  assert.deepEqual(await schemaOf(db), before);
});
