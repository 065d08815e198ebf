import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Every way to start the service has the memory options of bench/README.md. No container and no systemd runs here. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const run = promisify(execFile);

/** The limit of the young generation (MiB): two halves of 4. */
const MAX_YOUNG = 8;
/** The limit of the old generation (MiB). */
const MAX_OLD = 1024;

/**
 * In the place of the service: fills the young generation, prints how large it became, and ends. Without incremental
 * marking: during one V8 lets the young generation grow past its limit, on a busy machine to 27 MiB.
 */
const PROBE = `
  import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
  setFlagsFromString('--no-incremental-marking');
  if (/src\\/(main|cli)\\.ts$/.test(process.argv[1] ?? '')) {
    const kept = [];
    let most = 0;
    for (let n = 0; n < 1_500_000; n++) {
      kept[n % 100_000] = [n];
      if (n % 20_000 === 0)
        most = Math.max(most, getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size);
    }
    const given = [...process.execArgv, process.env.NODE_OPTIONS].join(' ').match(/--max-semi-space-size=(\\d+)/);
    const limit = getHeapStatistics().heap_size_limit;
    console.log(
      'young ' + most / 1048576 + ' heap ' + limit / 1048576 + ' arenas ' + process.env.MALLOC_ARENA_MAX + ' half ' + given?.[1],
    );
    process.exit(0);
  }`;

async function probe(command: string[], env: Record<string, string> = {}) {
  const options = `${env.NODE_OPTIONS ?? ''} --import=data:text/javascript,${encodeURIComponent(PROBE)}`;
  const { stdout } = await run(command[0]!, command.slice(1), {
    cwd: ROOT,
    env: {
      ...env,
      PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
      NODE_OPTIONS: options,
    },
  });
  const [, young, heap, arenas, half] =
    /young (\S+) heap (\S+) arenas (\S+) half (\S+)/.exec(stdout) ?? assert.fail(stdout);
  return { young: Number(young), heap: Number(heap), arenas, half };
}

/** The variables of a Dockerfile or a unit, as far as they are about memory. */
function variables(path: string): Record<string, string> {
  const found = readText(path).matchAll(/\b(NODE_OPTIONS|MALLOC_ARENA_MAX)="?((?:--[^\s"]+ ?)+|\d+)/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name!, value!]));
}

/** Without its first step, the installation. */
const npmStart = JSON.parse(readText('package.json')).scripts.start.replace(
  'node scripts/ensure-installed.js && ',
  '',
);

const MAIN = [process.execPath, 'src/main.ts'];
const unit = (name: string) => variables(`deploy/systemd/partner-booking-${name}.service`);

const STARTS: [name: string, command: string[], env?: Record<string, string>][] = [
  ['npm start', ['sh', '-c', npmStart]],
  ['partner-booking serve', [process.execPath, 'bin/partner-booking.js', 'serve']],
  ['the image', MAIN, variables('Dockerfile')],
  ['the unit of the api', MAIN, unit('api@')],
  ['the unit of the worker', MAIN, unit('worker')],
];

test('every way to start the service limits both generations', async (t) => {
  for (const [name, command, env] of STARTS) {
    await t.test(name, async () => {
      const { young, heap, arenas, half } = await probe(command, env);
      assert.equal(half, '4', 'as given to Node; without it the young generation is not always seen to grow');
      assert.ok(young > 0 && young <= MAX_YOUNG, `${young} MiB`);
      // With a larger one V8 lets garbage grow before it collects.
      assert.ok(heap > MAX_OLD && heap <= MAX_OLD + 3 * MAX_YOUNG, `${heap} MiB`);
      assert.equal(arenas, '2');
    });
  }
  await t.test('a larger one is found', async () => {
    const { young, heap } = await probe([
      process.execPath,
      '--min-semi-space-size=16',
      '--max-old-space-size=2048',
      'src/main.ts',
    ]);
    assert.ok(young > MAX_YOUNG, `${young} MiB`);
    assert.ok(heap > MAX_OLD + 3 * MAX_YOUNG, `${heap} MiB`);
  });
});
