import { userInfo } from 'node:os';
import { Command } from 'commander';
import type { Static, TSchema } from 'typebox';
import { type Instant, systemClock } from './clock.ts';
import { type Config, parseConfig } from './config.ts';
import { ApiError, validationError } from './errors.ts';
import { askServer, openDb, type ServerState } from './open-db.ts';
import {
  changePartner,
  createPartner,
  readPartner,
  readPartnerByName,
  searchPartners,
} from './partners/accounts.ts';
import { changeKey, type IssuedKey, issueKey, rotateKey } from './partners/keys.ts';
import { PERMISSIONS } from './partners/rules.ts';
import { CreateKey, CreatePartner, KeyParams, ListPartnersQuery, RotateKey } from './partners/schema.ts';
import { keyView, partnerView } from './partners/view.ts';
import type { Actor } from './platform/audit.ts';
import type { Db } from './platform/db.ts';
import { createLogger } from './platform/logger.ts';
import { migrate, pendingMigrations } from './platform/migrate.ts';
import { createRequestChecker } from './platform/validation.ts';
import { readOffset } from './platform/versions.ts';
import type { ListenArguments } from './webhooks/listen.ts';

/**
 * The operator's command line: the use cases of the operator's interface, straight on the database. `listen` alone is
 * for partners, and speaks HTTP.
 */
function createProgram(): Command {
  const program = new Command('partner-booking').description(
    'Partner Booking Service. Reads the same environment variables as the service.',
  );

  program
    .command('serve')
    .description('start the service')
    .action(async () => {
      // Loaded only when needed: the other commands do without the HTTP side.
      const { main } = await import('./main.ts');
      await main();
    });
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(async () => {
      const ran = await withDatabase((db) => migrate(db));
      print(ran.length === 0 ? 'nothing to do: the database is up to date' : `migrated: ${ran.join(', ')}`);
    });
  program
    .command('seed')
    .description('fill an empty database')
    .command('demo')
    .description('demo data of Riyadh; shows the keys of the demo partners, this once')
    .action(async () => {
      const { seedDemo } = await import('./demo.ts');
      const keys = await withMigrated(({ db, now, config }) => seedDemo(db, now, config.deployment));
      if (keys === null) print('nothing to do: the database holds data already');
      else print(`demo key PARTNER  ${keys.partner}`, `demo key PLATFORM ${keys.platform}`);
    });
  partnerCommands(program.command('partners').description('create, list and suspend partners'));
  keyCommands(program.command('keys').description("create, revoke and rotate partners' keys"));
  program
    .command('doctor')
    .description('check configuration, database, migrations, clock, Redis and gateway, and say what to do')
    .action(async () => {
      const checks = await examine();
      for (const { name, ok, says } of checks)
        print(`${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(13)}  ${says}`);
      if (checks.some((check) => !check.ok)) process.exitCode = 1;
    });
  listenCommand(program);
  return program;
}

function listenCommand(program: Command): void {
  program
    .command('listen')
    .description("show a partner's events as they come, and forward them, signed as webhooks are")
    .option('--key <key>', "a key of the partner; in PARTNER_BOOKING_KEY it stays out of the shell's history")
    .option('--url <url>', 'base URL of the service', 'http://127.0.0.1:3000/v1')
    .option('--forward <url>', 'POST each event there, one after the other, signed as a webhook is')
    .option('--secret <secret>', 'the secret to sign with; without it one is made and shown')
    .option('--events <list>', 'only these events, comma-separated; without it all')
    .option('--since <cursor>', 'a cursor that an earlier run ended with, or "beginning"', 'latest')
    .option('--json', 'events as one JSON object on each line')
    .addHelpText(
      'after',
      `
Needs no database: it reads GET /partners/events with the permission partner_bookings_read, every second, which counts
towards the rate limit of the key. Events go to the standard output, all else to the standard error.
A forward is tried once: what fails is shown and passed over. The delivery id of a forwarded event is the event's id.`,
    )
    .action(async (options: Omit<ListenArguments, 'key'> & { key?: string }) => {
      const { listen, listenOptions } = await import('./webhooks/listen.ts');
      const given = listenOptions({ ...options, key: options.key ?? process.env.PARTNER_BOOKING_KEY });
      const stop = new AbortController();
      // Kept to the end: a terminal's Ctrl-C comes twice, from it and from the bin that hands signals on.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort());
      process.stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error;
        stop.abort(); // whoever read the events has gone
      });
      await listen(given, { event: print, note: (line) => console.error(line) }, systemClock, stop.signal);
    });
}

function partnerCommands(partners: Command): void {
  type CreateOptions = {
    name: string;
    paymentResponsibility?: string;
    rateLimit?: string;
    allowedDomains?: string;
    sandboxDomains?: string;
    webhookDomains?: string;
    httpWebhooks?: true;
    json?: true;
  };
  partners
    .command('create')
    .description('create a partner')
    .requiredOption('--name <name>', 'its name, unique')
    .option('--payment-responsibility <who>', 'who collects the money: PARTNER or PLATFORM')
    .option('--rate-limit <requests>', 'requests in any 60 seconds for each key; without it no limit')
    .option('--allowed-domains <list>', 'domains requests may come from, comma-separated')
    .option('--sandbox-domains <list>', 'sandbox domains, comma-separated')
    .option('--webhook-domains <list>', 'domains webhooks may go to, comma-separated')
    .option('--http-webhooks', 'allow webhook URLs without TLS')
    .option('--json', 'answer in JSON')
    .action(async (options: CreateOptions) => {
      const input = checked(CreatePartner, {
        name: options.name,
        paymentResponsibility: options.paymentResponsibility,
        rateLimitPerMinute: numberOf(options.rateLimit),
        allowedDomains: listOf(options.allowedDomains),
        sandboxDomains: listOf(options.sandboxDomains),
        allowedWebhookDomains: listOf(options.webhookDomains),
        requireHttpsWebhooks: options.httpWebhooks && false,
      });
      const partner = await withMigrated(({ db, now, actor }) => createPartner(db, now, actor, input));
      if (options.json) printJson(partnerView(partner));
      else print(`created partner ${partner.id} (${partner.name})`);
    });

  partners
    .command('list')
    .description('list partners, newest first')
    .option('--search <text>', 'a part of the name')
    .option('--status <status>', 'ACTIVE or SUSPENDED')
    .option('--json', 'answer in JSON')
    .action(async ({ json, ...options }: { search?: string; status?: string; json?: true }) => {
      const filter = checked(ListPartnersQuery, options);
      const everything = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
      const { rows } = await withMigrated(({ db }) => searchPartners(db, filter, everything));
      if (json) printJson(rows.map(partnerView));
      else print(...rows.map((row) => `${row.id}  ${row.status.padEnd(9)}  ${row.name}`));
    });

  partners
    .command('suspend')
    .description('suspend a partner: none of its keys works any more')
    .argument('<partner>', 'id or name')
    .action(async (idOrName: string) => {
      await withMigrated(async ({ db, now, actor }) => {
        const { id } = await partnerOf(db, idOrName);
        const partner = await changePartner(db, now, actor, { id, changes: { status: 'SUSPENDED' } });
        print(`suspended partner ${partner.id} (${partner.name})`);
      });
    });
}

function keyCommands(keys: Command): void {
  type CreateOptions = { name: string; permissions: string; ip?: string; expiresAt?: string; json?: true };
  keys
    .command('create')
    .description('create a key and show it, this once')
    .argument('<partner>', 'id or name')
    .requiredOption('--name <name>', 'what the key is for')
    .requiredOption('--permissions <list>', `"all", or comma-separated: ${PERMISSIONS.join(', ')}`)
    .option('--ip <list>', 'addresses and CIDRs that may use it, comma-separated; without it any')
    .option('--expires-at <time>', 'ISO 8601 with offset; without it never')
    .option('--json', 'answer in JSON')
    .action(async (idOrName: string, options: CreateOptions) => {
      const input = checked(CreateKey, {
        name: options.name,
        permissions: options.permissions === 'all' ? [...PERMISSIONS] : listOf(options.permissions),
        ipAllowlist: listOf(options.ip),
        expiresAt: options.expiresAt,
      });
      await withMigrated(async ({ db, now, actor, config }) => {
        const { id } = await partnerOf(db, idOrName);
        const { deployment } = config;
        printIssued(
          await issueKey(db, now, actor, { ...input, partnerId: id, deployment }),
          now,
          options.json,
        );
      });
    });

  keys
    .command('revoke')
    .description('revoke a key for good')
    .argument('<key id>')
    .action(async (text: string) => {
      const id = keyId(text);
      await withMigrated(({ db, now, actor }) =>
        changeKey(db, now, actor, { id, changes: { status: 'REVOKED' } }),
      );
      print(`revoked key ${id}`);
    });

  keys
    .command('rotate')
    .description('give a key a new secret and show it, this once')
    .argument('<key id>')
    .option('--overlap-minutes <minutes>', 'how long the old secret still works; without it not at all')
    .option('--json', 'answer in JSON')
    .action(async (text: string, options: { overlapMinutes?: string; json?: true }) => {
      const id = keyId(text);
      const input = checked(RotateKey, { overlapMinutes: numberOf(options.overlapMinutes) });
      await withMigrated(async ({ db, now, actor, config }) => {
        const { deployment } = config;
        printIssued(await rotateKey(db, now, actor, { ...input, id, deployment }), now, options.json);
      });
    });
}

// ---------------------------------------------------------------------------
// Around the use cases

/** What the person at the command line can mend. */
class CliError extends Error {}

async function withDatabase<T>(work: (db: Db, config: Config) => Promise<T>): Promise<T> {
  const config = parseConfig(process.env);
  const db = await openDb(config, createLogger('silent'));
  try {
    return await work(db, config);
  } finally {
    await db.close();
  }
}

type Session = { db: Db; config: Config; now: Instant; actor: Actor };

function withMigrated<T>(work: (session: Session) => Promise<T>): Promise<T> {
  return withDatabase(async (db, config) => {
    const pending = await pendingMigrations(db);
    if (pending.length > 0) throw new CliError(lacks(pending));
    // Keys and overlaps end by business time, which a sandbox may have moved ahead.
    const ahead = config.deployment === 'sandbox' ? (await readOffset(db)) * 1000 : 0;
    return work({ db, config, now: systemClock.now() + ahead, actor: `cli:${osUser()}` });
  });
}

function lacks(pending: string[]): string {
  return `the database lacks ${pending.join(', ')}: run partner-booking migrate`;
}

/** The name of the user who runs this, or the number when it has none (containers). */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** The input when the schema of the operator's interface accepts it. Throws VALIDATION_ERROR. */
function checked<T extends TSchema>(schema: T, fields: Record<string, unknown>): Static<T> {
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const faults = createRequestChecker()({ body: schema })({ params: {}, query: {}, body });
  if (faults !== null) throw validationError(faults.messages, faults.hints);
  return body as Static<T>;
}

function keyId(text: string): string {
  return checked(KeyParams, { id: text }).id;
}

function partnerOf(db: Db, idOrName: string) {
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(idOrName);
  return isId ? readPartner(db, idOrName) : readPartnerByName(db, idOrName);
}

function listOf(text: string | undefined): string[] | undefined {
  return text?.split(',').map((item) => item.trim());
}

/** NaN for what is no number, which the schema then refuses. */
function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function print(...lines: string[]): void {
  for (const line of lines) console.log(line);
}

function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

function printIssued({ row, key }: IssuedKey, now: Instant, json: true | undefined): void {
  if (json) printJson({ ...keyView(row, now), key });
  else print(`key ${row.id} (${row.name}); this is shown once:`, key);
}

/** One line for the person at the command line. */
function explain(error: Error & { code?: string }): string {
  const says = error.message || error.code || 'unknown error';
  if (error instanceof ApiError) {
    const { message } = error.details;
    return Array.isArray(message) ? message.join('; ') : says;
  }
  const isConnection = /^(?:(?!ERR_)E[A-Z_]+|28\w{3}|3D000|57P03)$/.test(error.code ?? '');
  return (isConnection ? `the database cannot be used: ${says}` : says).replaceAll(/\s*\n\s*/g, ' ');
}

// ---------------------------------------------------------------------------
// The doctor

export type Check = { name: string; ok: boolean; says: string };

const OLDEST_POSTGRES = 15;
/** Milliseconds. Business time is each process's own, so clocks apart mean answers apart. */
const MOST_SKEW = 2_000;

async function examine(): Promise<Check[]> {
  let config: Config;
  try {
    config = parseConfig(process.env);
  } catch (error) {
    return [{ name: 'configuration', ok: false, says: explain(error as Error) }];
  }
  const database = config.databaseUrl === null ? `embedded in ${config.dataDir}` : 'at DATABASE_URL';
  return [
    { name: 'configuration', ok: true, says: `${config.deployment}, database ${database}` },
    ...(await examineDatabase(config)),
    ...(config.redisUrl === null ? [] : [await examineRedis(config.redisUrl)]),
    await examineGateway(config),
  ];
}

async function examineDatabase(config: Config): Promise<Check[]> {
  const checks: Check[] = [];
  try {
    await withDatabase(async (db) => {
      const from = systemClock.now();
      const server = await askServer(db);
      checks.push(...judgeServer(server, from, systemClock.now()));
      const pending = await pendingMigrations(db);
      const ok = pending.length === 0;
      checks.push({ name: 'migrations', ok, says: ok ? 'up to date' : lacks(pending) });
    });
  } catch (error) {
    const what = config.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL and that PostgreSQL is running';
    checks.push({
      name: checks.length === 0 ? 'database' : 'migrations',
      ok: false,
      says: `${explain(error as Error)} (check ${what})`,
    });
  }
  return checks;
}

/** Is the server new enough, and does its clock, read between `from` and `until` of ours, agree with it? */
export function judgeServer({ version, now }: ServerState, from: Instant, until: Instant): Check[] {
  const major = Math.floor(version / 10_000);
  const recent = major >= OLDEST_POSTGRES;
  const skew = Math.max(0, from - now, now - until);
  const agrees = skew <= MOST_SKEW;
  const seconds = (skew / 1000).toFixed(1);
  return [
    {
      name: 'database',
      ok: recent,
      says: `PostgreSQL ${major}${recent ? '' : `: update it to ${OLDEST_POSTGRES} or newer`}`,
    },
    {
      name: 'clock',
      ok: agrees,
      says: agrees
        ? 'agrees with the database'
        : `${seconds} s from the database's: synchronize both machines (NTP)`,
    },
  ];
}

async function examineGateway({ payments, deployment, publicUrl }: Config): Promise<Check> {
  const name = 'gateway';
  if (payments.moyasar === null || payments.gateway === 'sandbox') {
    const says =
      deployment === 'sandbox'
        ? 'sandbox: no money moves'
        : 'sandbox: no money moves; set PAYMENT_GATEWAY before there are PLATFORM partners';
    return { name, ok: true, says };
  }
  const { moyasarGateway } = await import('./payments/moyasar.ts');
  try {
    await moyasarGateway({ ...payments.moyasar, callbackUrl: () => publicUrl }).check();
    return { name, ok: true, says: 'moyasar answers' };
  } catch (error) {
    return {
      name,
      ok: false,
      says: `${(error as Error).message}: check MOYASAR_SECRET_KEY, MOYASAR_BASE_URL and the network`,
    };
  }
}

async function examineRedis(url: string): Promise<Check> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let cause: (Error & { code?: string }) | null = null;
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.connect();
    await redis.ping();
    return { name: 'Redis', ok: true, says: 'answers' };
  } catch (error) {
    // The rejection only says that the connection is closed; the event says why.
    const { message, code } = cause ?? (error as Error & { code?: string });
    const says = `${message || code}: start it and check REDIS_URL, or unset REDIS_URL for one process`;
    return { name: 'Redis', ok: false, says };
  } finally {
    redis.disconnect();
  }
}

if (import.meta.main) {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    console.error(`error: ${explain(error as Error)}`);
    process.exitCode = 1;
  }
}
