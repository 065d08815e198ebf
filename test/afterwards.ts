import type { TestContext } from 'node:test';

const cleanups = new WeakMap<TestContext, (() => unknown)[]>();

/** Runs after the test, in reverse order: services are stopped before their databases are dropped. */
export function afterwards(t: TestContext, work: () => unknown): void {
  const known = cleanups.get(t);
  if (known) {
    known.push(work);
    return;
  }
  const stack = [work];
  cleanups.set(t, stack);
  t.after(async () => {
    for (const next of stack.reverse()) await next();
  });
}
