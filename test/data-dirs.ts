import { mkdirSync } from 'node:fs';
import { copyTemplate } from '../src/db/template.ts';
import { ensureDataDirTemplate } from './templates.ts';

/**
 * Puts an embedded database into the folder, for a program whose start is not what the test is about: to copy one
 * costs a tenth of making one. `migrated`: with all migrations, else empty.
 */
export async function prepareDataDir(dataDir: string, state: 'migrated' | 'empty'): Promise<void> {
  const template = await ensureDataDirTemplate(state);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  copyTemplate(template, dataDir);
}
