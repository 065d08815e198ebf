import type { Instant } from './clock.ts';
import type { Config } from './config.ts';
import { connectPostgres, type Db, type Queryable } from './platform/db.ts';
import type { Logger } from './platform/logger.ts';

/**
 * The database that the configuration names: PostgreSQL, else the embedded one. Throws DataDirInUseError when
 * another process holds the embedded one; PostgreSQL is first asked by the first statement.
 */
export async function openDb(config: Config, logger: Logger): Promise<Db> {
  const onError = (error: Error): void => logger.warn({ err: error }, 'an idle database connection broke');
  if (config.databaseUrl !== null) return connectPostgres(config.databaseUrl, config.databasePool, onError);
  // Loaded only when needed: it brings PostgreSQL as WebAssembly.
  const { openEmbedded } = await import('./platform/embedded.ts');
  return openEmbedded(config.dataDir, onError);
}

/** `version` as PostgreSQL counts (180001 is 18.1), `now` by the database's own clock. */
export type ServerState = { version: number; now: Instant };

/** What the database server says of itself. */
export async function askServer(db: Queryable): Promise<ServerState> {
  const state = await db.first<ServerState>({
    text: `select current_setting('server_version_num')::int as version, clock_timestamp() as now`,
  });
  return state!;
}
