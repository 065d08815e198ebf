import { DAY, type Instant, MINUTE, realTime } from '../base/clock.ts';
import { forgetAccess } from '../bookings/access.ts';
import { createBookingInserts } from '../bookings/create.ts';
import { sweepHolds } from '../bookings/holds.ts';
import { deleteExpiredKeys } from '../bookings/idempotency-queries.ts';
import { advanceCertifications } from '../certification/certify.ts';
import { decideOverdue } from '../closings/fee-decisions.ts';
import { forgetCrews } from '../crew/retention.ts';
import { deleteMessages } from '../customers/message-queries.ts';
import { MESSAGE_RETENTION, sendMessages } from '../customers/messages.ts';
import type { Db } from '../db/connection.ts';
import { analyzeGrownTables } from '../db/upkeep.ts';
import { completeFinished, confirmDueAssignments } from '../dispatch/jobs.ts';
import { keepEventPartitions, RETENTION } from '../events/feed.ts';
import { placeEvents } from '../events/queries.ts';
import { forgetPageFiles } from '../http/page-files.ts';
import { startPayments } from '../payments/queue.ts';
import { tracedStep, untracedStep } from '../payments/traces.ts';
import { eraseAfterRetention } from '../privacy/retention.ts';
import { keepRequestPartitions } from '../requests/retention.ts';
import { type Job, runJobs, runParts } from '../runtime/jobs.ts';
import { rollAll } from '../series/place.ts';
import { limitDueDates } from '../simulator/due-dates-queries.ts';
import { sandboxFaults } from '../simulator/faults.ts';
import { startSimulator } from '../simulator/queue.ts';
import { withScriptedCustomers } from '../simulator/scripted-customers.ts';
import { deletePendingWithoutEvent, failRemoved } from '../webhooks/delivery-queries.ts';
import { attemptsMetrics, observeDeliveries } from '../webhooks/metrics.ts';
import { NO_FAULTS, startQueue } from '../webhooks/queue.ts';
import { keepDeliveryPartitions } from '../webhooks/retention-queries.ts';
import { deletePreviousSecrets } from '../webhooks/subscription-queries.ts';
import { tracedAttempt, untracedAttempt } from '../webhooks/traces.ts';
import type { Deps } from './deps.ts';

/** Starts the jobs of every slice, an explicit list; returns a function that stops them. */
export function startWorker({
  config,
  db,
  sealer,
  tracking,
  phoneHash,
  clock,
  logger,
  metrics,
  tracing,
  wakeups,
  outbound,
  gateways,
  notifier,
  plans,
  requestLog,
}: Deps): () => Promise<void> {
  const isSandbox = config.deployment === 'sandbox';
  const toCustomers = isSandbox ? withScriptedCustomers(notifier, { db, clock, logger }) : notifier;
  const queue = startQueue({
    db,
    sealer,
    tracking,
    clock,
    outbound,
    wakeups,
    logger,
    allowHosts: config.webhookAllowHosts,
    faults: isSandbox ? sandboxFaults(db, clock) : NO_FAULTS,
    trace: tracing === null ? untracedAttempt : tracedAttempt(tracing),
    ...observeDeliveries(metrics),
  });
  attemptsMetrics(metrics, queue);
  const stopPayments = startPayments({
    db,
    sealer,
    clock,
    wakeups,
    logger,
    gateways,
    notifier: toCustomers,
    trace: tracing === null ? untracedStep : tracedStep(tracing),
  });
  const stopSimulator = isSandbox
    ? startSimulator({ db, plans, sealer, gateways, logger, clock, wakeups })
    : async () => {};
  const jobs: Job[] = [
    {
      name: 'fail-deliveries-of-removed-subscriptions',
      everyMilliseconds: 10_000,
      run: () => failRemoved(db, clock.now()),
    },
    {
      name: 'forget-previous-secrets',
      everyMilliseconds: 60_000,
      run: () => deletePreviousSecrets(db, clock.now()),
    },
    { name: 'tend-tables', everyMilliseconds: 5_000, run: () => analyzeGrownTables(db) },
    { name: 'place-events', everyMilliseconds: 1_000, run: () => placeEvents(db) },
    {
      name: 'keep-event-partitions',
      everyMilliseconds: 3_600_000,
      run: () => keepEventsAndDeliveries(db, clock.now()),
    },
    {
      name: 'keep-request-partitions',
      everyMilliseconds: 600_000,
      run: () => keepRequestPartitions(db, realTime(clock), config.requestLogDays),
    },
    {
      name: 'forget-idempotency-keys',
      everyMilliseconds: 600_000,
      run: () => runParts([() => deleteExpiredKeys(db, clock.now()), () => forgetPageFiles(db, clock)]),
    },
    {
      name: 'customer-messages',
      everyMilliseconds: 1_000,
      run: () => sendMessages({ db, clock, notifier: toCustomers, tracking, logger }),
    },
    {
      name: 'forget-customer-messages',
      everyMilliseconds: 600_000,
      run: () =>
        runParts([
          () => deleteMessages(db, clock.now() - MESSAGE_RETENTION),
          () => forgetAccess(db, clock.now()),
        ]),
    },
    { name: 'forget-crews', everyMilliseconds: 600_000, run: () => forgetCrews(db, clock) },
    { name: 'decide-fees', everyMilliseconds: 600_000, run: () => decideOverdue(db, clock.now()) },
    {
      name: 'roll-series',
      everyMilliseconds: 60_000,
      run: () => rollAll({ db, plans, sealer, insert: createBookingInserts(db) }, clock),
    },
    { name: 'sweep-holds', everyMilliseconds: 5_000, run: () => sweepHolds(db, clock.now()) },
    {
      name: 'confirm-due-assignments',
      everyMilliseconds: 5_000,
      run: async () => {
        if ((await confirmDueAssignments(db, clock.now())) > 0) wakeups.wake();
      },
    },
  ];
  if (config.completeFinishedAfter > 0)
    jobs.push({
      name: 'complete-finished',
      everyMilliseconds: 10_000,
      run: async () => {
        const after = config.completeFinishedAfter * MINUTE;
        if ((await completeFinished({ db, plans }, clock.now(), after)) > 0) wakeups.wake();
      },
    });
  const months = config.contactRetentionMonths;
  if (months !== null)
    jobs.push({
      name: 'erase-after-retention',
      everyMilliseconds: DAY,
      run: () => eraseAfterRetention({ db, clock, logger, phoneHash, requestLog }, months),
    });
  if (isSandbox && config.requestLogDays > 0)
    jobs.push({
      name: 'advance-certifications',
      everyMilliseconds: 1_000,
      run: () =>
        advanceCertifications({
          db,
          plans,
          clock,
          wake: wakeups.wake,
          onError: (error, certificationId) =>
            logger.error({ err: error, certificationId }, 'a certification could not be advanced'),
        }),
    });
  if (isSandbox) {
    let ahead = clock.offset();
    jobs.push({
      // A process that follows the clock with a delay may have written due dates of the time before the reset.
      name: 'limit-due-dates',
      everyMilliseconds: 1_000,
      run: async () => {
        const offset = clock.offset();
        if (offset < ahead) await db.transaction((tx) => limitDueDates(tx, clock.now()));
        ahead = offset;
      },
    });
  }
  const running = runJobs(jobs, {
    onError: (job, error) => logger.error({ err: error, job }, 'job failed'),
    onWaiting: (job, error) => logger.warn({ err: error, job }, 'jobs wait: the database is not available'),
    onResumed: () => logger.info('jobs run again'),
  });
  metrics.gauge(
    'jobs_overdue_seconds',
    "Seconds since the run of this worker's job was due at the latest, and has not succeeded",
    'name',
    async () => running.overdue(),
  );
  return async () => {
    await Promise.all([running.stop(), queue.stop(), stopPayments(), stopSimulator()]);
  };
}

/**
 * Creates the next months of events and deliveries, and drops expired ones, deliveries first. A table that fails does
 * not stop the others.
 */
export async function keepEventsAndDeliveries(db: Db, now: Instant): Promise<void> {
  await runParts([
    () => keepDeliveryPartitions(db, now, now - RETENTION),
    () => keepEventPartitions(db, now),
    () => deletePendingWithoutEvent(db),
  ]);
}
