import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTime } from './cpu.ts';

/**
 * Measures the duration of a start with an embedded database and demo data until it is ready: the first in an empty
 * data folder, and the next. As `npm start` after the install, with its template database. `node bench/start.ts`
 */
const ROUNDS = 5;

type Start = { milliseconds: number; cpu: number };

async function start(DATA_DIR: string): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--max-semi-space-size=4', 'src/main.ts'], {
    env: {
      PATH: process.env.PATH,
      MALLOC_ARENA_MAX: '2',
      PORT: '0',
      DATA_DIR,
      SEED: 'demo-setup',
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('is ready')) resolve();
    });
  });
  const milliseconds = performance.now() - began;
  const cpu = processTime(child.pid!);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return { milliseconds, cpu };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const starts: { first: Start[]; next: Start[] } = { first: [], next: [] };
for (let round = 0; round < ROUNDS; round++) {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-bench-start-'));
  starts.first.push(await start(join(folder, 'data')));
  starts.next.push(await start(join(folder, 'data')));
  rmSync(folder, { recursive: true });
}
for (const [name, each] of Object.entries(starts)) {
  const milliseconds = median(each.map((one) => one.milliseconds));
  const cpu = median(each.map((one) => one.cpu));
  console.log(`${name}: ${Math.round(milliseconds)} ms, ${Math.round(cpu)} ms of CPU`);
}
