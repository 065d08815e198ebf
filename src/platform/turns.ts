import type { Wakeups } from './wakeups.ts';

export type Turns = {
  /** Asks for a turn: now, or once more after the one that runs. Settles when no turn is wanted any more. */
  again(): Promise<void>;
  /** Asks for a turn within so many milliseconds, so that what happens until then is one turn. */
  soon(milliseconds: number): void;
  /** No more timer and no more wake-ups; `again` still works. */
  quiet(): void;
};

/** Wake-ups within this time are one turn (milliseconds). */
const GATHER = 10;

/**
 * The heartbeat of a queue: runs `turn` at once, every so often, and when workers are woken, one at a time. A turn
 * that fails is said once for each outage; the timer tries again.
 */
export function runTurns(
  wakeups: Wakeups,
  everyMilliseconds: number,
  turn: () => Promise<void>,
  onError: (error: Error) => void,
): Turns {
  let running: Promise<void> | null = null;
  let wanted = false;
  let gathering: NodeJS.Timeout | null = null;
  let failing = false;
  let isQuiet = false;

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
    if (isQuiet) return;
    gathering ??= setTimeout(() => {
      gathering = null;
      void again();
    }, milliseconds);
  }

  const unsubscribe = wakeups.onWake(() => soon(GATHER));
  const timer = setInterval(() => void again(), everyMilliseconds);
  void again();

  return {
    again,
    soon,
    quiet() {
      isQuiet = true;
      unsubscribe();
      clearInterval(timer);
      if (gathering !== null) clearTimeout(gathering);
    },
  };
}
