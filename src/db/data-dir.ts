import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
  constructor(dataDir: string) {
    super(`the data folder ${dataDir} is in use by another process: stop it, or set DATA_DIR`);
  }
}

export class DataDirUnusableError extends Error {
  override readonly name = 'DataDirUnusableError';
  constructor(dataDir: string, cause: Error) {
    super(
      `the data folder ${dataDir} cannot be used (${cause.message}): set DATA_DIR to a folder that this user may write to, with room in it`,
      { cause },
    );
  }
}

/** PostgreSQL does not start with the files of the folder. */
export class DataDirDamagedError extends Error {
  override readonly name = 'DataDirDamagedError';
  constructor(dataDir: string, cause: Error) {
    super(
      `the database in the data folder ${dataDir} does not start (${cause.message}): restore the folder from a backup, or remove it to start without its data`,
      { cause },
    );
  }
}

const SQLITE_BUSY = 5;

/**
 * Creates the folder, readable by its owner only, and locks it for this process; returns a function that releases it.
 * Throws DataDirInUseError when another process has it, and DataDirUnusableError when no process could. The operating
 * system's lock on an SQLite file ends with the process: there are no stale pid files.
 */
export function holdDataDir(dataDir: string): () => void {
  let lock: DatabaseSync | undefined;
  try {
    makeFolder(dataDir);
    chmodSync(dataDir, 0o700);
    lock = new DatabaseSync(join(dataDir, 'lock'));
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new DataDirInUseError(dataDir);
    }
    throw new DataDirUnusableError(dataDir, error as Error);
  }
  const held = lock;
  return () => held.close();
}

/** Writes a file of the folder, readable by its owner only, atomically. */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, text, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
}

/** Not `recursive: true`, which never returns where a parent exists and refuses children (below /proc). */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error('it is a file');
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
