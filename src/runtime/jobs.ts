import { isUnavailable } from '../db/unavailable.ts';

/** Due work that a query finds; idempotent, also when two processes run it at once. */
export type Job = {
  name: string;
  everyMilliseconds: number;
  run(): Promise<unknown>;
};

/** Reports of failed runs. */
export type JobReport = {
  onError(job: string, error: Error): void;
  /** The first job that failed for lack of the database; later ones are not reported. */
  onWaiting(job: string, error: Error): void;
  /** All jobs that failed for lack of the database have run again. */
  onResumed(): void;
};

/** The longest delay before such a job runs again (milliseconds). */
const RUN_AGAIN_AFTER = 5_000;

export type Jobs = {
  /** Resolves after the active runs. */
  stop(): Promise<void>;
  /** By job: the seconds since its run was due at the latest, and has not succeeded. */
  overdue(): Record<string, number>;
};

/** Runs each job repeatedly, one run of it at a time. */
export function runJobs(jobs: readonly Job[], { onError, onWaiting, onResumed }: JobReport): Jobs {
  let stopped = false;
  const succeededAt = new Map(jobs.map((job) => [job, performance.now()]));
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const waiting = new Set<Job>();

  /** Returns when the job runs next. */
  async function run(job: Job): Promise<number> {
    try {
      await job.run();
      succeededAt.set(job, performance.now());
    } catch (error) {
      if (isUnavailable(error)) {
        if (waiting.size === 0) onWaiting(job.name, error as Error);
        waiting.add(job);
        return Math.min(job.everyMilliseconds, RUN_AGAIN_AFTER);
      }
      onError(job.name, error as Error);
    }
    if (waiting.delete(job) && waiting.size === 0) onResumed();
    return job.everyMilliseconds;
  }

  function schedule(job: Job, delay: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const current = run(job).then((next) => {
        running.delete(current);
        if (!stopped) schedule(job, next);
      });
      running.add(current);
    }, delay);
    timers.add(timer);
  }
  for (const job of jobs) schedule(job, 0);

  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
    overdue() {
      const now = performance.now();
      const overdueOf = (job: Job): number =>
        Math.max(0, now - succeededAt.get(job)! - job.everyMilliseconds) / 1_000;
      return Object.fromEntries(jobs.map((job) => [job.name, overdueOf(job)]));
    },
  };
}

/** Runs the parts of a job in order, also after a failure. Throws the first error at the end. */
export async function runParts(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
