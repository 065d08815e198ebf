import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError, configWarnings, parseConfig, SECRETS } from './config.ts';

test('nothing set: an embedded sandbox', () => {
  const config = parseConfig({});
  assert.equal(config.databaseUrl, null);
  assert.equal(config.deployment, 'sandbox');
  assert.equal(config.seed, 'demo');
  assert.equal(config.port, 3000);
  assert.equal(config.publicUrl, 'http://127.0.0.1:3000');
  assert.deepEqual([...config.roles], ['api', 'worker']);
  assert.ok(Object.isFrozen(config));
});

test('who is told at night, and which processes are watched', () => {
  const { alerts } = parseConfig({ DATA_DIR: '/data', PORT: '4000' });
  assert.deepEqual(alerts, {
    phones: [],
    webhook: null,
    urls: ['http://127.0.0.1:4000'],
    stateFile: '/data/alerts.json',
  });
  const urlsOf = (env: Record<string, string>) => parseConfig(env).alerts.urls;
  const ports = { HOST: '0.0.0.0', OPERATOR_PORT: '4001', WORKER_PORT: '4002' };
  assert.deepEqual(urlsOf(ports), ['http://127.0.0.1:4001', 'http://127.0.0.1:4002']);
  assert.deepEqual(urlsOf({ ...ports, WATCH_URLS: 'http://a:1/, https://b/x' }), [
    'http://a:1',
    'https://b/x',
  ]);
  const given = {
    ALERT_PHONES: '+966501234567, +447911123456',
    ALERT_WEBHOOK_URL: 'https://alerts.example.sa/in',
  };
  assert.throws(
    () => parseConfig(given),
    /^ConfigError: configuration: ALERT_WEBHOOK_SECRET must be set when/,
  );
  const told = parseConfig({ ...given, ALERT_WEBHOOK_SECRET: 's'.repeat(16) }).alerts;
  assert.deepEqual(told.phones, ['+966501234567', '+447911123456']);
  assert.deepEqual(told.webhook, { url: given.ALERT_WEBHOOK_URL, secret: 's'.repeat(16) });
  for (const ALERT_PHONES of ['0501234567', '+966 50 123 4567', '+9665012345671234'])
    assert.throws(() => parseConfig({ ALERT_PHONES }), /ALERT_PHONES must be a list of numbers/);
  for (const WATCH_URLS of ['127.0.0.1:3001', 'http://', 'ftp://a', 'http://user@a', 'http://a?b'])
    assert.throws(() => parseConfig({ WATCH_URLS }), /WATCH_URLS must be a list of base URLs/, WATCH_URLS);
});

test('a separate database: production, no demo data, an operator token is required', () => {
  const env = {
    DATABASE_URL: 'postgres://db/pbs',
    OPERATOR_TOKEN: 'x'.repeat(16),
    PUBLIC_URL: 'https://bookings.example.sa',
    SECRETS_KEY: 'a'.repeat(64),
  };
  const config = parseConfig(env);
  assert.equal(config.deployment, 'production');
  assert.equal(config.seed, 'none');
  assert.equal(config.payments.gateway, 'none');
  assert.throws(
    () => parseConfig({ DATABASE_URL: env.DATABASE_URL }),
    /OPERATOR_TOKEN must be set[^$]*; DEPLOYMENT must be sandbox for a trial, which needs OPERATOR_TOKEN alone$/,
  );
  const { DATABASE_URL, OPERATOR_TOKEN } = env;
  assert.equal(parseConfig({ DATABASE_URL, OPERATOR_TOKEN, DEPLOYMENT: 'sandbox' }).deployment, 'sandbox');
  assert.throws(() => parseConfig({ ...env, PUBLIC_URL: '' }), /^(?!.*DEPLOYMENT)/);
});

test('production requires credentials and PUBLIC_URL, and refuses settings of a sandbox', () => {
  const good = {
    DEPLOYMENT: 'production',
    OPERATOR_TOKEN: 'x'.repeat(16),
    PUBLIC_URL: 'https://bookings.example.sa',
    SECRETS_KEY: 'a'.repeat(64),
  };
  const embedded = parseConfig(good);
  assert.deepEqual([embedded.seed, embedded.payments.gateway], ['none', 'none']);
  const refused = (env: Record<string, string>, message: RegExp): void => {
    assert.throws(() => parseConfig({ ...good, ...env }), message);
    const sandbox = { ...good, ...env, DEPLOYMENT: 'sandbox', PUBLIC_URL: 'http://127.0.0.1:3000' };
    assert.doesNotThrow(() => parseConfig(sandbox), 'a sandbox may');
  };
  refused({ OPERATOR_TOKEN: '' }, /: OPERATOR_TOKEN must be set in production$/);
  refused({ SECRETS_KEY: '' }, /: SECRETS_KEY must be set in production: openssl rand -hex 32$/);
  const example = 'replace-me-with-openssl-rand-hex-32';
  refused({ OPERATOR_TOKEN: example }, /: OPERATOR_TOKEN must be replaced in production: [^;]+$/);
  refused({ METRICS_TOKEN: example }, /: METRICS_TOKEN must be replaced in production: [^;]+$/);
  refused({ PUBLIC_URL: '' }, /: PUBLIC_URL must be set in production: [^;]+$/);
  refused({ PAYMENT_GATEWAY: 'sandbox' }, /: PAYMENT_GATEWAY must be moyasar or none in production: [^;]+$/);
  refused({ WEBHOOK_ALLOW_HOSTS: 'localhost' }, /: WEBHOOK_ALLOW_HOSTS must be unset in production: [^;]+$/);
  refused({ SEED: 'demo' }, /: SEED must be none in production$/);
  assert.equal(parseConfig({ DEPLOYMENT: 'sandbox' }).payments.gateway, 'sandbox');
  assert.deepEqual(embedded.payments.notifier, { name: 'none' });
  assert.deepEqual(parseConfig({ DEPLOYMENT: 'sandbox' }).payments.notifier, { name: 'log' });
  refused(
    { NOTIFIER: 'log' },
    /: NOTIFIER must be webhook, unifonic or none in production: log sends nothing$/,
  );
});

test('a production with a gateway says what sends its payment links; what NOTIFIER names is complete', () => {
  const moyasar = {
    PAYMENT_GATEWAY: 'moyasar',
    MOYASAR_SECRET_KEY: 'sk_live_1',
    MOYASAR_WEBHOOK_TOKEN: 'token',
  };
  const production = {
    DEPLOYMENT: 'production',
    OPERATOR_TOKEN: 'x'.repeat(16),
    PUBLIC_URL: 'https://bookings.example.sa',
    SECRETS_KEY: 'a'.repeat(64),
    REQUIRE_HTTPS: 'on',
    TRUSTED_PROXIES: '10.0.0.1',
    ...moyasar,
  };
  assert.throws(
    () => parseConfig(production),
    /^ConfigError: configuration: NOTIFIER must be set in production with a payment gateway: webhook or unifonic send the payment links; with none partners pass them on themselves$/,
  );
  assert.equal(parseConfig({ ...moyasar, DEPLOYMENT: 'sandbox' }).payments.notifier.name, 'log');
  assert.deepEqual(parseConfig({ ...production, NOTIFIER: 'none' }).payments.notifier, { name: 'none' });
  const [url, secret] = ['https://sms.example.sa/in?tenant=1', 's'.repeat(16)];
  const webhook = { NOTIFIER: 'webhook', NOTIFIER_WEBHOOK_URL: url, NOTIFIER_WEBHOOK_SECRET: secret };
  const unifonic = { NOTIFIER: 'unifonic', UNIFONIC_APP_SID: 'sid', UNIFONIC_SENDER_ID: 'Sender' };
  const notifierOf = (env: Record<string, string>) =>
    parseConfig({ ...production, ...env }).payments.notifier;
  assert.deepEqual(notifierOf(webhook), { name: 'webhook', url, secret });
  assert.deepEqual(notifierOf(unifonic), { name: 'unifonic', appSid: 'sid', senderId: 'Sender' });
  for (const complete of [webhook, unifonic])
    for (const name of Object.keys(complete).slice(1))
      assert.throws(
        () => notifierOf({ ...complete, [name]: '' }),
        new RegExp(`configuration: ${name} must be set when NOTIFIER is ${complete.NOTIFIER}$`),
      );
  for (const wrong of [
    'https://user:pass@sms.example.sa',
    'https://sms.example.sa/#in',
    'ftp://sms.example.sa',
  ])
    assert.throws(
      () => notifierOf({ ...webhook, NOTIFIER_WEBHOOK_URL: wrong }),
      (error: Error) => {
        assert.match(error.message, /^configuration: NOTIFIER_WEBHOOK_URL must be a URL [^;]+$/);
        return !error.message.includes('pass@');
      },
    );
  assert.throws(
    () => notifierOf({ ...webhook, NOTIFIER_WEBHOOK_SECRET: 'short' }),
    /NOTIFIER_WEBHOOK_SECRET must be at least 16 characters long$/,
  );
  const told = (env: Record<string, string>) => warningsOf({ ...production, ...env });
  assert.deepEqual(told(webhook), []);
  assert.deepEqual(told({ ...webhook, NOTIFIER_WEBHOOK_URL: 'http://sms.internal' }), [
    ['NOTIFIER_WEBHOOK_URL', true],
  ]);
});

test('a URL without the name of a database is warned about', () => {
  const told = (DATABASE_URL: string) =>
    configWarnings(parseConfig({ DATABASE_URL, DEPLOYMENT: 'sandbox', OPERATOR_TOKEN: 'o'.repeat(16) })).map(
      ({ message }) => message.split(':')[0],
    );
  for (const url of ['postgres://u:p@db', 'postgres://u:p@db:5432/', 'postgresql://u@db?sslmode=require'])
    assert.deepEqual(told(url), ['DATABASE_URL names no database'], url);
  assert.deepEqual(told('postgres://u:p@db/bookings'), []);
});

/** The variables in the warnings, and whether these are harmless. */
const warningsOf = (env: Record<string, string>) =>
  configWarnings(parseConfig(env)).map(({ message, harmless }) => [message.split(' ')[0], harmless]);

test('settings of a production without a database are warned about', () => {
  const env = {
    SECRETS_KEY: 'a'.repeat(64),
    OPERATOR_TOKEN: 'o'.repeat(16),
    PUBLIC_URL: 'https://bookings.example.sa',
  };
  assert.deepEqual(warningsOf(env), [['DATABASE_URL', false]]);
  assert.deepEqual(warningsOf({ ...env, DATABASE_URL: ' ' }), [['DATABASE_URL', false]]);
  assert.deepEqual(warningsOf({ ...env, DEPLOYMENT: 'sandbox' }), []);
  for (const name of Object.keys(env)) assert.deepEqual(warningsOf({ ...env, [name]: '' }), [], name);
});

test('quotes around a value are warned about, or named where it is refused', () => {
  const env = { DEPLOYMENT: 'sandbox', OPERATOR_TOKEN: `"${'o'.repeat(16)}"`, NODE_OPTIONS: '"--x"' };
  assert.deepEqual(warningsOf(env), [['OPERATOR_TOKEN', false]]);
  assert.deepEqual(warningsOf({ DATA_DIR: `'./data'` }), [['DATA_DIR', false]]);
  assert.deepEqual(warningsOf({ DATA_DIR: `"./data'`, CONSOLE_TILES_ATTRIBUTION: '"© us"' }), []);
  const refused = {
    PORT: '"3000"',
    SECRETS_KEY: `'${'a'.repeat(64)}'`,
    PUBLIC_URL: '"https://b.example.sa"',
  };
  for (const [name, value] of Object.entries(refused))
    assert.throws(
      () => parseConfig({ [name]: value }),
      new RegExp(`: ${name} must be .*, without quotes around it$`),
    );
});

test('names similar to variables are warned about', () => {
  for (const name of ['REQUIRE_HTTP', 'REQUIRE_HTTPSS', 'REQIURE_HTTPS', 'REQUIREHTTPS', 'require_https'])
    assert.deepEqual(
      configWarnings(parseConfig({ [name]: 'true' })),
      [{ message: `${name} is not read: did you mean REQUIRE_HTTPS?`, harmless: true }],
      name,
    );
  assert.deepEqual(warningsOf({ DATABASE_URI: 'postgres://db/x', SECRET_KEY: 'x' }), [
    ['DATABASE_URI', true],
    ['SECRET_KEY', true],
  ]);
  assert.deepEqual(warningsOf({ REQUIRE_HTTP: 'true', REQUIRE_HTTPS: 'false', LOG_LEVELS: '' }), []);
  // Variables of other programs and of platforms.
  for (const name of [
    ...[
      'HOME',
      'HOSTS',
      'POST',
      'PORTS',
      'ROLE',
      'USER',
      'SEEDS',
      'DATABASE_PORT',
      'DATABASE_SSL',
      'WORKER_HOST',
    ],
    ...[
      'DATABASE_HOST',
      'REDIS_PORT',
      'PGDATABASE',
      'NODE_ENV',
      'OTEL_SERVICE_NAME',
      'HOSTNAME',
      'XDG_DATA_DIRS',
    ],
  ])
    assert.deepEqual(warningsOf({ [name]: 'x' }), [], name);
});

test('keys are 32 bytes, in hexadecimal or base64, and are not repeated', () => {
  const key = Buffer.from('0123456789abcdef0123456789ABCDEF');
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    const text = key.toString(encoding);
    assert.deepEqual(parseConfig({ SECRETS_KEY: text }).secretsKey, key);
    assert.deepEqual(parseConfig({ SECRETS_KEY_PREVIOUS: ` ${text} ` }).secretsKeyPrevious, key);
  }
  const hex = key.toString('hex');
  for (const text of ['short', 'z'.repeat(64), hex.slice(1), `${hex}0`, `${key.toString('base64')}A`])
    for (const name of ['SECRETS_KEY', 'SECRETS_KEY_PREVIOUS'])
      assert.throws(
        () => parseConfig({ [name]: text }),
        ({ message }: Error) => message.includes(`${name} must be 32 bytes, as`) && !message.includes(text),
      );
});

test('HOST is an address or a name', () => {
  for (const HOST of ['0.0.0.0', '::1', 'localhost', 'api_1.internal'])
    assert.equal(parseConfig({ HOST }).host, HOST);
  for (const HOST of ['a b', 'http://localhost', '[::1]', 'localhost:3000'])
    assert.throws(() => parseConfig({ HOST }), /: HOST must be an address or the name of one$/, HOST);
});

test('a database of Redis is a number', () => {
  for (const path of ['', '/', '/0', '/15', '?db=2'])
    assert.equal(
      parseConfig({ REDIS_URL: `redis://redis:6379${path}` }).redisUrl,
      `redis://redis:6379${path}`,
    );
  for (const path of ['/abc', '/-1', '/1/2', '?db=abc'])
    assert.throws(
      () => parseConfig({ REDIS_URL: `redis://:secret@redis:6379${path}` }),
      ({ message }: Error) =>
        /REDIS_URL must be a URL that ends/.test(message) && !message.includes('secret'),
    );
});

test('tokens must be valid in a header, and must not be equal', () => {
  for (const name of ['OPERATOR_TOKEN', 'METRICS_TOKEN']) {
    assert.doesNotThrow(() => parseConfig({ [name]: ' !token~of/16+chars= ' }));
    for (const text of [
      'a token of many words',
      'a\ttoken-of-the-tests',
      'رمز-طويل-بما-يكفي',
      'clé-de-la-maison-0',
    ])
      assert.throws(
        () => parseConfig({ [name]: text }),
        ({ message }: Error) =>
          message.includes(`${name} must be visible ASCII characters without blanks`) &&
          !message.includes(text),
      );
    assert.throws(
      () => parseConfig({ [name]: 'short' }),
      new RegExp(`${name} must be at least 16 characters`),
    );
  }
});

test('DATABASE_DIRECT_URL is refused with an embedded database', () => {
  const direct = 'postgres://booking:secret@primary/booking';
  assert.throws(
    () => parseConfig({ DATABASE_DIRECT_URL: direct }),
    ({ message }: Error) =>
      /: DATABASE_DIRECT_URL must be unset with the embedded database/.test(message) &&
      !message.includes('secret'),
  );
});

test('PUBLIC_URL must be a base for links, without a password', () => {
  for (const PUBLIC_URL of ['https://b.example.sa', 'https://B.example.sa:443/base'])
    assert.equal(parseConfig({ PUBLIC_URL: `${PUBLIC_URL}/` }).publicUrl, PUBLIC_URL);
  for (const rest of [
    'b.example.sa/?a=1',
    'b.example.sa/#a',
    'b.example.sa?',
    'me:secret@b.example.sa',
    'me@b.example.sa',
  ])
    assert.throws(
      () => parseConfig({ PUBLIC_URL: `https://${rest}` }),
      ({ message }: Error) =>
        /: PUBLIC_URL must be a URL without credentials, query and fragment/.test(message) &&
        !message.includes('secret'),
      rest,
    );
});

test('special characters of a password are percent-encoded', () => {
  const env = { DEPLOYMENT: 'sandbox', OPERATOR_TOKEN: 'a-token-of-the-tests' };
  const encoded = 'postgres://a:p%23x@h/b';
  assert.equal(parseConfig({ ...env, DATABASE_URL: encoded }).databaseUrl, encoded);
  for (const rest of ['a:p#x@h/b', 'a:p/x@h/b', 'a:12#x@h/b', 'a:12?x@h/b', 'a:p%x@h/b'])
    for (const [name, protocol] of Object.entries({ DATABASE_URL: 'postgres:', REDIS_URL: 'redis:' }))
      assert.throws(
        () => parseConfig({ ...env, [name]: `${protocol}//${rest}` }),
        ({ message }: Error) =>
          message.includes(`${name} must be a valid URL; special characters`) && !message.includes(rest),
        rest,
      );
});

test('hosts that are exempt may have any port', () => {
  for (const host of [
    'hooks.test',
    'hooks.test:80',
    'hooks.test:443',
    'hooks.test:4000',
    '[::1]',
    '[::1]:80',
    '[::1]:443',
  ])
    assert.deepEqual(parseConfig({ WEBHOOK_ALLOW_HOSTS: host }).webhookAllowHosts, [host]);
  for (const host of [
    'hooks.test/',
    'hooks.test:',
    '::1',
    'hooks.test:99999',
    'me@hooks.test',
    'http://hooks.test',
  ])
    assert.throws(() => parseConfig({ WEBHOOK_ALLOW_HOSTS: host }), /WEBHOOK_ALLOW_HOSTS must be/, host);
});

test('tiles of the map must come from one host', () => {
  for (const url of [
    'https://tiles.example.com/{z}/{x}/{y}.png',
    'https://tiles.example.com?z={z}&x={x}&y={y}',
    'http://a.b:80/{x}/{y}/{z}@2x.png',
  ])
    assert.equal(parseConfig({ CONSOLE_TILES_URL: url }).consoleTilesUrl, url);
  for (const rest of [
    '{s}.tile.example.com/{z}/{x}/{y}.png',
    '{z}.example.com/{x}/{y}.png',
    'tiles.example.com/{z}/{x}',
  ])
    assert.throws(
      () => parseConfig({ CONSOLE_TILES_URL: `https://${rest}` }),
      /: CONSOLE_TILES_URL must be one host, without a template such as \{s\}, and behind it /,
      rest,
    );
});

test('no URL has a wildcard address as host', () => {
  assert.equal(parseConfig({ HOST: '0.0.0.0' }).publicUrl, 'http://127.0.0.1:3000');
  assert.equal(parseConfig({ HOST: '::', PORT: '80' }).publicUrl, 'http://127.0.0.1:80');
  assert.equal(parseConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:3000');
  for (const PUBLIC_URL of ['http://0.0.0.0:3000', 'https://[::]/'])
    assert.throws(() => parseConfig({ PUBLIC_URL }), /PUBLIC_URL must be an address that others can open/);
});

test('roles are case-insensitive', () => {
  assert.deepEqual([...parseConfig({ ROLES: 'API, Worker' }).roles], ['api', 'worker']);
});

test('an error in ROLES is reported once', () => {
  for (const ROLES of ['cook', 'api,cook', ' , ', 'cook,waiter', 'worker'])
    assert.throws(
      () => parseConfig({ ROLES }),
      ({ message }: Error) => message.split('ROLES must be').length === 2,
      ROLES,
    );
});

test('one message names every invalid variable, without secrets', () => {
  const env = {
    PORT: '80000',
    DATABASE_URL: 'mysql://user:hunter2@db/x',
    REDIS_URL: 'http://:hunter3@redis',
    ROLES: 'api,cook',
    DEPLOYMENT: 'moon',
    TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33',
    REQUIRE_HTTPS: 'perhaps',
    OPERATOR_TOKEN: 'hunter4',
    LOG_LEVEL: 'loud',
    DATABASE_POOL: '0',
  };
  assert.throws(
    () => parseConfig(env),
    (error: Error) => {
      assert.ok(error instanceof ConfigError);
      for (const name of Object.keys(env))
        assert.match(error.message, new RegExp(`\\b${name} must be`), name);
      assert.doesNotMatch(error.message, /hunter/);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    },
  );
});

test('switches accept true and on', () => {
  assert.equal(parseConfig({ REQUIRE_HTTPS: 'on' }).requireHttps, true);
  assert.equal(parseConfig({ REQUIRE_HTTPS: 'TRUE' }).requireHttps, true);
  assert.equal(parseConfig({ SERVICE_DETAIL_ROUTE: 'off' }).serviceDetailRoute, false);
  assert.equal(parseConfig({ SERVICE_DETAIL_ROUTE: '' }).serviceDetailRoute, true);
});

test('the embedded database requires a process with all roles', () => {
  assert.throws(() => parseConfig({ ROLES: 'worker' }), /ROLES/);
});

test('secrets are read from files, and from the credentials of systemd', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-secrets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const OPERATOR_TOKEN_FILE = file('token', `${'f'.repeat(32)}\n`);
  file('SECRETS_KEY', 'b'.repeat(64));
  file('OPERATOR_TOKEN', 'c'.repeat(32));
  const given = { DEPLOYMENT: 'sandbox', CREDENTIALS_DIRECTORY: folder };
  assert.equal(parseConfig(given).operatorToken, 'c'.repeat(32));
  assert.equal(parseConfig({ ...given, OPERATOR_TOKEN_FILE }).operatorToken, 'f'.repeat(32));
  const config = parseConfig({ ...given, OPERATOR_TOKEN: 'd'.repeat(32) });
  assert.equal(config.operatorToken, 'd'.repeat(32));
  assert.deepEqual(config.secretsKey, Buffer.from('b'.repeat(64), 'hex'));
  assert.equal(config.metricsToken, null);
  for (const name of SECRETS) {
    const missing = { DEPLOYMENT: 'sandbox', [`${name}_FILE`]: join(folder, 'missing') };
    assert.throws(
      () => parseConfig(missing),
      new RegExp(`${name}_FILE must be a file that can be read \\(ENOENT\\)`),
    );
    const both = { ...missing, [name]: 'x' };
    assert.throws(() => parseConfig(both), new RegExp(`${name}_FILE must be unset when ${name} is set`));
  }
});
