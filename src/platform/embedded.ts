import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { holdDataDir } from './data-dir.ts';
import { createDb, type Db, types } from './db.ts';

/**
 * PostgreSQL inside this process, its files in `dataDir`. Throws DataDirInUseError when another process has it.
 *
 * Durability: PGlite writes through to the files before it answers (relaxedDurability off), so an answered
 * write survives a kill of the process; test/process.test.ts kills it. It does not fsync, so a power cut
 * can lose the last moments: a deployment that matters sets DATABASE_URL.
 */
export async function openEmbedded(dataDir: string, onError: (error: Error) => void): Promise<Db> {
  const unlock = holdDataDir(dataDir);
  try {
    return await overPglite(
      await PGlite.create({
        dataDir: join(dataDir, 'postgres'),
        relaxedDurability: false,
        extensions: { btree_gist },
      }),
      onError,
      unlock,
    );
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The same database in memory, optionally from a dumped data folder (tests). */
export async function openInMemory(template?: Blob): Promise<{ db: Db; dump(): Promise<Blob> }> {
  const lite = await PGlite.create({
    extensions: { btree_gist },
    ...(template && { loadDataDir: template }),
  });
  const db = await overPglite(
    lite,
    (error) => {
      throw error;
    },
    () => {},
  );
  return { db, dump: () => lite.dumpDataDir('none') };
}

async function overPglite(lite: PGlite, onError: (error: Error) => void, unlock: () => void): Promise<Db> {
  // One connection: PGlite has one session, and a second connect() would wait for ever.
  const pool = new pg.Pool({
    ...createPgConfig(lite),
    types,
    max: 1,
    idleTimeoutMillis: 0,
    // Code that asks for a second connection while it holds one gets an error, not silence.
    connectionTimeoutMillis: 30_000,
  } as unknown as pg.PoolConfig);
  return createDb(pool, onError, async () => {
    await lite.close();
    unlock();
  });
}
