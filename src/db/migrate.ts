import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Db } from './connection.ts';

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

/** Migrations in the folder that the database lacks, in order. Throws DatabaseTooNewError. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = readdirSync(DIRECTORY)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();
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

/**
 * Migrates the database and returns the names of the migrations that ran. Several processes may call it at once:
 * one migrates (all in one transaction), the others wait for its advisory lock and find nothing to do.
 */
export async function migrate(db: Db): Promise<string[]> {
  if ((await pendingMigrations(db)).length === 0) return [];
  // Loaded only when needed: a start with nothing to migrate is faster without it.
  const { runner } = await import('node-pg-migrate');
  const silentLogger = { debug() {}, info() {}, warn() {}, error() {} };
  const ran = await db.withClient((client) =>
    runner({
      dbClient: client,
      dir: DIRECTORY,
      migrationsTable: TABLE,
      direction: 'up',
      advisoryLockMode: 'wait',
      logger: silentLogger,
    }),
  );
  return ran.map((migration) => migration.name);
}
