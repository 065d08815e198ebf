import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach } from 'node:test';

/** Seconds of processor time by the name of a test; that of a nested one is `a > b`. */
export type CpuByTest = Record<string, number>;

/** The kernel's USER_HZ, fixed for programs. */
const SECONDS_PER_TICK = 0.01;

/** Seconds of processor time of this process so far; on Linux with its terminated child processes. */
function taken(): number {
  try {
    // After the name in parentheses, which may contain anything; the last two are those of terminated children.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * SECONDS_PER_TICK;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
}

/**
 * Writes the processor time of each test to the file when this process ends; the first test includes the start, and each
 * one those before it whose names are in `between`. Without a test it is all of `between[first]`. Call it
 * before any test.
 */
export function measureCpu(result: string, between: readonly string[], first: number): void {
  const byTest: CpuByTest = {};
  let before = 0;
  let last = between[first]!;
  const count = (): void => {
    const now = taken();
    byTest[last] = (byTest[last] ?? 0) + now - before;
    before = now;
  };
  afterEach((context) => {
    if (between.includes(context.name)) return;
    last = 'fullName' in context ? context.fullName : last;
    count();
  });
  process.on('exit', () => {
    count();
    writeFileSync(result, JSON.stringify(byTest));
  });
}
