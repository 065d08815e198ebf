import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { connectPostgres } from '../src/db/connection.ts';
import { migrate } from '../src/db/migrate.ts';
import { ownSources } from '../src/db/sources.ts';
import { createDatabase } from './fixtures.ts';
import { fillGrowth } from './growth-fixtures.ts';

/**
 * Lock times of migrations: `node bench/migrations.ts --from=0018 [--bookings=1000000]`. Fills a database with the
 * migrations before that one, then runs each of the others while a probe takes the locks of a write in each of the
 * large tables.
 */
const PROBED = ['bookings', 'appointments', 'contacts', 'addresses', 'events', 'webhook_deliveries'];
/** Between two probes, in milliseconds. */
const PAUSE = 5;
/** The duration of the probes without a migration, which measures the machine's noise (milliseconds). */
const QUIET = 10_000;

const { values } = parseArgs({
  options: { from: { type: 'string' }, bookings: { type: 'string', default: '1000000' } },
});
const { from } = values;
if (from === undefined) throw new Error('--from=NNNN: the first migration to measure');
const adminUrl = process.env.BENCH_DATABASE_URL || 'postgres://root@127.0.0.1:5432/postgres';

await using started = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'pbs-migrations-'));
started.defer(() => rmSync(folder, { recursive: true }));
const all = readdirSync(ownSources().migrations).sort();
const add = (file: string): void => copyFileSync(join(ownSources().migrations, file), join(folder, file));
for (const file of all.filter((name) => name < from)) add(file);
const size = { bookings: Number(values.bookings), teams: 100 };
const { url, drop } = await createDatabase(adminUrl, (db) => fillGrowth(db, size), folder);
started.defer(drop);
const db = connectPostgres(url, 2, (error) => {
  throw error;
});
started.defer(() => db.close());

const table: Record<string, object> = { 'no migration': await probed(() => sleep(QUIET)) };
for (const file of all.filter((name) => name >= from)) {
  add(file);
  table[file] = await probed(() => migrate(db, { ...ownSources(), migrations: folder }));
}
console.log('seconds of the migration, and milliseconds that a write waited at most, by table');
console.table(table);

async function probed(work: () => Promise<unknown>): Promise<object> {
  const probes = await Promise.all(PROBED.map((name) => probe(name)));
  const begun = performance.now();
  await work();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const longest = await Promise.all(probes.map((stop) => stop()));
  return { seconds, ...Object.fromEntries(PROBED.map((name, at) => [name, longest[at]!.toFixed(0)])) };
}

/**
 * Repeatedly takes the locks of a write of one row, without a write: dead rows that a long migration keeps from vacuum
 * would slow it down. Returns a function that stops it and returns the longest duration.
 */
async function probe(name: string): Promise<() => Promise<number>> {
  let longest = 0;
  let stopped = false;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select id from ${name} limit 1`);
  const ended = (async () => {
    while (!stopped) {
      const at = performance.now();
      await client.query(`
        begin; lock table ${name} in row exclusive mode;
        select from ${name} where id = '${rows[0]!.id}' for no key update; commit`);
      longest = Math.max(longest, performance.now() - at);
      await sleep(PAUSE);
    }
    await client.end();
  })();
  return async () => {
    stopped = true;
    await ended;
    return longest;
  };
}
