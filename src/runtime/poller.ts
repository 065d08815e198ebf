import type { Wakeups } from './wakeups.ts';

export type Poller = {
  /** Asks for a turn: now, or once more after the one that runs. Settles when no turn is wanted any more. */
  again(): Promise<void>;
  /** Asks for a turn within so many milliseconds, so that what happens until then is one turn. */
  soon(milliseconds: number): void;
  /** Ends the timer and the wake-ups; `again` still works. */
  stop(): void;
};

/** Wake-ups within this time are one turn (milliseconds). */
const BATCH_DELAY = 10;

/**
 * Polls for a queue: runs `turn` at once, every so often, and when workers are woken, one at a time. A turn
 * that fails is reported once for each outage; the timer tries again.
 */
export function startPoller(
  wakeups: Wakeups,
  everyMilliseconds: number,
  turn: () => Promise<void>,
  onError: (error: Error) => void,
): Poller {
  let running: Promise<void> | null = null;
  let wanted = false;
  let gathering: NodeJS.Timeout | null = null;
  let failing = false;
  let isStopped = false;

  async function run(): Promise<void> {
    try {
      while (wanted) {
        wanted = false;
        await turn();
      }
      failing = false;
    } catch (error) {
      if (!failing) onError(error as Error);
      failing = true;
    } finally {
      running = null;
    }
  }
  function again(): Promise<void> {
    wanted = true;
    running ??= run();
    return running;
  }

  function soon(milliseconds: number): void {
    if (isStopped) return;
    gathering ??= setTimeout(() => {
      gathering = null;
      void again();
    }, milliseconds);
  }

  const unsubscribe = wakeups.onWake(() => soon(BATCH_DELAY));
  const timer = setInterval(() => void again(), everyMilliseconds);
  void again();

  return {
    again,
    soon,
    stop() {
      isStopped = true;
      unsubscribe();
      clearInterval(timer);
      if (gathering !== null) clearTimeout(gathering);
    },
  };
}
