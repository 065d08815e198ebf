import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveClosed } from '../src/archive/archive.ts';
import { systemClock } from '../src/base/clock.ts';
import { connectPostgres, type Db } from '../src/db/connection.ts';
import { asAdmin, type BenchDatabase, createDatabase } from './fixtures.ts';
import { fillGrowth, type GrowthFixtures } from './growth-fixtures.ts';

/** A database with years of bookings, and its copy with an archive: what they hold, and what a dump takes. */

export type NamedDatabase = BenchDatabase & { name: string; fixtures: GrowthFixtures };

/** Of ten million: some 4,000 visits a day. */
const BOOKINGS_OF_TEAM = 10_000;
/** As retention leaves them. */
const EVENT_DAYS = 120;
const MONTHS = 4;

/** Fills a database and its copy, archives in the copy, and prints what both hold. */
export async function fillTwice(adminUrl: string, bookings: number): Promise<NamedDatabase[]> {
  const begun = performance.now();
  const size = { bookings, teams: Math.ceil(bookings / BOOKINGS_OF_TEAM), eventDays: EVENT_DAYS };
  const all = await createDatabase(adminUrl, async (db) => ({ fixtures: await fillGrowth(db, size) }));
  console.log(`${bookings} bookings: filled in ${seconds(begun)}`);
  const source = new URL(all.url).pathname.slice(1);
  const url = new URL(adminUrl);
  url.pathname = `/${source}_archive`;
  await asAdmin(adminUrl, `create database ${source}_archive template ${source} strategy file_copy`);
  const drop = async (): Promise<void> => {
    await asAdmin(adminUrl, `drop database ${source}_archive with (force)`);
  };
  const db = connectPostgres(url.href, 2, fail);
  const archiving = performance.now();
  const moved = await archiveClosed({ db, clock: systemClock }, MONTHS);
  console.log(`${moved} of them moved to the archive in ${seconds(archiving)}`);
  const rewriting = performance.now();
  for (const table of ['bookings', 'appointments'])
    await db.rows({ text: `vacuum (full, analyze) ${table}` });
  await db.rows({ text: 'vacuum analyze' });
  console.log(`their space given back by vacuum full in ${seconds(rewriting)}`);
  await db.close();
  const sides = [
    { ...all, name: 'all' },
    { name: 'with an archive', url: url.href, drop, fixtures: all.fixtures },
  ];
  const table: Record<string, object> = {};
  for (const side of sides) table[side.name] = await held(adminUrl, side.url);
  console.table(table);
  // Reads of the sample are those of bookings that are there.
  const here = await withDb(url.href, (copy) =>
    copy.rows<{ id: string; reference: string }>({
      text: 'select id, external_reference as reference from bookings order by random() limit 5000',
    }),
  );
  const fixtures = {
    ...all.fixtures,
    bookingIds: here.map(({ id }) => id),
    references: here.map(({ reference }) => reference),
  };
  return sides.map((side) => ({ ...side, fixtures }));
}

const fail = (error: Error): never => {
  throw error;
};
const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1000)} s`;

async function withDb<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = connectPostgres(url, 1, fail);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Sizes of the tables that the service works on, and a dump without the archive's rows, restored. */
async function held(adminUrl: string, url: string): Promise<object> {
  const sizes = await withDb(url, (db) =>
    db.first<{ working: number; archived: number }>({
      text: `
        select (sum(pg_total_relation_size(oid)) filter (where relname in ('bookings', 'appointments')))::float8 / 1e9 as working,
          (sum(pg_total_relation_size(oid)) filter (where relname like 'archived%'))::float8 / 1e9 as archived
        from pg_class where relkind = 'r'`,
    }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'pbs-dump-'));
  const file = join(folder, 'booking.dump');
  const name = `${new URL(url).pathname.slice(1)}_restored`;
  const target = new URL(adminUrl);
  target.pathname = `/${name}`;
  try {
    const dumping = performance.now();
    run('pg_dump', '--format=custom', '--exclude-table-data=archived_*', `--file=${file}`, url);
    const dumped = seconds(dumping);
    await asAdmin(adminUrl, `create database ${name}`);
    const restoring = performance.now();
    run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${target.href}`, file);
    return {
      'bookings and appointments (GB)': sizes!.working.toFixed(2),
      'archive (GB)': sizes!.archived.toFixed(2),
      'dump (MB)': Math.round(statSync(file).size / 1e6),
      'dump (time)': dumped,
      'restore (time)': seconds(restoring),
    };
  } finally {
    rmSync(folder, { recursive: true });
    await asAdmin(adminUrl, `drop database if exists ${name}`);
  }
}

function run(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}
