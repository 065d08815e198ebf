import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hasTagged, homeOf, SERVER_TAG } from '../test/homes.ts';
import { ensureDataDirTemplate, ensureEmbeddedTemplate } from '../test/templates.ts';
import type { CpuByTest } from './test-cpu.ts';
import report from './test-reporter.ts';

/**
 * Runs the given test files, or those of this database (`npm test`; test/homes.ts). Files share processes, because the
 * first service of a process costs far more processor time (sources, an embedded database) than every other one.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'sdk/test/*.test.ts'];

/** Many tests wait: more processes than processors. */
const CONCURRENCY = Number(process.env.TEST_CONCURRENCY ?? availableParallelism() + 1);

/**
 * Groups of files by their content, with the number of processes of each group. One process more takes 6 s of processor
 * time: its own sources, checks of the OpenAPI documents, optimised code. The first match counts; the longest come first.
 */
const GROUPS: readonly (readonly [says: RegExp, processes: number])[] = [
  // Changes global state of its process, or measures its heap.
  [/tracing-sdk|process\.env\.\w+ = |node:v8/, Number.POSITIVE_INFINITY],
  // Starts programs.
  [/node:child_process|child-service\.ts|install-tools\.ts/, CONCURRENCY],
  // Pages; they share a Chromium too. Without TEST_FULL they are skipped.
  [/browser\.ts/, process.env.TEST_FULL === 'on' ? CONCURRENCY : 1],
  [/(?:)/, CONCURRENCY],
];

/**
 * Services make much short-lived garbage: a twentieth less processor time. Without `--liftoff-only`, which programs that
 * tests start have: a process of many files gets back what better code for the embedded database costs, after 24 s.
 */
const V8_OPTIONS = ['--max-semi-space-size=64'];
/** Milliseconds for one test. */
const TIMEOUT = 600_000;

async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found = await Array.fromAsync(glob([...patterns], { cwd: ROOT }));
  return [...new Set(found.map((file) => resolve(ROOT, file)))].sort();
}

/** The groups of files. */
function grouped(files: readonly string[]): string[][] {
  const groupOf = (file: string): number => {
    const text = readFileSync(file, 'utf8');
    return GROUPS.findIndex(([says]) => says.test(text));
  };
  const byGroup = Map.groupBy(files, groupOf);
  return GROUPS.flatMap(([, processes], group) => distributed(byGroup.get(group) ?? [], processes));
}

/**
 * Splits the files into that many groups, or fewer: none is empty, and each has about as much text, which a file's
 * duration follows.
 */
function distributed(files: readonly string[], groups: number): string[][] {
  const sized = files.map((file) => ({ file, size: statSync(file).size })).sort((a, b) => b.size - a.size);
  const parts = Array.from({ length: Math.min(groups, files.length) }, () => ({
    files: [] as string[],
    size: 0,
  }));
  for (const { file, size } of sized) {
    const least = parts.reduce((one, other) => (other.size < one.size ? other : one));
    least.files.push(file);
    least.size += size;
  }
  return parts.map((part) => part.files);
}

/**
 * A module that imports the files of a group, whose tests then run sequentially. The first one waits until all are
 * imported: after the last known test the process's databases are closed, and a later file's database would not be.
 */
function entryOf(folder: string, files: readonly string[], number: number): string {
  const entry = join(folder, `${files.length === 1 ? 'alone' : 'shared'}-${number}.mjs`);
  const text = `import { before } from 'node:test';
  import { measureCpu } from ${JSON.stringify(new URL('test-cpu.ts', import.meta.url))};
  import { endOnUncaught } from ${JSON.stringify(new URL('test-process.ts', import.meta.url))};
  endOnUncaught();
  measureCpu(${JSON.stringify(`${entry}.cpu`)});
  const imported = Promise.withResolvers();
  before(() => imported.promise);
  for (const url of ${JSON.stringify(files.map((file) => pathToFileURL(file)))}) {
    await import(url).catch((error) => {
      process.exitCode = 1;
      console.error(url, error);
    });
  }
  imported.resolve();`;
  writeFileSync(entry, text);
  return entry;
}

/** Whether the run is on PostgreSQL and Redis. */
const onServer = process.env.TEST_DATABASE_URL !== undefined;

/** The files whose home this run is, and on a server those with tagged tests, of which only these run. */
function atHome(files: readonly string[]): { whole: string[]; tagged: string[] } {
  const byHome = Map.groupBy(files, homeOf);
  const { embedded = [], server = [], both = [] } = Object.fromEntries(byHome);
  if (!onServer) return { whole: [...embedded, ...both], tagged: [] };
  return {
    whole: [...server, ...both],
    tagged: embedded.filter((file) => hasTagged(readFileSync(file, 'utf8'))),
  };
}

/** The measurements of the processes that have ended. */
function cpuOf(): CpuByTest {
  const measured = globSync('*.cpu', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  return Object.assign({}, ...measured.map((text) => JSON.parse(text)));
}

const given = process.argv.slice(2);
const found = await filesOf(given.length > 0 ? given : ALL);
if (found.length === 0) throw new Error(`no test file is called ${given.join(' or ')}`);
const { whole, tagged } = given.length > 0 ? { whole: found, tagged: [] } : atHome(found);
// Sources are compiled once, not by every process.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'pbs-compiled');
const folder = mkdtempSync(join(tmpdir(), 'pbs-tests-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

if (given.length === 0) {
  // Before several processes create them at once.
  if (!onServer) await ensureEmbeddedTemplate();
  for (const state of ['migrated', 'empty'] as const) await ensureDataDirTemplate(state);
}

let processes = 0;

/** Runs the files; of their tests those with the tag, or all. */
async function* eventsOf(files: readonly string[], tag?: string): AsyncGenerator<TestEvent> {
  if (files.length === 0) return;
  const events = run({
    files: grouped(files).map((group) => entryOf(folder, group, processes++)),
    concurrency: CONCURRENCY,
    execArgv: V8_OPTIONS,
    timeout: TIMEOUT,
    ...(tag !== undefined && { testTagFilters: [tag] }),
  });
  events.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  });
  yield* events;
}

async function* allEvents(): AsyncGenerator<TestEvent> {
  yield* eventsOf(whole);
  yield* eventsOf(tagged, SERVER_TAG);
}

for await (const text of report(allEvents(), [...whole, ...tagged], cpuOf)) process.stdout.write(text);
const elsewhere = found.length - whole.length - tagged.length;
if (elsewhere > 0 && !onServer)
  process.stdout.write(
    `${elsewhere} files start programs, open pages or need a server: with TEST_DATABASE_URL (CONTRIBUTING.md)\n`,
  );
