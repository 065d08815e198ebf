import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPlanCache } from '../availability/plan.ts';
import { type Clock, databaseClock, type Instant, isSandboxClock, sandboxClock } from '../base/clock.ts';
import { countUnassigned } from '../bookings/change-queries.ts';
import type { CreateBookingInput } from '../bookings/create.ts';
import { adoptBookings } from '../bookings/restored-queries.ts';
import { DEMO_AGE, type DemoKeys, demoBooking, seedDemo } from '../cli/demo.ts';
import type { DemoPlatform } from '../cli/demo-day.ts';
import type { Db } from '../db/connection.ts';
import { writeWhole } from '../db/data-dir.ts';
import type { Health } from '../db/health.ts';
import { migrate } from '../db/migrate.ts';
import { openDb } from '../db/open.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { createAuthFailures, localFailures } from '../http/auth-failures.ts';
import type { App, HttpTimeouts } from '../http/edge.ts';
import { ListenError } from '../http/listen-error.ts';
import { createOutbound, type OutboundOptions } from '../outbound/requests.ts';
import { createKeyCache } from '../partners/access.ts';
import { createGateways, createNotifier } from '../payments/gateways.ts';
import { paymentMetrics } from '../payments/metrics.ts';
import { tracedGateways, tracedNotifier } from '../payments/traces.ts';
import { createRequestLog, type RequestLog } from '../requests/recorder.ts';
import { MAX_SKEW, watchDatabase } from '../runtime/database-watch.ts';
import { createLogger, type Logger } from '../runtime/logger.ts';
import { createMetrics, type Metrics } from '../runtime/metrics.ts';
import { memoryRateLimiter, type RateLimiter } from '../runtime/rate-limit.ts';
import { tracedDb } from '../runtime/traced-database.ts';
import type { Tracing } from '../runtime/tracing.ts';
import { watchVersions } from '../runtime/versions.ts';
import { localWakeups, postgresWakeups, type Wakeups } from '../runtime/wakeups.ts';
import { queueMetrics } from '../webhooks/metrics.ts';
import { MAX_PER_WORKER } from '../webhooks/rules.ts';
import { tracedOutbound } from '../webhooks/traces.ts';
import { buildApp, buildWorkerApp, type Surface, servesMetrics } from './app.ts';
import { type Config, configWarnings } from './config.ts';
import type { Deps } from './deps.ts';
import { partitionMetrics } from './partitions.ts';
import { openSecrets } from './secrets.ts';
import { startWorker } from './worker.ts';

/** Milliseconds. */
const START_AGAIN = 1_000;

export type Service = {
  /** Base address of the partner interface without `/v1`, or null in a process that is only a worker. */
  url: string | null;
  operatorUrl: string | null;
  /** Where a worker-only process serves probes; null: nowhere, or the process has an interface. */
  workerUrl: string | null;
  operatorToken: string;
  /** The demo partners' keys, as far as they are known here, and a booking to try one with. */
  demo: { keys: DemoKeys; booking: CreateBookingInput | null } | null;
  deps: Deps;
  /** Stops accepting, finishes accepted requests, writes what is in memory and releases everything. */
  close(): Promise<void>;
};

export type ServiceParts = {
  db?: Db;
  clock?: Clock;
  /** The machine's clock, for one that is wrong. */
  machine?: () => Instant;
  logger?: Logger;
  /** Left out: not traced. */
  tracing?: Tracing | null;
  timeouts?: Partial<HttpTimeouts>;
  outbound?: OutboundOptions;
  /** Failed authentications of one address in 60 seconds. */
  maxAuthFailures?: number;
};

/** Starts everything that the configuration enables. Tests can replace the parts. */
export async function startService(config: Config, parts: ServiceParts = {}): Promise<Service> {
  const logger = parts.logger ?? createLogger(config.logLevel);
  const clock =
    parts.clock ??
    (config.deployment === 'sandbox' ? sandboxClock(parts.machine) : databaseClock(parts.machine));
  const closers: (() => Promise<void>)[] = [];
  let draining = false;
  let serving = false;
  const close = async (): Promise<void> => {
    draining = true;
    if (serving) {
      logger.info({ drainSeconds: config.drainSeconds }, 'stopping: no longer ready, still serving requests');
      await sleep(config.drainSeconds * 1000);
      serving = false;
    }
    // In the reverse order of what was opened: listeners first, the database last.
    for (const closer of closers.splice(0).reverse()) await closer();
  };

  const tracing = parts.tracing ?? null;
  if (tracing !== null) closers.push(tracing.close);

  try {
    for (const { message } of configWarnings(config)) logger.warn(message);
    // Before the database, whose making takes seconds.
    const kept = keptCredentials(config);
    const opened =
      parts.db ??
      (await openDb(config, (error) => logger.warn({ err: error }, 'a database connection broke')));
    const db = tracing === null ? opened : tracedDb(opened, tracing);
    closers.push(() => db.close());
    const health = watchDatabase(db, clock, logger);
    closers.push(health.close);
    let starting = true;
    const faults = (): Record<string, string> => {
      const database = health.fault();
      const skew = health.skew();
      return {
        ...(starting && { service: 'starting' }),
        ...(database !== null && { database }),
        ...(Math.abs(skew) > MAX_SKEW && { clock: `${Math.round(skew / 1000)} s off` }),
      };
    };

    const warn = (what: string) => (error: Error) => logger.warn({ err: error }, what);
    const versions = watchVersions(
      db,
      warn('change counters could not be read'),
      isSandboxClock(clock) ? (seconds) => clock.setOffset(seconds * 1000) : null,
    );
    closers.push(versions.close);

    const credentials = openCredentials(config, kept);
    const secrets = openSecrets(config);
    const { sealer } = secrets;
    const keyCache = createKeyCache(db, versions, warn('key usage could not be written'));
    closers.push(keyCache.close);
    const metrics = createMetrics(db, tracing);
    const requestLog = config.requestLogDays === 0 ? null : openRequestLog(config, db, clock, metrics, warn);
    if (requestLog !== null) closers.push(requestLog.close);
    const { rateLimiter, failures } = await openRateLimiters(config, clock, logger);
    closers.push(rateLimiter.close);
    const woken =
      config.databaseUrl === null
        ? localWakeups()
        : postgresWakeups(
            db,
            config.roles.has('worker') ? health.answered : null,
            warn('workers cannot be woken: they poll instead'),
          );
    const wakeups = tracing === null ? woken : wakeApart(woken, tracing);
    closers.push(wakeups.close);
    const sender = createOutbound({ connectionsPerEndpoint: MAX_PER_WORKER, ...parts.outbound });
    closers.push(sender.close);
    const outbound = tracing === null ? sender : tracedOutbound(sender, tracing);
    // With PORT=0 the address is known only when it listens.
    let listening: string | null = null;
    const publicUrl = (): string => (config.publicUrl.endsWith(':0') ? listening : null) ?? config.publicUrl;
    const { deployment } = config;
    const gateways = createGateways(config.payments, { db, sealer, clock, publicUrl, deployment });
    const notifier = createNotifier(config.payments, deployment, logger);
    const deps: Deps = {
      config,
      clock,
      db,
      logger,
      faults,
      metrics,
      tracing,
      versions,
      keys: keyCache,
      requestLog,
      plans: createPlanCache(db),
      sealer,
      rateLimiter,
      authFailures: createAuthFailures(failures, parts.maxAuthFailures),
      wakeups,
      outbound,
      gateways: tracing === null ? gateways : tracedGateways(gateways, tracing),
      notifier: tracing === null ? notifier : tracedNotifier(notifier, tracing),
      operatorToken: credentials.operatorToken,
      isDraining: () => draining,
    };

    deps.metrics.gauge('queue_depth', 'Work that waits for its time, by queue', 'queue', async () => ({
      unassigned_appointments: await countUnassigned(db),
    }));

    deps.metrics.gauge('database_up', 'Whether the database answers, and takes writes', 'can', async () => ({
      answer: health.fault() === 'unreachable' ? 0 : 1,
      write: health.fault() === null ? 1 : 0,
    }));
    deps.metrics.gauge(
      'clock_skew_seconds',
      "How far the clock that times are taken from is ahead of the machine's",
      'clock',
      async () => ({ database: health.skew() / 1000 }),
    );
    queueMetrics(deps.metrics, db, clock);
    paymentMetrics(deps.metrics, db);
    partitionMetrics(deps.metrics, db, clock, config.requestLogDays);

    let url: string | null = null;
    let operatorUrl: string | null = null;
    let workerUrl: string | null = null;
    let stopWorker = async (): Promise<void> => {};
    let isNewDemo = false;
    closers.push(() => stopWorker());
    const listenOn = async (app: App, port: number): Promise<string> => {
      closers.push(() => app.close());
      try {
        return await app.listen({ host: config.host, port });
      } catch (error) {
        throw new ListenError(error as Error);
      }
    };
    const serve = async (): Promise<void> => {
      const apart = config.operatorPort !== null;
      const listen = (surfaces: Surface[], port: number): Promise<string> =>
        listenOn(buildApp(deps, surfaces, parts.timeouts), port);
      url = listening = await listen(apart ? ['partner'] : ['partner', 'operator'], config.port);
      if (!apart && !servesMetrics(config, ['partner', 'operator']))
        logger.warn(
          '/metrics is not served: set METRICS_TOKEN, or give the operator a port with OPERATOR_PORT',
        );
      operatorUrl = apart ? await listen(['operator'], config.operatorPort!) : url;
    };
    const isApi = config.roles.has('api');
    // Before its start is over, so that probes get a response: the database may be unavailable, or migrate for long.
    if (isApi) await serve();
    else if (config.workerPort !== null)
      workerUrl = await listenOn(buildWorkerApp(deps, parts.timeouts), config.workerPort);
    await untilItSucceeds(health, logger, async () => {
      await migrate(db);
      const adopted = await adoptBookings(db);
      if (adopted > 0) logger.warn({ bookings: adopted }, 'bookings of another cluster were restored here');
      await secrets.check(db, (message) => logger.warn(message));
      // Before anything reads the time: a sandbox's clock has its offset in the database.
      await versions.start();
      const demoKeys =
        config.seed !== 'none' ? await seedDemo(db, clock.now() - DEMO_AGE, config.deployment) : null;
      if (demoKeys === null) return;
      credentials.keepDemoKeys(demoKeys);
      isNewDemo = config.seed === 'demo';
    });
    if (config.roles.has('worker')) stopWorker = startWorker(deps);
    starting = false;
    serving = isApi;

    const keys = credentials.demoKeys();
    const booking = keys && (await demoBooking(db, deps.plans, clock.now()));
    // While it serves already: its bookings take longer than all else that a start does.
    if (isNewDemo) closers.push(seedDayBeside(deps));
    return {
      url,
      operatorUrl,
      workerUrl,
      operatorToken: credentials.operatorToken,
      demo: keys && { keys, booking },
      deps,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Fills the days around now with the demo's bookings; returns what waits until that is over, or was stopped. */
function seedDayBeside(deps: Deps): () => Promise<void> {
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
  config: Config,
  db: Db,
  clock: Clock,
  metrics: Metrics,
  warn: (what: string) => (error: Error) => void,
): RequestLog {
  const dropped = metrics.counter(
    'request_log_dropped_total',
    'Requests that the request log lost, by why: too many waited, the database was not available, or an error',
    'why',
  );
  // What has not happened is 0, and not unknown.
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

/** What a woken worker does is no part of the request that woke it. */
function wakeApart(wakeups: Wakeups, tracing: Tracing): Wakeups {
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

/** The windows of keys, and those of failed authentications. */
async function openRateLimiters(
  config: Config,
  clock: Clock,
  logger: Logger,
): Promise<{ rateLimiter: RateLimiter; failures: Pick<RateLimiter, 'take'> }> {
  if (config.redisUrl === null) return { rateLimiter: memoryRateLimiter(), failures: localFailures() };
  const { redisRateLimiter } = await import('../runtime/redis-rate-limit.ts');
  const rateLimiter = redisRateLimiter(config.redisUrl, clock.offset, (state, cause) => {
    if (state === 'local')
      logger.warn({ err: cause }, 'Redis does not answer: each process counts rate limits on its own');
    else logger.info('Redis answers again: rate limits are shared');
  });
  return { rateLimiter, failures: rateLimiter.beside('failures', localFailures()) };
}

type KeptCredentials = { operatorToken?: string; demoKeys?: DemoKeys };

const credentialsFile = ({ dataDir }: Config): string => join(dataDir, 'credentials.json');

/** What an earlier start has kept beside an embedded database. */
function keptCredentials(config: Config): KeptCredentials {
  const file = credentialsFile(config);
  if (config.databaseUrl !== null || !existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(
      `${file} cannot be read (${(error as Error).message}): mend it, or remove it to get a new token`,
    );
  }
}

/**
 * The operator token and demo keys of an embedded database, kept beside it (readable by its owner only) so
 * that every start can print them. With DATABASE_URL nothing is written: the token comes from the environment.
 */
function openCredentials(config: Config, kept: KeptCredentials) {
  const save = (): void => {
    if (config.databaseUrl === null)
      writeWhole(credentialsFile(config), `${JSON.stringify(kept, null, 2)}\n`);
  };
  if (config.operatorToken === null && kept.operatorToken === undefined) {
    kept.operatorToken = `pbs_operator_${randomBytes(32).toString('base64url')}`;
    save();
  }
  return {
    operatorToken: config.operatorToken ?? kept.operatorToken!,
    demoKeys: () => kept.demoKeys ?? null,
    keepDemoKeys(keys: DemoKeys) {
      kept.demoKeys = keys;
      save();
    },
  };
}
