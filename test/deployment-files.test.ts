import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { type Config, parseConfig } from '../src/program/config.ts';

/** .env.example, compose.yaml, the Dockerfile and src/program/config.ts, each held against the others. No container runs here. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const run = promisify(execFile);

type Env = Record<string, string>;
type ComposeService = {
  environment?: Env;
  env_file?: string;
  build?: string;
  command?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  ports?: string[];
};
const compose = parse(readText('compose.yaml'), { merge: true }) as {
  services: Record<string, ComposeService>;
};

/** Lines that are set, and lines that a `#` takes back, which show the default or an example. */
function readExample(): { set: Env; shown: Env } {
  const [set, shown]: [Env, Env] = [{}, {}];
  for (const line of readText('.env.example').split('\n')) {
    const found = /^(# )?([A-Z_]+)=(.*)$/.exec(line);
    if (found === null) assert.match(line, /^(?:#.*)?$/, 'nothing but comments and variables');
    else (found[1] === undefined ? set : shown)[found[2]!] = found[3]!;
  }
  return { set, shown };
}

/** The variables that parseConfig reads, found by recording reads. */
function variablesRead(): Set<string> {
  const names = new Set<string>();
  const env = new Proxy({} as Env, {
    get(_target, name) {
      names.add(String(name));
      return undefined;
    },
  });
  parseConfig(env);
  // Where secrets may be instead: the page of configuration says it of all.
  return new Set([...names].filter((name) => !/_FILE$|^CREDENTIALS_DIRECTORY$/.test(name)));
}

/** Values that an operator fills in. */
const FILLED: Env = {
  OPERATOR_TOKEN: 'o'.repeat(64),
  SECRETS_KEY: 'a'.repeat(64),
  PUBLIC_URL: 'https://bookings.example.sa',
  POSTGRES_PASSWORD: 'p'.repeat(48),
};

/** As Compose replaces `${NAME:?message}` and `${NAME:-default}`. */
function interpolate(text: unknown, env: Env): string {
  return String(text).replaceAll(/\$\{([A-Z_]+)(:[?-])?([^}]*)\}/g, (_all, name, kind, rest) => {
    if (env[name]) return env[name];
    assert.notEqual(kind, ':?', `${name}: ${rest}`);
    return rest;
  });
}

/** The environment of a service's container: the image's, then .env, then that of compose.yaml. */
function environmentOf(name: string, dotEnv: Env): Env {
  const image = Object.fromEntries(
    [...readText('Dockerfile').matchAll(/^(?:ENV| {3}) ([A-Z_]+)=(\S+)/gm)].map(([, key, value]) => [
      key,
      value,
    ]),
  );
  const { environment = {} } = compose.services[name]!;
  const own = Object.entries(environment).map(([key, value]) => [key, interpolate(value, dotEnv)]);
  return { ...image, ...dotEnv, ...Object.fromEntries(own) };
}

test('.env.example has every variable of config.ts, and otherwise only the password of PostgreSQL', () => {
  const { set, shown } = readExample();
  const named = new Set([...Object.keys(set), ...Object.keys(shown)]);
  assert.equal(named.size, Object.keys(set).length + Object.keys(shown).length, 'each once');
  assert.deepEqual(named, variablesRead().add('POSTGRES_PASSWORD'));
  assert.deepEqual(Object.keys(set).sort(), Object.keys(FILLED).sort());
});

test('values in .env.example are defaults of a production, or valid examples', () => {
  const { shown } = readExample();
  const base = { ...FILLED, DATABASE_URL: shown.DATABASE_URL! };
  const examples = [
    'DATABASE_URL',
    'DATABASE_READ_URL',
    'REDIS_URL',
    'TRUSTED_PROXIES',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'WEBHOOK_ALLOW_HOSTS',
  ];
  for (const [name, value] of Object.entries(shown)) {
    const sandbox = name === 'WEBHOOK_ALLOW_HOSTS' ? { DEPLOYMENT: 'sandbox' } : {};
    const changed = parseConfig({ ...base, ...sandbox, [name]: value });
    if (!examples.includes(name)) assert.deepEqual(changed, parseConfig(base), name);
  }
  const everything = Object.fromEntries(
    Object.entries(shown).filter(([name]) => name !== 'WEBHOOK_ALLOW_HOSTS'),
  );
  assert.doesNotThrow(() => parseConfig({ ...FILLED, ...everything }));
});

test('compose.yaml: an api and a worker, both configured by .env', () => {
  const ours = Object.keys(compose.services).filter((name) => compose.services[name]?.build !== undefined);
  assert.deepEqual(ours, ['api', 'worker']);
  const read = variablesRead();
  const configs: Config[] = ours.map((name) => {
    const service = compose.services[name]!;
    assert.equal(service.env_file, '.env');
    for (const variable of Object.keys(service.environment ?? {})) assert.ok(read.has(variable), variable);
    // The stop of main.ts, 25 seconds, fits in.
    assert.equal(service.stop_grace_period, '30s');
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      assert.equal(condition, 'service_healthy');
      assert.ok(compose.services[other]?.healthcheck, other);
    }
    return parseConfig(environmentOf(name, FILLED));
  });
  const [api, worker] = configs as [Config, Config];
  assert.deepEqual([[...api.roles], [...worker.roles]], [['api'], ['worker']]);
  for (const config of configs) {
    assert.equal(config.deployment, 'production');
    assert.equal(config.host, '0.0.0.0');
    assert.equal(config.publicUrl, FILLED.PUBLIC_URL);
    assert.deepEqual([config.databaseUrl, config.redisUrl], [api.databaseUrl, 'redis://valkey:6379']);
  }
  const published = (name: string) =>
    compose.services[name]?.ports?.map((port) => Number(port.split(':').at(-1)));
  assert.deepEqual(published('api'), [api.port, api.operatorPort]);
  assert.deepEqual(published('worker'), [worker.workerPort]);
  // Variables of compose.yaml override .env: the processes keep their roles.
  const { shown } = readExample();
  const { WEBHOOK_ALLOW_HOSTS: _refused, ...rest } = shown;
  assert.deepEqual([...parseConfig(environmentOf('worker', { ...rest, ...FILLED })).roles], ['worker']);
  // Variables required by compose.yaml are in .env.example.
  const asked = [...readText('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!);
  assert.deepEqual([...new Set(asked)].sort(), Object.keys(FILLED).sort());
});

test('compose.yaml stops without a required variable', () => {
  for (const name of Object.keys(FILLED))
    assert.throws(() => environmentOf('api', { ...FILLED, [name]: '' }), new RegExp(name));
});

test('the image contains everything for its commands', () => {
  const dockerfile = readText('Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) =>
    from!.split(' '),
  );
  const kept = readText('.dockerignore')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  assert.deepEqual(
    [...new Set(copied)].sort(),
    [...new Set(kept)].sort(),
    '.dockerignore keeps what is copied',
  );
  for (const path of copied) assert.ok(existsSync(join(ROOT, path)), path);
  for (const path of ['src/main.ts', 'bin/healthcheck.js']) {
    assert.match(dockerfile, new RegExp(`"node", "${path}"`));
    assert.ok(copied.includes(path.split('/')[0]!), path);
  }
  assert.match(dockerfile, /^USER node$/m);
  assert.match(dockerfile, /^STOPSIGNAL SIGTERM$/m);
});

test('the health check uses the port of its role', async (t) => {
  const asked: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  const port = String((server.address() as AddressInfo).port);
  const check = (env: Env): Promise<number> =>
    run(process.execPath, [join(ROOT, 'bin/healthcheck.js')], { env }).then(
      () => 0,
      (error) => error.code,
    );
  assert.equal(await check({ PORT: port, WORKER_PORT: '1' }), 0, 'both roles');
  assert.equal(await check({ ROLES: 'api', PORT: port, WORKER_PORT: '1' }), 0);
  assert.equal(await check({ ROLES: 'Worker', PORT: '1', WORKER_PORT: port }), 0);
  assert.deepEqual(asked, ['/livez', '/livez', '/livez']);
  status = 503;
  assert.equal(await check({ ROLES: 'worker', WORKER_PORT: port }), 1, 'answers, but not well');
  assert.equal(await check({ ROLES: 'worker', PORT: port, WORKER_PORT: '1' }), 1, 'nobody there');
  assert.equal(await check({ ROLES: 'worker', PORT: port }), 1, 'no port to ask');
});
