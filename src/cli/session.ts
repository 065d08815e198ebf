import { userInfo } from 'node:os';
import type { Instant } from '../base/clock.ts';
import type { Actor } from '../db/audit.ts';
import type { Db } from '../db/connection.ts';
import { pendingMigrations } from '../db/migrate.ts';
import { openDb, readServerState } from '../db/open.ts';
import { type Config, parseConfig } from '../program/config.ts';
import { readOffset } from '../runtime/versions.ts';
import type { Environment } from './terminal.ts';

/** What a command works with: the database of the environment, as the service would use it. */

/** What the person at the command line can mend. */
export class CliError extends Error {}

/**
 * Does the work on the configured database, and closes it. Throws ConfigError, and what opening the database throws.
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

/** Throws CliError when the database lacks migrations. */
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

/** What is missing, and what to do about it. There is one at least. */
export function missingMigrations(pending: readonly string[]): string {
  const others = pending.length - 1;
  const rest = others === 0 ? '' : ` and ${others} more`;
  return `the database lacks migration ${pending[0]}${rest}: run partner-booking migrate`;
}

/** The page that is the whole list. */
export const ALL_ROWS = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };

/** Can the service collect payments? */
export const hasGateway = ({ payments }: Config): boolean => payments.gateway !== 'none';

/** The name of the user who runs this, or the number when it has none (containers). */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
