import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { DatabaseTimeouts } from '../db/connection.ts';
import type { NotifierSettings } from '../payments/gateways.ts';
import { type Environment, isQuoted, readVariables, type Variables } from './variables.ts';

/** The environment as a complete, frozen value; nothing else reads the environment. See docs/configuration.md. */
export type Config = Readonly<{
  host: string;
  port: number;
  /** null: the operator API shares the listener. */
  operatorPort: number | null;
  /** The port for probes and metrics of a worker-only process; null: none. */
  workerPort: number | null;
  /** null: an embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** A URL past a pooler, for session features; null: `databaseUrl` leads to PostgreSQL itself. */
  databaseDirectUrl: string | null;
  /** Whether statements may be prepared by name. */
  databasePrepared: boolean;
  dataDir: string;
  databasePool: number;
  databaseTimeouts: DatabaseTimeouts;
  /** null: rate-limit windows live in the memory of each process. */
  redisUrl: string | null;
  roles: ReadonlySet<'api' | 'worker'>;
  deployment: 'sandbox' | 'production';
  publicUrl: string;
  /** null only when embedded: one is generated at the first start. */
  operatorToken: string | null;
  /** The key that encrypts secrets in the database; null: a sandbox has its own (docs/decisions/secrets-at-rest.md). */
  secretsKey: Buffer | null;
  /** The previous key, to decrypt older secrets. */
  secretsKeyPrevious: Buffer | null;
  /** null: `/metrics` needs no token; production then does not serve it to partners. */
  metricsToken: string | null;
  /** `demo-setup`: the demo without its bookings. */
  seed: 'demo' | 'demo-setup' | 'none';
  trustedProxies: readonly string[];
  requireHttps: boolean;
  idempotency: boolean;
  serviceDetailRoute: boolean;
  bookingUpdateRoute: boolean;
  sandboxDomainCheck: boolean;
  /** Days of retention of the request log; 0: no log. */
  requestLogDays: number;
  /** Minutes after which a finished appointment is completed by itself; 0: never. */
  completeFinishedAfter: number;
  /** Months after which customers who were not served since are erased; null: never. */
  contactRetentionMonths: number | null;
  /** Delay between readiness ending and the server closing at a stop, in seconds. */
  drainSeconds: number;
  /** `host` or `host:port`, lower case: exempt from the https and address rules of webhooks. */
  webhookAllowHosts: readonly string[];
  payments: PaymentConfig;
  /** The service that looks up short addresses; null: none. */
  addressResolver: { url: string; token: string | null } | null;
  /** Map tiles of the console's page of zones, with `{z}`, `{x}` and `{y}`; null: outlines without a map. */
  consoleTilesUrl: string | null;
  /** The attribution that the owner of the tiles requires; null: none. */
  consoleTilesAttribution: string | null;
  logLevel: string;
  /** Whether a collector is configured. OpenTelemetry reads its other variables (OTEL_…) itself: docs/tracing.md. */
  tracing: boolean;
  /** Warnings about the form of the variables; `configWarnings` returns all. */
  environmentWarnings: readonly ConfigWarning[];
}>;

/** A probable mistake that does not prevent the start; `harmless`: the service works as intended anyway. */
export type ConfigWarning = { message: string; harmless: boolean };

/** Gateways of payment links, and their delivery to customers. */
export type PaymentConfig = {
  /** `none`: no links, so no account is `PLATFORM`. `sandbox` moves no money, and is no gateway in production. */
  gateway: 'sandbox' | 'moyasar' | 'none';
  /** null: not configured. */
  moyasar: { secretKey: string; webhookToken: string; baseUrl?: string } | null;
  /** `none`: nothing sends messages. `log`: lines of a sandbox's log. */
  notifier: NotifierSettings;
};

/** All invalid variables together. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly deployment: Config['deployment'];
  constructor(problems: string[], deployment: Config['deployment']) {
    super(`configuration: ${problems.join('; ')}`);
    this.deployment = deployment;
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const GATEWAYS = ['sandbox', 'moyasar', 'none'] as const;
const NOTIFIERS = ['none', 'log', 'webhook', 'unifonic'] as const;
const ROLES = ['api', 'worker'] as const;

/**
 * The default and the meaning of each variable, in Markdown, in the order of docs/configuration.md, which is printed
 * from here (`npm run generate`). An unlisted variable cannot be read.
 */
export const VARIABLES = {
  HOST: ['`127.0.0.1`', 'address on which the service listens (`0.0.0.0` in the container image)'],
  PORT: ['`3000`', 'port on which the service listens'],
  OPERATOR_PORT: ['none: the same listener', 'separate port for `/operator` and `/metrics`'],
  WORKER_PORT: ['none', 'port for `/livez`, `/readyz` and `/metrics` of a process with `ROLES=worker`'],
  PUBLIC_URL: ['`http://HOST:PORT`; required in production', 'base URL of links that the service creates'],
  DATABASE_URL: ['none: an embedded database', 'PostgreSQL 15 or newer'],
  DATABASE_DIRECT_URL: [
    '`DATABASE_URL`',
    'direct connection that bypasses a pooler such as PgBouncer, for migrations and `LISTEN` ([how](failover.md#pgbouncer)); if set, sessions over `DATABASE_URL` are not configured',
  ],
  DATABASE_PREPARED: ['`true`', '`false`: no named prepared statements, for PgBouncer before 1.21'],
  DATABASE_POOL: [
    '`10`',
    'connections of one process, at least 2. One more is for the health check; a worker has another for `LISTEN`',
  ],
  DATABASE_CONNECT_TIMEOUT: ['`3`', 'seconds within which a connection must open'],
  DATABASE_POOL_TIMEOUT: ['`5`', 'seconds that a statement waits for a free connection'],
  DATABASE_QUERY_TIMEOUT: [
    '`9`',
    'seconds within which a statement must return; otherwise its connection is closed',
  ],
  DATABASE_STATEMENT_TIMEOUT: ['`8`', 'seconds until PostgreSQL ends a statement (`statement_timeout`)'],
  DATABASE_LOCK_TIMEOUT: ['`3`', 'seconds that a statement waits for a lock (`lock_timeout`)'],
  DATABASE_IDLE_TRANSACTION_TIMEOUT: [
    '`5`',
    'seconds until PostgreSQL ends a transaction that does nothing (`idle_in_transaction_session_timeout`)',
  ],
  DATABASE_KEEPALIVE: [
    '`10`',
    'seconds without traffic until the kernel sends keep-alive probes (`SO_KEEPALIVE`)',
  ],
  DATA_DIR: ['`./.data`', 'folder of the embedded database'],
  REDIS_URL: ['none: each process counts for itself', 'Redis or Valkey for shared rate-limit windows'],
  ROLES: ['`api,worker`', 'roles of this process; must be both with the embedded database'],
  DEPLOYMENT: [
    '`sandbox` when embedded, else `production`',
    'API keys begin with `pbs_test_` or `pbs_live_`; only a sandbox can have demo data, a clock that can be moved, and a test gateway',
  ],
  SEED: [
    '`demo` in an embedded sandbox, else `none`',
    'demo data for an empty database, in a sandbox only; `demo-setup`: without bookings',
  ],
  OPERATOR_TOKEN: [
    'created at the first start of an embedded sandbox, else required',
    "the operator's first token, 16 characters or more",
  ],
  SECRETS_KEY: [
    'created at the first start of an embedded sandbox; derived from `OPERATOR_TOKEN` in a sandbox with `DATABASE_URL`; else required',
    'key that encrypts [secrets in the database](decisions/secrets-at-rest.md): 32 bytes, as 64 hexadecimal digits or in base64',
  ],
  SECRETS_KEY_PREVIOUS: [
    'none',
    'the previous key, while [the key is being replaced](operating.md#the-key-of-secrets)',
  ],
  METRICS_TOKEN: [
    'none',
    'bearer token for `GET /metrics`, 16 characters or more; without it and without `OPERATOR_PORT`, production has no `/metrics`',
  ],
  DRAIN_SECONDS: [
    '`5` in production with `DATABASE_URL`, else `0`',
    'seconds for which a stopping process still accepts requests while `/readyz` returns 503',
  ],
  REQUEST_LOG_DAYS: [
    '`14`',
    "days for which [partners' requests](operating.md#the-request-log) are kept, at most 365; `0`: none are kept",
  ],
  COMPLETE_FINISHED_AFTER: [
    '`0`: never',
    'minutes after which an appointment that is `Finished` becomes `Completed` by itself, at most 10080, as [crews](crews.md) finish their visits',
  ],
  CONTACT_RETENTION_MONTHS: [
    'none: they are kept',
    'months after their last visit, at most 1200, after which customers [are erased](privacy.md#retention)',
  ],
  TRUSTED_PROXIES: [
    'none',
    'addresses and CIDRs whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted',
  ],
  REQUIRE_HTTPS: ['`false`', 'refuses requests that did not reach a trusted proxy over TLS'],
  IDEMPOTENCY: [
    '`off`',
    '`true` supports the `Idempotency-Key` header of `POST /v1/partners/bookings`, `POST /v1/partners/holds` and `POST /operator/bookings`',
  ],
  BOOKING_UPDATE_ROUTE: ['`true`', 'enables `PATCH /v1/partners/bookings/:bookingId`'],
  SERVICE_DETAIL_ROUTE: ['`true`', 'enables `GET /v1/partners/services/:serviceId`'],
  SANDBOX_DOMAIN_CHECK: ['`false`', "refuses requests from a partner's sandbox domains"],
  WEBHOOK_ALLOW_HOSTS: [
    'none',
    '`host` or `host:port`, comma-separated: hosts that may receive webhooks without TLS and at private addresses; refused in production',
  ],
  PAYMENT_GATEWAY: [
    '`sandbox`; in production `none`',
    'payment gateway: `sandbox` (a test page of this service, no real money; refused in production), `moyasar`, or `none` (no `PLATFORM` partners)',
  ],
  MOYASAR_SECRET_KEY: ['none', "Moyasar's secret key"],
  MOYASAR_WEBHOOK_TOKEN: [
    'none',
    "secret token of Moyasar's webhook, which calls `PUBLIC_URL/payments/moyasar/notifications`",
  ],
  MOYASAR_BASE_URL: ["Moyasar's API", 'another base URL of the same API'],
  NOTIFIER: [
    '`log` in a sandbox; `none` in production without a payment gateway, else required',
    'what sends [payment links and messages to customers](payments.md#messages): `none` (nothing does: partners pass on the links themselves), `log` (lines of the log, in a sandbox only), `webhook` (a program of yours) or `unifonic` (SMS)',
  ],
  NOTIFIER_WEBHOOK_URL: ['none', 'where `NOTIFIER=webhook` [posts messages](payments.md#a-program-of-yours)'],
  NOTIFIER_WEBHOOK_SECRET: ['none', 'secret that signs them, 16 characters or more'],
  UNIFONIC_APP_SID: ['none', 'application ID at Unifonic'],
  UNIFONIC_SENDER_ID: ['none', 'sender name at Unifonic'],
  UNIFONIC_BASE_URL: ["Unifonic's API", 'another base URL of the same API'],
  ADDRESS_RESOLVER: [
    '`none`',
    'where short addresses of the National Address are looked up: `none`, or `http` ([its interface](operating.md#short-addresses)). Coordinates more than 300 m from the short address sent with them are then refused',
  ],
  ADDRESS_RESOLVER_URL: ['none', 'URL that answers where a short address is'],
  ADDRESS_RESOLVER_TOKEN: ['none', 'sent to it as a bearer token'],
  CONSOLE_TILES_URL: [
    'none: outlines and a scale on a plain ground',
    "map tiles of the console's page of zones, such as `https://tiles.example.com/{z}/{x}/{y}.png`; the page may then load images from there",
  ],
  CONSOLE_TILES_ATTRIBUTION: ['none', 'whose tiles they are, shown on the map'],
  LOG_LEVEL: ['`info`', '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    'none: no tracing',
    'collector for traces over OTLP/HTTP. For the other variables (`OTEL_…`) see [tracing](tracing.md)',
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['none', 'the same, as the whole address for traces'],
  OTEL_SDK_DISABLED: ['`false`', '`true` disables tracing'],
} as const satisfies Readonly<Record<string, readonly [fallback: string, meaning: string]>>;

export type Variable = keyof typeof VARIABLES;
type ConfigVariables = Variables<Variable>;

/** Reads the environment. Throws ConfigError that names every wrong or missing variable. */
export function parseConfig(env: Environment): Config {
  const variables: ConfigVariables = readVariables(env);
  const { bad, text, integer, flag, choice, url } = variables;

  const host = parseHost(variables);
  const port = integer('PORT', 0, 65535) ?? 3000;
  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const embedded = text('DATABASE_URL') === null;
  const deployment = choice('DEPLOYMENT', ['sandbox', 'production'], embedded ? 'sandbox' : 'production');
  const isProduction = deployment === 'production';
  const roles = parseRoles(variables, embedded);
  const databaseDirectUrl = url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']);
  if (embedded && text('DATABASE_DIRECT_URL') !== null)
    bad('DATABASE_DIRECT_URL', 'unset with the embedded database, which has no pooler: set DATABASE_URL');
  const trustedProxies = parseProxies(variables);
  const webhookAllowHosts = parseWebhookHosts(variables, isProduction);
  const secrets = parseSecrets(variables, isProduction, embedded);
  const operatorPort = integer('OPERATOR_PORT', 0, 65535);
  if (operatorPort !== null && operatorPort !== 0 && operatorPort === port)
    bad('OPERATOR_PORT', 'another port than PORT');
  const givenUrl = parsePublicUrl(variables, isProduction);
  const consoleTilesUrl = parseTilesUrl(variables);
  const redisUrl = parseRedisUrl(variables);
  const seed = choice('SEED', ['demo', 'demo-setup', 'none'], embedded && !isProduction ? 'demo' : 'none');
  if (isProduction && seed !== 'none') bad('SEED', 'none in production');
  const collectors = [
    url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:']),
  ];

  const config: Config = {
    host,
    port,
    operatorPort,
    workerPort: integer('WORKER_PORT', 0, 65535),
    databaseUrl,
    databaseDirectUrl,
    databasePrepared: flag('DATABASE_PREPARED', true),
    dataDir: resolve(text('DATA_DIR') ?? './.data'),
    databasePool: integer('DATABASE_POOL', 2, 1000) ?? 10,
    databaseTimeouts: parseTimeouts(variables),
    redisUrl,
    roles,
    deployment,
    publicUrl: (givenUrl ?? localUrl(host, port)).replace(/\/+$/, ''),
    ...secrets,
    seed,
    trustedProxies,
    requireHttps: flag('REQUIRE_HTTPS', false),
    idempotency: flag('IDEMPOTENCY', false),
    serviceDetailRoute: flag('SERVICE_DETAIL_ROUTE', true),
    bookingUpdateRoute: flag('BOOKING_UPDATE_ROUTE', true),
    requestLogDays: integer('REQUEST_LOG_DAYS', 0, 365) ?? 14,
    completeFinishedAfter: integer('COMPLETE_FINISHED_AFTER', 0, 10_080) ?? 0,
    contactRetentionMonths: integer('CONTACT_RETENTION_MONTHS', 1, 1200),
    drainSeconds:
      integer('DRAIN_SECONDS', 0, 600) ?? (deployment === 'production' && databaseUrl !== null ? 5 : 0),
    sandboxDomainCheck: flag('SANDBOX_DOMAIN_CHECK', false),
    webhookAllowHosts,
    payments: parsePayments(variables, isProduction),
    addressResolver: parseResolver(variables),
    consoleTilesUrl,
    consoleTilesAttribution: text('CONSOLE_TILES_ATTRIBUTION'),
    logLevel: choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    tracing: !flag('OTEL_SDK_DISABLED', false) && collectors.some((collector) => collector !== null),
    environmentWarnings: environmentWarnings(env, variables.read),
  };
  const isTrial = !embedded && OF_PRODUCTION.every((name) => text(name) === null);
  if (isTrial && text('DEPLOYMENT') === null)
    bad('DEPLOYMENT', 'sandbox for a trial, which needs OPERATOR_TOKEN alone');
  if (variables.problems.length > 0) throw new ConfigError(variables.problems, deployment);
  return Object.freeze(config);
}

function parseHost({ text, bad }: ConfigVariables): string {
  const host = text('HOST') ?? '127.0.0.1';
  if (isIP(host) === 0 && !/^[\w.-]+$/.test(host)) bad('HOST', 'an address or the name of one');
  return host;
}

function parseRoles({ text, list, bad }: ConfigVariables, embedded: boolean): Config['roles'] {
  const named = text('ROLES') === null ? ROLES : list('ROLES').map((role) => role.toLowerCase());
  const roles = new Set(ROLES.filter((role) => named.includes(role)));
  const unknown = named.find((role) => !ROLES.some((known) => known === role));
  if (unknown !== undefined) bad('ROLES', `a list of api and worker, not "${unknown}"`);
  else if (roles.size === 0) bad('ROLES', 'a list of api and worker');
  else if (embedded && roles.size === 1)
    bad('ROLES', 'api,worker with the embedded database (one process holds it)');
  return roles;
}

function parseTimeouts({ seconds }: ConfigVariables): Config['databaseTimeouts'] {
  return {
    connect: seconds('DATABASE_CONNECT_TIMEOUT', 3),
    pool: seconds('DATABASE_POOL_TIMEOUT', 5),
    query: seconds('DATABASE_QUERY_TIMEOUT', 9),
    statement: seconds('DATABASE_STATEMENT_TIMEOUT', 8),
    lock: seconds('DATABASE_LOCK_TIMEOUT', 3),
    idleTransaction: seconds('DATABASE_IDLE_TRANSACTION_TIMEOUT', 5),
    keepAlive: seconds('DATABASE_KEEPALIVE', 10),
  };
}

function parseProxies({ list, bad }: ConfigVariables): string[] {
  const trustedProxies = list('TRUSTED_PROXIES');
  for (const proxy of trustedProxies) {
    if (!isCidr(proxy)) bad('TRUSTED_PROXIES', `a list of addresses or CIDRs, not "${proxy}"`);
  }
  return trustedProxies;
}

function parseWebhookHosts({ list, bad }: ConfigVariables, isProduction: boolean): string[] {
  const webhookAllowHosts = list('WEBHOOK_ALLOW_HOSTS').map((host) => host.toLowerCase());
  for (const host of webhookAllowHosts) {
    if (!isHost(host)) bad('WEBHOOK_ALLOW_HOSTS', `a list of host or host:port, not "${host}"`);
  }
  if (isProduction && webhookAllowHosts.length > 0)
    bad('WEBHOOK_ALLOW_HOSTS', 'unset in production: webhooks go to public addresses over TLS only');
  return webhookAllowHosts;
}

type Secrets = Pick<Config, 'operatorToken' | 'secretsKey' | 'secretsKeyPrevious' | 'metricsToken'>;

function parseSecrets(
  { text, token, key, bad }: ConfigVariables,
  isProduction: boolean,
  embedded: boolean,
): Secrets {
  const operatorToken = token('OPERATOR_TOKEN');
  if (operatorToken === null && (isProduction || !embedded))
    bad('OPERATOR_TOKEN', `set ${isProduction ? 'in production' : 'when DATABASE_URL is set'}`);
  const secretsKey = key('SECRETS_KEY');
  if (isProduction && text('SECRETS_KEY') === null)
    bad('SECRETS_KEY', 'set in production: openssl rand -hex 32');
  const secretsKeyPrevious = key('SECRETS_KEY_PREVIOUS');
  const metricsToken = token('METRICS_TOKEN');
  for (const name of ['OPERATOR_TOKEN', 'METRICS_TOKEN', 'SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'] as const)
    if (isProduction && text(name)?.startsWith('replace-me'))
      bad(name, 'replaced in production: everybody knows the one of the example');
  return { operatorToken, secretsKey, secretsKeyPrevious, metricsToken };
}

function parsePublicUrl({ text, url, bad }: ConfigVariables, isProduction: boolean): string | null {
  const givenUrl = url('PUBLIC_URL', ['http:', 'https:']);
  if (isProduction && text('PUBLIC_URL') === null)
    bad('PUBLIC_URL', 'set in production: it begins the links that customers and partners are given');
  if (givenUrl !== null && isWildcard(new URL(givenUrl).hostname))
    bad('PUBLIC_URL', 'an address that others can open, not that of every interface');
  if (givenUrl !== null && !isBase(new URL(givenUrl)))
    bad('PUBLIC_URL', 'a URL without credentials, query and fragment: it begins every link');
  return givenUrl;
}

function parseResolver({ choice, url, text, bad }: ConfigVariables): Config['addressResolver'] {
  const provider = choice('ADDRESS_RESOLVER', ['none', 'http'], 'none');
  const resolver = url('ADDRESS_RESOLVER_URL', ['http:', 'https:']);
  const token = text('ADDRESS_RESOLVER_TOKEN');
  if (provider === 'none') return null;
  if (resolver === null) bad('ADDRESS_RESOLVER_URL', 'set when ADDRESS_RESOLVER is http');
  return resolver === null ? null : { url: resolver, token };
}

function parseTilesUrl({ url, bad }: ConfigVariables): string | null {
  const consoleTilesUrl = url('CONSOLE_TILES_URL', ['http:', 'https:']);
  if (consoleTilesUrl !== null && !isTilesUrl(consoleTilesUrl))
    bad('CONSOLE_TILES_URL', 'one host, without a template such as {s}, and behind it {z}, {x} and {y}');
  return consoleTilesUrl;
}

function parseRedisUrl({ url, bad }: ConfigVariables): string | null {
  const redisUrl = url('REDIS_URL', ['redis:', 'rediss:']);
  if (redisUrl !== null && !/^\d*$/.test(databaseOfRedis(new URL(redisUrl))))
    bad('REDIS_URL', 'a URL that ends with the number of a database (or without any)');
  return redisUrl;
}

function parsePayments(variables: ConfigVariables, isProduction: boolean): PaymentConfig {
  const { text, choice, baseUrl, bad } = variables;
  const gateway = choice('PAYMENT_GATEWAY', GATEWAYS, isProduction ? 'none' : 'sandbox');
  if (isProduction && gateway === 'sandbox')
    bad('PAYMENT_GATEWAY', 'moyasar or none in production: the sandbox moves no money');
  const secretKey = text('MOYASAR_SECRET_KEY');
  const webhookToken = text('MOYASAR_WEBHOOK_TOKEN');
  const moyasarUrl = baseUrl('MOYASAR_BASE_URL');
  if (gateway === 'moyasar') {
    if (secretKey === null) bad('MOYASAR_SECRET_KEY', 'set when PAYMENT_GATEWAY is moyasar');
    if (webhookToken === null) bad('MOYASAR_WEBHOOK_TOKEN', 'set when PAYMENT_GATEWAY is moyasar');
  }
  return {
    gateway,
    moyasar: secretKey === null || webhookToken === null ? null : { secretKey, webhookToken, ...moyasarUrl },
    notifier: parseNotifier(variables, isProduction, gateway === 'moyasar'),
  };
}

function parseNotifier(
  { text, choice, url, token, baseUrl, bad }: ConfigVariables,
  isProduction: boolean,
  hasGateway: boolean,
): NotifierSettings {
  const name = choice('NOTIFIER', NOTIFIERS, isProduction ? 'none' : 'log');
  if (isProduction && name === 'log')
    bad('NOTIFIER', 'webhook, unifonic or none in production: log sends nothing');
  if (isProduction && hasGateway && text('NOTIFIER') === null)
    bad(
      'NOTIFIER',
      'set in production with a payment gateway: webhook or unifonic send the payment links; with none partners pass them on themselves',
    );
  const [address, secret] = [
    url('NOTIFIER_WEBHOOK_URL', ['http:', 'https:']),
    token('NOTIFIER_WEBHOOK_SECRET'),
  ];
  const [appSid, senderId] = [text('UNIFONIC_APP_SID'), text('UNIFONIC_SENDER_ID')];
  const unifonicUrl = baseUrl('UNIFONIC_BASE_URL');
  const sent = address === null ? null : new URL(address);
  if (sent !== null && sent.href !== sent.origin + sent.pathname + sent.search)
    bad('NOTIFIER_WEBHOOK_URL', 'a URL without credentials and fragment: its requests are signed');
  const need = (...names: readonly Variable[]): void => {
    for (const needed of names) if (text(needed) === null) bad(needed, `set when NOTIFIER is ${name}`);
  };
  switch (name) {
    case 'webhook':
      need('NOTIFIER_WEBHOOK_URL', 'NOTIFIER_WEBHOOK_SECRET');
      return { name, url: address ?? '', secret: secret ?? '' };
    case 'unifonic':
      need('UNIFONIC_APP_SID', 'UNIFONIC_SENDER_ID');
      return { name, appSid: appSid ?? '', senderId: senderId ?? '', ...unifonicUrl };
    default:
      return { name };
  }
}

/** Whether a path can be appended. */
const isBase = ({ href, origin, pathname }: URL): boolean => href === origin + pathname;

/** The variables that production requires besides a database. */
const OF_PRODUCTION = ['SECRETS_KEY', 'OPERATOR_TOKEN', 'PUBLIC_URL'] as const;

/** Probable mistakes in the environment: quotes, misspelt names, a production without its database. */
function environmentWarnings(env: Environment, read: ReadonlySet<string>): ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  const isSet = (name: string): boolean => (env[name] ?? '').trim() !== '';
  // A sandbox may have one or two of these.
  if (!isSet('DATABASE_URL') && !isSet('DEPLOYMENT') && OF_PRODUCTION.every(isSet)) {
    const message = `DATABASE_URL is not set, although ${OF_PRODUCTION.join(', ')} are: this is a sandbox with a database of its own; set DATABASE_URL, or DEPLOYMENT=sandbox if that is meant`;
    warnings.push({ message, harmless: false });
  }
  for (const name of read) {
    // An attribution is a text for readers, which may have quotes.
    if (name === 'CONSOLE_TILES_ATTRIBUTION' || !isQuoted(env[name]?.trim() ?? null)) continue;
    warnings.push({
      message: `${name} is in quotes, which are taken for a part of it: remove them`,
      harmless: false,
    });
  }
  for (const name of Object.keys(env).filter((name) => isSet(name) && !read.has(name))) {
    const meant = [...read].find((known) => !isSet(known) && isMisspelt(name, known));
    if (meant !== undefined)
      warnings.push({ message: `${name} is not read: did you mean ${meant}?`, harmless: true });
  }
  return warnings;
}

/** Short names such as HOST and PORT are one letter from those of other programs. */
const MIN_MISSPELT = 8;

/** Whether the names differ in one letter (added, missing or replaced), in two swapped ones, or in case. */
function isMisspelt(name: string, known: string): boolean {
  if (known.length < MIN_MISSPELT) return false;
  let [ours, theirs] = [known, name.toUpperCase()];
  while (ours !== '' && ours[0] === theirs[0]) [ours, theirs] = [ours.slice(1), theirs.slice(1)];
  while (ours !== '' && ours.at(-1) === theirs.at(-1))
    [ours, theirs] = [ours.slice(0, -1), theirs.slice(0, -1)];
  return (ours.length < 2 && theirs.length < 2) || (ours.length === 2 && theirs === ours[1]! + ours[0]!);
}

/** All warnings about the configuration: the environment's, and those of inconsistent values. */
export function configWarnings(config: Config): ConfigWarning[] {
  const warnings = [...config.environmentWarnings];
  if (config.requireHttps && config.trustedProxies.length === 0) {
    const message =
      'REQUIRE_HTTPS refuses every request: set TRUSTED_PROXIES to the addresses of the proxy that ends TLS';
    warnings.push({ message, harmless: false });
  }
  if (config.deployment === 'production' && !config.requireHttps) {
    const message =
      'REQUIRE_HTTPS is not set: requests without TLS are served; set it to true, and TRUSTED_PROXIES to the proxy that ends TLS';
    warnings.push({ message, harmless: true });
  }
  if (config.deployment === 'production' && config.publicUrl.startsWith('http:')) {
    const message = 'PUBLIC_URL begins with http: the links of customers and partners have no TLS';
    warnings.push({ message, harmless: true });
  }
  if (config.databaseUrl !== null && new URL(config.databaseUrl).pathname.length < 2) {
    const message = 'DATABASE_URL names no database: the one with the name of its user is used';
    warnings.push({ message, harmless: true });
  }
  const { notifier } = config.payments;
  if (config.deployment === 'production' && notifier.name === 'webhook' && notifier.url.startsWith('http:')) {
    const message =
      'NOTIFIER_WEBHOOK_URL begins with http: numbers and links of customers travel without TLS';
    warnings.push({ message, harmless: true });
  }
  const moyasarKey = config.payments.moyasar?.secretKey;
  if (config.deployment === 'production' && moyasarKey?.startsWith('sk_test_')) {
    // Its links look real, but nobody is charged.
    const message =
      'MOYASAR_SECRET_KEY is a test key, and this production: test cards pay, and no money moves';
    warnings.push({ message, harmless: false });
  }
  if (config.deployment === 'sandbox' && moyasarKey?.startsWith('sk_live_')) {
    const message = 'MOYASAR_SECRET_KEY is a live key, and this a sandbox: its payment links take real money';
    warnings.push({ message, harmless: false });
  }
  if (config.workerPort !== null && config.roles.has('api')) {
    const message =
      'WORKER_PORT is not opened: a process with the role api has probes and metrics on its own port';
    warnings.push({ message, harmless: true });
  }
  return warnings;
}

const isWildcard = (host: string): boolean => ['0.0.0.0', '::', '[::]'].includes(host);

/** The listener's URL on this machine: a wildcard address cannot be opened. */
function localUrl(host: string, port: number): string {
  const name = isWildcard(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** As the client reads it: the path, or a parameter. */
const databaseOfRedis = ({ pathname, searchParams }: URL): string =>
  pathname.slice(1) || (searchParams.get('db') ?? '');

/** The console's page allows images of the host. */
function isTilesUrl(value: string): boolean {
  const [host = '', ...rest] = value.slice(value.indexOf('//') + 2).split(/(?=[/?])/);
  return !/[{}]/.test(host) && ['{z}', '{x}', '{y}'].every((gap) => rest.join('').includes(gap));
}

/** Whether it is a `host` or `host:port`, normalized as in a URL, which omits a default port. */
function isHost(value: string): boolean {
  const isOf = (scheme: string) =>
    URL.canParse(`${scheme}://${value}`) && new URL(`${scheme}://${value}`).host === value;
  return isOf('http') || isOf('https');
}

function isCidr(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
