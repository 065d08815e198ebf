import { userInfo } from 'node:os';
import type { Instant } from '../base/clock.ts';
import type { Actor } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import { pendingMigrations } from '../db/migrate.ts';
import { openDb, readServerState } from '../db/open.ts';
import { type Config, parseConfig } from '../program/config.ts';
import { readOffset } from '../runtime/versions.ts';
import type { Environment } from './terminal.ts';

/** The configured database for a command, as the service uses it. */

/** An error that the user can correct. */
export class CliError extends Error {}

/**
 * Runs the work on the configured database, and closes it. Throws ConfigError, and the errors of opening the database.
 */
export async function withDatabase<T>(
  environment: Environment,
  work: (db: Db, config: Config) => Promise<T>,
): Promise<T> {
  const config = parseConfig(environment);
  const db = await openDb(config, () => {});
  try {
    return await work(db, config);
  } finally {
    await db.close();
  }
}

export type Session = { db: Db; config: Config; now: Instant; actor: Actor };

/** Throws CliError when the database has pending migrations. */
export function withMigrated<T>(
  environment: Environment,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return withDatabase(environment, async (db, config) => {
    const pending = await pendingMigrations(db);
    if (pending.length > 0) throw new CliError(missingMigrations(pending));
    // Keys and overlaps end by business time, which a sandbox may have moved ahead.
    const ahead = config.deployment === 'sandbox' ? (await readOffset(db)) * 1000 : 0;
    const { now } = await readServerState(db);
    return work({ db, config, now: now + ahead, actor: `cli:${osUser()}` });
  });
}

/** The message about pending migrations, and the remedy. There is at least one. */
export function missingMigrations(pending: readonly string[]): string {
  const others = pending.length - 1;
  const rest = others === 0 ? '' : ` and ${others} more`;
  return `the database lacks migration ${pending[0]}${rest}: run partner-booking migrate`;
}

/** A page with the whole list. */
export const ALL_ROWS = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };

/** The name of the user of this process, or the number when it has none (containers). */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
