import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../src/db/connection.ts';
import { openEmbedded, openInMemory } from '../src/db/embedded.ts';
import { migrate, ownSources } from '../src/db/migrate.ts';
import { keepEventPartitions, RETENTION } from '../src/events/feed.ts';
import { keepRequestPartitions } from '../src/requests/retention.ts';
import { keepDeliveryPartitions } from '../src/webhooks/retention-queries.ts';

/** What embedded databases of tests start from, kept in the folder for temporary files. */

/** Sunday 2026-11-22, 08:00 in Riyadh. */
export const TEST_NOW = Date.parse('2026-11-22T05:00:00Z');

/** The schema, with the partitions of TEST_NOW, so that not every worker has to make them. */
export async function migrateTemplate(db: Db): Promise<void> {
  await migrate(db);
  await keepRequestPartitions(db, TEST_NOW, 14);
  await keepEventPartitions(db, TEST_NOW);
  await keepDeliveryPartitions(db, TEST_NOW, TEST_NOW - RETENTION);
}

/** Changes whenever a migration or a function does, or its name, so that an old template is never used. */
export function fingerprint(): string {
  const digest = createHash('sha256');
  const { migrations, slices } = ownSources();
  const files = readdirSync(migrations).map((file) => join(migrations, file));
  for (const file of [...files, ...globSync(join(slices, '*/functions.sql'))].sort())
    digest.update(`${file}\n`).update(readFileSync(file));
  return digest.digest('hex').slice(0, 16);
}

/** The file that embedded databases of tests start from; made once, and 6 s of processor time. */
export async function ensureEmbeddedTemplate(): Promise<string> {
  const file = join(tmpdir(), `pbs-template-${fingerprint()}.small.tar`);
  if (!existsSync(file)) {
    const { db, dump } = await openInMemory();
    await migrateTemplate(db);
    // Two thirds of the files, which every start would unpack and no test uses.
    for (const name of ['template0', 'template1']) {
      await db.rows({ text: `update pg_database set datistemplate = false where datname = '${name}'` });
      await db.rows({ text: `drop database ${name}` });
    }
    await db.rows({ text: 'checkpoint' });
    const blob = await dump();
    await db.close();
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, Buffer.from(await blob.arrayBuffer()));
    renameSync(unfinished, file);
  }
  return file;
}

/** The folder of an embedded database that others are copied from; made once, and 6 s of processor time. */
export async function ensureDataDirTemplate(state: 'migrated' | 'empty'): Promise<string> {
  const template = join(tmpdir(), `pbs-data-${fingerprint()}-${state}`);
  if (!existsSync(template)) {
    const unfinished = mkdtempSync(`${template}.`);
    const db = await openEmbedded(unfinished, (error) => {
      throw error;
    });
    if (state === 'migrated') await migrateTemplate(db);
    await db.rows({ text: 'checkpoint' });
    await db.close();
    try {
      renameSync(unfinished, template);
    } catch (error) {
      // Another test process was faster: a folder that is not empty is not replaced.
      if (!existsSync(template)) throw error;
      rmSync(unfinished, { recursive: true });
    }
  }
  return template;
}
