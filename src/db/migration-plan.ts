import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from './connection.ts';
import { MAKES_INDEX, OUTSIDE, pendingMigrations } from './migrate.ts';
import { ownSources, type SchemaSources } from './sources.ts';

/** Others' changes that a migration refuses while it runs, and how many rows of a table it goes through in a second. */
const REFUSES = /^-- refuses: (.+), at (\d+) rows of (\w+) a second$/m;
/** Rows a second of an index: measured low, with the columns of ours. */
const INDEXED = 100_000;

/** `refuses`: requests fail meanwhile, not only wait; null: none. */
export type PlannedStep = { name: string; refuses: string | null; text: string };

/** The pending migrations and files of functions in order, with what they keep from working and for how long. */
export async function planMigrations(db: Db, sources: SchemaSources = ownSources()): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = [];
  for (const name of await pendingMigrations(db, sources)) steps.push(await stepOf(db, sources, name));
  return steps;
}

async function stepOf(db: Db, sources: SchemaSources, name: string): Promise<PlannedStep> {
  if (name.endsWith('.sql')) return { name, refuses: null, text: 'functions are replaced: nobody waits' };
  const sql = readFileSync(join(sources.migrations, `${name}.sql`), 'utf8');
  const [, what, rate, table] = REFUSES.exec(sql) ?? [];
  if (what !== undefined) {
    const rows = await countRows(db, table!);
    const lasts = `${rows} rows of ${table}, up to ${duration(rows / Number(rate))}`;
    return rows === 0
      ? { name, refuses: null, text: `${lasts}: nobody waits` }
      : { name, refuses: what, text: `${what} are REFUSED meanwhile: ${lasts}` };
  }
  const [, , indexed] = MAKES_INDEX.exec(sql) ?? [];
  if (indexed !== undefined) {
    const rows = await countRows(db, indexed);
    return {
      name,
      refuses: null,
      text: `an index of ${rows} rows of ${indexed}, about ${duration(rows / INDEXED)}: nobody waits`,
    };
  }
  if (OUTSIDE.test(sql)) return { name, refuses: null, text: 'in batches: others wait for one of them' };
  return { name, refuses: null, text: 'others wait for its locks, 100 ms at a time' };
}

/** As the statistics say; 0: there is no such table yet. */
async function countRows(db: Db, table: string): Promise<number> {
  const found = await db.first<{ rows: number }>({
    text: `
      select coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 as rows
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where to_regclass($1) in (c.oid, i.inhparent) and c.relkind = 'r'`,
    values: [table],
  });
  return found!.rows;
}

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;

/** The builds that have applied the functions of a database; empty: none has. */
export async function readAppliedBuilds(db: Db): Promise<string[]> {
  const [table] = await db.rows<{ name: string | null }>({
    text: `select to_regclass('schema_functions')::text as name`,
  });
  if (table!.name === null) return [];
  const rows = await db.rows<{ release: string }>({
    text: 'select distinct release from schema_functions order by release',
  });
  return rows.map(({ release }) => release);
}
