import { after } from 'node:test';
import type { Db } from '../src/db/connection.ts';

/**
 * Embedded databases of this process that one test has finished with and the next may reuse. Emptying one costs much
 * less than creating one, and a file of tests needs many.
 */
const spare: Db[] = [];

after(async () => {
  for (const db of spare.splice(0)) await db.close();
});

/** Bytes of all tables up to which rows are deleted; above, files are replaced. */
const FEW = 2_000_000;

/** The state of an empty database: the rows of the migrations, and the schema that a reused one must still have. */
type Baseline = { tables: string[]; filled: string[]; rows: string[]; schema: string; versions: string };
const baselines = new WeakMap<Db, Baseline>();

/** An empty, migrated database: a spare one, else a new one of `make`. Its `close` makes it a spare. */
export async function takeDatabase(make: () => Promise<Db>): Promise<Db> {
  const db = spare.pop() ?? (await remember(await make()));
  let open = true;
  const use = (): Db => {
    if (!open) throw new Error('the database is closed');
    return db;
  };
  return {
    ...db,
    rows: async (statement) => use().rows(statement),
    first: async (statement) => use().first(statement),
    transaction: async (work, key) => use().transaction(work, key),
    withClient: async (work) => use().withClient(work),
    async close() {
      if (!open) return;
      open = false;
      if (await restore(db)) spare.push(db);
      else await db.close();
    },
  };
}

async function remember(db: Db): Promise<Db> {
  const tables = await db.rows<{ name: string; columns: string; is_empty: boolean }>({
    // Generated columns are not inserted.
    text: `
      select relname as name, pg_relation_size(c.oid) = 0 as is_empty,
        (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
          where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  });
  const filled = tables.filter((table) => !table.is_empty);
  await run(db, [
    'create schema baseline',
    ...filled.map(
      ({ name, columns }) => `create table baseline.${name} as select ${columns} from public.${name}`,
    ),
    // An unused sequence has no last value.
    `create table baseline.sequences as
      select format('%I.%I', schemaname, sequencename)::regclass as sequence,
        coalesce(last_value, start_value) as value, last_value is not null as is_used
      from pg_sequences where schemaname = 'public'`,
  ]);
  baselines.set(db, {
    tables: tables.map(({ name }) => name),
    filled: filled.map(({ name }) => name),
    // Identity values are kept.
    rows: filled.map(
      ({ name, columns }) =>
        `insert into public.${name} (${columns}) overriding system value select ${columns} from baseline.${name}`,
    ),
    schema: await schemaOf(db),
    versions: await versionsOf(db),
  });
  return db;
}

/** Empties the database. False when that is not enough: the test has changed the schema, or left it unusable. */
async function restore(db: Db): Promise<boolean> {
  const baseline = baselines.get(db)!;
  try {
    if (!(await hasSchema(db, baseline))) return false;
    const used = await db.rows<{ name: string; size: number; is_analysed: boolean }>({
      text: `
        select relname as name, pg_relation_size(oid) as size, reltuples > 0 as is_analysed from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
    });
    const size = used.reduce((sum, table) => sum + Number(table.size), 0);
    // Truncating all tables costs more than deleting a few rows, but resets the statistics of the planner. Those of the
    // migrations' own rows are true.
    const replaces =
      size > FEW || used.some(({ name, is_analysed }) => is_analysed && !baseline.filled.includes(name));
    await run(db, [
      // Without triggers and foreign keys: some tables refuse deletes.
      `set local session_replication_role = replica`,
      ...(replaces
        ? [`truncate ${baseline.tables.map((name) => `public.${name}`).join(', ')}`]
        : used.map(({ name }) => `delete from public.${name}`)),
      ...baseline.rows,
      'select setval(sequence, value, is_used) from baseline.sequences',
    ]);
    return true;
  } catch {
    // A test may end or break its database: the next one gets another.
    return false;
  }
}

/** Whether its schema is that of the baseline. Compared in full only when a catalog row was rewritten. */
async function hasSchema(db: Db, baseline: Baseline): Promise<boolean> {
  const versions = await versionsOf(db);
  if (versions === baseline.versions) return true;
  baseline.versions = versions;
  return (await schemaOf(db)) === baseline.schema;
}

/** Changes with every change of the schema: a changed row of a catalog has the youngest transaction, a dropped one is missing. */
async function versionsOf(db: Db): Promise<string> {
  const catalogs = [
    `pg_class c where relnamespace = 'public'::regnamespace`,
    `pg_attribute c where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
    'pg_attrdef c',
    `pg_constraint c where connamespace = 'public'::regnamespace`,
    'pg_trigger c where not tgisinternal',
    `pg_proc c where pronamespace = 'public'::regnamespace`,
  ];
  const found = await db.first<{ versions: string }>({
    text: `select concat_ws(' ', ${catalogs
      .map((rows) => `(select concat(count(*), ':', max(c.xmin::text::bigint)) from ${rows})`)
      .join(', ')}) as versions`,
  });
  return found!.versions;
}

function run(db: Db, statements: readonly string[]): Promise<void> {
  return db.transaction(async (tx) => {
    for (const text of statements) await tx.rows({ text });
  });
}

/** Changes whenever a table, column, constraint, index, trigger or function does. */
async function schemaOf(db: Db): Promise<string> {
  const found = await db.first<{ digest: string }>({
    text: `
      select md5(string_agg(part, ' ' order by part)) as digest from (
        select concat_ws(':', c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull,
                 pg_get_expr(d.adbin, d.adrelid)) as part
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where c.relnamespace = 'public'::regnamespace
        union all
        select conname || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
        union all
        select tgrelid::regclass || tgname || tgenabled::text from pg_trigger where not tgisinternal
        union all
        select proname || md5(prosrc) from pg_proc where pronamespace = 'public'::regnamespace
      ) parts`,
  });
  return found!.digest;
}
