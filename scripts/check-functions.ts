import pg from 'pg';
import { withSchemaDatabase } from './schema-database.ts';

/**
 * Checks every PL/pgSQL function with plpgsql_check, trigger functions with each of their tables; exits 1 on findings.
 * The extension must be installed on the server.
 */
const FUNCTIONS = `
  select p.oid::regproc::text || coalesce(' on ' || nullif(t.tgrelid, 0)::regclass, '') as name, (
    select array_agg(concat_ws(', ', c.level, 'line ' || c.lineno, c.message, c.hint, c.query))
    from plpgsql_check_function_tb(
      p.oid, coalesce(t.tgrelid, 0), oldtable => t.tgoldtable, newtable => t.tgnewtable, fatal_errors => false
    ) c
  ) as faults
  from pg_proc p
  join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
  left join pg_trigger t on t.tgfoid = p.oid and not t.tgisinternal and t.tgparentid = 0
  where p.pronamespace = 'public'::regnamespace
  order by 1`;
/** A function with an error, to prove that errors are found. */
const WRONG = `
  create function pg_temp.wrong() returns void language plpgsql as $$ begin perform missing from partners; end $$`;

const { rows, control } = await withSchemaDatabase(async (url) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create extension plpgsql_check');
    await client.query(WRONG);
    const wrong = await client.query(`select from plpgsql_check_function_tb('pg_temp.wrong()')`);
    const found = await client.query<{ name: string; faults: string[] | null }>(FUNCTIONS);
    return { rows: found.rows, control: wrong.rowCount };
  } finally {
    await client.end();
  }
});
const faults = rows.flatMap(({ name, faults }) => (faults ?? []).map((fault) => `${name}: ${fault}`));
for (const fault of faults) console.error(fault);
if (control !== 1) console.error('plpgsql_check finds nothing wrong with a function that is wrong');
if (faults.length > 0 || control !== 1 || rows.length === 0) process.exitCode = 1;
else console.log(`plpgsql_check has nothing to say of ${rows.length} functions and triggers`);
