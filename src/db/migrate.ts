import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { versionOf } from '../base/build.ts';
import type { Db } from './connection.ts';
import {
  type AppliedFile,
  applyFunctions,
  CREATE_FUNCTIONS_TABLE,
  changedFiles,
  dropRetired,
  readFunctionFiles,
} from './functions.ts';
import { directFault, readIdentity } from './identity.ts';
import { readServerState } from './open.ts';
import { ownSources, type SchemaSources } from './sources.ts';
import { isDatabaseError } from './unavailable.ts';

export class DatabaseTooNewError extends Error {
  override readonly name = 'DatabaseTooNewError';
  constructor(unknown: string[]) {
    super(
      `the database was migrated by a newer version of this program (${unknown.join(', ')}), which this one cannot run beside: start the newer version`,
    );
  }
}

/** The database cannot be migrated. */
export class DatabaseUnfitError extends Error {
  override readonly name = 'DatabaseUnfitError';
}

type AppliedMigration = {
  name: string;
  /** The oldest version of the program that can run on it; null: of the baseline. */
  compatible_since: string | null;
};

/** The pending work on the schema. */
type Plan = {
  isEmpty: boolean;
  /** Migrations to run, in order. */
  migrations: string[];
  /** Slices whose functions are to be applied. */
  slices: string[];
};

type Ask = <Row>(text: string) => Promise<Row[]>;

/** Throws DatabaseTooNewError and DatabaseUnfitError. */
async function planFor(ask: Ask, sources: SchemaSources): Promise<Plan> {
  const [tables] = await ask<{ migrations: string | null; functions: string | null }>(
    `select to_regclass('schema_migrations')::text as migrations, to_regclass('schema_functions')::text as functions`,
  );
  // Missing before release 0.1.
  const done =
    tables!.migrations === null
      ? []
      : await ask<AppliedMigration>(
          `select name, to_jsonb(m) ->> 'compatible_since' as compatible_since from schema_migrations m`,
        );
  const applied =
    tables!.functions === null
      ? []
      : await ask<AppliedFile>('select name, hash, release from schema_functions');
  return planOf(done, applied, sources);
}

function planOf(done: AppliedMigration[], applied: AppliedFile[], sources: SchemaSources): Plan {
  const known = readdirSync(sources.migrations)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();
  const names = new Set(done.map(({ name }) => name));
  if (names.size > 0 && !names.has(known[0]!)) {
    const last = [...names].sort().at(-1);
    throw new DatabaseUnfitError(
      `the database is from before release 0.1, at migration ${last}, and cannot be upgraded: use an empty database, or the version of the program that made this one`,
    );
  }
  const unknown = done.filter(({ name }) => !known.includes(name));
  for (const { name } of unknown) {
    const now = known.find((other) => labelOf(other) === labelOf(name) && !names.has(other));
    if (now !== undefined)
      throw new DatabaseUnfitError(
        `the database has the migration ${name}, which was renamed to ${now} before it was released: if the database is of such a build, run update schema_migrations set name = '${now}' where name = '${name}'`,
      );
  }
  const tooNew = unknown.filter(
    ({ compatible_since }) => compatible_since === null || isOlder(sources.release, compatible_since),
  );
  if (tooNew.length > 0) throw new DatabaseTooNewError(tooNew.map(({ name }) => name));
  // A newer version has applied its functions, and this one can run beside it: they stay.
  const isBehind = unknown.length > 0 || applied.some(({ release }) => isOlder(sources.release, release));
  return {
    isEmpty: names.size === 0,
    migrations: unknown.length > 0 ? [] : known.filter((name) => !names.has(name)),
    slices: isBehind ? [] : changedFiles(readFunctionFiles(sources.slices), applied),
  };
}

/** The name without its number. */
const labelOf = (name: string): string => name.replace(/^\d+_/, '');

/** Whether the version of a build is older than that of the other; builds of one version have no order. */
export function isOlder(version: string, other: string): boolean {
  const [one, two] = [version, other].map((text) => versionOf(text).split('.').map(Number));
  const at = one!.findIndex((part, index) => part !== two![index]);
  return at >= 0 && one![at]! < two![at]!;
}

const stepsOf = ({ migrations, slices }: Pick<Plan, 'migrations' | 'slices'>): string[] => [
  ...migrations,
  ...slices.map((name) => `${name}/functions.sql`),
];

/**
 * Pending migrations and files of functions, in order. Throws DatabaseTooNewError, and DatabaseUnfitError for a
 * database from before release 0.1.
 */
export async function pendingMigrations(db: Db, sources: SchemaSources = ownSources()): Promise<string[]> {
  return stepsOf(await planFor((text) => db.rows({ text }), sources));
}

/** Marks a file of one statement that cannot run in a transaction, mostly `create index concurrently`. */
export const OUTSIDE = /^-- Outside of a transaction\b/m;
/** The name of the index that such a file creates, and its table. */
export const MAKES_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\s+(\w+)/im;
/** The oldest version of the program that can run on the migrated database. */
export const COMPATIBLE_SINCE = /^-- compatible since: (\d+\.\d+\.\d+)$/m;
/** A migration gives up waiting for a lock after this time: later statements queue behind it. */
const BEGIN = `begin; set local lock_timeout = '100ms'`;
/** Tries, and the pause before the next one (milliseconds). */
const TRIES = 120;
const PAUSE = 500;
/** One process migrates at a time. */
const LOCK = '7241865325823964';

const CREATE_TABLES = `
  create table if not exists schema_migrations (
    id serial primary key,
    name varchar(255) not null,
    run_on timestamp not null,
    compatible_since text
  );
  ${CREATE_FUNCTIONS_TABLE}`;

/**
 * Migrates the database and returns the applied migrations and files of functions. Several processes may call it at
 * once: one migrates, the others wait until it is done and find nothing pending. Each migration is a transaction, so
 * that no lock of one is held while another runs; the functions are one more. If one fails, those before it stay. One
 * that in all tries does not get its lock, or ends as a deadlock, fails. Throws DatabaseTooNewError and
 * DatabaseUnfitError.
 */
export async function migrate(db: Db, sources: SchemaSources = ownSources()): Promise<string[]> {
  const plan = await planFor((text) => db.rows({ text }), sources);
  if (stepsOf(plan).length === 0) return [];
  // Only an empty one is refused; with data, doctor reports it.
  if (plan.isEmpty) await assertFit(db);
  // An embedded database has one connection, and no other way to it.
  const ours = db.open === null ? null : await readIdentity(db);
  const ran: string[] = [];
  for (let left = TRIES; ; ) {
    try {
      const isDone = await db.withClient(async (client) => {
        const fault = ours === null ? null : await directFault(ours, client);
        if (fault !== null) throw new Error(fault);
        return runAlone(client, () => run(client, sources, ran));
      });
      if (isDone) return ran;
    } catch (error) {
      left--;
      if (left === 0 || !isDatabaseError(error) || !LOST_LOCK.includes(error.code)) throw error;
    }
    await sleep(PAUSE);
  }
}

async function assertFit(db: Db): Promise<void> {
  const { encoding } = await readServerState(db);
  if (encoding !== 'UTF8')
    throw new DatabaseUnfitError(
      `the database is encoded in ${encoding}, which does not hold Arabic as text: drop it, and create it again with encoding 'UTF8' template template0`,
    );
  const place = await db.first<{ schema: string | null; may: boolean | null }>({
    text: `select current_schema() as schema, has_schema_privilege(current_schema(), 'create') as may`,
  });
  if (place?.schema == null)
    throw new DatabaseUnfitError(
      'the search_path of the role in DATABASE_URL leads to no schema that it may use: make it the owner of the database, or reset its search_path',
    );
  if (!place.may)
    throw new DatabaseUnfitError(
      `the role in DATABASE_URL may not create tables in the schema ${place.schema}: make it the owner of the database`,
    );
}

/** No lock in time, and a deadlock. */
const LOST_LOCK = ['55P03', '40P01'];

/** False: another process migrates. Does not wait in a statement: that would block `create index concurrently`. */
async function runAlone(client: ClientBase, work: () => Promise<void>): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${LOCK}) as locked`);
  if (!rows[0].locked) return false;
  try {
    await work();
  } catch (error) {
    // A broken connection holds no lock.
    await client.query('rollback').catch(() => {});
    await client.query('select pg_advisory_unlock_all()').catch(() => {});
    throw error;
  }
  await client.query(`select pg_advisory_unlock(${LOCK})`);
  return true;
}

/** Plans again, runs the plan, and adds the names to `ran`. */
async function run(client: ClientBase, sources: SchemaSources, ran: string[]): Promise<void> {
  const ask: Ask = async (text) => (await client.query(text)).rows;
  const plan = await planFor(ask, sources);
  if (stepsOf(plan).length > 0) await client.query(CREATE_TABLES);
  if (plan.migrations.length > 0) await client.query(BEGIN_HISTORY);
  for (const name of plan.migrations) {
    await runMigration(client, name, readFileSync(join(sources.migrations, `${name}.sql`), 'utf8'));
    ran.push(name);
  }
  if (plan.slices.length === 0) return;
  await client.query(BEGIN);
  const slices = await applyFunctions(client, readFunctionFiles(sources.slices), sources.release);
  await client.query('commit');
  ran.push(...stepsOf({ migrations: [], slices }));
  await dropRetired(client);
}

/** A restored database takes no appointments before its new history begins, those that a migration moves neither. */
const BEGIN_HISTORY = `do $$ begin if to_regproc('current_history') is not null then perform current_history(); end if; end $$`;

async function runMigration(client: ClientBase, name: string, text: string): Promise<void> {
  const isOutside = OUTSIDE.test(text);
  const index = MAKES_INDEX.exec(text)?.[1];
  if (!isOutside) await client.query(BEGIN);
  // An interrupted try leaves an invalid index, or a valid one that was not recorded.
  else if (index !== undefined) await client.query(`drop index concurrently if exists ${index}`);
  await client.query(text);
  await client.query(
    'insert into schema_migrations (name, run_on, compatible_since) values ($1, now(), $2)',
    [name, COMPATIBLE_SINCE.exec(text)?.[1] ?? null],
  );
  if (!isOutside) await client.query('commit');
}
