import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Db } from './connection.ts';
import { FILES, openEmbedded } from './embedded.ts';
import { inProject, ownSources } from './sources.ts';

/**
 * Data folders with a migrated database, which embedded ones are copied from: much faster than creating one. The name
 * has a hash of the schema, so none is ever changed.
 */

/**
 * Changes with the migrations, the functions, the version of this program or of the embedded database, and the way it
 * is created.
 */
export function templateKey({ migrations, slices, release } = ownSources()): string {
  const { dependencies } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const digest = createHash('sha256').update(`${release} ${dependencies['@electric-sql/pglite']}\n`);
  for (const file of ['src/db/embedded.ts', 'src/db/template.ts'])
    digest.update(readFileSync(inProject(file)));
  for (const folder of [migrations, slices])
    for (const file of globSync(['*.sql', '*/functions.sql'], { cwd: folder }).sort())
      digest.update(`${file}\n`).update(readFileSync(join(folder, file)));
  return digest.digest('hex').slice(0, 16);
}

/** The template of an empty, migrated database, made at install (scripts/prepare-database.js). */
export const ownTemplate = (): string =>
  inProject(`node_modules/.cache/partner-booking/database-${templateKey()}`);

/**
 * Creates the template, unless it exists, by filling an empty data folder. Atomic: processes that do it at once do not
 * interfere, and the first one wins.
 */
export async function ensureTemplate(
  template: string,
  make: (dataDir: string) => Promise<void>,
): Promise<void> {
  if (existsSync(template)) return;
  mkdirSync(dirname(template), { recursive: true });
  const unfinished = mkdtempSync(`${template}.`);
  try {
    await make(unfinished);
    renameSync(unfinished, template);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process was first: a non-empty folder is not replaced.
    if (!existsSync(template)) throw error;
  }
}

/**
 * Drops PostgreSQL's template databases, two thirds of the files: an embedded database stays the only one of its
 * cluster.
 */
export async function dropOthers(db: Db): Promise<void> {
  for (const name of ['template0', 'template1']) {
    await db.rows({ text: `update pg_database set datistemplate = false where datname = '${name}'` });
    await db.rows({ text: `drop database if exists ${name}` });
  }
}

/** Opens the database of a data folder, created if needed, for the work; leaves it compact and cleanly shut down. */
export async function inDataDir(dataDir: string, work: (db: Db) => Promise<unknown>): Promise<void> {
  const db = await openEmbedded(dataDir, (error) => {
    throw error;
  });
  try {
    await work(db);
    await dropOthers(db);
    await db.rows({ text: 'checkpoint' });
  } finally {
    await db.close();
  }
}

/**
 * Copies the template's database into a data folder without one, atomically. False: the folder has one, there is no
 * template, or copying is not possible.
 */
export function copyTemplate(template: string, dataDir: string): boolean {
  const [from, to] = [join(template, FILES), join(dataDir, FILES)];
  if (existsSync(to) || !existsSync(from)) return false;
  const unfinished = `${to}.new`;
  try {
    // Left by an interrupted copy.
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(from, unfinished, { recursive: true });
    renameSync(unfinished, to);
    return true;
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
    return false;
  }
}
