import { after } from 'node:test';
import type { Db } from '../src/db/connection.ts';

/**
 * Embedded databases of this test process that one test is done with and the next may have. To empty one costs a
 * tenth of making one (60 ms instead of 600), and a file of tests needs up to twenty.
 */
const spare: Db[] = [];

after(async () => {
  for (const db of spare.splice(0)) await db.close();
});

/** What an empty database is: the rows of the migrations, and the schema it must still have when it comes back. */
const baselines = new WeakMap<Db, { tables: string[]; schema: string }>();

/** An empty, migrated database: a spare one, else the one that `make` returns. Its `close` makes it a spare. */
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
  const tables = await db.rows<{ name: string }>({
    text: `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  });
  const names = tables.map(({ name }) => name);
  await run(db, [
    'create schema baseline',
    ...names.map((name) => `create table baseline.${name} as table public.${name}`),
    // One that was never used has no last value.
    `create table baseline.sequences as
      select schemaname, sequencename, coalesce(last_value, start_value) as value, last_value is not null as is_used
      from pg_sequences where schemaname = 'public'`,
  ]);
  baselines.set(db, { tables: names, schema: await schemaOf(db) });
  return db;
}

/** Empties the database. False when that is not enough: the test has changed the schema, or left it unusable. */
async function restore(db: Db): Promise<boolean> {
  const { tables, schema } = baselines.get(db)!;
  try {
    if ((await schemaOf(db)) !== schema) return false;
    await run(db, [
      // No trigger and no foreign key looks on: some tables refuse to be emptied.
      `set local session_replication_role = replica`,
      `truncate ${tables.map((name) => `public.${name}`).join(', ')} restart identity`,
      // Columns that are computed are not inserted, and numbers that a table gives itself are kept.
      `do $$
        declare r record;
        begin
          for r in
            select table_name, string_agg(quote_ident(column_name), ', ') as columns
            from information_schema.columns
            where table_schema = 'public' and is_generated = 'NEVER'
              and table_name in (select tablename from pg_tables where schemaname = 'public')
            group by table_name
          loop
            execute format('insert into public.%I (%s) overriding system value select %s from baseline.%I',
              r.table_name, r.columns, r.columns, r.table_name);
          end loop;
          for r in select * from baseline.sequences loop
            perform setval(format('%I.%I', r.schemaname, r.sequencename)::regclass, r.value, r.is_used);
          end loop;
        end $$`,
    ]);
    return true;
  } catch {
    // A test may end its database, or break it: whoever comes next gets another.
    return false;
  }
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
