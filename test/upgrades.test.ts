import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import {
  COMPATIBLE_SINCE,
  DatabaseTooNewError,
  DatabaseUnfitError,
  isOlder,
  migrate,
  pendingMigrations,
} from '../src/db/migrate.ts';
import { ownSources } from '../src/db/sources.ts';
import { afterwards, createPostgresDatabase, onPostgres, openTestDatabase } from './harness.ts';
import { until } from './until.ts';

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

/** The migrations that the baseline replaces. */
const BEFORE = `
  0001_foundation 0002_booking_life 0003_webhooks 0004_payments 0006_webhook_shares 0007_webhook_first_attempts
  0008_failed_bookings 0009_names_in_two_languages 0011_audit_chain 0013_traces 0015_webhook_known_fast
  0016_sealing_check 0018_versions 0019_audit_groups 0020_attention 0021_search 0022_change_signals
  0025_checks_in_functions 0026_contact_in_one_statement 0027_partner_services_version 0028_request_log
  0029_simulator 0030_portal 0031_certifications 0032_shared_changes 0033_shared_creations
  0034_catalogue_version_moves 0035_extension_trigrams 0035_index_count_deliveries 0035_index_deliveries
  0035_index_references 0036_booking_totals 0036_fill_booking_totals 0036_validate_checks
  0037_request_log_partitions 0038_event_places 0039_event_partitions 0040_database_servers 0041_add_replay
  0041_index_replays 0041_validate_replays 0041_webhook_replays 0042_look_for_due_work 0044_webhook_results
  0045_deliveries_pending 0045_fill_pending 0045_index_failed_deliveries 0045_webhook_claims
  0046_delivery_partitions 0046_delivery_totals 0046_fill_delivery_totals 0047_versions_after_failover
  0048_triggers_for_all_rows 0049_ids_in_order 0050_contacts_by_index 0051_count_bookings
  0052_request_log_uncompressed 0053_booking_statuses 0053_fill_booking_statuses 0053_settle_booking_statuses
  0054_changes_at_once 0055_claims_read_once 0056_claims_hold_one_team 0057_keys_of_customers
  0058_contacts_at_once 0059_moves_at_once 0060_index_names 0060_names_once 0062_index_contact_names
  0062_index_contact_phones 0062_phones_once 0063_claims_ahead 0064_index_late_bookings 0065_claims_by_key
  0066_drop_unused 0067_changes_keep_their_plan 0068_letters_of_addresses 0069_gateway_payments
  0070_index_waiting_payments 0071_index_refunds_to_decide 0072_check_refunds_to_decide 0073_buffers_on_both_sides
  0074_index_starts_with_ends 0075_starts_once 0076_index_open_appointments 0079_addresses_by_point_and_texts
  0080_another_door_is_another_address 0081_name_from_the_first_answer 0083_histories 0086_certification_decisions
  0088_deliveries_in_order
`
  .trim()
  .split(/\s+/);

/** Makes a migrated database one of before release 0.1; a function of that time is no more. */
async function age(db: Db, done: readonly string[] = BEFORE): Promise<void> {
  await db.withClient((client) =>
    client.query(`
      drop table schema_functions;
      alter table schema_migrations drop column compatible_since;
      truncate schema_migrations;
      insert into schema_migrations (name, run_on) select name, now() from unnest('{${done.join(',')}}'::text[]) name;
      create function turn_deliveries() returns void language sql as $$ $$;
    `),
  );
}

/** Empties the database and makes the tables of the baseline, without functions. */
async function rebuildBaseline(t: TestContext, db: Db): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-baseline-'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  const { migrations, release } = ownSources();
  const slices = join(folder, 'slices');
  mkdirSync(slices);
  for (const file of readdirSync(migrations)) {
    const path = join(migrations, file);
    if (!COMPATIBLE_SINCE.test(readFileSync(path, 'utf8'))) copyFileSync(path, join(folder, file));
  }
  await db.rows({ text: 'drop schema public cascade' });
  await db.rows({ text: 'create schema public' });
  assert.deepEqual((await migrate(db, { migrations: folder, slices, release })).at(-1), '0017_operator');
}

test('a database with the last schema before release 0.1 is converted completely', async (t) => {
  const db = await openTestDatabase(t);
  const [done, made] = [await names(db), await schemaOf(db)];
  await rebuildBaseline(t, db);
  await db.rows({
    text: `insert into partners (name, created_at, updated_at) values ('Kept', now(), now())`,
  });
  await age(db);
  assert.equal((await pendingMigrations(db))[0], '0001_db');
  assert.equal((await migrate(db)).at(-1), 'webhooks/functions.sql');
  assert.deepEqual(await names(db), done);
  assert.deepEqual(await schemaOf(db), made);
  assert.deepEqual(await db.rows({ text: 'select name from partners' }), [{ name: 'Kept' }]);
  assert.deepEqual(await migrate(db), []);
});

test('any other database from before release 0.1 is refused in one line with the remedy', async (t) => {
  const db = await openTestDatabase(t);
  for (const done of [BEFORE.slice(0, 1), BEFORE.slice(0, -1), BEFORE.slice(1), [...BEFORE, '0089_more']]) {
    await age(db, done);
    const before = await schemaOf(db);
    await assert.rejects(migrate(db), (error: Error) => {
      assert.ok(error instanceof DatabaseUnfitError);
      assert.match(
        error.message,
        /^[^\n]+ release 0\.1, at migration \S+: take it to 0088_\S+ [^\n]+ an empty one$/,
      );
      return true;
    });
    assert.deepEqual(await names(db), done.toSorted());
    assert.deepEqual(await schemaOf(db), before);
    await db.withClient((client) =>
      client.query(`
        drop function turn_deliveries();
        create table schema_functions (); alter table schema_migrations add column compatible_since text`),
    );
  }
});

test('simultaneous starts convert a database once', {
  skip: !onPostgres && 'one process holds an embedded database',
}, async (t) => {
  const databases = connections(t, await createPostgresDatabase(t), 2);
  const db = databases[0]!;
  const [done, made] = [await names(db), await schemaOf(db)];
  await rebuildBaseline(t, db);
  await age(db);
  const ran = await Promise.all(databases.map((one) => migrate(one)));
  assert.equal(ran.filter((steps) => steps.length > 0).length, 1);
  assert.deepEqual(await names(db), done);
  assert.deepEqual(await schemaOf(db), made);
});

test('a process that is killed during the conversion leaves the database as it was', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const url = await createPostgresDatabase(t);
  const [db] = connections(t, url, 1);
  const made = await schemaOf(db!);
  await rebuildBaseline(t, db!);
  await age(db!);
  const aged = await schemaOf(db!);
  // A reader of the last table that the conversion alters keeps it in the middle.
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  afterwards(t, () => reader.end());
  await reader.query('begin; lock table addresses in access share mode');
  const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
  const child = spawn(process.execPath, [cli, 'migrate'], {
    env: { ...process.env, DATABASE_URL: url, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN: 'x'.repeat(16) },
    stdio: 'ignore',
  });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await until(async () => {
    const held = await db!.rows({
      text: `select from pg_locks where not granted and relation = 'addresses'::regclass`,
    });
    return held.length > 0;
  });
  child.kill('SIGKILL');
  await ended;
  await reader.query('rollback');
  await until(
    async () => (await db!.rows({ text: `select from pg_locks where locktype = 'advisory'` })).length === 0,
  );
  assert.deepEqual(await names(db!), BEFORE);
  assert.deepEqual(await schemaOf(db!), aged);
  assert.ok((await migrate(db!)).length > 0);
  assert.deepEqual(await schemaOf(db!), made);
});
