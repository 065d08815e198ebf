import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterwards } from './harness.ts';

/** Files under deploy/, and the programs that read them, where the machine has them. */

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const pathOf = (name: string): string => join(ROOT, 'deploy', name);
export const readDeploy = (name: string): string => readFileSync(pathOf(name), 'utf8');
export const run = promisify(execFile);

/** Why a test is skipped; false: the machine has the program. */
export const hasNo = (program: string): string | false => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return false;
  } catch {
    return `needs ${program}`;
  }
};

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-deploy-'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program until the test is over. */
export function startProgram(t: TestContext, program: string, options: string[], home: string): void {
  const child = execFile(program, options, { env: { ...process.env, HOME: home } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  afterwards(t, async () => {
    child.kill('SIGTERM');
    await ended;
  });
}

/** The variables that a deployment has to set. */
export const GIVEN = {
  DATABASE_URL: 'postgres://booking:secret@127.0.0.1:5432/booking',
  OPERATOR_TOKEN: 'o'.repeat(64),
  SECRETS_KEY: 'a'.repeat(64),
  PUBLIC_URL: 'https://bookings.example.sa',
};

/** The ports of the partner interface, of two processes on one machine. */
export const UPSTREAMS = ['127.0.0.1:3000', '127.0.0.1:3010'] as const;
