import type { Wakeups } from './wakeups.ts';

export type Poller = {
  /** Runs a turn: now, or after the current one. Resolves when no turn is pending. */
  again(): Promise<void>;
  /** Runs a turn within that many milliseconds, shared by all calls until then. */
  soon(milliseconds: number): void;
  /** Ends the timer and the wake-ups; `again` still works. */
  stop(): void;
};

/** Debounce of wake-ups (milliseconds). */
const BATCH_DELAY = 10;

/**
 * Polls a queue: runs `turn` at once, periodically, and on wake-ups, one at a time. A failing turn is reported once for
 * each outage; the timer tries again.
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
