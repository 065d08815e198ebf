import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../runtime/logger.ts';

/** The start and the end of a process, and the resources to close. */
export type Lifecycle = {
  /** Closes it at the end, before resources that were opened earlier: listeners first, the database last. */
  closing<T extends { close(): Promise<void> }>(opened: T): T;
  /** The start is over. `isServing`: there are clients, which need time to switch to other processes before a stop. */
  started(isServing: boolean): void;
  isStarting(): boolean;
  isDraining(): boolean;
  close(): Promise<void>;
};

export function createLifecycle(drainSeconds: number, logger: Logger): Lifecycle {
  const closers: (() => Promise<void>)[] = [];
  let starting = true;
  let serving = false;
  let draining = false;
  return {
    closing(opened) {
      closers.push(() => opened.close());
      return opened;
    },
    started(isServing) {
      starting = false;
      serving = isServing;
    },
    isStarting: () => starting,
    isDraining: () => draining,
    async close() {
      draining = true;
      if (serving) {
        logger.info({ drainSeconds }, 'stopping: no longer ready, still serving requests');
        await sleep(drainSeconds * 1000);
        serving = false;
      }
      for (const closer of closers.splice(0).reverse()) await closer();
    },
  };
}
