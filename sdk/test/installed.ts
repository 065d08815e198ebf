import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSdk } from '../../scripts/build-sdk.ts';

const PACKAGE = fileURLToPath(new URL('../package.json', import.meta.url));

/** Builds the package and installs it into the folder's node_modules, as npm would. */
export function installSdk(folder: string): void {
  const home = join(folder, 'node_modules/partner-booking-sdk');
  mkdirSync(home, { recursive: true });
  cpSync(PACKAGE, join(home, 'package.json'));
  buildSdk(join(home, 'dist'));
}
