import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Command } from 'commander';
import { readBuild } from '../base/build.ts';
import { DAY, type Instant, systemClock } from '../base/clock.ts';
import type { Db } from '../db/connection.ts';
import { directFault, readIdentity } from '../db/identity.ts';
import { DatabaseTooNewError, DatabaseUnfitError, pendingMigrations } from '../db/migrate.ts';
import { readServerState, type ServerState } from '../db/open.ts';
import type { PartitionState } from '../db/partitions.ts';
import { ListenError } from '../http/listen-error.ts';
import { listPartners } from '../partners/account-queries.ts';
import { providersOf } from '../partners/account-rules.ts';
import { GatewayError } from '../payments/gateway.ts';
import { type Config, configWarnings, parseConfig } from '../program/config.ts';
import { readPartitionStates } from '../program/partitions.ts';
import { countSecrets, countUnopened, openSecrets } from '../program/secrets.ts';
import { readOffset } from '../runtime/versions.ts';
import { checkStatements } from '../statements/check.ts';
import { type Check, checkAlerts, checkNoRedis, examineDisk, examineProduction } from './doctor-server.ts';
import { explain } from './explain.ts';
import { ALL_ROWS, missingMigrations, withDatabase } from './session.ts';
import type { Environment, Terminal } from './terminal.ts';

/** `partner-booking doctor` */
export function doctorCommand(program: Command, { environment, print, fail }: Terminal): void {
  program
    .command('doctor')
    .description(
      'check configuration, database, migrations, clock, archiving, standby, webhooks, Redis, gateway and disk, and suggest fixes',
    )
    .action(async () => {
      const checks = await examine(environment);
      for (const { name, ok, warns, detail } of checks)
        print(`${ok ? (warns ? 'warn ' : 'ok   ') : 'WRONG'}  ${name.padEnd(13)}  ${detail}`);
      if (checks.some((check) => !check.ok)) fail();
    });
}

const OLDEST_POSTGRES = 15;
/** Milliseconds. Business time belongs to each process, so processes whose clocks differ give different results. */
const MAX_SKEW = 2_000;
/** Milliseconds that a partition may be late: jobs run every hour, and a database may have been unavailable. */
const MAX_LATE = DAY;

async function examine(environment: Environment): Promise<Check[]> {
  let config: Config;
  try {
    config = parseConfig(environment);
  } catch (error) {
    return [{ name: 'configuration', ok: false, detail: explain(error as Error) }];
  }
  const database = config.databaseUrl === null ? `embedded in ${config.dataDir}` : 'at DATABASE_URL';
  return [
    { name: 'build', ok: true, detail: readBuild() },
    { name: 'configuration', ok: true, detail: `${config.deployment}, database ${database}` },
    ...configWarnings(config).map(({ message, harmless }) => ({
      name: 'configuration',
      ok: harmless,
      warns: harmless,
      detail: message,
    })),
    ...(await examineHost(config)),
    ...(await examineDatabase(environment, config)),
    ...(config.redisUrl === null ? checkNoRedis(config) : [await examineRedis(config.redisUrl)]),
    await examineGateway(config),
    checkNotifier(config),
    ...checkAlerts(config),
    await examineDisk(),
  ];
}

/** On an ephemeral port: the configured ones may be in use by the running service. */
async function examineHost({ host, roles, workerPort }: Config): Promise<Check[]> {
  if (!roles.has('api') && workerPort === null) return [];
  const name = 'listener';
  const server = createServer();
  try {
    await once(server.listen(0, host), 'listening');
    return [{ name, ok: true, detail: `HOST (${host}) can be listened on` }];
  } catch (error) {
    return [{ name, ok: false, detail: new ListenError(error as Error).message }];
  } finally {
    server.close();
  }
}

async function examineDatabase(environment: Environment, config: Config): Promise<Check[]> {
  const checks: Check[] = [];
  try {
    await withDatabase(environment, async (db) => {
      const from = systemClock.now();
      const server = await readServerState(db);
      checks.push(...checkServer(server, from, systemClock.now()));
      checks.push(...(await examineDirect(db, config)));
      const pending = await pendingMigrations(db);
      const ok = pending.length === 0;
      checks.push({ name: 'migrations', ok, detail: ok ? 'up to date' : missingMigrations(pending) });
      if (ok) checks.push(await examineSecrets(db, config), await examinePartitions(db, config, server.now));
      if (ok) checks.push(...(await examineProduction(db, config, server.now)));
      if (ok)
        checks.push(...(await examinePartners(db, config)), ...(await examineStatements(db, server.now)));
    });
  } catch (error) {
    const what = config.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL and that PostgreSQL is running';
    // The others say what to do themselves.
    const isReached = error instanceof DatabaseTooNewError || error instanceof DatabaseUnfitError;
    checks.push({
      name: checks.length === 0 ? 'database' : 'migrations',
      ok: false,
      detail: isReached ? error.message : `${explain(error as Error)} (check ${what})`,
    });
  }
  return checks;
}

/** Checks that DATABASE_DIRECT_URL leads to the database. */
async function examineDirect(db: Db, config: Config): Promise<Check[]> {
  if (config.databaseDirectUrl === null) return [];
  const name = 'direct';
  try {
    const ours = await readIdentity(db);
    const fault = await db.withClient((client) => directFault(ours, client));
    return [{ name, ok: fault === null, detail: fault ?? 'the database, past a pooler' }];
  } catch (error) {
    return [{ name, ok: false, detail: `${explain(error as Error)} (check DATABASE_DIRECT_URL)` }];
  }
}

/** Checks that the keys decrypt the secrets, and that all are under the current one. */
async function examineSecrets(db: Db, config: Config): Promise<Check> {
  const { sealer, fault } = openSecrets(config);
  const { current, previous, plain, lost, lostLinks } = await countSecrets(db, sealer);
  const name = 'secrets';
  const wrong = await fault(db);
  if (wrong !== null) {
    const count = lost + lostLinks;
    const others = `${count} are under a key that is not set: set it as SECRETS_KEY or SECRETS_KEY_PREVIOUS`;
    return { name, ok: false, detail: count > 0 ? others : wrong };
  }
  if (lost > 0) {
    const lasting = 'when it is lost, rotate-secret gives the subscriptions new ones';
    const detail = `${lost} are under a key that is not set: set it as SECRETS_KEY_PREVIOUS; ${lasting}`;
    return { name, ok: false, detail };
  }
  const unopened = await countUnopened(db, sealer);
  if (unopened > 0) {
    const detail = `${unopened} of a sample cannot be opened: they were changed, or belong to other rows`;
    return { name, ok: false, detail };
  }
  const rest = [
    ...(previous > 0 ? [`${previous} under the key before`] : []),
    ...(plain > 0 ? [`${plain} not encrypted`] : []),
  ];
  const advice = rest.length === 0 ? '' : `, ${rest.join(', ')}: run partner-booking secrets rotate`;
  const links = lostLinks === 0 ? '' : `; ${lostLinks} payment links are under a key that is not set`;
  return { name, ok: true, detail: `${current} under SECRETS_KEY${advice}${links}` };
}

/**
 * Checks that a worker has created the next partitions, and dropped expired ones. Nothing is refused meanwhile, but
 * expired rows stay, and rows in the default partition have to be moved later.
 */
async function examinePartitions(db: Db, config: Config, realNow: Instant): Promise<Check> {
  const ahead = config.deployment === 'sandbox' ? (await readOffset(db)) * 1000 : 0;
  const clock = { now: () => realNow + ahead, offset: () => ahead };
  const states = await readPartitionStates(db, clock, config.requestLogDays);
  const amiss = [...states].flatMap(([table, state]) => partitionFaults(table, state));
  const advice =
    'a process with the role worker sees to it within an hour; if one runs, its log says which job failed';
  return {
    name: 'partitions',
    ok: amiss.length === 0,
    detail: amiss.length === 0 ? 'made ahead, and dropped in time' : `${amiss.join(', ')}: ${advice}`,
  };
}

function partitionFaults(table: string, { late, overdue }: PartitionState): string[] {
  const days = (milliseconds: number): string => `${Math.floor(milliseconds / DAY)} d`;
  return [
    ...(late >= MAX_LATE ? [`${table} has lacked its next partition for ${days(late)}`] : []),
    ...(overdue >= MAX_LATE ? [`${table} keeps what should have been dropped ${days(overdue)} ago`] : []),
  ];
}

/**
 * Accounts may predate the configuration: without a gateway partners under PLATFORM cannot book, and without a notifier
 * customers get no messages.
 */
async function examinePartners(db: Db, { payments }: Config): Promise<Check[]> {
  const { hasGateway, hasNotifier } = providersOf(payments);
  if (hasGateway && hasNotifier) return [];
  const { rows } = await listPartners(db, { status: 'ACTIVE' }, ALL_ROWS);
  const named = (what: string, found: typeof rows, advice: string): Check[] => {
    const detail = `${what} ${found.map((row) => row.name).join(', ')}${advice}`;
    return found.length === 0 ? [] : [{ name: 'partners', ok: false, detail }];
  };
  const platform = rows.filter((row) => !hasGateway && row.payment_responsibility === 'PLATFORM');
  const told = rows.filter((row) => !hasNotifier && row.customer_messages.length > 0);
  return [
    ...named('no bookings for', platform, ' (PLATFORM): set PAYMENT_GATEWAY=moyasar, or make them PARTNER'),
    ...named('no messages to customers of', told, ': set NOTIFIER, or switch their messages off'),
  ];
}

/** Whether issued statements and bookings add up; nothing where no partner gets any. */
async function examineStatements(db: Db, now: Instant): Promise<Check[]> {
  const { partners, isSound } = await checkStatements(db, now);
  if (partners.length === 0) return [];
  const next = partners.reduce((sum, { differing }) => sum + differing, 0);
  const detail = isSound
    ? `${partners.length} partners' statements add up${next === 0 ? '' : `, ${next} bookings are on their next ones`}`
    : 'statements and bookings do not add up: partner-booking statements check';
  return [{ name: 'statements', ok: isSound, detail }];
}

/**
 * Checks the server's version, the database's encoding, and the server's clock, read between `from` and `until` of
 * ours.
 */
export function checkServer({ version, now, encoding }: ServerState, from: Instant, until: Instant): Check[] {
  const major = Math.floor(version / 10_000);
  const recent = major >= OLDEST_POSTGRES;
  const isUtf8 = encoding === 'UTF8';
  const advice = [
    ...(recent ? [] : [`: update it to ${OLDEST_POSTGRES} or newer`]),
    ...(isUtf8 ? [] : [`, encoded in ${encoding}: restore a dump of it into one with encoding 'UTF8'`]),
  ];
  const skew = Math.max(0, from - now, now - until);
  const agrees = skew <= MAX_SKEW;
  const seconds = (skew / 1000).toFixed(1);
  return [
    {
      name: 'database',
      ok: recent && isUtf8,
      detail: `PostgreSQL ${major}${advice.join('')}`,
    },
    {
      name: 'clock',
      ok: agrees,
      detail: agrees
        ? 'agrees with the database'
        : `${seconds} s from the database's: synchronize both machines (NTP)`,
    },
  ];
}

async function examineGateway({ payments, publicUrl }: Config): Promise<Check> {
  const name = 'gateway';
  if (payments.gateway === 'sandbox') return { name, ok: true, detail: 'sandbox: no money moves' };
  if (payments.gateway === 'none' || payments.moyasar === null)
    return { name, ok: true, detail: 'none: partners collect their own payments, PLATFORM is refused' };
  const { moyasarGateway } = await import('../payments/providers/moyasar.ts');
  try {
    await moyasarGateway({ ...payments.moyasar, callbackUrl: () => publicUrl }).check();
    return { name, ok: true, detail: 'moyasar answers' };
  } catch (error) {
    const isKey = error instanceof GatewayError && error.keyRefused;
    const advice = isKey
      ? 'check MOYASAR_SECRET_KEY: it was revoked, or is of another account'
      : 'check MOYASAR_SECRET_KEY, MOYASAR_BASE_URL and the network';
    return { name, ok: false, detail: `${(error as Error).message}: ${advice}` };
  }
}

/** What sends payment links and messages to customers; nothing is sent to try it. */
function checkNotifier({ payments: { gateway, notifier } }: Config): Check {
  const isMissing = notifier.name === 'none' && gateway !== 'none';
  return { name: 'notifier', ok: true, warns: isMissing, detail: `${notifier.name}: ${sentBy()}` };

  function sentBy(): string {
    switch (notifier.name) {
      case 'none':
        return isMissing
          ? 'payment links are not sent: partners read them in their bookings, and pass them on'
          : 'customers get no messages';
      case 'log':
        return 'messages to customers are lines of the log, and reach nobody';
      case 'webhook':
        return `messages are posted to ${new URL(notifier.url).host}`;
      case 'unifonic':
        return `SMS by ${notifier.senderId}`;
    }
  }
}

async function examineRedis(url: string): Promise<Check> {
  const { Redis } = await import('ioredis');
  const { isDatabaseRefused } = await import('../runtime/redis.ts');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  const causes: (Error & { code?: string })[] = [];
  redis.on('error', (error) => causes.push(error));
  try {
    await redis.connect();
    await redis.ping();
    const refused = causes.find(isDatabaseRefused);
    if (refused === undefined) return { name: 'Redis', ok: true, detail: 'answers' };
    const detail = `${refused.message}: give REDIS_URL the number of a database that the server has`;
    return { name: 'Redis', ok: false, detail };
  } catch (error) {
    // The rejection only reports that the connection is closed; the event has the reason.
    const { message, code } = causes.at(-1) ?? (error as Error & { code?: string });
    const detail = `${message || code}: start it and check REDIS_URL, or unset REDIS_URL for one process`;
    return { name: 'Redis', ok: false, detail };
  } finally {
    redis.disconnect();
  }
}
