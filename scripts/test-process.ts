import { createHook } from 'node:async_hooks';
import { before } from 'node:test';

/**
 * Before the first test of a process. node:test follows every promise, to know the test of an error that nobody catches: a
 * seventh of the processor time of these tests. Instead such an error ends its process, which fails the run, and is printed.
 */
export function endOnUncaught(): void {
  const hooks = Object.getPrototypeOf(createHook({}));
  const { enable } = hooks;
  hooks.enable = function () {
    return this;
  };
  // The first call sets node:test up.
  before(() => {});
  hooks.enable = enable;
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.prependListener(event, (error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  }
}
