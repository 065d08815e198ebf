import { join } from 'node:path';
import { type ExecProtocolOptions, PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { createDb, type Db } from './connection.ts';
import { trackConnections } from './connections.ts';
import { DataDirDamagedError, DataDirUnusableError, holdDataDir } from './data-dir.ts';
import { compileEmbedded } from './embedded-module.ts';
import { createGate } from './gate.ts';
import { types } from './values.ts';

/** The folder of the database's files within the data folder. */
export const FILES = 'postgres';

/**
 * PostgreSQL inside this process, its files in `dataDir`; `prepare` may place them there under the lock. Throws
 * DataDirInUseError when another process has the folder, DataDirUnusableError, and DataDirDamagedError when PostgreSQL
 * does not start with its files.
 *
 * Durability: PGlite writes through to the files before it returns (relaxedDurability off), so a completed write
 * survives a kill of the process; test/process.test.ts kills it. It does not fsync, so a power cut can lose the last
 * moments: a deployment that matters sets DATABASE_URL.
 */
export async function openEmbedded(
  dataDir: string,
  onError: (error: Error) => void,
  prepare: (dataDir: string) => void = () => {},
): Promise<Db> {
  const unlock = holdDataDir(dataDir);
  try {
    prepare(dataDir);
    return await overPglite(await startIn(dataDir), onError, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function startIn(dataDir: string): Promise<PGlite> {
  const pgliteWasmModule = await compileEmbedded();
  try {
    return await PGlite.create({
      dataDir: join(dataDir, FILES),
      relaxedDurability: false,
      extensions: { btree_gist, pg_trgm },
      startParams,
      initDbStartParams,
      pgliteWasmModule,
    });
  } catch (error) {
    throw isFileError(error)
      ? new DataDirUnusableError(dataDir, explainFileError(error))
      : new DataDirDamagedError(dataDir, error as Error);
  }
}

/** The default of 128 MiB would be filled with zeros at each start, and a trial needs less. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/**
 * A new segment of the write-ahead log is filled with zeros, and the default of 16 MiB is larger than an empty
 * database.
 */
const initDbStartParams = ['--wal-segsize=1'];

/** PGlite throws this when a file cannot be written: not an Error, without a message. Its numbers are those of WASI. */
type FileError = { name: 'ErrnoError'; errno: number };

const isFileError = (error: unknown): error is FileError =>
  !(error instanceof Error) && (error as FileError | null)?.name === 'ErrnoError';

const NO_SPACE = 51;

const explainFileError = ({ errno }: FileError): Error =>
  new Error(
    errno === NO_SPACE ? 'no space left on the device' : `error ${errno} at the files of the database`,
  );

/** The embedded database in memory, optionally from a dumped data folder (tests). */
export async function openInMemory(template?: Blob): Promise<{ db: Db; dump(): Promise<Blob> }> {
  const lite = await PGlite.create({
    extensions: { btree_gist, pg_trgm },
    startParams,
    initDbStartParams,
    pgliteWasmModule: await compileEmbedded(),
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

/** Types of messages that get no response before their sync: parse, bind, describe, execute. */
const AWAITS_SYNC = Array.from('PBDE', (type) => type.charCodeAt(0));

/** The database, with the messages of a statement in one step: each step costs as much as a small statement. */
function together(lite: PGlite): PGlite {
  let held: Uint8Array[] = [];
  return Object.assign(Object.create(lite) as PGlite, {
    waitReady: lite.waitReady,
    execProtocolStream(message: Uint8Array, options?: ExecProtocolOptions) {
      held.push(message);
      if (AWAITS_SYNC.includes(message[0]!)) return Promise.resolve([]);
      const messages = Buffer.concat(held);
      held = [];
      return lite.execProtocolStream(messages, options);
    },
  });
}

async function overPglite(lite: PGlite, onError: (error: Error) => void, unlock: () => void): Promise<Db> {
  // One connection: PGlite has one session, and a second connect() would wait forever.
  const pool = new pg.Pool({
    ...createPgConfig(together(lite)),
    types,
    pipeline: true,
    max: 1,
    idleTimeoutMillis: 0,
  } as unknown as pg.PoolConfig);
  // Code that requests a second connection while it holds one gets an error instead of a deadlock.
  const gate = createGate({ places: 1, placesForOneKey: 1, maxWait: 30_000 });
  return createDb(pool, trackConnections(onError), gate, {
    open: null,
    openDirect: null,
    async closeMore() {
      await lite.close();
      unlock();
    },
  });
}
