/** Work that is due by the clock and found by a query; running it twice, or in two processes, must do no harm. */
export type Job = {
  name: string;
  everyMilliseconds: number;
  run(): Promise<unknown>;
};

/** Runs each job now and again and again, one run of it at a time; answers how to stop, after what is running. */
export function runJobs(
  jobs: readonly Job[],
  onError: (job: string, error: Error) => void,
): () => Promise<void> {
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  function schedule(job: Job, delay: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const run = job
        .run()
        .then(
          () => {},
          (error) => onError(job.name, error as Error),
        )
        .then(() => {
          running.delete(run);
          if (!stopped) schedule(job, job.everyMilliseconds);
        });
      running.add(run);
    }, delay);
    timers.add(timer);
  }
  for (const job of jobs) schedule(job, 0);

  return async () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
    await Promise.all(running);
  };
}
