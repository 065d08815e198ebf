import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { PROPOSED_FIRST, type ProposedFirst } from '../availability/proposals.ts';
import type { DatabaseTimeouts } from '../db/connection.ts';
import type { NotifierSettings } from '../payments/gateways.ts';
import type { AlertSettings } from '../watch/channels.ts';
import type documented from './variables.json';
import { type Environment, isQuoted, readSecretFiles, readVariables, type Variables } from './variables.ts';

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
  /** Another one that is as good, while the token is replaced. */
  operatorTokenPrevious: string | null;
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
  /** Places of a date that are proposed first for a visit. */
  proposedFirst: ProposedFirst;
  /** Months after which customers who were not served since are erased; null: never. */
  contactRetentionMonths: number | null;
  /** Delay between readiness ending and the server closing at a stop, in seconds. */
  drainSeconds: number;
  /** `host` or `host:port`, lower case: exempt from the https and address rules of webhooks. */
  webhookAllowHosts: readonly string[];
  payments: PaymentConfig;
  /** Who is told of trouble, the addresses of the processes that are watched for it, and the file of what was told. */
  alerts: AlertSettings & { urls: readonly string[]; stateFile: string };
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

/** A variable of variables.json, from which docs/configuration.md is printed; an unlisted one cannot be read. */
export type Variable = keyof typeof documented;
type ConfigVariables = Variables<Variable>;

/** May be files: docs/configuration.md. */
export const SECRETS = [
  'OPERATOR_TOKEN',
  'OPERATOR_TOKEN_PREVIOUS',
  'SECRETS_KEY',
  'SECRETS_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'MOYASAR_SECRET_KEY',
  'MOYASAR_WEBHOOK_TOKEN',
  'NOTIFIER_WEBHOOK_SECRET',
  'UNIFONIC_APP_SID',
  'ALERT_WEBHOOK_SECRET',
  'ADDRESS_RESOLVER_TOKEN',
] as const satisfies readonly Variable[];

/** Reads the environment. Throws ConfigError that names every wrong or missing variable. */
export function parseConfig(env: Environment): Config {
  const { files, faults } = readSecretFiles(env, SECRETS);
  const variables: ConfigVariables = readVariables(env, files);
  variables.problems.push(...faults);
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

  const workerPort = integer('WORKER_PORT', 0, 65535);
  const dataDir = resolve(text('DATA_DIR') ?? './.data');
  const ownUrls = [operatorPort ?? port, ...(workerPort === null ? [] : [workerPort])].map((one) =>
    localUrl(host, one),
  );

  const config: Config = {
    host,
    port,
    operatorPort,
    workerPort,
    databaseUrl,
    databaseDirectUrl,
    databasePrepared: flag('DATABASE_PREPARED', true),
    dataDir,
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
    proposedFirst: choice('PROPOSED_FIRST', [...PROPOSED_FIRST], 'same-time'),
    contactRetentionMonths: integer('CONTACT_RETENTION_MONTHS', 1, 1200),
    drainSeconds:
      integer('DRAIN_SECONDS', 0, 600) ?? (deployment === 'production' && databaseUrl !== null ? 5 : 0),
    sandboxDomainCheck: flag('SANDBOX_DOMAIN_CHECK', false),
    webhookAllowHosts,
    payments: parsePayments(variables, isProduction),
    alerts: parseAlerts(variables, ownUrls, dataDir),
    addressResolver: parseResolver(variables),
    consoleTilesUrl,
    consoleTilesAttribution: text('CONSOLE_TILES_ATTRIBUTION'),
    logLevel: choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    tracing: !flag('OTEL_SDK_DISABLED', false) && collectors.some((collector) => collector !== null),
    environmentWarnings: environmentWarnings({ ...files, ...env }, variables.read),
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

type Secrets = Pick<
  Config,
  'operatorToken' | 'operatorTokenPrevious' | 'secretsKey' | 'secretsKeyPrevious' | 'metricsToken'
>;

function parseSecrets(
  { text, token, key, bad }: ConfigVariables,
  isProduction: boolean,
  embedded: boolean,
): Secrets {
  const operatorToken = token('OPERATOR_TOKEN');
  if (operatorToken === null && (isProduction || !embedded))
    bad('OPERATOR_TOKEN', `set ${isProduction ? 'in production' : 'when DATABASE_URL is set'}`);
  const operatorTokenPrevious = token('OPERATOR_TOKEN_PREVIOUS');
  const secretsKey = key('SECRETS_KEY');
  if (isProduction && text('SECRETS_KEY') === null)
    bad('SECRETS_KEY', 'set in production: openssl rand -hex 32');
  const secretsKeyPrevious = key('SECRETS_KEY_PREVIOUS');
  const metricsToken = token('METRICS_TOKEN');
  for (const name of SECRETS)
    if (isProduction && text(name)?.startsWith('replace-me'))
      bad(name, 'replaced in production: everybody knows the one of the example');
  return { operatorToken, operatorTokenPrevious, secretsKey, secretsKeyPrevious, metricsToken };
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

function parseAlerts(
  { text, list, url, token, bad }: ConfigVariables,
  ownUrls: readonly string[],
  dataDir: string,
): Config['alerts'] {
  const phones = list('ALERT_PHONES');
  if (!phones.every((phone) => /^\+[1-9]\d{7,14}$/.test(phone)))
    bad('ALERT_PHONES', 'a list of numbers such as +966501234567');
  const [address, secret] = [url('ALERT_WEBHOOK_URL', ['http:', 'https:']), token('ALERT_WEBHOOK_SECRET')];
  if (address !== null && secret === null) bad('ALERT_WEBHOOK_SECRET', 'set when ALERT_WEBHOOK_URL is');
  const urls = list('WATCH_URLS').map((one) => one.replace(/\/+$/, ''));
  if (!urls.every((one) => /^https?:\/\//.test(one) && URL.canParse(one) && isBase(new URL(`${one}/`))))
    bad('WATCH_URLS', 'a list of base URLs of processes, such as http://127.0.0.1:3001');
  return {
    phones,
    webhook: address === null ? null : { url: address, secret: secret ?? '' },
    urls: urls.length === 0 ? ownUrls : urls,
    stateFile: resolve(text('ALERT_STATE') ?? join(dataDir, 'alerts.json')),
  };
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
