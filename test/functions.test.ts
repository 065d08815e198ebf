import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Db } from '../src/db/connection.ts';
import { readFunctionFiles, statementsOf } from '../src/db/functions.ts';
import { migrate } from '../src/db/migrate.ts';
import { ownSources, type SchemaSources } from '../src/db/sources.ts';
import { isUnavailable } from '../src/db/unavailable.ts';
import { onPostgres, openTestDatabase } from './harness.ts';
import { until } from './until.ts';

/** Functions and triggers of the slices as repeatable migrations (CONTRIBUTING.md, "Migrations"). */

const files = readFunctionFiles(ownSources().slices);

/** Faults of a file of functions, beside those of its SQL. */
function faultsOf(text: string): string[] {
  const statements = text
    .replaceAll(/\$\$.*?\$\$/gs, "''")
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  const found = statementsOf(text).map(({ header }) => header);
  const faults = statements
    .filter(
      (statement) =>
        !/^create (?:or replace (?:function|trigger)|constraint trigger) \w+\b/.test(statement) ||
        /^create .*\b\w+\.\w+ ?\(/.test(statement),
    )
    .map((statement) => `neither a function nor a trigger that can be made again: ${statement}`);
  if (statements.length !== found.length)
    faults.push(`${found.length} of ${statements.length} statements begin a line`);
  return faults;
}

test('functions.sql contains functions and triggers only', () => {
  for (const { name, text } of files) assert.deepEqual(faultsOf(text), [], name);
});

test('other statements in functions.sql are found', () => {
  for (const [text, count] of [
    ['create function a() returns void language sql as $$ select 1; $$;', 1],
    ['create trigger a before update on b for each row execute function c();', 1],
    ['create table a (id uuid);', 2],
    ['  create or replace function a() returns void language sql as $$ $$;', 1],
    ['-- create table\ncreate or replace function a(b text) returns void language sql as $$ ; $$;', 0],
    ['create constraint trigger a after insert on b for each row execute function c();', 0],
  ] as const)
    assert.equal(faultsOf(text).length, count, text);
});

test('no function is overloaded, and none is in two files', () => {
  const headers = files.flatMap(({ text }) => statementsOf(text).map(({ header }) => header));
  const names = headers.map((header) => header.replace(/^function (\w+).*/, '$1'));
  assert.ok(names.includes('bump_change_counter') && names.length > 20, `${names.length}`);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});

/** Objects that depend on a function with these names; triggers are replaced along with them. */
const DEPENDENT = `
  select p.proname || ': ' || pg_describe_object(d.classid, d.objid, 0) as fault
  from pg_depend d join pg_proc p on d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
  where p.proname = any ($1) and p.pronamespace = current_schema()::regnamespace and d.classid <> 'pg_trigger'::regclass`;

test('only triggers depend on replaced functions', async (t) => {
  const db = await openTestDatabase(t);
  const names = files.flatMap(({ text }) =>
    statementsOf(text).flatMap(({ header }) => /^function (\w+)/.exec(header)?.[1] ?? []),
  );
  assert.deepEqual(await db.rows({ text: DEPENDENT, values: [names] }), []);
  await db.rows({ text: 'create table things (id uuid check (id_at(null) is null))' });
  await db.rows({ text: `create index on things (name_in('en', id::text, ''))` });
  assert.equal((await db.rows({ text: DEPENDENT, values: [names] })).length, 2);
});

/** A database with one table, a, and a function that migrates it by the slices' files of functions. */
async function startSlices(t: TestContext) {
  const db = await openTestDatabase(t);
  await db.withClient((client) => client.query('drop schema public cascade; create schema public'));
  const folder = mkdtempSync(join(tmpdir(), 'slices-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const sources: SchemaSources = {
    migrations: join(folder, 'm'),
    slices: join(folder, 's'),
    release: '0.1.0',
  };
  mkdirSync(sources.migrations);
  writeFileSync(join(sources.migrations, '0001_a.sql'), 'create table a (id integer, version integer)');
  const apply = async (slices: Record<string, string>, release = sources.release): Promise<string[]> => {
    rmSync(sources.slices, { recursive: true, force: true });
    mkdirSync(sources.slices);
    for (const [name, text] of Object.entries(slices)) {
      mkdirSync(join(sources.slices, name), { recursive: true });
      writeFileSync(join(sources.slices, name, 'functions.sql'), text);
    }
    return migrate(db, { ...sources, release });
  };
  return { db, apply };
}

async function madeIn(db: Db): Promise<string[]> {
  const found = await db.rows<{ made: string }>({
    text: `
      select proname || '(' || pg_get_function_arguments(oid) || ') ' || pg_get_function_result(oid) as made
      from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      order by 1`,
  });
  return found.map(({ made }) => made.replaceAll('public.', ''));
}

const fn = (header: string, body: string): string =>
  `create or replace function ${header}\nlanguage plpgsql as $$ begin ${body} end $$;\n`;
const COUNT = fn('count_version() returns trigger', 'new.version := 1; return new;');
const TRIGGER =
  'create or replace trigger a_version before update on a\n  for each row execute function count_version();\n';

test('a file is applied only when it differs', async (t) => {
  const { db, apply } = await startSlices(t);
  const says = async (): Promise<string> =>
    (await db.first<{ said: string }>({ text: 'select b() as said' }))!.said;
  const b = (text: string): string => fn('b() returns text', `return '${text}';`);
  assert.deepEqual(await apply({ x: b('one'), db: COUNT }), [
    '0001_a',
    'db/functions.sql',
    'x/functions.sql',
  ]);
  assert.equal(await says(), 'one');
  assert.deepEqual(await apply({ x: b('one'), db: COUNT }), []);
  assert.deepEqual(await apply({ x: b('two'), db: COUNT }), ['x/functions.sql']);
  assert.equal(await says(), 'two');
});

test('a function may get other arguments and results, and the old one is dropped', async (t) => {
  const { db, apply } = await startSlices(t);
  await apply({ x: fn('b(p_a integer) returns integer', 'return 1;') });
  await apply({ x: fn('b(p_a text, p_b integer default 2) returns text', `return 'x';`) });
  assert.deepEqual(await madeIn(db), ['b(p_a text, p_b integer DEFAULT 2) text']);
  await apply({ x: fn('b(p_a text, p_other integer) returns table (c integer)', 'return;') });
  assert.deepEqual(await madeIn(db), ['b(p_a text, p_other integer) TABLE(c integer)']);
});

test('removed functions and files are dropped; a moved function stays', async (t) => {
  const { db, apply } = await startSlices(t);
  const b = fn('b() returns text', `return 'x';`);
  await apply({ db: COUNT, x: b + TRIGGER, y: fn('c() returns text', `return 'x';`) });
  assert.equal((await madeIn(db)).length, 4);
  await apply({ db: COUNT, y: b + TRIGGER });
  assert.deepEqual(await madeIn(db), [
    'CREATE TRIGGER a_version BEFORE UPDATE ON a FOR EACH ROW EXECUTE FUNCTION count_version()',
    'b() text',
    'count_version() trigger',
  ]);
  await apply({ y: b });
  assert.deepEqual(await madeIn(db), ['b() text']);
  await db.rows({ text: 'create function of_the_operator() returns void language sql as $$ $$' });
  await apply({});
  assert.deepEqual(await madeIn(db), ['of_the_operator() void'], 'functions of others are left alone');
});

test('a trigger is replaced only when it differs or is missing, so its table is not locked', async (t) => {
  const { db, apply } = await startSlices(t);
  const oid = async (): Promise<number> =>
    (await db.first<{ oid: number }>({
      text: `select oid::integer from pg_trigger where tgname = 'a_version'`,
    }))!.oid;
  await apply({ db: COUNT, x: TRIGGER });
  const made = await oid();
  await apply({ db: COUNT.replace('1', '2'), x: `-- Another comment.\n${TRIGGER}` });
  assert.equal(await oid(), made);
  const constraint = `create constraint trigger a_version after insert on a
    deferrable initially deferred for each row execute function count_version();`;
  await apply({ db: COUNT, x: constraint });
  assert.match((await madeIn(db))[0]!, /^CREATE CONSTRAINT TRIGGER a_version AFTER INSERT /);
  await apply({ db: COUNT, x: TRIGGER });
  assert.match((await madeIn(db))[0]!, /^CREATE TRIGGER a_version BEFORE UPDATE /);

  await db.withClient((client) => client.query('drop table a; create table a (id integer, version integer)'));
  await apply({ db: COUNT, x: `-- Of a table that was made anew.\n${TRIGGER}` });
  assert.equal((await madeIn(db)).length, 2);
});

test('a failing file is named, and leaves every function as it was', async (t) => {
  const { db, apply } = await startSlices(t);
  const b = fn('b() returns text', `return 'x';`);
  await apply({ x: b });
  const before = await madeIn(db);
  const wrong = `${fn('c() returns text', `return 'x';`)}${TRIGGER}`;
  await assert.rejects(
    apply({ x: fn('b() returns integer', 'return 1;'), y: wrong }),
    /^error: src\/y\/functions\.sql: /i,
  );
  assert.deepEqual(await madeIn(db), before);
  assert.deepEqual(await apply({ x: b }), []);
});

test('an older version of the program leaves functions of a newer one alone', async (t) => {
  const { db, apply } = await startSlices(t);
  const b = (text: string): string => fn('b() returns text', `return '${text}';`);
  await apply({ x: b('older') }, '0.1.9');
  await apply({ x: b('newer') }, '0.1.10');
  assert.deepEqual(await apply({ x: b('older') }, '0.1.9'), []);
  assert.deepEqual(await db.rows({ text: 'select b()' }), [{ b: 'newer' }]);
  assert.deepEqual(await apply({ x: b('newest') }, '0.2.0'), ['x/functions.sql']);
});

test('functions are replaced under traffic, and no request fails', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const { db, apply } = await startSlices(t);
  // Another body, another header of the same arguments, other arguments; one that is inlined, and one that calls it.
  const versions = [0, 1, 2, 3, 4, 5].map((number) => ({
    x:
      `create or replace function b(${number % 2 === 0 ? 'p_a' : 'p_other'} integer${number % 3 === 0 ? '' : ', p_b integer default 1'}) returns text\n` +
      `language sql stable as $$ select '${number}'::text || count(*) from pg_class where oid = 0 $$;\n` +
      fn('c() returns text', `return b(1) || '${number}';`),
    db: `${fn('count_version() returns trigger', `new.version := ${number}; return new;`)}${TRIGGER}`,
  }));
  await apply(versions[0]!);
  await db.rows({ text: 'insert into a values (1, 1)' });
  const stop = new AbortController();
  let count = 0;
  const failed: string[] = [];
  const traffic = [
    { text: 'select b(1)::text, c()' },
    { text: 'select b(1)::text, c() from generate_series(1, 50)', name: 'of-functions' },
    { text: 'update a set id = id' },
  ].map(async (statement) => {
    while (!stop.signal.aborted) {
      await db.rows(statement).catch((error) => failed.push(error.message));
      count++;
    }
  });
  for (let round = 1; round <= 60; round++) await apply(versions[round % versions.length]!);
  stop.abort();
  await Promise.all(traffic);
  assert.deepEqual([...new Set(failed)], [], `${failed.length} of ${count}`);
  assert.ok(count > 500, `${count}`);
  assert.deepEqual(
    (await madeIn(db)).filter((made) => made.startsWith('retired')),
    [],
  );
});

test('a request that has looked a function up still calls it after its replacement', {
  skip: !onPostgres && 'an embedded database has one connection',
}, async (t) => {
  const { db, apply } = await startSlices(t);
  await apply({ x: fn('b(p_a integer) returns text', `return 'old';`) });
  const exists = async (name: string): Promise<boolean> =>
    (await db.first<{ found: boolean }>({ text: `select to_regproc('${name}') is not null as found` }))!
      .found;
  await db.withClient(async (holder) => {
    await holder.query('select pg_advisory_lock(91)');
    const request = db.first<{ said: string }>({
      text: 'select b(1) as said from (select pg_advisory_xact_lock(91) offset 0) as waits',
    });
    await until(async () => {
      const text = `select from pg_locks where locktype = 'advisory' and objid = 91 and not granted`;
      return (await db.rows({ text })).length > 0;
    });
    const applied = apply({ x: fn('b(p_other integer) returns text', `return 'new';`) });
    const says = async () => (await db.first<{ said: string }>({ text: 'select b(1) as said' }))!.said;
    await until(async () => (await says()) === 'new');
    // The old one waits for the request, however long that takes.
    for (let look = 0; look < 200; look++) assert.ok(await exists('retired_b'));
    await holder.query('select pg_advisory_unlock(91)');
    assert.deepEqual(await request, { said: 'old' });
    await applied;
  });
  assert.equal(await exists('retired_b'), false);
});

test('what a replaced object makes fail is told with Retry-After', () => {
  const of = (code: string, message: string) =>
    Object.assign(new Error(message), { code, severity: 'ERROR' });
  assert.ok(isUnavailable(of('XX000', 'cache lookup failed for function 16501')));
  assert.ok(isUnavailable(of('XX000', 'could not open relation with OID 16501')));
  assert.ok(!isUnavailable(of('XX000', 'unexpected data beyond EOF')));
  assert.ok(!isUnavailable(of('42883', 'cache lookup failed for function 16501')));
});
