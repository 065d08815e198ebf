import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIALS, newToken } from '../base/tokens.ts';
import type { DemoKeys } from '../cli/demo.ts';
import { writeWhole } from '../db/data-dir.ts';
import type { Config } from './config.ts';

export type KeptCredentials = { operatorToken?: string; demoKeys?: DemoKeys };

const credentialsFile = ({ dataDir }: Config): string => join(dataDir, 'credentials.json');

/** The credentials that an earlier start has stored beside an embedded database. */
export function keptCredentials(config: Config): KeptCredentials {
  const file = credentialsFile(config);
  if (config.databaseUrl !== null || !existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(
      `${file} cannot be read (${(error as Error).message}): mend it, or remove it to get a new token`,
    );
  }
}

/**
 * The operator token and demo keys of an embedded database, stored beside it (readable by its owner only) so that every
 * start can print them. With DATABASE_URL nothing is written: the token comes from the environment.
 */
export function openCredentials(config: Config, kept: KeptCredentials) {
  const save = (): void => {
    if (config.databaseUrl === null)
      writeWhole(credentialsFile(config), `${JSON.stringify(kept, null, 2)}\n`);
  };
  if (config.operatorToken === null && kept.operatorToken === undefined) {
    kept.operatorToken = newToken(CREDENTIALS.operatorToken).token;
    save();
  }
  return {
    operatorToken: config.operatorToken ?? kept.operatorToken!,
    demoKeys: () => kept.demoKeys ?? null,
    keepDemoKeys(keys: DemoKeys) {
      kept.demoKeys = keys;
      save();
    },
  };
}
