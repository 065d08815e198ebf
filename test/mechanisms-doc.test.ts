import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const PAGE = new URL('../docs/internals.md', import.meta.url);
const SRC = new URL('../src/', import.meta.url);

/** Lines of all mechanisms; the page says it. */
const MAX_LINES = 15_800;
/** The largest difference of a row's lines from those of its files, as a part of the latter. */
const TOLERANCE = 0.25;

/** The number of lines of a file or of all that a pattern matches, by path; the tests beside them do not count. */
type LinesOf = (pattern: string) => Map<string, number>;

const linesInSources: LinesOf = (pattern) =>
  new Map(
    globSync(pattern, { cwd: SRC })
      .filter((path) => /(?<!\.test)\.(?:ts|sql)$/.test(path))
      .map((path) => [path, readFileSync(new URL(path, SRC), 'utf8').trimEnd().split('\n').length]),
  );

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** The faults of the table of own mechanisms: numbers and names, the files and lines of each row, and the sum of all lines. */
function tableFaults(page: string, linesOf: LinesOf): string[] {
  const table = /\n## Own mechanisms\n[\s\S]*?\n(\| N \|[\s\S]*?)(?:\n\n|\n*$)/.exec(page)?.[1] ?? '';
  const rows = table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()));
  const files: string[] = [];
  let total = 0;
  const faults = rows.flatMap(([, number, name, cell = '', lines = ''], index) => {
    const patterns = [...cell.matchAll(/`([^`]+)`/g)].map(([, pattern]) => pattern!);
    const found = patterns.map((pattern) => linesOf(pattern));
    files.push(...found.flatMap((some) => [...some.keys()]));
    const counted = found.flatMap((some) => [...some.values()]).reduce((sum, count) => sum + count, 0);
    total += counted;
    const written = Number(lines.replaceAll(',', ''));
    return [
      ...(number === String(index + 1) ? [] : [`${name}: number ${number} instead of ${index + 1}`]),
      ...(patterns.length > 0 ? [] : [`${name}: no file`]),
      ...patterns.filter((_, at) => found[at]!.size === 0).map((pattern) => `${name}: no ${pattern}`),
      ...(Math.abs(written - counted) <= counted * TOLERANCE
        ? []
        : [`${name}: ${lines} lines, ${counted} in its files`]),
    ];
  });
  if (rows.length === 0) faults.push('no mechanisms');
  if (total > MAX_LINES) faults.push(`${total} lines, at most ${MAX_LINES}`);
  const twice = [...repeated(rows.map(([, , name = '']) => name)), ...repeated(files)];
  return [...faults, ...twice.map((name) => `${name}: twice`)];
}

test('files and lines of own mechanisms are those of the sources, and few', () => {
  const page = readFileSync(PAGE, 'utf8');
  assert.deepEqual(tableFaults(page, linesInSources), []);
  assert.ok(page.includes(`at most ${MAX_LINES.toLocaleString('en')} together`));
});

test('faults of the table are caught', () => {
  const sources: Record<string, number> = { 'a/b.ts': 100, 'a/c.ts': 60 };
  const linesOf: LinesOf = (pattern) => new Map(Object.entries(sources).filter(([path]) => path === pattern));
  const faultsOf = (...rows: string[]): string[] =>
    tableFaults(
      [
        '\n## Own mechanisms\n',
        '| N | Mechanism | Files | Lines |',
        '| --- | --- | --- | --- |',
        ...rows,
      ].join('\n'),
      linesOf,
    );
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts` | 75 | |', '| 2 | Two | `a/c.ts` | 75 | |'), []);
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts`, `a/c.ts` | 160 | |'), []);
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts` | 74 | |'), ['One: 74 lines, 100 in its files']);
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts` | 126 | |'), ['One: 126 lines, 100 in its files']);
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts` | some | |'), ['One: some lines, 100 in its files']);
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts`, `a/d.ts` | 100 | |'), ['One: no a/d.ts']);
  assert.deepEqual(faultsOf('| 1 | One | b.ts | 0 | |'), ['One: no file']);
  assert.deepEqual(faultsOf('| 2 | One | `a/b.ts` | 100 | |'), ['One: number 2 instead of 1']);
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts` | 100 | |', '| 3 | Two | `a/c.ts` | 60 | |'), [
    'Two: number 3 instead of 2',
  ]);
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts` | 100 | |', '| 2 | One | `a/c.ts` | 60 | |'), [
    'One: twice',
  ]);
  assert.deepEqual(faultsOf('| 1 | One | `a/b.ts` | 100 | |', '| 2 | Two | `a/b.ts` | 100 | |'), [
    'a/b.ts: twice',
  ]);
  assert.deepEqual(faultsOf(), ['no mechanisms']);
  const both = ['| 1 | One | `a/b.ts` | 15,040 | |', '| 2 | Two | `a/c.ts` | 60 | |'];
  sources['a/b.ts'] = MAX_LINES - 60;
  assert.deepEqual(faultsOf(...both), []);
  sources['a/b.ts']++;
  assert.deepEqual(faultsOf(...both), [`${MAX_LINES + 1} lines, at most ${MAX_LINES}`]);
});

test('lines are counted without those of tests', () => {
  const counted = linesInSources('runtime/write-behind*');
  assert.deepEqual([...counted.keys()], ['runtime/write-behind.ts']);
  assert.equal(linesInSources('runtime/nowhere.ts').size, 0);
  assert.ok([...linesInSources('catalogue/*').keys()].includes('catalogue/functions.sql'));
});
