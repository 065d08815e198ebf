import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { MigrationBuilder } from 'node-pg-migrate';
import type { Db } from './connection.ts';
import { directFault, readIdentity } from './identity.ts';
import { readServerState } from './open.ts';
import { isDatabaseError } from './unavailable.ts';

const DIRECTORY = fileURLToPath(new URL('../../migrations', import.meta.url));
const TABLE = 'schema_migrations';

export class DatabaseTooNewError extends Error {
  override readonly name = 'DatabaseTooNewError';
  constructor(unknown: string[]) {
    super(
      `the database was migrated by a newer version of this program (${unknown.join(', ')}): update the program`,
    );
  }
}

/** A database in which there is nothing yet, and which cannot be migrated as it is. */
export class DatabaseUnfitError extends Error {
  override readonly name = 'DatabaseUnfitError';
}

const knownMigrations = (): string[] =>
  readdirSync(DIRECTORY)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();

/** Migrations in the folder that the database lacks, in order. Throws DatabaseTooNewError. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = knownMigrations();
  const exists = await db.first<{ name: string | null }>({
    text: `select to_regclass('${TABLE}')::text as name`,
  });
  if (exists?.name == null) return known;
  const done = new Set(
    (await db.rows<{ name: string }>({ text: `select name from ${TABLE}` })).map((row) => row.name),
  );
  const unknown = [...done].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new DatabaseTooNewError(unknown);
  return known.filter((name) => !done.has(name));
}

/** In a file of one statement that PostgreSQL runs in no transaction, `create index concurrently` above all. */
const OUTSIDE = /^-- Outside of a transaction\b/m;
/** The name of the index that such a file makes. */
const MAKES_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\b/im;
/** A migration that does not get its lock gives way within this time: whoever came after it has waited as long. */
const GIVES_WAY_AFTER = '100ms';
/** How often it is tried, and the pause before the next try (milliseconds). */
const TRIES = 120;
const PAUSE = 500;

/**
 * Migrates the database and returns the names of the migrations that ran. Several processes may call it at once:
 * one migrates, the others look again until it is done, and find nothing to do.
 * Each migration is a transaction, so that no lock of one is held while another runs. If one fails, those before it
 * stay. One that others keep from its lock for a minute fails. Throws DatabaseUnfitError when the first one is still to run.
 */
export async function migrate(db: Db, directory: string = DIRECTORY): Promise<string[]> {
  if (directory === DIRECTORY) {
    const pending = await pendingMigrations(db);
    if (pending.length === 0) return [];
    // One that holds data goes on as it is: doctor tells of it.
    if (pending.length === knownMigrations().length) await assertFit(db);
  }
  // An embedded database has one connection, and no other way to it.
  const ours = db.open === null ? null : await readIdentity(db);
  // Loaded only when needed: a start with nothing to migrate is faster without it.
  const { runner } = await import('node-pg-migrate');
  const silentLogger = { debug() {}, info() {}, warn() {}, error() {} };
  const ran: string[] = [];
  const load = async (filePaths: string[]) =>
    filePaths.map((path) => ({
      id: path,
      filePaths: [path],
      actions: {
        up(pgm: MigrationBuilder) {
          ran.push(basename(path, '.sql'));
          begin(pgm, readFileSync(path, 'utf8'));
        },
      },
    }));
  const run = () =>
    db.withClient(async (client) => {
      const fault = ours === null ? null : await directFault(ours, client);
      if (fault !== null) throw new Error(fault);
      const before = ran.length;
      try {
        await runner({
          dbClient: client,
          dir: directory,
          migrationsTable: TABLE,
          migrationLoaderStrategies: [{ extensions: ['.sql'], loader: load }],
          direction: 'up',
          // Whoever waits in a statement keeps an index from being made concurrently, for ever.
          advisoryLockMode: 'fail',
          singleTransaction: false,
          logger: silentLogger,
        });
      } catch (error) {
        // The last that began is the one that failed.
        if (ran.length > before) ran.pop();
        await client.query('rollback');
        await client.query('select pg_advisory_unlock_all()');
        throw error;
      }
    });
  for (let left = TRIES; ; ) {
    try {
      await run();
      return ran;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith(ANOTHER)) {
        await sleep(PAUSE);
        continue;
      }
      left--;
      if (left === 0 || !isDatabaseError(error) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      await sleep(PAUSE);
    }
  }
}

async function assertFit(db: Db): Promise<void> {
  const { encoding } = await readServerState(db);
  if (encoding !== 'UTF8')
    throw new DatabaseUnfitError(
      `the database is encoded in ${encoding}, which does not hold Arabic as text: drop it, and create it again with encoding 'UTF8' template template0`,
    );
  // What makes its table of migrations loses the code of the refusal.
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

const LOCK_NOT_AVAILABLE = '55P03';
/** What the runner throws when another process migrates. */
const ANOTHER = 'Another migration is already running';

function begin(pgm: MigrationBuilder, text: string): void {
  if (OUTSIDE.test(text)) {
    pgm.noTransaction();
    const index = MAKES_INDEX.exec(text)?.[1];
    // A try that was cut off leaves an index that nothing uses, or a whole one that was not noted as made.
    if (index !== undefined) pgm.sql(`drop index concurrently if exists ${index}`);
  } else pgm.sql(`set local lock_timeout = '${GIVES_WAY_AFTER}'`);
  pgm.sql(text);
}
