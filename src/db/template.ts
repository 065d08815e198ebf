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
 * Data folders with a database that embedded ones are copied from: to copy one costs a tenth of making it. Which one fits is
 * in its name, so none is ever changed.
 */

/** Another one whenever a migration, a function, the version of this program or of the embedded database, or how it is made is. */
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

/** That of an empty, migrated database, made at the install (scripts/prepare-database.js). */
export const ownTemplate = (): string =>
  inProject(`node_modules/.cache/partner-booking/database-${templateKey()}`);

/**
 * Makes the template, unless it is there, by putting a database into an empty data folder. Whole or not at all: processes
 * that make it at once do not meet, and the first stays.
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
    // Another process was faster: a folder that is not empty is not replaced.
    if (!existsSync(template)) throw error;
  }
}

/**
 * Drops the databases of the cluster that PostgreSQL makes others from, two thirds of its files: an embedded one stays the
 * only one.
 */
export async function dropOthers(db: Db): Promise<void> {
  for (const name of ['template0', 'template1']) {
    await db.rows({ text: `update pg_database set datistemplate = false where datname = '${name}'` });
    await db.rows({ text: `drop database if exists ${name}` });
  }
}

/** Opens the database of a data folder, made if need be, for the work; leaves it small, and as after a stop. */
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
 * Copies the template's database into a data folder that has none: whole or not at all. False, and nothing done, where there
 * is one, no template, or no way to copy it.
 */
export function copyTemplate(template: string, dataDir: string): boolean {
  const [from, to] = [join(template, FILES), join(dataDir, FILES)];
  if (existsSync(to) || !existsSync(from)) return false;
  const unfinished = `${to}.new`;
  try {
    // Of a copy that was cut off.
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(from, unfinished, { recursive: true });
    renameSync(unfinished, to);
    return true;
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
    return false;
  }
}
