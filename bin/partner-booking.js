#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: hands over to the Node that the project installs for itself.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** As `npm start`, the image and the units do it: memory stays near 200 MiB at full load (bench/README.md). */
const MEMORY = ['--max-semi-space-size=4', '--max-old-space-size=1024'];

if (existsSync(node)) {
  const child = spawn(node, [...MEMORY, cli, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { MALLOC_ARENA_MAX: '2', ...process.env },
  });
  // A supervisor signals this process alone; unforwarded, the service would outlive it. A terminal's Ctrl-C has reached
  // the child by itself: a second one would kill it where it is ending already.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const handOn = { SIGINT: 500, SIGTERM: 0, SIGHUP: 0 }; // after milliseconds
  for (const signal of signals)
    process.on(signal, () => setTimeout(() => child.kill(signal), handOn[signal]).unref());
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
} else {
  console.error('partner-booking is not installed yet: run `npm ci` first');
  process.exitCode = 1;
}
