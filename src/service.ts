import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp, type Surface } from './app.ts';
import { createPlanBook } from './availability/plan.ts';
import type { CreateBookingInput } from './bookings/create.ts';
import { countUnassigned } from './bookings/queries.ts';
import { type Clock, isSandboxClock, sandboxClock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { type DemoKeys, demoBooking, seedDemo } from './demo.ts';
import type { Deps } from './deps.ts';
import { openDb } from './open-db.ts';
import { createAccessBook } from './partners/access.ts';
import { createGateways, createNotifier } from './payments/gateways.ts';
import { paymentMetrics } from './payments/metrics.ts';
import type { Db } from './platform/db.ts';
import type { HttpTimeouts } from './platform/http.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createMetrics } from './platform/metrics.ts';
import { migrate } from './platform/migrate.ts';
import { createOutbound, type OutboundOptions } from './platform/outbound.ts';
import { memoryRateLimiter, type RateLimiter } from './platform/rate-limit.ts';
import { watchVersions } from './platform/versions.ts';
import { localWakeups, postgresWakeups } from './platform/wakeups.ts';
import { queueMetrics } from './webhooks/metrics.ts';
import { MOST_AT_ONCE } from './webhooks/rules.ts';
import { startWorker } from './worker.ts';

export type Service = {
  /** Base address of the partner interface without `/v1`, or null in a process that is only a worker. */
  url: string | null;
  operatorUrl: string | null;
  operatorToken: string;
  /** The demo partners' keys, as far as they are known here, and a booking to try one with. */
  demo: { keys: DemoKeys; booking: CreateBookingInput | null } | null;
  deps: Deps;
  /** Stops accepting, answers what was accepted, writes what is in memory, lets go of everything. */
  close(): Promise<void>;
};

export type ServiceParts = {
  db?: Db;
  clock?: Clock;
  logger?: Logger;
  timeouts?: Partial<HttpTimeouts>;
  outbound?: OutboundOptions;
};

/** Starts everything the configuration asks for. The parts are what tests bring along. */
export async function startService(config: Config, parts: ServiceParts = {}): Promise<Service> {
  const logger = parts.logger ?? createLogger(config.logLevel);
  const clock = parts.clock ?? (config.deployment === 'sandbox' ? sandboxClock() : systemClock);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    // In the reverse order of what was opened: listeners first, the database last.
    for (const closer of closers.splice(0).reverse()) await closer();
  };

  try {
    const db = parts.db ?? (await openDb(config, logger));
    closers.push(() => db.close());
    await migrate(db);

    const warn = (what: string) => (error: Error) => logger.warn({ err: error }, what);
    // Before anything asks the time: a sandbox's clock stands where the database says.
    const versions = await watchVersions(
      db,
      warn('change counters could not be read'),
      isSandboxClock(clock) ? (seconds) => clock.setOffset(seconds * 1000) : null,
    );
    closers.push(versions.close);

    const credentials = openCredentials(config);
    const demoKeys = config.seed === 'demo' ? await seedDemo(db, clock.now(), config.deployment) : null;
    if (demoKeys !== null) credentials.keepDemoKeys(demoKeys);

    const access = createAccessBook(db, versions, warn('key usage could not be written'));
    closers.push(access.close);
    const rateLimiter = await openRateLimiter(config, clock, logger);
    closers.push(rateLimiter.close);
    const wakeups =
      config.databaseUrl === null
        ? localWakeups()
        : postgresWakeups(
            db,
            config.databaseUrl,
            config.roles.has('worker'),
            warn('workers cannot be woken: they look by themselves'),
          );
    closers.push(wakeups.close);
    const outbound = createOutbound({ connectionsPerEndpoint: MOST_AT_ONCE, ...parts.outbound });
    closers.push(outbound.close);
    // With PORT=0 the address is known only when it listens.
    let listening: string | null = null;
    const publicUrl = (): string => (config.publicUrl.endsWith(':0') ? listening : null) ?? config.publicUrl;
    const deps: Deps = {
      config,
      clock,
      db,
      logger,
      metrics: createMetrics(db),
      versions,
      access,
      plans: createPlanBook(db),
      rateLimiter,
      wakeups,
      outbound,
      gateways: createGateways(config.payments, { db, clock, publicUrl }),
      notifier: createNotifier(config.payments, logger),
      operatorToken: credentials.operatorToken,
    };

    deps.metrics.gauge('queue_depth', 'Work that waits for its time, by queue', 'queue', async () => ({
      unassigned_appointments: await countUnassigned(db),
    }));

    queueMetrics(deps.metrics, db, clock);
    if (config.deployment === 'production' && config.payments.gateway === 'sandbox')
      logger.warn('PAYMENT_GATEWAY is sandbox: payment links of PLATFORM partners move no money');
    paymentMetrics(deps.metrics, db);

    let url: string | null = null;
    let operatorUrl: string | null = null;
    if (config.roles.has('worker')) closers.push(startWorker(deps));
    if (config.roles.has('api')) {
      const apart = config.operatorPort !== null;
      const listen = async (surfaces: Surface[], port: number): Promise<string> => {
        const app = buildApp(deps, surfaces, parts.timeouts);
        closers.push(() => app.close());
        return app.listen({ host: config.host, port });
      };
      url = listening = await listen(apart ? ['partner'] : ['partner', 'operator'], config.port);
      operatorUrl = apart ? await listen(['operator'], config.operatorPort!) : url;
    }
    const keys = credentials.demoKeys();
    return {
      url,
      operatorUrl,
      operatorToken: credentials.operatorToken,
      demo: keys && { keys, booking: await demoBooking(db, deps.plans, clock.now()) },
      deps,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openRateLimiter(config: Config, clock: Clock, logger: Logger): Promise<RateLimiter> {
  if (config.redisUrl === null) return memoryRateLimiter();
  const { redisRateLimiter } = await import('./platform/redis-rate-limit.ts');
  return redisRateLimiter(config.redisUrl, clock.offset, (state, cause) => {
    if (state === 'local')
      logger.warn({ err: cause }, 'Redis does not answer: rate limits are counted by each process');
    else logger.info('Redis answers again: rate limits are shared');
  });
}

/**
 * The operator token and demo keys of an embedded database, kept beside it (readable by its owner only) so
 * that every start can print them. With DATABASE_URL nothing is written: the token comes from the environment.
 */
function openCredentials(config: Config) {
  const file = join(config.dataDir, 'credentials.json');
  const embedded = config.databaseUrl === null;
  const kept: { operatorToken?: string; demoKeys?: DemoKeys } =
    embedded && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const save = (): void => {
    if (embedded) writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
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
