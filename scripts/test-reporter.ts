import { basename, resolve } from 'node:path';
import type { EventData } from 'node:test';
import { spec as Spec, type TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { CpuByTest } from './test-cpu.ts';

/** The number of listed files with the longest duration. */
const SLOWEST = 20;

/** The interval of progress lines where no line can be overwritten (a log of CI). */
const FILES_PER_LINE = 25;

/**
 * The output of `npm test`: a progress line, each failure at once, the reasons of skipped tests, the files with the
 * longest duration and the most processor time, and at the end the summary of node's own `spec`: the totals, and the
 * failures in full.
 */
export default async function* report(
  events: AsyncIterable<TestEvent>,
  wanted: readonly string[],
  cpu: () => CpuByTest = () => ({}),
  overwrites = process.stdout.isTTY === true,
): AsyncGenerator<string> {
  const began = performance.now();
  // Gets only failures: it prints everything it got at the end.
  const spec = new Spec();
  const printed = (): string => spec.read()?.toString() ?? '';
  // Several files share a process: each ends with a test of its own, which has its path as its name.
  const unended = new Set(wanted);
  // The stderr of a process, printed when it fails as a whole, as when a file cannot be imported.
  const complaints = new Map<string, string>();
  const skipped = new Map<string, number>();
  // Milliseconds of a file's tests, without the start of its process.
  const taken = new Map<string, number>();
  // Files by the names of their tests.
  const files = new Map<string, string>();
  let passed = 0;
  let failed = 0;
  let said = 0;

  const progress = (): string => {
    const seconds = Math.round((performance.now() - began) / 1000);
    const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return `${wanted.length - unended.size} of ${wanted.length} files, ${passed} tests passed, ${failed} failed, ${elapsed}`;
  };
  const line = (): string => (overwrites ? `\r\x1b[K${progress()}` : '');

  for await (const event of events) {
    const { type, data } = event;
    // To the runner a process is itself a test, named after its file.
    const isProcess =
      data !== undefined &&
      'name' in data &&
      data.nesting === 0 &&
      data.file !== undefined &&
      resolve(data.name) === data.file;
    // `test:pass` and `test:fail` of a test come when all earlier processes have ended.
    const ends = isProcess ? type === 'test:fail' : type === 'test:complete' && !data.details.passed;
    const failure = ends ? (data as EventData.TestFail) : null;
    if (type === 'test:complete' && failure === null && !isProcess) {
      if (data.skip === undefined) passed++;
      else if (data.skip !== false) skipped.set(String(data.skip), (skipped.get(String(data.skip)) ?? 0) + 1);
    }
    if (type === 'test:complete' && data.file !== undefined) {
      const isEnd = unended.delete(data.name);
      if (isEnd) files.set(data.name, data.name);
      if (data.nesting === 0 && !isProcess && !isEnd) {
        taken.set(data.file, (taken.get(data.file) ?? 0) + data.details.duration_ms);
        files.set(data.name, data.file);
      }
      const ended = wanted.length - unended.size;
      if (overwrites) yield line();
      else if (isEnd && ended >= said + FILES_PER_LINE) {
        said = ended;
        yield `${progress()}\n`;
      }
    }
    // The runner warns here of failures after the end of their test.
    if ((type === 'test:stderr' || type === 'test:diagnostic') && data.file !== undefined) {
      complaints.set(data.file, `${complaints.get(data.file) ?? ''}${data.message.trimEnd()}\n`);
    }
    if (failure !== null) {
      failed++;
      spec.write({ type: 'test:fail', data: failure });
      if (isProcess) yield complaints.get(failure.file!) ?? '';
      // In full here too: a run that is ended prints no summary.
      const { cause } = failure.details.error;
      const reason = cause instanceof Error ? `${inspect(cause)}\n` : '';
      yield `${overwrites ? '\r\x1b[K' : ''}${printed()}${reason}${line()}`;
    }
    // Diagnostics of the whole run have no file.
    if (type === 'test:diagnostic' && data.file === undefined) spec.write(event);
  }
  yield overwrites ? `${line()}\n` : `${progress()}\n`;
  for (const [reason, count] of skipped) yield `${count} skipped: ${reason}\n`;
  if (wanted.length > SLOWEST) {
    yield `longest: ${most([...taken].map(([file, time]) => [file, time / 1000]))}\n`;
    const used = new Map<string, number>();
    let total = 0;
    for (const [name, seconds] of Object.entries(cpu())) {
      // Names may contain the separator of nested ones.
      const test = [...name.matchAll(/ > |$/g)]
        .map(({ index }) => name.slice(0, index))
        .find((part) => files.has(part));
      const file = files.get(test ?? '') ?? 'others';
      used.set(file, (used.get(file) ?? 0) + seconds);
      total += seconds;
    }
    yield `processor time: ${total.toFixed(0)} s; most: ${most([...used])}\n`;
  }
  spec.end();
  for await (const rest of spec) yield String(rest);
}

/** The files with the most seconds. */
function most(files: [file: string, seconds: number][]): string {
  const longest = files.sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  return longest.map(([file, seconds]) => `${seconds.toFixed(0)} s ${basename(file)}`).join(', ');
}
