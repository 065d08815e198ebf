import type { Instant } from '../base/clock.ts';
import { connectPostgres, type DatabaseTimeouts, type Db, type Queryable } from './connection.ts';

type DatabaseConfig = {
  databaseUrl: string | null;
  databaseDirectUrl: string | null;
  databasePrepared: boolean;
  databasePool: number;
  databaseTimeouts: DatabaseTimeouts;
  dataDir: string;
};

/**
 * The configured database: PostgreSQL, else the embedded one. Throws DataDirInUseError when another process holds the
 * embedded one; PostgreSQL is only contacted by the first statement.
 */
export async function openDb(config: DatabaseConfig, onError: (error: Error) => void): Promise<Db> {
  const { databaseUrl, databasePool, databaseTimeouts } = config;
  if (databaseUrl !== null) {
    const pooler = { directUrl: config.databaseDirectUrl, prepared: config.databasePrepared };
    return connectPostgres(databaseUrl, databasePool, onError, { timeouts: databaseTimeouts, pooler });
  }
  // Imported only when needed: it contains PostgreSQL as WebAssembly.
  const { openEmbedded } = await import('./embedded.ts');
  const { copyTemplate, ownTemplate } = await import('./template.ts');
  return openEmbedded(config.dataDir, onError, (dataDir) => void copyTemplate(ownTemplate(), dataDir));
}

/** `version` as PostgreSQL counts (180001 is 18.1), `now` by the database's clock, `encoding` of the database. */
export type ServerState = { version: number; now: Instant; encoding: string };

/** The database server's version, time and encoding. */
export async function readServerState(db: Queryable): Promise<ServerState> {
  const state = await db.first<ServerState>({
    text: `select current_setting('server_version_num')::int as version, clock_timestamp() as now,
      current_setting('server_encoding') as encoding`,
  });
  return state!;
}
