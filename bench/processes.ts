import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { QueryCount } from './count-queries.ts';

/** Milliseconds. */
const START_WITHIN = 20_000;

export type Running = { port: number; pid: number; child: ChildProcess; stop(): Promise<void> };

/** Options of Node for a program whose statements are counted (queryCount). */
export const COUNTING = ['--import', new URL('count-queries.ts', import.meta.url).href];

/** The statements so far of a program that was started with COUNTING. */
export async function queryCount(child: ChildProcess): Promise<QueryCount> {
  const answer = once(child, 'message');
  child.send('count-queries');
  const [count] = (await answer) as [QueryCount];
  return count;
}

/** The environment of the measured service, except PORT. */
export function serviceEnv(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DEPLOYMENT: 'sandbox',
    DRAIN_SECONDS: '0',
    SEED: 'none',
    OPERATOR_TOKEN: 'operator-token-of-the-bench',
    LOG_LEVEL: 'info',
  };
}

/** Runs a server as a separate process, its output in a file, and waits until it is ready. */
export async function startProcess(
  file: string,
  output: string,
  env: Record<string, string>,
  options: string[] = [],
): Promise<Running> {
  const port = await freePort();
  const log = openSync(output, 'w');
  const child = spawn(process.execPath, [...options, file], {
    env: { PATH: process.env.PATH, ...env, PORT: String(port) },
    stdio: ['ignore', log, log, 'ipc'],
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  for (let waited = 0; waited < START_WITHIN && child.exitCode === null; waited += 50) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (ready?.ok) return { port, pid: child.pid!, child, stop };
    await sleep(50);
  }
  await stop();
  throw new Error(`${file} did not start:\n${readFileSync(output, 'utf8')}`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export function script(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
