import type { Clock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { type DueWork, lookForDueWork } from './due-work-queries.ts';
import { startPoller } from './poller.ts';
import { localWakeups, type Wakeups } from './wakeups.ts';

export type DueWorkHints = Record<keyof DueWork, Wakeups> & {
  /** No look begins afterwards. */
  stop(): Promise<void>;
};

/**
 * Passes wake-ups on to the queues that have something to claim, after one look for all of them: most changes make no work
 * for any. What a look misses the queues find by polling.
 */
export function hintAtDueWork({
  db,
  clock,
  wakeups,
  onError,
}: {
  db: Db;
  clock: Clock;
  wakeups: Wakeups;
  onError: (error: Error) => void;
}): DueWorkHints {
  const hinted = { deliveries: localWakeups(), payments: localWakeups(), steps: localWakeups() };
  const poller = startPoller(
    wakeups,
    null,
    async () => {
      const due = await lookForDueWork(db, clock.now(), clock.now() - clock.offset());
      for (const queue of Object.keys(hinted) as (keyof DueWork)[]) if (due[queue]) hinted[queue].wake();
    },
    onError,
  );
  // They have been gathered for the look.
  const hints = ({ onWake, close }: Wakeups): Wakeups => ({
    wake: wakeups.wake,
    onWake,
    close,
    gather: 0,
  });
  return {
    deliveries: hints(hinted.deliveries),
    payments: hints(hinted.payments),
    steps: hints(hinted.steps),
    async stop() {
      poller.stop();
      await poller.again();
    },
  };
}
