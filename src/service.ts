import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp, type Surface } from './app.ts';
import { createPlanBook } from './availability/plan.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { type DemoKeys, seedDemo } from './demo.ts';
import type { Deps } from './deps.ts';
import { createAccessBook } from './partners/access.ts';
import { connectPostgres, type Db } from './platform/db.ts';
import type { App } from './platform/http.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createMetrics } from './platform/metrics.ts';
import { migrate } from './platform/migrate.ts';
import { memoryRateLimiter, type RateLimiter } from './platform/rate-limit.ts';
import { watchVersions } from './platform/versions.ts';
import { startWorker } from './worker.ts';

export type Service = {
  /** Base address of the partner interface without `/v1`, or null in a process that is only a worker. */
  url: string | null;
  operatorUrl: string | null;
  operatorToken: string;
  /** Keys of the demo partners, as far as they are known here. */
  demoKeys: DemoKeys | null;
  deps: Deps;
  /** Stops accepting, answers what was accepted, writes what is in memory, lets go of everything. */
  close(): Promise<void>;
};

export type ServiceParts = { db?: Db; clock?: Clock; logger?: Logger };

/** Starts everything the configuration asks for. The parts are what tests bring along. */
export async function startService(config: Config, parts: ServiceParts = {}): Promise<Service> {
  const logger = parts.logger ?? createLogger(config.logLevel);
  const clock = parts.clock ?? systemClock;
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    // In the reverse order of what was opened: listeners first, the database last.
    for (const closer of closers.splice(0).reverse()) await closer();
  };

  try {
    const db = parts.db ?? (await openDb(config, logger));
    closers.push(() => db.close());
    await migrate(db);

    const credentials = openCredentials(config);
    const demoKeys = config.seed === 'demo' ? await seedDemo(db, clock.now(), config.deployment) : null;
    if (demoKeys !== null) credentials.keepDemoKeys(demoKeys);

    const warn = (what: string) => (error: Error) => logger.warn({ err: error }, what);
    const versions = await watchVersions(db, warn('change counters could not be read'));
    closers.push(versions.close);
    const access = createAccessBook(db, versions, warn('key usage could not be written'));
    closers.push(access.close);
    const rateLimiter = await openRateLimiter(config, logger);
    closers.push(rateLimiter.close);
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
      operatorToken: credentials.operatorToken,
    };

    let url: string | null = null;
    let operatorUrl: string | null = null;
    if (config.roles.has('worker')) closers.push(startWorker(deps));
    if (config.roles.has('api')) {
      const apart = config.operatorPort !== null;
      url = await listen(deps, apart ? ['partner'] : ['partner', 'operator'], config.port, closers);
      operatorUrl = apart ? await listen(deps, ['operator'], config.operatorPort!, closers) : url;
    }
    return {
      url,
      operatorUrl,
      operatorToken: credentials.operatorToken,
      demoKeys: credentials.demoKeys(),
      deps,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openDb(config: Config, logger: Logger): Promise<Db> {
  const onError = (error: Error): void => logger.warn({ err: error }, 'an idle database connection broke');
  if (config.databaseUrl !== null) return connectPostgres(config.databaseUrl, config.databasePool, onError);
  // Loaded only when needed: it brings PostgreSQL as WebAssembly.
  const { openEmbedded } = await import('./platform/embedded.ts');
  return openEmbedded(config.dataDir, onError);
}

async function openRateLimiter(config: Config, logger: Logger): Promise<RateLimiter> {
  if (config.redisUrl === null) return memoryRateLimiter();
  const { redisRateLimiter } = await import('./platform/redis-rate-limit.ts');
  return redisRateLimiter(config.redisUrl, (state, cause) => {
    if (state === 'local')
      logger.warn({ err: cause }, 'Redis does not answer: rate limits are counted by each process');
    else logger.info('Redis answers again: rate limits are shared');
  });
}

async function listen(
  deps: Deps,
  surfaces: Surface[],
  port: number,
  closers: (() => Promise<void>)[],
): Promise<string> {
  const app: App = buildApp(deps, surfaces);
  closers.push(() => app.close());
  return app.listen({ host: deps.config.host, port });
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
