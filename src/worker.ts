import { deleteBusyChangesBefore } from './availability/queries.ts';
import { forgetOldEvents } from './bookings/feed.ts';
import { placeEvents } from './bookings/feed-queries.ts';
import { deleteExpiredKeys } from './bookings/idempotency-queries.ts';
import { confirmDueAssignments } from './bookings/jobs.ts';
import { addDays, dateOf } from './clock.ts';
import type { Deps } from './deps.ts';
import { startPayments } from './payments/queue.ts';
import { type Job, runJobs } from './platform/jobs.ts';
import { failRemoved } from './webhooks/delivery-queries.ts';
import { observeAttempts } from './webhooks/metrics.ts';
import { startQueue } from './webhooks/queue.ts';

/** Starts the due work of every slice, an explicit list; answers how to stop it. */
export function startWorker({
  config,
  db,
  clock,
  logger,
  metrics,
  wakeups,
  outbound,
  gateways,
  notifier,
}: Deps): () => Promise<void> {
  const stopQueue = startQueue({
    db,
    clock,
    outbound,
    wakeups,
    logger,
    allowHosts: config.webhookAllowHosts,
    observe: observeAttempts(metrics),
  });
  const stopPayments = startPayments({ db, clock, wakeups, logger, gateways, notifier });
  const jobs: Job[] = [
    {
      name: 'fail-deliveries-of-removed-subscriptions',
      everyMilliseconds: 10_000,
      run: () => failRemoved(db, clock.now()),
    },
    { name: 'place-events', everyMilliseconds: 1_000, run: () => placeEvents(db) },
    {
      // By real time: a sandbox's clock may go back to days that would have been forgotten.
      name: 'forget-busy-changes',
      everyMilliseconds: 600_000,
      run: () => deleteBusyChangesBefore(db, addDays(dateOf(clock.now() - clock.offset()), -7)),
    },
    { name: 'forget-old-events', everyMilliseconds: 3_600_000, run: () => forgetOldEvents(db, clock.now()) },
    {
      name: 'forget-idempotency-keys',
      everyMilliseconds: 600_000,
      run: () => deleteExpiredKeys(db, clock.now()),
    },
    {
      name: 'confirm-due-assignments',
      everyMilliseconds: 5_000,
      run: async () => {
        if ((await confirmDueAssignments(db, clock.now())) > 0) wakeups.wake();
      },
    },
  ];
  const stopJobs = runJobs(jobs, (job, error) => logger.error({ err: error, job }, 'job failed'));
  return async () => {
    await Promise.all([stopJobs(), stopQueue(), stopPayments()]);
  };
}
