import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureDataDirTemplate, ensureEmbeddedTemplate } from '../test/templates.ts';
import report from './test-reporter.ts';

/**
 * What `npm test` runs: all test files, or those that are given. Files that only talk to a service in their own
 * process share processes, because the first service of a process costs 3 s of processor time (sources, an embedded
 * database, schemas) and every other one 0.2 s. Files that start programs, or change their process, have one each.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'sdk/test/*.test.ts'];

/** What a file says that starts programs, or changes what belongs to its whole process. */
const ALONE = /node:child_process|child-service\.ts|install-tools\.ts|tracing-sdk|process\.env\.\w+ =/;

/** What a file of pages says. They take long, and share a Chromium too. */
const PAGES = /browser\.ts/;
const PAGES_SHARED = 4;

/** So many processes share the other files: enough that several run to the end side by side, whatever they wait for. */
const SHARED = 8;

/** Many tests wait for something: more processes than processors. */
const CONCURRENCY = Number(process.env.TEST_CONCURRENCY ?? availableParallelism() + 1);
/** Milliseconds for one test. */
const TIMEOUT = 600_000;

async function filesOf(patterns: readonly string[]): Promise<string[]> {
  const found = await Array.fromAsync(glob([...patterns], { cwd: ROOT }));
  return [...new Set(found.map((file) => resolve(ROOT, file)))].sort();
}

/** Which files go together; what takes longest comes first. */
function grouped(files: readonly string[]): string[][] {
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const isAlone = (file: string): boolean => ALONE.test(texts.get(file)!);
  const isOfPages = (file: string): boolean => !isAlone(file) && PAGES.test(texts.get(file)!);
  return [
    ...dealt(files.filter(isOfPages), PAGES_SHARED),
    ...files.filter(isAlone).map((file) => [file]),
    ...dealt(
      files.filter((file) => !isAlone(file) && !isOfPages(file)),
      SHARED,
    ),
  ];
}

/** The files in so many groups, or fewer: none is empty. */
function dealt(files: readonly string[], groups: number): string[][] {
  return Array.from({ length: Math.min(groups, files.length) }, (_, group) =>
    files.filter((_file, index) => index % groups === group),
  );
}

/** A module that imports the files of a group, whose tests then run one after the other. */
function entryOf(folder: string, files: readonly string[], number: number): string {
  const entry = join(folder, `${files.length === 1 ? 'alone' : 'shared'}-${number}.mjs`);
  const text = `for (const url of ${JSON.stringify(files.map((file) => pathToFileURL(file)))}) {
    await import(url).catch((error) => {
      process.exitCode = 1;
      console.error(url, error);
    });
  }`;
  writeFileSync(entry, text);
  return entry;
}

const given = process.argv.slice(2);
const files = await filesOf(given.length > 0 ? given : ALL);
if (files.length === 0) throw new Error(`no test file is called ${given.join(' or ')}`);
// Sources are compiled once, not by every process.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'pbs-compiled');
const folder = mkdtempSync(join(tmpdir(), 'pbs-tests-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

if (given.length === 0) {
  // Before several processes make them at once.
  if (process.env.TEST_DATABASE_URL === undefined) await ensureEmbeddedTemplate();
  for (const state of ['migrated', 'empty'] as const) await ensureDataDirTemplate(state);
}

const events = run({
  files: grouped(files).map((group, number) => entryOf(folder, group, number)),
  concurrency: CONCURRENCY,
  timeout: TIMEOUT,
});
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1;
});
for await (const text of report(events, files)) process.stdout.write(text);
