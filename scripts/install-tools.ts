import { execFile } from 'node:child_process';
import { statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Installs the given folders under tools/ from their lock files: node scripts/install-tools.ts redocly ... */
const TOOLS = fileURLToPath(new URL('../tools/', import.meta.url));

const run = promisify(execFile);

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Throws, with npm's output, when one of them cannot be installed. */
export async function installTools(names: readonly string[]): Promise<void> {
  // In parallel: most of an install is waiting for the registry.
  await Promise.all(names.map(install));
}

async function install(name: string): Promise<void> {
  const folder = TOOLS + name;
  // npm writes it at the end of every install.
  const installed = `${folder}/node_modules/.package-lock.json`;
  if (changedAt(installed) >= changedAt(`${folder}/package-lock.json`)) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
  });
  // A lock file with a date in the future must not cause an install at every run.
  utimesSync(installed, new Date(), new Date(Math.max(Date.now(), changedAt(`${folder}/package-lock.json`))));
}

if (import.meta.main) await installTools(process.argv.slice(2));
