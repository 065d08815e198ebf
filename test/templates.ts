import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../src/db/connection.ts';
import { openInMemory } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import {
  copyTemplate,
  dropOthers,
  ensureTemplate,
  inDataDir,
  ownTemplate,
  templateKey,
} from '../src/db/template.ts';
import { keepEventPartitions, RETENTION } from '../src/events/feed.ts';
import { keepRequestPartitions } from '../src/requests/retention.ts';
import { keepDeliveryPartitions } from '../src/webhooks/retention-queries.ts';

/** Templates of embedded databases, kept in the folder for temporary files. */

/** Sunday 2026-11-22, 08:00 in Riyadh. */
export const TEST_NOW = Date.parse('2026-11-22T05:00:00Z');

/** The schema, with the partitions of TEST_NOW, so that workers need not create them. */
export async function migrateTemplate(db: Db): Promise<void> {
  await migrate(db);
  await keepRequestPartitions(db, TEST_NOW, 14);
  await keepEventPartitions(db, TEST_NOW);
  await keepDeliveryPartitions(db, TEST_NOW, TEST_NOW - RETENTION);
}

/** The dump that embedded databases of tests start from; created once. */
export async function ensureEmbeddedTemplate(): Promise<string> {
  const file = join(tmpdir(), `pbs-template-${templateKey()}.small.tar`);
  if (!existsSync(file)) {
    const { db, dump } = await openInMemory();
    await migrateTemplate(db);
    await dropOthers(db);
    await db.rows({ text: 'checkpoint' });
    const blob = await dump();
    await db.close();
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, Buffer.from(await blob.arrayBuffer()));
    renameSync(unfinished, file);
  }
  return file;
}

/** The folder of an embedded database that others are copied from; created once. */
export async function ensureDataDirTemplate(state: 'migrated' | 'empty'): Promise<string> {
  const template = join(tmpdir(), `pbs-data-${templateKey()}-${state}`);
  await ensureTemplate(template, (dataDir) => {
    if (state === 'migrated') copyTemplate(ownTemplate(), dataDir);
    return inDataDir(dataDir, async (db) => {
      if (state === 'migrated') await migrateTemplate(db);
    });
  });
  return template;
}
