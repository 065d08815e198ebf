import { mkdirSync } from 'node:fs';
import { copyTemplate } from '../src/db/template.ts';
import { ensureDataDirTemplate } from './templates.ts';

/**
 * Copies an embedded database into the folder, for a program whose start is not under test: much faster than creating
 * one. `migrated`: with all migrations, else empty.
 */
export async function prepareDataDir(dataDir: string, state: 'migrated' | 'empty'): Promise<void> {
  const template = await ensureDataDirTemplate(state);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  copyTemplate(template, dataDir);
}
