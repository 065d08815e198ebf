import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hasTagged, homeOf, isPooled, LISTED, SLOW } from './homes.ts';

const PROGRAM = fileURLToPath(new URL('../scripts/run-tests.ts', import.meta.url));

/** The outcome of running these files, by name and text. */
async function outcomeOf(t: TestContext, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-run-tests-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, `import { test } from 'node:test';\n${text}`);
    return path;
  });
  // Else it takes itself for a test file of this run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...paths], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALL = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'sdk/test/*.test.ts'], { cwd: ROOT });

/** Faults of the homes of files: tests that a run would leave out. */
function homeless(files: readonly { path: string; text: string }[]): string[] {
  const names = files.map(({ path }) => basename(path, '.test.ts'));
  const twice = (list: string[]) => list.filter((name, index) => list.indexOf(name) !== index);
  const [lists, slow] = [Object.values(LISTED).flat(), Object.values(SLOW).flat()];
  return [
    ...[...lists, ...slow]
      .filter((name) => !names.includes(name))
      .map((name) => `${name}: listed, and not there`),
    ...[...twice(lists), ...twice(slow)].map((name) => `${name}: listed twice`),
    ...files
      .filter(({ path, text }) => homeOf(path) === 'embedded' && /skip\b[^\n]*!onPostgres/.test(text))
      .map(
        ({ path }) =>
          `${path}: a test that only a server can do is of onServer, or the file is listed in homes.ts`,
      ),
    ...files
      .filter(
        ({ path, text }) =>
          homeOf(path) === 'embedded' &&
          !isPooled(path) &&
          /\bonPostgres\b|TEST_REDIS_URL/.test(text) &&
          !hasTagged(text),
      )
      .map(({ path }) => `${path}: differs on a server, and has no test that runs there`),
    ...files
      .filter(({ path, text }) => homeOf(path) !== 'embedded' && hasTagged(text))
      .map(({ path }) => `${path}: tagged, and runs on a server as a whole`),
  ];
}

test('every file runs whole in npm test or on a server, and what only a server can do runs there', () => {
  const files = ALL.filter((path) => !/\/(?:run-tests|structure)\.test/.test(path)).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
  assert.deepEqual(homeless([...files, { path: 'test/run-tests.test.ts', text: '' }]), []);
});

test('a file without a home is caught', () => {
  const listed = new Set([LISTED, SLOW].flatMap((lists) => Object.values(lists).flat()));
  const all = [...listed].map((name) => ({ path: `test/${name}.test.ts`, text: '' }));
  assert.deepEqual(homeless(all), []);
  for (const text of [
    `{ skip: !onPostgres && 'why' }`,
    `const skip = x || !onPostgres`,
    `onPostgres ? 2 : 1`,
  ])
    assert.equal(homeless([...all, { path: 'test/new.test.ts', text }]).length > 0, true, text);
  assert.deepEqual(homeless(all.slice(1)), [`${basename(all[0]!.path, '.test.ts')}: listed, and not there`]);
  const [first, ...rest] = all;
  assert.equal(homeless([...rest, { ...first!, text: 'alsoOnServer' }]).length, 1);
});

// More than there are groups, so that files share a process.
const passing = Object.fromEntries(
  Array.from({ length: 20 }, (_, number) => [`a${number}.test.mjs`, `test('passes ${number}', () => {});`]),
);

test('a successful run reports counts of files and tests, reasons of skipped ones, and the slowest', async (t) => {
  const skipping = `test('is skipped', { skip: 'set TEST_SO_AND_SO' }, () => {});`;
  const { code, output } = await outcomeOf(t, { ...passing, 'b.test.mjs': skipping });
  assert.equal(code, 0, output);
  assert.match(output, /^21 of 21 files, 41 tests passed, 0 failed, 0:\d\d$/m);
  assert.match(output, /^1 skipped: set TEST_SO_AND_SO$/m);
  assert.match(output, /^longest: \d+ s \w\d*\.test\.mjs(?:, \d+ s \w\d*\.test\.mjs){19}$/m);
  assert.match(output, /^processor time: \d+ s; most: \d+ s \w\d*\.test\.mjs(?:, \d+ s [\w.]+){19}$/m);
});

test('a failing test, and a file that cannot be imported, fail the run', async (t) => {
  const failing = await outcomeOf(t, {
    ...passing,
    'b.test.mjs': `test('does not', () => { throw new Error('because') });`,
  });
  assert.equal(failing.code, 1, failing.output);
  // At once, before the summary.
  assert.match(failing.output, /does not[\s\S]*because[\s\S]*21 of 21 files/);
  const broken = await outcomeOf(t, { ...passing, 'b.test.mjs': `import './nowhere.mjs';` });
  assert.equal(broken.code, 1, broken.output);
  assert.match(broken.output, /nowhere\.mjs/);
  const late = `test('ends', () => void setTimeout(() => { throw new Error('too late'); }, 50));`;
  const afterwards = await outcomeOf(t, { 'a.test.mjs': late });
  assert.equal(afterwards.code, 1, afterwards.output);
  assert.match(afterwards.output, /too late/);
  const meanwhile = `test('waits', () => new Promise(() => {
    setInterval(() => {}, 1_000);
    setTimeout(() => { throw new Error('uncaught'); }, 50);
  }));`;
  const uncaught = await outcomeOf(t, { 'a.test.mjs': meanwhile });
  assert.equal(uncaught.code, 1, uncaught.output);
  assert.match(uncaught.output, /uncaught/);
  const rejected = meanwhile
    .replace('throw', 'Promise.reject')
    .replace("new Error('uncaught')", "(new Error('unhandled'))");
  const unhandled = await outcomeOf(t, { 'a.test.mjs': rejected });
  assert.equal(unhandled.code, 1, unhandled.output);
  assert.match(unhandled.output, /unhandled/);
});

test('the teardown of a process waits for files that are imported late', async (t) => {
  const ending = `import { after } from 'node:test'; after(() => void (globalThis.ended = true)); test('passes', () => {});`;
  const slow = `
    await new Promise((resolve) => setTimeout(resolve, 200));
    test('is in time', () => { if (globalThis.ended) throw new Error('too late'); });`;
  const files = Object.fromEntries(Object.keys(passing).map((name) => [name, ending]));
  const { code, output } = await outcomeOf(t, { ...files, 'z.test.mjs': slow });
  assert.equal(code, 0, output);
});
