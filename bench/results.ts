import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One side of a comparison in the measured rounds. */
export type Figures = {
  /** Per round. */
  perSecond: number[];
  /** Latency of a client in milliseconds; null: no client waits for it. */
  p50: number | null;
  p99: number | null;
  /** Milliseconds of processor time per request, of the process and of its PostgreSQL connections. */
  cpuNode: number;
  cpuPostgres: number;
  /** Per request: below 1 where requests share a statement. */
  statements: number;
  roundTrips: number;
};

export type Result = {
  name: string;
  connections: number;
  /** The required ratio at 32 connections. */
  target: number;
  /** Our requests per second divided by the floor's, for each pair of adjacent rounds. */
  ratios: number[];
  floor: Figures;
  ours: Figures;
};

/** The machine and the time of a run: its figures mean nothing without them. */
export type Circumstances = {
  at: string;
  /** With `+` appended: there were uncommitted changes. */
  commit: string;
  node: string;
  processor: string;
  processors: number;
  /** The load average before the run. */
  loadBefore: number;
};

const HERE = fileURLToPath(new URL('.', import.meta.url));

export function circumstancesOf(): Circumstances {
  const git = (...given: string[]): string =>
    execFileSync('git', given, { cwd: HERE, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '..');
  const [processor] = cpus();
  return {
    at: new Date().toISOString(),
    commit: git('rev-parse', '--short=10', 'HEAD') + (changes === '' ? '' : '+'),
    node: process.version,
    processor: processor?.model ?? 'unknown',
    processors: cpus().length,
    loadBefore: loadavg()[0]!,
  };
}

/** Writes a run to bench/results/ and returns its path, relative to the current folder. */
export function save(circumstances: Circumstances, results: readonly Result[]): string {
  const folder = join(HERE, 'results');
  mkdirSync(folder, { recursive: true });
  const time = circumstances.at.slice(0, 16).replace(':', '');
  const file = join(folder, `${time}-${circumstances.commit.replace('+', '-changed')}.json`);
  const whole = { ...circumstances, loadAfter: loadavg()[0], results };
  const text = JSON.stringify(
    whole,
    (_key, value) => (typeof value === 'number' ? rounded(value) : value),
    2,
  );
  // Lists of rounds on one line each.
  writeFileSync(
    file,
    `${text.replace(/\[\s+([-\d.,\s]+?)\s+\]/g, (_all, inner) => `[${inner.replace(/\s+/g, ' ')}]`)}\n`,
  );
  return relative(process.cwd(), file);
}

/** A result as a line of a table. */
export function row({ ratios, target, floor, ours }: Result): Record<string, string | number> {
  const median = quantile(ratios, 0.5);
  return {
    ratio: median.toFixed(2),
    'of rounds': `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
    target,
    'CPU ratio': ((floor.cpuNode + floor.cpuPostgres) / (ours.cpuNode + ours.cpuPostgres)).toFixed(2),
    'req/s': pair(floor, ours, ({ perSecond }) => quantile(perSecond, 0.5).toFixed(0)),
    'p50 ms': pair(floor, ours, ({ p50 }) => p50?.toFixed(1) ?? '-'),
    'p99 ms': pair(floor, ours, ({ p99 }) => p99?.toFixed(1) ?? '-'),
    'CPU ms': pair(
      floor,
      ours,
      ({ cpuNode, cpuPostgres }) => `${cpuNode.toFixed(2)}+${cpuPostgres.toFixed(2)}`,
    ),
    statements: pair(floor, ours, ({ statements }) => statements.toFixed(2)),
    'round trips': pair(floor, ours, ({ roundTrips }) => roundTrips.toFixed(2)),
  };
}

/** The floor's, then ours. */
function pair(floor: Figures, ours: Figures, figure: (side: Figures) => string): string {
  return `${figure(floor)} / ${figure(ours)}`;
}

/** A quantile of the values; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
