import { setTimeout as sleep } from 'node:timers/promises';
import { createPlanCache } from '../availability/plan.ts';
import { readBuild } from '../base/build.ts';
import { type Clock, databaseClock, type Instant, isSandboxClock, sandboxClock } from '../base/clock.ts';
import type { CreateBookingInput } from '../bookings/create.ts';
import { adoptBookings } from '../bookings/restored-queries.ts';
import { createTracking } from '../bookings/tracking.ts';
import { DEMO_AGE, type DemoKeys, demoBooking, seedDemo } from '../cli/demo.ts';
import type { DemoPlatform } from '../cli/demo-day.ts';
import { createLocator, createPlaceCheck, httpResolver } from '../contacts/resolver.ts';
import { openTrackingKey } from '../customers/key-queries.ts';
import { messageMetrics } from '../customers/messages.ts';
import type { Db } from '../db/connection.ts';
import type { Health } from '../db/health.ts';
import { migrate } from '../db/migrate.ts';
import { readAppliedBuilds } from '../db/migration-plan.ts';
import { openDb } from '../db/open.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { countUnassigned } from '../dispatch/assignment-queries.ts';
import { createAuthFailures } from '../http/auth-failures.ts';
import type { HttpTimeouts } from '../http/edge.ts';
import { createOutbound, type OutboundOptions } from '../outbound/requests.ts';
import { createKeyCache } from '../partners/access.ts';
import { createGateways, createNotifier } from '../payments/gateways.ts';
import { countedGateways, countedNotifier, paymentMetrics } from '../payments/metrics.ts';
import { tracedGateways, tracedNotifier } from '../payments/traces.ts';
import { privacyMetrics } from '../privacy/metrics.ts';
import { createPhoneHash } from '../privacy/rules.ts';
import { createRequestLog, type RequestLog } from '../requests/recorder.ts';
import { type DatabaseWatch, MAX_SKEW, watchDatabase } from '../runtime/database-watch.ts';
import { createLogger, type Logger, readLogLosses } from '../runtime/logger.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { tracedDb } from '../runtime/traced-database.ts';
import type { Tracing } from '../runtime/tracing.ts';
import { watchVersions } from '../runtime/versions.ts';
import { localWakeups, postgresWakeups, type Wakeups } from '../runtime/wakeups.ts';
import { queueMetrics } from '../webhooks/metrics.ts';
import { MAX_PER_WORKER } from '../webhooks/rules.ts';
import { tracedOutbound } from '../webhooks/traces.ts';
import { type Config, configWarnings } from './config.ts';
import { keptCredentials, openCredentials } from './credentials.ts';
import type { Deps } from './deps.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { type Addresses, listen } from './listeners.ts';
import { partitionMetrics } from './partitions.ts';
import { openRateLimiters } from './rate-limits.ts';
import { openSecrets } from './secrets.ts';
import { serverMetrics } from './server-metrics.ts';
import { startWorker } from './worker.ts';

/** The pause before a failed start is retried (milliseconds). */
const START_AGAIN = 1_000;

export type Service = Addresses & {
  operatorToken: string;
  /** The demo partners' keys, if known here, and an example of a booking. */
  demo: { keys: DemoKeys; booking: CreateBookingInput | null } | null;
  deps: Deps;
  /** Stops accepting, finishes accepted requests, writes buffers and releases everything. */
  close(): Promise<void>;
};

export type ServiceParts = {
  db?: Db;
  clock?: Clock;
  /** The machine's clock, for tests with a wrong one. */
  machine?: () => Instant;
  logger?: Logger;
  /** Absent: not traced. */
  tracing?: Tracing | null;
  timeouts?: Partial<HttpTimeouts>;
  outbound?: OutboundOptions;
  /** Failed authentications of one address in a window. */
  maxAuthFailures?: number;
};

/** Starts all configured parts. Tests can replace some. */
export async function startService(config: Config, parts: ServiceParts = {}): Promise<Service> {
  const logger = parts.logger ?? createLogger(config.logLevel);
  const lifecycle = createLifecycle(config.drainSeconds, logger);
  const addresses: Addresses = { url: null, operatorUrl: null, workerUrl: null };
  try {
    for (const { message } of configWarnings(config)) logger.warn(message);
    const opened = await openDeps(config, { ...parts, logger }, lifecycle, addresses);
    const { deps, health, credentials } = opened;
    exportMetrics(deps, health);
    let stopWorker = async (): Promise<void> => {};
    lifecycle.closing({ close: () => stopWorker() });
    // Before the end of the start, so that probes get a response: the database may be unavailable, or a migration may
    // take long.
    await listen(deps, addresses, lifecycle, parts.timeouts);
    let newDemo: DemoKeys | null = null;
    await untilItSucceeds(health, logger, async () => {
      newDemo = await prepareDatabase(opened);
    });
    const keys = credentials.demoKeys();
    // Before the worker's jobs occupy an embedded database's one connection.
    const booking = keys && (await demoBooking(deps.db, deps.plans, deps.clock.now()));
    if (config.roles.has('worker')) stopWorker = startWorker(deps);
    lifecycle.started(config.roles.has('api'));
    // After the service is ready: the demo's bookings take longer than the rest of the start.
    if (newDemo !== null && config.seed === 'demo') lifecycle.closing({ close: seedDayInBackground(deps) });
    const { operatorToken } = credentials;
    return { ...addresses, operatorToken, demo: keys && { keys, booking }, deps, close: lifecycle.close };
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
}

type Opened = {
  deps: Deps;
  health: DatabaseWatch;
  secrets: ReturnType<typeof openSecrets>;
  credentials: ReturnType<typeof openCredentials>;
  tracking: ReturnType<typeof createTracking>;
  phoneHash: ReturnType<typeof createPhoneHash>;
};

/** Opens everything in order of dependencies. With PORT=0 `addresses` know the port only later. */
async function openDeps(
  config: Config,
  parts: ServiceParts & { logger: Logger },
  { closing, isStarting, isDraining }: Lifecycle,
  addresses: Addresses,
): Promise<Opened> {
  const { logger, tracing = null } = parts;
  const { deployment } = config;
  const warn = (what: string) => (error: Error) => logger.warn({ err: error }, what);
  const clock =
    parts.clock ?? (deployment === 'sandbox' ? sandboxClock(parts.machine) : databaseClock(parts.machine));
  if (tracing !== null) closing(tracing);
  // Before the database, whose creation takes seconds.
  const kept = keptCredentials(config);
  const plain = parts.db ?? (await openDb(config, warn('a database connection broke')));
  const db = closing(tracing === null ? plain : tracedDb(plain, tracing));
  const health = closing(watchDatabase(db, clock, logger));
  const onOffset = isSandboxClock(clock) ? (seconds: number) => clock.setOffset(seconds * 1000) : null;
  const versions = closing(watchVersions(db, warn('change counters could not be read'), onOffset));
  const credentials = openCredentials(config, kept);
  const secrets = openSecrets(config);
  const { sealer } = secrets;
  const keys = closing(createKeyCache(db, versions, warn('key usage could not be written')));
  const metrics = createMetrics(db, tracing);
  const requestLog =
    config.requestLogDays === 0 ? null : closing(openRequestLog({ config, db, clock, metrics }, warn));
  const { rateLimiter, failures } = await openRateLimiters(config, clock, logger, metrics);
  closing(rateLimiter);
  const listenFrom = config.roles.has('worker') ? health.answered : null;
  const woken =
    config.databaseUrl === null
      ? localWakeups()
      : postgresWakeups(db, listenFrom, warn('workers cannot be woken: they poll instead'));
  const wakeups = closing(tracing === null ? woken : wakeOutsideTrace(woken, tracing));
  const sender = closing(createOutbound({ connectionsPerEndpoint: MAX_PER_WORKER, ...parts.outbound }));
  const publicUrl = (): string =>
    (config.publicUrl.endsWith(':0') ? addresses.url : null) ?? config.publicUrl;
  const tracking = createTracking(publicUrl);
  const phoneHash = createPhoneHash();
  const gateways = countedGateways(
    createGateways(config.payments, { db, sealer, clock, publicUrl, deployment }),
    metrics,
  );
  const notifier = countedNotifier(createNotifier(config.payments, { clock, deployment, logger }), metrics);
  const resolver = config.addressResolver && httpResolver(config.addressResolver);
  const locate = createLocator(resolver, logger);
  const deps: Deps = {
    config,
    clock,
    db,
    logger,
    faults: faultsOf(health, isStarting),
    metrics,
    tracing,
    versions,
    keys,
    requestLog,
    plans: createPlanCache(db),
    sealer,
    tracking,
    locate,
    checkPlace: createPlaceCheck(locate),
    phoneHash: phoneHash.hash,
    rateLimiter,
    authFailures: createAuthFailures(failures, parts.maxAuthFailures),
    wakeups,
    outbound: tracing === null ? sender : tracedOutbound(sender, tracing),
    gateways: tracing === null ? gateways : tracedGateways(gateways, tracing),
    notifier: tracing === null ? notifier : tracedNotifier(notifier, tracing),
    operatorToken: credentials.operatorToken,
    build: readBuild(),
    watched: { at: null },
    isDraining,
  };
  return { deps, health, secrets, credentials, tracking, phoneHash };
}

/** The faults of /readyz. */
const faultsOf = (health: DatabaseWatch, isStarting: () => boolean) => (): Record<string, string> => {
  const database = health.fault();
  const skew = health.skew();
  return {
    ...(isStarting() && { service: 'starting' }),
    ...(database !== null && { database }),
    ...(Math.abs(skew) > MAX_SKEW && { clock: `${Math.round(skew / 1000)} s off` }),
  };
};

function exportMetrics({ metrics, db, clock, config, build }: Deps, health: DatabaseWatch): void {
  metrics.gauge('build_info', 'The build that runs, always 1', 'build', async () => ({ [build]: 1 }));
  metrics.gauge('queue_depth', 'Work that waits for its time, by queue', 'queue', async () => ({
    unassigned_appointments: await countUnassigned(db),
  }));
  metrics.gauge('database_up', 'Whether the database answers, and takes writes', 'can', async () => ({
    answer: health.fault() === 'unreachable' ? 0 : 1,
    write: health.fault() === null ? 1 : 0,
  }));
  metrics.gauge(
    'clock_skew_seconds',
    "How far the clock that times are taken from is ahead of the machine's",
    'clock',
    async () => ({ database: health.skew() / 1000 }),
  );
  metrics.gauge(
    'log_losses',
    'Writes of the log that the standard output refused, and lines dropped meanwhile, since the start',
    'what',
    async () => readLogLosses(),
  );
  if (config.databaseUrl !== null) serverMetrics(metrics, db);
  queueMetrics(metrics, db, clock);
  paymentMetrics(metrics, db, clock);
  messageMetrics(metrics, db, clock);
  privacyMetrics(metrics, db, clock);
  partitionMetrics(metrics, db, clock, config.requestLogDays);
}

/** Migrates, checks the secrets, sets the clock and seeds; returns the keys of a new demo. May be repeated. */
async function prepareDatabase({
  deps,
  secrets,
  credentials,
  tracking,
  phoneHash,
}: Opened): Promise<DemoKeys | null> {
  const { db, clock, config, logger, versions } = deps;
  const from = await readAppliedBuilds(db);
  const steps = await migrate(db);
  if (steps.length > 0 && from.length > 0)
    logger.info({ from, to: deps.build, steps }, 'the database was migrated');
  const adopted = await adoptBookings(db);
  if (adopted > 0) logger.warn({ bookings: adopted }, 'bookings of another cluster were restored here');
  await secrets.check(db, (message) => logger.warn(message));
  const key = await openTrackingKey(db, secrets.sealer);
  tracking.useKey(key);
  phoneHash.useKey(key);
  // Before anything reads the time: a sandbox's offset is in the database.
  await versions.start();
  if (config.seed === 'none') return null;
  const keys = await seedDemo(db, clock.now() - DEMO_AGE, config.deployment);
  if (keys !== null) credentials.keepDemoKeys(keys);
  return keys;
}

/** Creates the demo's bookings of the days around now; returns a function that waits for the end or stops it. */
function seedDayInBackground(deps: Deps): () => Promise<void> {
  const { db, plans, clock, config, logger } = deps;
  const seeding = (async () => {
    const { seedDay } = await import('../cli/demo-day.ts');
    const { payByLink, subscribeNowhere } = await import('../cli/demo-platform.ts');
    const platform: DemoPlatform = {
      payByLink: (now, bookingId, outcome) => payByLink(deps, now, bookingId, outcome),
      subscribeNowhere: (now, partnerId) => subscribeNowhere(deps, now, partnerId),
    };
    const withGateway = config.payments.gateway === 'sandbox' ? platform : null;
    await seedDay({ db, plans }, clock.now(), withGateway, deps.isDraining);
  })().catch((error) => logger.warn({ err: error }, 'the bookings of the demo are not complete'));
  return () => seeding;
}

function openRequestLog(
  { config, db, clock, metrics }: Pick<Deps, 'config' | 'db' | 'clock' | 'metrics'>,
  warn: (what: string) => (error: Error) => void,
): RequestLog {
  const dropped = metrics.counter(
    'request_log_dropped_total',
    'Requests that the request log lost, by why: too many waited, the database was not available, or an error',
    'why',
  );
  // Counters start at 0, not absent.
  for (const why of ['full', 'database', 'error'] as const) dropped(why, 0);
  const bodiesLeftOut = metrics.counter(
    'request_log_bodies_left_out_total',
    'Requests that the log of a sandbox keeps without their bodies, because too many came at once, by outcome',
    'outcome',
  );
  for (const outcome of ['succeeded', 'refused', 'unauthenticated'] as const) bodiesLeftOut(outcome, 0);
  return createRequestLog({
    db,
    clock,
    isSandbox: config.deployment === 'sandbox',
    onDropped: dropped,
    onBodiesLeftOut: bodiesLeftOut,
    onError: warn('requests could not be written to their log'),
  });
}

/** The work of a woken worker is not part of the request's trace. */
function wakeOutsideTrace(wakeups: Wakeups, tracing: Tracing): Wakeups {
  return { ...wakeups, wake: () => tracing.apart(wakeups.wake) };
}

/** Runs the work once the database responds, and again when the connection was lost meanwhile. */
async function untilItSucceeds(health: Health, logger: Logger, work: () => Promise<void>): Promise<void> {
  for (;;) {
    await health.answered;
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      logger.warn({ err: error }, 'the database was lost while starting: trying again');
      await sleep(START_AGAIN);
    }
  }
}
