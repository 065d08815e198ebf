import { isIP } from 'node:net';
import { resolve } from 'node:path';

/** What the environment asks for: frozen, total, and read nowhere else. See the table in README.md. */
export type Config = Readonly<{
  host: string;
  port: number;
  /** null: the operator's interface shares the listener. */
  operatorPort: number | null;
  /** null: an embedded database in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  databasePool: number;
  /** null: rate-limit windows live in the memory of each process. */
  redisUrl: string | null;
  roles: ReadonlySet<'api' | 'worker'>;
  deployment: 'sandbox' | 'production';
  publicUrl: string;
  /** null only when embedded: one is made at the first start. */
  operatorToken: string | null;
  seed: 'demo' | 'none';
  trustedProxies: readonly string[];
  requireHttps: boolean;
  idempotency: boolean;
  serviceDetailRoute: boolean;
  bookingUpdateRoute: boolean;
  sandboxDomainCheck: boolean;
  /** `host` or `host:port`, lower case: exempt from the https and address rules of webhooks. */
  webhookAllowHosts: readonly string[];
  payments: PaymentConfig;
  logLevel: string;
}>;

/** How payment links are made, and how they reach customers. */
export type PaymentConfig = {
  gateway: 'sandbox' | 'moyasar';
  /** null: not configured. */
  moyasar: { secretKey: string; webhookToken: string; baseUrl?: string } | null;
  /** null: links are written to the log. */
  unifonic: { appSid: string; senderId: string; baseUrl?: string } | null;
};

/** Every bad variable at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(problems: string[]) {
    super(`configuration: ${problems.join('; ')}`);
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const TRUE = ['true', '1', 'on', 'yes'];
const FALSE = ['false', '0', 'off', 'no'];

/** Reads the environment. Throws ConfigError that names every wrong or missing variable. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const text = (name: string): string | null => env[name]?.trim() || null;
  const bad = (name: string, wanted: string): void => {
    // Values may hold passwords: only the harmless kinds are repeated.
    problems.push(`${name} must be ${wanted}`);
  };

  function integer(name: string, min: number, max: number): number | null {
    const value = text(name);
    if (value === null) return null;
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    bad(name, `a whole number from ${min} to ${max}, not "${value}"`);
    return null;
  }
  function flag(name: string, fallback: boolean): boolean {
    const value = text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (TRUE.includes(value)) return true;
    if (!FALSE.includes(value)) bad(name, `true or false (on or off), not "${value}"`);
    return false;
  }
  function choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    const found = choices.find((known) => known === value);
    if (found === undefined) bad(name, `one of ${choices.join(', ')}, not "${value}"`);
    return found ?? fallback;
  }
  function url(name: string, protocols: readonly string[]): string | null {
    const value = text(name);
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    bad(name, `a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    return null;
  }
  function list(name: string): string[] {
    return (text(name) ?? '').split(',').flatMap((item) => item.trim() || []);
  }

  function baseUrl(name: string): { baseUrl?: string } {
    const value = url(name, ['http:', 'https:']);
    return value === null ? {} : { baseUrl: value.replace(/\/+$/, '') };
  }
  function parsePayments(): PaymentConfig {
    const gateway = choice('PAYMENT_GATEWAY', ['sandbox', 'moyasar'], 'sandbox');
    const notifier = choice('NOTIFIER', ['log', 'unifonic'], 'log');
    const secretKey = text('MOYASAR_SECRET_KEY');
    const webhookToken = text('MOYASAR_WEBHOOK_TOKEN');
    const appSid = text('UNIFONIC_APP_SID');
    const senderId = text('UNIFONIC_SENDER_ID');
    const [moyasarUrl, unifonicUrl] = [baseUrl('MOYASAR_BASE_URL'), baseUrl('UNIFONIC_BASE_URL')];
    if (gateway === 'moyasar') {
      if (secretKey === null) bad('MOYASAR_SECRET_KEY', 'set when PAYMENT_GATEWAY is moyasar');
      if (webhookToken === null) bad('MOYASAR_WEBHOOK_TOKEN', 'set when PAYMENT_GATEWAY is moyasar');
    }
    if (notifier === 'unifonic') {
      if (appSid === null) bad('UNIFONIC_APP_SID', 'set when NOTIFIER is unifonic');
      if (senderId === null) bad('UNIFONIC_SENDER_ID', 'set when NOTIFIER is unifonic');
    }
    return {
      gateway,
      moyasar:
        secretKey === null || webhookToken === null ? null : { secretKey, webhookToken, ...moyasarUrl },
      unifonic:
        notifier === 'log' || appSid === null || senderId === null
          ? null
          : { appSid, senderId, ...unifonicUrl },
    };
  }

  const host = text('HOST') ?? '127.0.0.1';
  const port = integer('PORT', 0, 65535) ?? 3000;
  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const embedded = text('DATABASE_URL') === null;
  const deployment = choice('DEPLOYMENT', ['sandbox', 'production'], embedded ? 'sandbox' : 'production');

  const roles = new Set<'api' | 'worker'>();
  for (const role of text('ROLES') === null ? ['api', 'worker'] : list('ROLES')) {
    if (role === 'api' || role === 'worker') roles.add(role);
    else bad('ROLES', `a list of api and worker, not "${role}"`);
  }
  if (roles.size === 0) bad('ROLES', 'a list of api and worker');
  if (embedded && roles.size === 1)
    bad('ROLES', 'api,worker with the embedded database (one process holds it)');

  const trustedProxies = list('TRUSTED_PROXIES');
  for (const proxy of trustedProxies) {
    if (!isCidr(proxy)) bad('TRUSTED_PROXIES', `a list of addresses or CIDRs, not "${proxy}"`);
  }

  const webhookAllowHosts = list('WEBHOOK_ALLOW_HOSTS').map((host) => host.toLowerCase());
  for (const host of webhookAllowHosts) {
    if (!isHost(host)) bad('WEBHOOK_ALLOW_HOSTS', `a list of host or host:port, not "${host}"`);
  }

  const operatorToken = text('OPERATOR_TOKEN');
  if (operatorToken !== null && operatorToken.length < 16)
    bad('OPERATOR_TOKEN', 'at least 16 characters long');
  if (operatorToken === null && !embedded) bad('OPERATOR_TOKEN', 'set when DATABASE_URL is set');

  const operatorPort = integer('OPERATOR_PORT', 0, 65535);
  if (operatorPort !== null && operatorPort !== 0 && operatorPort === port)
    bad('OPERATOR_PORT', 'another port than PORT');

  const config: Config = {
    host,
    port,
    operatorPort,
    databaseUrl,
    dataDir: resolve(text('DATA_DIR') ?? './.data'),
    databasePool: integer('DATABASE_POOL', 2, 1000) ?? 10,
    redisUrl: url('REDIS_URL', ['redis:', 'rediss:']),
    roles,
    deployment,
    publicUrl: (
      url('PUBLIC_URL', ['http:', 'https:']) ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    ).replace(/\/+$/, ''),
    operatorToken,
    seed: choice('SEED', ['demo', 'none'], embedded ? 'demo' : 'none'),
    trustedProxies,
    requireHttps: flag('REQUIRE_HTTPS', false),
    idempotency: flag('IDEMPOTENCY', false),
    serviceDetailRoute: flag('SERVICE_DETAIL_ROUTE', true),
    bookingUpdateRoute: flag('BOOKING_UPDATE_ROUTE', true),
    sandboxDomainCheck: flag('SANDBOX_DOMAIN_CHECK', false),
    webhookAllowHosts,
    payments: parsePayments(),
    logLevel: choice('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** `host` or `host:port` and nothing else, as a URL has it. */
function isHost(value: string): boolean {
  return URL.canParse(`http://${value}`) && new URL(`http://${value}`).href === `http://${value}/`;
}

function isCidr(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
