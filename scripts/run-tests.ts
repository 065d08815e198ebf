import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { hasTagged, homeOf, SERVER_TAG, SLOW } from '../test/homes.ts';
import { ensureDataDirTemplate, ensureEmbeddedTemplate } from '../test/templates.ts';
import type { CpuByTest } from './test-cpu.ts';
import report from './test-reporter.ts';

/**
 * Runs the given test files, or those of this database (`npm test`; test/homes.ts). Files share processes, because the
 * first service of a process costs far more processor time (6 s: sources, checks of the OpenAPI documents, an embedded
 * database, optimised code) than every other one; each process takes the next file when its last one has ended.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'sdk/test/*.test.ts'];

/** Many tests wait: more processes than processors. */
const CONCURRENCY = Number(process.env.TEST_CONCURRENCY ?? availableParallelism() + 1);

/** A file of this content has a process of its own: it changes global state, or measures its heap. */
const ALONE = /tracing-sdk|process\.env\.\w+ = |node:v8/;

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

/** Those known to be slow first (test/homes.ts), then those with the most text, which a file's duration follows. */
function byDuration(files: readonly string[]): string[] {
  const known = Object.values(SLOW).flat();
  const rank = (file: string): number => {
    const index = known.indexOf(basename(file, '.test.ts'));
    return index === -1 ? known.length : index;
  };
  const sized = files.map((file) => ({ file, rank: rank(file), size: statSync(file).size }));
  return sized.sort((a, b) => a.rank - b.rank || b.size - a.size).map(({ file }) => file);
}

/**
 * A module that runs its first file, then each next one that no process has taken (`queue`, a folder of claims). A
 * file ends with a test of its own, which fails when the file cannot be imported, and lasts until the next is imported:
 * after the last known test the process's databases are closed, and a later file's database would not be.
 */
function entryOf(files: readonly string[], first: number, queue: string, tags: readonly string[]): string {
  const number = processes++;
  const entry = join(folder, `${files.length === 1 ? 'alone' : 'shared'}-${number}.mjs`);
  const text = `import { writeFileSync } from 'node:fs';
  import { before, test } from 'node:test';
  import { pathToFileURL } from 'node:url';
  import { measureCpu } from ${JSON.stringify(new URL('test-cpu.ts', import.meta.url))};
  import { endOnUncaught } from ${JSON.stringify(new URL('test-process.ts', import.meta.url))};
  endOnUncaught();
  const files = ${JSON.stringify(files)};
  measureCpu(${JSON.stringify(`${entry}.cpu`)}, files, ${first});
  const takes = (index) => {
    try {
      writeFileSync(${JSON.stringify(queue)} + index, '', { flag: 'wx' });
      return true;
    } catch (error) {
      if (error.code === 'EEXIST') return false;
      throw error;
    }
  };
  let imported = Promise.withResolvers();
  before(() => imported.promise);
  for (const [index, file] of files.entries()) {
    if (index !== ${first} && !takes(index)) continue;
    const fault = await import(pathToFileURL(file)).then(() => null, (error) => error);
    const next = Promise.withResolvers();
    const ended = Promise.withResolvers();
    test(file, { tags: ${JSON.stringify(tags)} }, async () => {
      ended.resolve();
      await next.promise;
      if (fault !== null) throw fault;
    });
    imported.resolve();
    imported = next;
    await ended.promise;
  }
  imported.resolve();`;
  writeFileSync(entry, text);
  return entry;
}

/** The processes that run these files. */
function entriesOf(files: readonly string[], tags: readonly string[]): string[] {
  const { alone = [], shared = [] } = Object.groupBy(byDuration(files), (file) =>
    ALONE.test(readFileSync(file, 'utf8')) ? 'alone' : 'shared',
  );
  const queue = join(mkdtempSync(join(folder, 'queue-')), '/');
  const own = alone.map((file) => entryOf([file], 0, queue, tags));
  const sharing = shared.slice(0, CONCURRENCY).map((_file, first) => {
    writeFileSync(queue + first, '');
    return entryOf(shared, first, queue, tags);
  });
  return [...own, ...sharing];
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

/** Runs the files; of their tests those with one of the tags, or all. */
async function* eventsOf(files: readonly string[], tags: readonly string[] = []): AsyncGenerator<TestEvent> {
  if (files.length === 0) return;
  const events = run({
    files: entriesOf(files, tags),
    concurrency: CONCURRENCY,
    execArgv: V8_OPTIONS,
    timeout: TIMEOUT,
    ...(tags.length > 0 && { testTagFilters: [...tags] }),
  });
  events.on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1;
  });
  yield* events;
}

async function* allEvents(): AsyncGenerator<TestEvent> {
  yield* eventsOf(whole);
  yield* eventsOf(tagged, [SERVER_TAG]);
}

for await (const text of report(allEvents(), [...whole, ...tagged], cpuOf)) process.stdout.write(text);
const elsewhere = found.length - whole.length - tagged.length;
if (elsewhere > 0 && !onServer)
  process.stdout.write(
    `${elsewhere} files start programs, open pages or need a server: with TEST_DATABASE_URL (CONTRIBUTING.md)\n`,
  );
