import { hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKING_ACCESS } from '../bookings/access.ts';
import { TRACKING_KEY } from '../customers/key-queries.ts';
import type { Queryable } from '../db/connection.ts';
import { writeWhole } from '../db/data-dir.ts';
import { countByKey, resealColumn, type SealedColumn } from '../db/sealed-columns.ts';
import { createSealer, KEY_BYTES, type Sealer, SecretsKeyError } from '../db/sealing.ts';
import { checkOpens, SEALING_CHECK, unopened, writeCheck } from '../db/sealing-check.ts';
import { PAYMENT_LINKS } from '../payments/links.ts';
import { countPlainTokens, hidePlainTokens } from '../payments/providers/sandbox-queries.ts';
import { SERIES_ACCESS } from '../series/access.ts';
import { WEBHOOK_SECRETS } from '../webhooks/secrets.ts';
import type { Config } from './config.ts';

const COLUMNS: readonly SealedColumn[] = [...WEBHOOK_SECRETS, PAYMENT_LINKS, BOOKING_ACCESS, SERIES_ACCESS];

/** Values of each column that doctor opens. */
const SAMPLE = 20;

export type Secrets = {
  sealer: Sealer;
  /** Returns the problem of the keys and its remedy, or null: they decrypt the secrets of the database. */
  fault(db: Queryable): Promise<string | null>;
  /**
   * Must be called before anything is sealed. Throws SecretsKeyError when the keys are wrong, and writes nothing then;
   * a newly created key is stored only if the database has nothing under another one. With the key that a sandbox
   * derives there is only a warning: its OPERATOR_TOKEN may change. With `acceptLoss` the current key is accepted.
   */
  check(db: Queryable, warn: (message: string) => void, options?: { acceptLoss?: boolean }): Promise<void>;
};

/** Seals everything under the current key; returns the number of resealed values. */
export async function resealAll(db: Queryable, sealer: Sealer): Promise<number> {
  let count = 0;
  for (const column of COLUMNS) count += await resealColumn(db, sealer, column);
  count += await hidePlainTokens(db);
  // The database's own values, which nobody has to replace: they are not counted.
  await resealColumn(db, sealer, TRACKING_KEY);
  // Last: while values are left, a process without their key must not start.
  await resealColumn(db, sealer, SEALING_CHECK);
  return count;
}

/**
 * The number of secrets under the current key, under another known one, under none, and under an unknown one; the
 * payment links among the last separately, because they cannot be created again.
 */
export async function countSecrets(db: Queryable, { keys }: Sealer) {
  const counts = { current: 0, previous: 0, plain: 0, lost: 0, lostLinks: 0 };
  for (const column of COLUMNS)
    for (const [key, count] of await countByKey(db, column)) {
      if (key === keys[0]) counts.current += count;
      else if (key === 'plain') counts.plain += count;
      else if (keys.includes(key)) counts.previous += count;
      else if (column === PAYMENT_LINKS) counts.lostLinks += count;
      else counts.lost += count;
    }
  counts.plain += await countPlainTokens(db);
  return counts;
}

/** In a sample of values under known keys: how many cannot be opened, because they were changed or moved. */
export async function countUnopened(db: Queryable, sealer: Sealer): Promise<number> {
  let count = 0;
  for (const column of COLUMNS) count += await unopened(db, sealer, column, SAMPLE);
  return count;
}

/**
 * The sealer of the configured keys: SECRETS_KEY, then SECRETS_KEY_PREVIOUS, then the sandbox's own, so that it can be
 * given a key later. For an embedded database without SECRETS_KEY one is generated, and stored beside it by `check`;
 * the process must hold its folder.
 */
export function openSecrets(config: Config): Secrets {
  const { own, keep } = ownKey(config);
  const [first, ...others] = [config.secretsKey, config.secretsKeyPrevious, own].filter(
    (key) => key !== null,
  );
  if (first === undefined) throw new Error('SECRETS_KEY must be set');
  const sealer = createSealer([first, ...others]);
  const file = fileIn(config.dataDir);
  const source =
    config.secretsKey !== null
      ? 'SECRETS_KEY is not the key'
      : config.databaseUrl !== null
        ? 'what is derived from OPERATOR_TOKEN is not the key'
        : keep !== null
          ? `${file} is missing: it has the key`
          : `${file} has not the key`;
  const fault = async (db: Queryable): Promise<string | null> => {
    const opened = await checkOpens(db, sealer);
    if (opened === true) return null;
    if (opened === null) {
      // Nothing was sealed yet, or only by a version without a check value.
      const { current, previous, lost, lostLinks } = await countSecrets(db, sealer);
      if (lost + lostLinks === 0 || current + previous > 0) return null;
    }
    return `${source} that secrets in the database are under: bring that back (docs/operating.md#the-key-of-secrets)`;
  };
  return {
    sealer,
    fault,
    async check(db, warn, { acceptLoss = false } = {}) {
      const tell = (message: string | null): boolean => {
        if (message === null) return false;
        if (config.databaseUrl === null || config.secretsKey !== null) throw new SecretsKeyError(message);
        warn(message);
        return true;
      };
      if (!acceptLoss && tell(await fault(db))) return;
      keep?.();
      await writeCheck(db, sealer, { overwrite: acceptLoss });
      // Another process may have been first, with another key.
      tell(await fault(db));
    },
  };
}

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.key');

/** The key of a sandbox; with `keep` it is new, and only in memory. */
function ownKey(config: Config): { own: Buffer | null; keep: (() => void) | null } {
  if (config.databaseUrl === null) {
    const kept = readStoredKey(config.dataDir);
    if (kept !== null || config.secretsKey !== null) return { own: kept, keep: null };
    const made = randomBytes(KEY_BYTES);
    return { own: made, keep: () => storeKey(config.dataDir, made) };
  }
  if (config.deployment === 'production' || config.operatorToken === null) return { own: null, keep: null };
  const derived = hkdfSync('sha256', config.operatorToken, '', 'partner-booking secrets key', KEY_BYTES);
  return { own: Buffer.from(derived), keep: null };
}

/** The key stored in the folder, or null. */
function readStoredKey(dataDir: string): Buffer | null {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8').trim();
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new SecretsKeyError(`${file} holds no key: bring it back from a backup`);
}

/** Atomic: a truncated key would decrypt nothing. */
function storeKey(dataDir: string, key: Buffer): void {
  writeWhole(fileIn(dataDir), `${key.toString('hex')}\n`);
}
