import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
  constructor(dataDir: string) {
    super(`the data folder ${dataDir} is in use by another process: stop it, or set DATA_DIR`);
  }
}

const SQLITE_BUSY = 5;

/**
 * Makes the folder, for its owner only, and holds it for this process; answers how to let go of it. Throws
 * DataDirInUseError when another process has it. The lock is the operating system's, on an SQLite file, so
 * it ends with the process however that ends: no stale pid files.
 */
export function holdDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o700);
  const lock = new DatabaseSync(join(dataDir, 'lock'));
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new DataDirInUseError(dataDir);
    }
    throw error;
  }
  return () => lock.close();
}
