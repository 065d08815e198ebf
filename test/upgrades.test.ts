import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readBuild, versionOf } from '../src/base/build.ts';
import { verifyAudit } from '../src/db/audit.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import {
  DatabaseTooNewError,
  DatabaseUnfitError,
  isOlder,
  migrate,
  pendingMigrations,
} from '../src/db/migrate.ts';
import { readAppliedBuilds } from '../src/db/migration-plan.ts';
import { ownSources } from '../src/db/sources.ts';
import { createWorld } from './fixtures.ts';
import {
  afterwards,
  call,
  createEmptyDatabase,
  createPostgresDatabase,
  onPostgres,
  openTestDatabase,
  startTestService,
} from './harness.ts';

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
  await note('9990_compatible', versionOf(release));
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
    `-- compatible since: ${versionOf(old.release)}\nalter table partners add column next text;\n`,
  );
  const next = { ...old, migrations, release: '99.0.0+ba5eba11' };
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
  assert.deepEqual([isOlder('0.1.0+b', '0.2.0+a'), isOlder('0.2.0+a', '0.1.0+b')], [true, false]);
  // A branch gets its own functions on a database that another one has been on.
  assert.deepEqual([isOlder('0.1.0+a', '0.1.0+b'), isOlder('0.1.0', '0.1.0+b')], [false, false]);
});

test('a build has its commit without git: of a package, a checkout and a worktree', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'build-'));
  t.after(() => rmSync(root, { recursive: true }));
  const [one, other, third] = ['1', '2', '3'].map((digit) => digit.repeat(40));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  };
  put('package.json', '{"version":"0.1.0"}');
  assert.equal(readBuild(root), '0.1.0');
  put('.git/HEAD', 'ref: refs/heads/main');
  put('.git/packed-refs', `# pack-refs\n${one} refs/heads/main\n${other} refs/heads/maintenance`);
  assert.equal(readBuild(root), '0.1.0+111111111111');
  put('.git/refs/heads/main', other!);
  assert.equal(readBuild(root), '0.1.0+222222222222');
  put('.git/HEAD', third!);
  assert.equal(readBuild(root), '0.1.0+333333333333');
  put('tree/package.json', '{"version":"0.2.0"}');
  put('tree/.git', `gitdir: ${join(root, '.git/worktrees/tree')}`);
  put('.git/worktrees/tree/HEAD', 'ref: refs/heads/maintenance');
  put('.git/worktrees/tree/commondir', '../..');
  assert.equal(readBuild(join(root, 'tree')), '0.2.0+222222222222');
  put('commit', one!);
  assert.equal(readBuild(root), '0.1.0+111111111111');
});

test('builds of one version are told apart in the database, in probes and metrics', async (t) => {
  const service = await startTestService(t);
  const build = readBuild();
  assert.deepEqual((await call(service.url, 'GET', '/readyz')).body, { status: 'ok', build });
  assert.ok((await call(service.url, 'GET', '/metrics')).text.includes(`build_info{build="${build}"} 1`));
  const { db } = service.deps;
  await db.rows({ text: `update schema_functions set hash = '', release = '0.1.0+b' where name = 'db'` });
  await migrate(db, { ...ownSources(), release: '0.1.0+a' });
  assert.ok((await readAppliedBuilds(db)).includes('0.1.0+a'));
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

// ---------------------------------------------------------------------------
// From each recorded schema, with data (CONTRIBUTING.md, "The changelog")

/** Dumps of releases in test/releases, with the key of the partner in each: three bookings, one of them cancelled. */
const RELEASES: Record<string, string> = {
  '0.1.0-baseline': 'pbs_test_Tqd3kqnR5jwUNecg0mYO0oAvPGRRjJQ98oPCQ7Eeqzr24WFiT',
};

test('every recorded release has its road to this build', {
  skip: !onPostgres && 'needs psql',
}, async (t) => {
  const folder = new URL('releases/', import.meta.url);
  assert.deepEqual(
    readdirSync(folder).toSorted(),
    Object.keys(RELEASES).map((name) => `${name}.sql.gz`),
  );
  const fresh = await schemaOf(await openTestDatabase(t));
  for (const [name, key] of Object.entries(RELEASES)) {
    const databaseUrl = await createEmptyDatabase(t, "encoding 'UTF8'");
    const text = gunzipSync(readFileSync(new URL(`${name}.sql.gz`, folder)));
    execFileSync('psql', ['-qX', '-v', 'ON_ERROR_STOP=1', `--dbname=${databaseUrl}`], {
      input: text,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const [db] = connections(t, databaseUrl, 1) as [Db];
    const counts = async () =>
      db.first({
        text: `select (select count(*) from bookings) as bookings, (select count(*) from events) as events,
          (select count(*) from contacts) as contacts, (select count(*) from webhook_deliveries) as deliveries`,
      });
    const before = await counts();
    await migrate(db);
    assert.deepEqual(await counts(), before, name);
    assert.deepEqual(await schemaOf(db), fresh, name);
    const { entries, brokenAt, textsBrokenAt } = await verifyAudit(db);
    assert.deepEqual([entries > 5, brokenAt, textsBrokenAt], [true, null, null], name);
    const service = await startTestService(t, { databaseUrl });
    const listed = await service.v1(key, 'GET', '/partners/bookings');
    assert.equal(listed.body.meta.total, 3, listed.text);
    const { bookingId } = listed.body.data.find(({ status }: { status: string }) => status !== 'canceled');
    const one = await service.v1(key, 'GET', `/partners/bookings/${bookingId}/status`);
    assert.equal(one.status, 200, one.text);
    const world = await createWorld(service, { zone: { confirmOverlap: true, priority: 9 } });
    assert.equal((await world.book()).status, 200, name);
  }
});
