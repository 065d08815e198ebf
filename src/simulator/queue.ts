import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import { startPoller } from '../runtime/poller.ts';
import type { Wakeups } from '../runtime/wakeups.ts';
import { LINK_POLL_INTERVAL, MAX_TRIES, retryAfter } from './rules.ts';
import {
  type ClaimedStep,
  claimSteps,
  endRun,
  endStep,
  lockRun,
  releaseStep,
  returnSteps,
} from './run-queries.ts';
import { type StepDeps, takeStep } from './steps.ts';

export type SimulatorQueueDeps = StepDeps & { clock: Clock; wakeups: Wakeups };

/** Milliseconds between polls without a wake-up. */
const POLL_INTERVAL = 500;
/** Seconds of a claim: far longer than any step. */
const LEASE_SECONDS = 20;
const MAX_CONCURRENT = 16;

/**
 * Takes the due steps of runs until stopped; any number of workers may run. The claim of a worker that dies expires,
 * and the step, which is idempotent, is taken again. Returns a function that stops it: steps under way are finished.
 */
export function startSimulator(deps: SimulatorQueueDeps): () => Promise<void> {
  const { db, clock, wakeups, logger } = deps;
  const underWay = new Set<Promise<void>>();
  // Claims without a response, which may have been committed.
  const unanswered = new Set<string>();
  let stopping = false;

  async function play(step: ClaimedStep): Promise<void> {
    try {
      const outcome = await takeStep(deps, clock.now(), step);
      if (outcome === 'done') await finish(step, null);
      // Waiting does not count as a try.
      else await releaseStep(db, step, { tries: step.tries - 1, seconds: LINK_POLL_INTERVAL / 1000 });
      wakeups.wake();
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status < 500;
      if (isRefusal || step.tries >= MAX_TRIES) {
        if (!isRefusal) logger.error({ err: error, runId: step.run_id }, 'a run of the simulator has failed');
        await finish(step, isRefusal ? error : INTERNAL);
        return;
      }
      logger.warn({ err: error, runId: step.run_id }, 'a step of the simulator is tried again');
      const { tries } = step;
      await releaseStep(db, step, { tries, seconds: retryAfter(tries) / 1000 });
    }
  }

  /** Ends the step; the last step or a refusal ends the run. */
  function finish(step: ClaimedStep, refusal: { code: string; message: string } | null): Promise<void> {
    return db.transaction(async (tx) => {
      // The run first, then its steps: everywhere in this order.
      const run = await lockRun(tx, step.run_id);
      const waiting = await endStep(tx, clock.now(), step, refusal === null ? 'DONE' : 'FAILED');
      if (waiting === null || run?.status !== 'RUNNING') return;
      if (refusal !== null) {
        const { code, message } = refusal;
        await endRun(tx, clock.now(), step.run_id, { status: 'FAILED', code, message });
      } else if (waiting === 0) await endRun(tx, clock.now(), step.run_id, { status: 'COMPLETED' });
    });
  }

  const poller = startPoller(
    wakeups,
    POLL_INTERVAL,
    async () => {
      for (const lease of unanswered) {
        await returnSteps(db, lease);
        unanswered.delete(lease);
      }
      const limit = MAX_CONCURRENT - underWay.size;
      if (stopping || limit <= 0) return;
      const lease = randomUUID();
      unanswered.add(lease);
      const claimed = await claimSteps(db, clock.now(), { lease, leaseSeconds: LEASE_SECONDS, limit });
      unanswered.delete(lease);
      for (const step of claimed) {
        const played = play(step)
          // The claim expires.
          .catch((error) => logger.error({ err: error, runId: step.run_id }, 'a step could not be written'))
          .finally(() => {
            underWay.delete(played);
            void poller.again();
          });
        underWay.add(played);
      }
    },
    (error) => logger.error({ err: error }, 'the simulator cannot reach the database'),
  );

  return async () => {
    stopping = true;
    poller.stop();
    await poller.again();
    await Promise.all(underWay);
  };
}

const INTERNAL = { code: 'INTERNAL_ERROR', message: 'The step could not be made: see the log' };
