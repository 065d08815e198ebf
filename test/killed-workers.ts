import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.ts';
import { afterwards, OPERATOR_TOKEN, SECRETS_KEY, type TestService } from './harness.ts';
import { times } from './storm.ts';

/** Worker processes that are killed at random. */

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

const KILLS = { most: 8, least: 3 };
/** For how long there are more than the least (milliseconds). */
const KILLING = 25_000;

export type Message = { messageId: string; text: string };
/** Workers that die and are replaced, and every message that any of them sent through its log. */
type Crew = { messages: Message[]; kills: number; stopKilling(): Promise<void> };

export async function startWorker(
  t: TestContext,
  { service }: { service: TestService },
  env: Record<string, string>,
  messages: Message[],
): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--liftoff-only', MAIN], {
    env: {
      PATH: process.env.PATH,
      ...compiled,
      DATABASE_URL: service.deps.config.databaseUrl!,
      OPERATOR_TOKEN,
      SECRETS_KEY,
      ROLES: 'worker',
      DEPLOYMENT: 'sandbox',
      PUBLIC_URL: service.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterwards(t, () => child.kill('SIGKILL'));
  let rest = '';
  child.stdout!.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!; // a line cut off by a kill was not sent
    for (const line of lines) {
      if (line.includes('"messageId"')) messages.push(JSON.parse(line));
    }
  });
  await once(child.stdout!, 'data'); // its banner
  return child;
}

/**
 * Two workers, each killed within a second of its start, whatever it does, and replaced. Sometimes none is
 * there for a while, so that the next one finds much to do and dies over it.
 */
export async function startCrew(
  t: TestContext,
  it: { service: TestService },
  env: Record<string, string> = {},
): Promise<Crew> {
  const messages: Message[] = [];
  const crew: Crew = { messages, kills: 0, stopKilling: async () => {} };
  let killing = true;
  async function post(): Promise<void> {
    for (;;) {
      const worker = await startWorker(t, it, env, messages);
      await wait(Math.random() * 1_000);
      if (!killing) return; // the last one lives
      worker.kill('SIGKILL');
      crew.kills++;
    }
  }
  const posts = Promise.all(times(2, post));
  crew.stopKilling = async () => {
    killing = false;
    await posts;
  };
  return crew;
}

/** A busy machine starts workers slowly: then there are fewer. */
export async function enoughKills(crew: Crew): Promise<void> {
  const end = performance.now() + KILLING;
  const isEnough = (): boolean =>
    crew.kills >= KILLS.most || (crew.kills >= KILLS.least && performance.now() >= end);
  while (!isEnough()) await wait(50);
  await crew.stopKilling();
}
