import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach } from 'node:test';

/** Seconds of processor time by the name of a test; that of a nested one is `a > b`. */
export type CpuByTest = Record<string, number>;

/** As long as Linux has told it to programs. */
const SECONDS_PER_TICK = 0.01;

/** Seconds that this process has taken so far, on Linux with the programs that it started and that have ended. */
function taken(): number {
  try {
    // After the name in parentheses, which may hold anything; the last two are of what it has waited for.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * SECONDS_PER_TICK;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
}

/**
 * Writes into the file, when this process ends, which of its tests took how much; the first pays for the start. Called before
 * any test.
 */
export function measureCpu(result: string): void {
  const byTest: CpuByTest = {};
  let before = 0;
  let last = '';
  const count = (): void => {
    const now = taken();
    byTest[last] = (byTest[last] ?? 0) + now - before;
    before = now;
  };
  afterEach((context) => {
    last = 'fullName' in context ? context.fullName : last;
    count();
  });
  process.on('exit', () => {
    count();
    writeFileSync(result, JSON.stringify(byTest));
  });
}
