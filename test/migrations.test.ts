import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
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
import type { ClientBase } from 'pg';
import { fillGrowth } from '../bench/growth-fixtures.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { openInMemory } from '../src/db/embedded.ts';
import { COMPATIBLE_SINCE, isOlder, migrate } from '../src/db/migrate.ts';
import { planMigrations } from '../src/db/migration-plan.ts';
import { ownSources, type SchemaSources } from '../src/db/sources.ts';
import { afterwards, createPostgresDatabase, onPostgres, startTestService } from './harness.ts';
import { until } from './until.ts';

/** Migrations of large tables do not keep others waiting (CONTRIBUTING.md, "Migrations"). */

/** The last of the baseline, which makes empty tables. */
const BASELINE = '0017_operator.sql';
const LARGE = [
  'bookings',
  'appointments',
  'contacts',
  'addresses',
  'payments',
  'events',
  'webhook_deliveries',
  'audit_log',
  'event_places',
];
const FOLDER = ownSources().migrations;
const FILES = readdirSync(FOLDER).sort();
const AFTER_BASELINE = FILES.filter((name) => name > BASELINE);
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const CONCURRENTLY = /\b(?:create\s+(?:unique\s+)?|drop\s+|re)index\s+concurrently\b/i;

/** Statements of a migration that would lock a large table for long. */
function faultsOf(sql: string): string[] {
  const statements = sql
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/--.*$/gm, '')
    .split(';');
  const given = statements.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '');
  const faults: string[] = [];
  // One that it makes is empty.
  const large = LARGE.filter((table) => !given.some((text) => text.startsWith(`create table ${table} (`)));
  const find = (what: string, pattern: string): void => {
    const found = new RegExp(
      pattern.replaceAll('LARGE', `(?:only\\s+)?(?:public\\.)?(?:${large.join('|')})\\b`),
      'is',
    );
    for (const text of given) if (found.test(text)) faults.push(`${what}: ${text}`);
  };
  find('an index that is not made concurrently', '^create (?:unique )?index (?!concurrently).* on LARGE');
  find(
    'a constraint that is not NOT VALID',
    '^alter table LARGE .*add (?:constraint \\w+ )?(?:check|foreign key)(?!.*not valid)',
  );
  find(
    'a constraint that makes an index',
    '^alter table LARGE .*add (?:constraint \\w+ )?(?:unique|primary key|exclude)(?! using index)',
  );
  find(
    'a check of a new column, for which every row is looked at',
    '^alter table LARGE .*add (?:column )?(?!constraint|foreign)\\w+ (?:[^,(]|\\([^)]*\\))*\\b(?:check|references)\\b(?!.*not valid)',
  );
  find(
    'every row is looked at or written',
    '^alter table LARGE .*(?:set not null|\\btype\\b|set (?:un)?logged|set tablespace)',
  );
  find(
    'every row is written',
    '^alter table LARGE .*add (?:column )?\\w+ .*default (?:\\w+\\.)?(?!now|current)\\w+\\s*\\(',
  );
  find('a lock that somebody holds on purpose', '^(?:lock|cluster|vacuum full|truncate)\\b.*LARGE');
  find('every row is changed in one transaction', '^update LARGE (?!.*\\blimit\\b)');
  const isOutside = /^-- Outside of a transaction\b/m.test(sql);
  if (given.some((text) => CONCURRENTLY.test(text)) && !isOutside)
    faults.push('concurrently in a transaction');
  const makesIndex = /^create (?:unique )?index concurrently \w+ on /i.test(given[0] ?? '');
  const commitsBatches = /^do ''$/.test(given[0] ?? '') && /\bloop\b.*\bcommit;.*\bend loop;/s.test(sql);
  if (isOutside && !makesIndex && !commitsBatches)
    faults.push('nothing whose interrupted try is undone, or goes on');
  if (isOutside && given.length !== 1) faults.push('more than one statement outside of a transaction');
  const rewrites = new RegExp(`^do \\$\\$.*?\\b(?:update|delete from) (?:${large.join('|')})\\b`, 'ms');
  if (!isOutside && rewrites.test(sql) && !/^-- refuses: /m.test(sql))
    faults.push('rows are changed in one transaction, and no header says what that refuses');
  if (!COMPATIBLE_SINCE.test(sql)) faults.push('does not say which version of the program can run on it');
  return faults;
}

test('no migration locks a large table for long', () => {
  for (const file of AFTER_BASELINE) assert.deepEqual(faultsOf(textOf(file)), [], file);
});

test('each migration after the baseline names a compatible released version', () => {
  const { release } = ownSources();
  for (const file of AFTER_BASELINE)
    assert.ok(!isOlder(release, COMPATIBLE_SINCE.exec(textOf(file))![1]!), `${file}: not after ${release}`);
  for (const file of FILES)
    assert.equal(COMPATIBLE_SINCE.test(textOf(file)), AFTER_BASELINE.includes(file), file);
});

/** The header of a migration that has nothing else wrong. */
const HEADER = '-- compatible since: 0.1.0\n';

test('the rules of migrations find violations', () => {
  for (const sql of [
    'create index a on bookings (id)',
    'create unique index a on public.bookings (id);',
    'create index concurrently a on bookings (id)',
    '-- Outside of a transaction.\ncreate index concurrently a on bookings (id); select 1',
    '-- Outside of a transaction.\nreindex index concurrently a',
    '-- Outside of a transaction.\ncreate index concurrently if not exists a on bookings (id)',
    '-- Outside of a transaction.\ndo $$ begin loop update bookings set a = 1; exit; end loop; commit; end $$',
    'alter table events add constraint a check (true)',
    'alter table only events add foreign key (a) references b',
    'alter table payments add constraint a unique (b)',
    'alter table payments alter column a set not null',
    'alter table payments alter a type bigint',
    'alter table contacts add column a uuid default gen_random_uuid()',
    'lock table bookings in share mode',
    'do $$ begin for a in select id from bookings loop update bookings set b = 1; end loop; end $$',
    "update addresses set city_name = 'x'",
    'alter table payments add column a integer check (a > 0)',
    'alter table payments add a numeric(3, 1) not null default 0 check (a > 0), add column b integer',
    'alter table payments\n  add column a uuid references b',
    'alter table webhook_deliveries\n  add column a text,\n  add constraint b\n  unique (a)',
  ])
    assert.equal(faultsOf(HEADER + sql).length, 1, sql);
  for (const sql of [
    '-- Outside of a transaction.\ncreate index concurrently a on bookings (id);',
    '-- Outside of a transaction.\ndo $$ begin loop update bookings set a = 1; exit; commit; end loop; end $$;',
    'create index a on zones (id)',
    '-- refuses: bookings, at 1000 rows of bookings a second\ndo $$ begin update bookings set b = 1; end $$',
    'create table events (id uuid); create index a on events (id)',
    'alter table events add constraint a check (true) not valid; alter table events validate constraint a',
    'alter table payments add constraint a unique using index b',
    'alter table payments add column a numeric(3, 1) not null default 0, add constraint b check (a > 0) not valid',
    "alter table payments add column a text default 'x', add column b integer",
    'create function a() returns trigger language plpgsql as $$ begin update bookings set a = 1; end $$',
  ])
    assert.deepEqual(faultsOf(HEADER + sql), [], sql);
  for (const header of ['', '-- compatible since: 0.1\n', '-- compatible since 0.1.0\n'])
    assert.equal(faultsOf(`${header}create table a (id uuid)`).length, 1, header);
});

/** Rows of the tables that `readUnderLock` measures. */
const ROWS = 600;

/** A folder of the slices' functions, without triggers on tables and columns that the migrations do not have yet. */
function slicesOf(migrations: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'slices-'));
  const schema = readdirSync(migrations)
    .map((file) => readFileSync(join(migrations, file), 'utf8'))
    .join('');
  const { slices } = ownSources();
  for (const name of readdirSync(slices)) {
    const file = join(slices, name, 'functions.sql');
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8').replaceAll(/^create or replace trigger[^;]*;/gm, (trigger) => {
      const table = / on (\w+)/.exec(trigger)![1]!;
      const columns = [
        ...(/ update of ([\w\s,]+?) on /.exec(trigger)?.[1]?.split(/,\s*/) ?? []),
        ...[...trigger.matchAll(/\b(?:old|new)\.(\w+)/g)].map(([, column]) => column!),
      ];
      const made = new RegExp(`^create table ${table} \\([^;]*;`, 'm').exec(schema)?.[0];
      return made !== undefined && columns.every((column) => made.includes(column)) ? trigger : '';
    });
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'functions.sql'), text);
  }
  return folder;
}

test('no migration reads or writes a large table while others wait for it', async (t) => {
  const { db } = await startEmpty(t);
  const baseline = mkdtempSync(join(tmpdir(), 'migrations-'));
  t.after(() => rmSync(baseline, { recursive: true }));
  for (const file of FILES.filter((name) => name <= BASELINE))
    copyFileSync(join(FOLDER, file), join(baseline, file));
  const slices = slicesOf(baseline);
  t.after(() => rmSync(slices, { recursive: true }));
  await migrate(db, { ...ownSources(), migrations: baseline, slices });
  await fillGrowth(db, { bookings: ROWS, teams: 20 });
  await db.withClient(async (client) => {
    for (const file of AFTER_BASELINE) assert.deepEqual(await readUnderLock(client, textOf(file)), [], file);
    for (const [sql, times] of [
      ['create index by_notes on bookings (notes)', 1],
      ["create table things (id integer); update contacts set name = 'x'", 0],
      ["lock table addresses in share mode; update contacts set name = 'x'", 1],
      ['alter table webhook_deliveries add column a integer default 0 check (a > -1)', 1],
      ['alter table webhook_deliveries add constraint a check (true) not valid', 0],
      ['alter table webhook_deliveries validate constraint a', 0],
      ['alter table bookings alter column version type bigint', 1],
      ['create table links (id uuid references bookings); alter table bookings add column a integer', 1],
      ['alter table bookings add column b integer; create table more (id uuid references bookings)', 0],
    ] as const)
      assert.equal((await readUnderLock(client, sql)).length, times, sql);
  });
});

/**
 * Runs the migration, and returns its statements that read or wrote all rows while a table had a lock that writes wait
 * for, and those that raised such a lock: a request that has read the table and waits to write it is a deadlock then.
 */
async function readUnderLock(client: ClientBase, sql: string): Promise<string[]> {
  const statements = statementsOf(sql);
  if (/^-- Outside of a transaction\b/m.test(sql)) {
    for (const text of statements) await client.query(text);
    return [];
  }
  const faults: string[] = [];
  const existing = await client.query(`
    select array_agg(oid::text) as oids from pg_class where relkind in ('r', 'p') and reltuples >= ${ROWS / 3}`);
  await client.query('begin');
  let seen = await rowsTouched(client);
  let blocked: string[] = []; // tables that others cannot write to
  let taken: string[] = []; // nor read
  for (const text of statements) {
    await client.query(text);
    const now = await rowsTouched(client);
    const { rows } = await client.query(
      `
      select relation::regclass::text as name, bool_or(mode = 'AccessExclusiveLock') as whole from pg_locks
      where pid = pg_backend_pid() and relation = any ($1::oid[])
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      group by relation`,
      [existing.rows[0].oids],
    );
    const names = rows.map(({ name }) => name);
    if (now - seen >= ROWS / 3 && rows.length > 0)
      faults.push(`${now - seen} rows, locked ${names}: ${text}`);
    seen = now;
    const whole = rows.filter((row) => row.whole).map(({ name }) => name);
    for (const name of whole) {
      if (blocked.includes(name) && !taken.includes(name)) faults.push(`raises the lock of ${name}: ${text}`);
    }
    [blocked, taken] = [names, whole];
  }
  await client.query('commit');
  return faults;
}

/** In this transaction, including the rows of a new index or check. */
async function rowsTouched(client: ClientBase): Promise<number> {
  const { rows } = await client.query(`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd + n_tup_del), 0)::integer as touched
    from pg_stat_xact_user_tables`);
  return rows[0].touched;
}

function statementsOf(sql: string): string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(/\$(\w*)\$.*?\$\1\$|--[^\n]*|'(?:[^']|'')*'|[^$;'-]+|./gms))
    if (part === ';') statements.push('');
    else if (!part.startsWith('--')) statements.push(statements.pop() + part);
  return statements.map((text) => text.trim()).filter((text) => text !== '');
}

test('every constraint was validated for existing rows', async (t) => {
  const { db } = (await startTestService(t)).deps;
  assert.deepEqual(
    await db.rows({ text: `select conname from pg_constraint where not convalidated and conrelid > 0` }),
    [],
  );
});

/** A database without tables, and a folder for migrations. */
async function startEmpty(t: TestContext): Promise<{ db: Db; folder: string; url: string }> {
  const url = onPostgres ? await createPostgresDatabase(t) : '';
  const db = onPostgres
    ? connectPostgres(url, 3, (error) => {
        throw error;
      })
    : (await openInMemory()).db;
  afterwards(t, () => db.close());
  await db.withClient((client) => client.query('drop schema public cascade; create schema public'));
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return { db, folder, url };
}

const sourcesIn = (folder: string): SchemaSources => ({
  migrations: folder,
  slices: folder,
  release: '0.1.0',
});

test('a plan says what each pending step refuses, and for how long', async (t) => {
  const { db, folder } = await startEmpty(t);
  const sources = sourcesIn(folder);
  writeFileSync(join(folder, '0001_a.sql'), 'create table a (id integer)');
  await migrate(db, sources);
  await db.rows({ text: 'insert into a select generate_series(1, 2500)' });
  await db.rows({ text: 'analyze a' });
  const refusing = '-- refuses: changes by crews, at 10 rows of a a second\nupdate a set id = 2';
  writeFileSync(join(folder, '0002_b.sql'), refusing);
  writeFileSync(
    join(folder, '0003_c.sql'),
    '-- Outside of a transaction.\ncreate index concurrently c on a (id)',
  );
  writeFileSync(join(folder, '0004_d.sql'), 'create table d (id integer)');
  writeFileSync(join(folder, '0005_e.sql'), refusing.replaceAll(' a ', ' d '));
  const plan = await planMigrations(db, sources);
  assert.deepEqual(
    plan.map(({ name, refuses, text }) => [name, refuses, text]),
    [
      ['0002_b', 'changes by crews', 'changes by crews are REFUSED meanwhile: 2500 rows of a, up to 5 min'],
      ['0003_c', null, 'an index of 2500 rows of a, about 1 s: nobody waits'],
      ['0004_d', null, 'others wait for its locks, 100 ms at a time'],
      ['0005_e', null, '0 rows of d, up to 0 s: nobody waits'],
    ],
  );
  assert.deepEqual(await db.rows({ text: `select to_regclass('d') as d` }), [{ d: null }]);
});

test('a migration can run outside of a transaction; a failing one leaves those before it', async (t) => {
  const { db, folder } = await startEmpty(t);
  writeFileSync(join(folder, '0001_table.sql'), 'create table things (id integer)');
  writeFileSync(
    join(folder, '0002_index.sql'),
    '-- Outside of a transaction.\ncreate index concurrently things_idx on things (id)',
  );
  writeFileSync(join(folder, '0003_wrong.sql'), 'create table more (id integer); select wrong');
  await assert.rejects(migrate(db, sourcesIn(folder)), /wrong/);
  writeFileSync(join(folder, '0003_wrong.sql'), 'create table more (id integer)');
  assert.deepEqual(await migrate(db, sourcesIn(folder)), ['0003_wrong']);
  const { valid } = (await db.first<{ valid: boolean }>({
    text: `select indisvalid as valid from pg_index where indexrelid = 'things_idx'::regclass`,
  }))!;
  assert.equal(valid, true);
});

test('time-outs of the database or the role do not end a migration', {
  skip: !onPostgres && 'an embedded database has neither',
}, async (t) => {
  const { db: other, url, folder } = await startEmpty(t);
  const name = new URL(url).pathname.slice(1);
  for (const setting of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
    await other.rows({ text: `alter database ${name} set ${setting} = '5s'` });
  const db = connectPostgres(url, 2, assert.fail);
  afterwards(t, () => db.close());
  const shown = `current_setting('statement_timeout') || current_setting('idle_in_transaction_session_timeout')`;
  const inside = `create table seen as select ${shown} as inside, current_setting('lock_timeout') as lock`;
  writeFileSync(join(folder, '0001_seen.sql'), inside);
  assert.deepEqual(await migrate(db, sourcesIn(folder)), ['0001_seen']);
  assert.deepEqual(await db.first({ text: 'select * from seen' }), { inside: '00', lock: '100ms' });
  const outside = await db.withClient((client) => client.query('show lock_timeout'));
  assert.equal(outside.rows[0].lock_timeout, '0', 'an index waits for transactions');
  assert.equal((await db.first<{ lock_timeout: string }>({ text: 'show lock_timeout' }))?.lock_timeout, '5s');
});

test('an index of an interrupted try is dropped, and created again', async (t) => {
  const { db, folder } = await startEmpty(t);
  const twice = 'create table things (id integer); insert into things values (1), (1)';
  writeFileSync(join(folder, '0001_table.sql'), twice);
  writeFileSync(
    join(folder, '0002_index.sql'),
    '-- Outside of a transaction.\n-- Each once.\ncreate unique index concurrently things_idx\n  on things (id)',
  );
  const isValid = async () =>
    (await db.first<{ valid: boolean }>({
      text: `select indisvalid as valid from pg_index where indexrelid = 'things_idx'::regclass`,
    }))!.valid;
  await assert.rejects(migrate(db, sourcesIn(folder)), /could not create unique index/);
  assert.equal(await isValid(), false);
  await db.rows({ text: 'delete from things' });
  assert.deepEqual(await migrate(db, sourcesIn(folder)), ['0002_index']);
  assert.equal(await isValid(), true);

  // Interrupted after the index was created, before that was recorded.
  await db.rows({ text: `delete from schema_migrations where name = '0002_index'` });
  assert.deepEqual(await migrate(db, sourcesIn(folder)), ['0002_index']);
  assert.equal(await isValid(), true);
});

test('a migration that does not get its lock lets others pass, and gets it later', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const { db, folder } = await startEmpty(t);
  writeFileSync(join(folder, '0001_table.sql'), 'create table things (id integer)');
  assert.deepEqual(await migrate(db, sourcesIn(folder)), ['0001_table']);
  writeFileSync(join(folder, '0002_more.sql'), 'create table other (id integer)');
  writeFileSync(join(folder, '0003_column.sql'), 'alter table things add column name text');
  const waiting = () =>
    db.rows({ text: `select from pg_locks where not granted and relation = 'things'::regclass` });
  let migrating: Promise<string[]> | undefined;
  await db.transaction(async (reader) => {
    await reader.rows({ text: 'select from things' });
    migrating = migrate(db, sourcesIn(folder));
    await until(async () => (await waiting()).length > 0);
    // It has given up its place: later statements do not wait behind it.
    await until(async () => (await waiting()).length === 0);
    await db.rows({ text: 'select from things' });
  });
  assert.deepEqual(await migrating, ['0002_more', '0003_column']);
});

test('a migration that the database ends as a deadlock runs again', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const { db, folder } = await startEmpty(t);
  writeFileSync(join(folder, '0001_table.sql'), 'create table things (id integer primary key)');
  await migrate(db, sourcesIn(folder));
  const step = `set local lock_timeout = 0; select pg_advisory_xact_lock(1); set local lock_timeout = '100ms'`;
  const raised = `create table links (id integer references things); ${step}; alter table things add name text`;
  writeFileSync(join(folder, '0002_raised.sql'), raised);
  const here = '(select oid from pg_database where datname = current_database())';
  const blockedAt = (lock: string) =>
    until(() =>
      db.first({ text: `select from pg_locks where not granted and database = ${here} and ${lock}` }),
    );
  let migrating: Promise<string[]> | undefined;
  let writing: Promise<unknown> | undefined;
  await db.transaction(async (writer) => {
    await writer.rows({ text: 'select from things for no key update' });
    await db.transaction(async (stop) => {
      await stop.rows({ text: 'select pg_advisory_xact_lock(1)' });
      migrating = migrate(db, sourcesIn(folder));
      await blockedAt(`locktype = 'advisory'`);
      writing = writer.rows({ text: 'insert into things values (1)' });
      await blockedAt(`relation = 'things'::regclass`);
    });
    await writing;
  });
  assert.deepEqual(await migrating, ['0002_raised']);
  assert.deepEqual(await db.first({ text: 'select * from things' }), { id: 1, name: null });
});
