import { createHook } from 'node:async_hooks';
import { before } from 'node:test';

/**
 * Call it before the first test of a process. node:test tracks every promise, to attribute uncaught errors to tests,
 * which takes much processor time. Instead such an error is printed and ends its process, which fails the run.
 */
export function endOnUncaught(): void {
  const hooks = Object.getPrototypeOf(createHook({}));
  const { enable } = hooks;
  hooks.enable = function () {
    return this;
  };
  // The first call initializes node:test.
  before(() => {});
  hooks.enable = enable;
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.prependListener(event, (error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  }
}
