import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.ts';
import { prepareDataDir } from './data-dirs.ts';
import { afterwards } from './harness.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type ChildService = {
  /** The working directory, which contains `.data`. Removed after the test. */
  folder: string;
  /** As printed, with `/v1`. */
  baseUrl: string;
  operatorToken: string;
  keys: { partner: string; platform: string };
  /** The output so far, log lines included. */
  output(): string;
};

/**
 * The real program with an embedded database and the demo's set-up (`SEED: 'demo'` in `env`: its bookings too), on a
 * free port and in a separate folder, as `npm start` starts it except for `--liftoff-only`. Ended after the test.
 */
export async function startChildService(
  t: TestContext,
  env: Record<string, string> = {},
): Promise<ChildService> {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-child-'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  if (env.DATABASE_URL === undefined) await prepareDataDir(join(folder, '.data'), 'migrated');
  // Optimizing WebAssembly costs more than such a short process gains.
  const child = spawn(process.execPath, ['--liftoff-only', MAIN], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      ...compiled,
      PORT: '0',
      LOG_LEVEL: 'warn',
      SEED: 'demo-setup',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  afterwards(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk;
      if (output.includes('Book something')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then(() => reject(new Error(`the service did not start:\n${output}`)), reject);
  });
  const printed = (label: string): string => new RegExp(`${label} +(\\S+)`).exec(output)![1]!;
  return {
    folder,
    baseUrl: printed('base URL'),
    operatorToken: env.OPERATOR_TOKEN ?? printed('operator token'),
    keys: { partner: printed('demo key PARTNER'), platform: printed('demo key PLATFORM') },
    output: () => output,
  };
}
