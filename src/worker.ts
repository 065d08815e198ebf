import { confirmDueAssignments } from './bookings/jobs.ts';
import type { Deps } from './deps.ts';
import { type Job, runJobs } from './platform/jobs.ts';

/** Starts the due work of every slice, an explicit list; answers how to stop it. */
export function startWorker({ db, clock, logger }: Deps): () => Promise<void> {
  const jobs: Job[] = [
    {
      name: 'confirm-due-assignments',
      everyMilliseconds: 5_000,
      run: () => confirmDueAssignments(db, clock.now()),
    },
  ];
  return runJobs(jobs, (job, error) => logger.error({ err: error, job }, 'job failed'));
}
