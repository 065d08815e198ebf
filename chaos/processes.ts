import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** The delay of a supervisor (milliseconds). */
const RESTART_AFTER = 200;
const STOP_WITHIN = 20_000;
/** Characters of a process's last output that are kept to explain its end. */
const KEPT = 4_000;

/** A process of the service that is restarted whenever it ends. */
export type Supervised = {
  name: string;
  /** SIGKILL. */
  kill(): void;
  /** Exits without an outside cause, with the last output before each. */
  deaths: { code: number | null; output: string }[];
  kills: number;
  /** SIGTERM; resolves to the exit code, when the next one is being started. */
  restart(): Promise<number | null>;
  stop(): Promise<void>;
};

export function supervise(name: string, env: Record<string, string>): Supervised {
  let child: ChildProcess;
  let stopping = false;
  let killed = false;
  let restarting = false;
  const it: Supervised = {
    name,
    deaths: [],
    kills: 0,
    kill() {
      if (child.exitCode !== null || child.signalCode !== null || killed) return;
      killed = true;
      it.kills++;
      child.kill('SIGKILL');
    },
    async restart() {
      restarting = true;
      const code = await end();
      restarting = false;
      start();
      return code;
    },
    async stop() {
      stopping = true;
      await end();
    },
  };

  async function end(): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN);
    const [code] = await ended;
    clearTimeout(late);
    return code;
  }

  function start(): void {
    let output = '';
    killed = false;
    child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const read = (chunk: Buffer): void => {
      output = (output + chunk).slice(-KEPT);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.on('exit', async (code) => {
      if (restarting) return;
      if (!killed && !stopping) it.deaths.push({ code, output });
      await wait(RESTART_AFTER);
      if (!stopping) start();
    });
  }
  start();
  return it;
}
