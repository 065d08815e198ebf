import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterwards } from './afterwards.ts';
import { compiled } from './compiled.ts';
import { call, createPostgresDatabase, OPERATOR_TOKEN, onPostgres, SECRETS_KEY } from './harness.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** PROCESSES: several processes behind one port (docs/decisions/processes.md), as the real program starts them. */
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const skip = !onPostgres && 'several processes need PostgreSQL';
const METRICS_TOKEN = 'a-token-for-the-metrics';

type Line = Record<string, unknown> & { msg: string };
type Group = {
  child: ChildProcess;
  url: string;
  key: string;
  output(): string;
  lines(): Line[];
  /** The process ids below the first one. */
  pids(): number[];
  ended: Promise<[number | null, string | null]>;
};

function run(t: TestContext, env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', ...compiled, PORT: '0', OPERATOR_TOKEN, SECRETS_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  return { child, output: () => output, ended };
}

/** Two processes for requests, one worker beside them, with the demo's partners. */
async function startGroup(t: TestContext, env: Record<string, string> = {}): Promise<Group> {
  const { child, output, ended } = run(t, {
    DATABASE_URL: await createPostgresDatabase(t),
    DEPLOYMENT: 'sandbox',
    SEED: 'demo-setup',
    PROCESSES: '2',
    METRICS_TOKEN,
    ...env,
  });
  const lines = () =>
    output()
      .split('\n')
      .flatMap((line): Line[] => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));
  await until(
    () => lines().some(({ msg }) => msg === 'several processes serve'),
    () => output(),
  );
  const found = (label: string) => new RegExp(`${label} +(\\S+)`).exec(output())![1]!;
  return {
    child,
    url: found('base URL'),
    key: found('demo key PARTNER'),
    output,
    lines,
    pids: () =>
      execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' })
        .trim()
        .split(/\s+/)
        .map(Number),
    ended,
  };
}

/** A request over a connection of its own: the next process in turn answers it. */
async function fresh(group: Group, path: string, headers: Record<string, string> = {}) {
  const agent = new Agent({ keepAlive: false });
  // A connection that was just being handed to a process that died is never answered.
  const sent = request(group.url + path, {
    agent,
    headers: { 'x-api-key': group.key, ...headers },
    timeout: 5_000,
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer')));
  sent.end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  agent.destroy();
  return { status: response.statusCode as number, headers: response.headers, text };
}

const operator = async (group: Group, method: string, path: string, body?: unknown) =>
  (
    await call(group.url.replace('/v1', '/operator'), method, path, body, {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
    })
  ).body.data;

async function metric(group: Group, name: string, labels = ''): Promise<number | null> {
  const { text } = await fresh({ ...group, url: group.url.replace('/v1', '') }, '/metrics', {
    authorization: `Bearer ${METRICS_TOKEN}`,
  });
  const line = text.split('\n').find((one) => one.startsWith(`${name}${labels} `));
  return line === undefined ? null : Number(line.split(' ').at(-1));
}

test('two processes share a port, rate limits and metrics', { skip }, async (t) => {
  const group = await startGroup(t, { REQUIRE_HTTP: 'true' });
  assert.equal(group.output().match(/Book something/g)?.length, 1, 'one greeting');
  assert.equal(group.output().match(/REQUIRE_HTTP is not read/g)?.length, 1, 'and one warning');
  assert.equal(group.pids().length, 3, 'and one worker');

  const [partner] = (await operator(group, 'GET', '/partners?limit=100')).filter(
    (one: { paymentResponsibility: string }) => one.paymentResponsibility === 'PARTNER',
  );
  await operator(group, 'PATCH', `/partners/${partner.id}`, { rateLimitPerMinute: 10 });
  const { key } = await operator(group, 'POST', `/partners/${partner.id}/keys`, {
    name: 'limited',
    permissions: ['partner_pricing_read'],
  });
  const limited = { ...group, key };
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => fresh(limited, '/partners/pricing/tiers')),
  );
  const allowed = answers.filter(({ status }) => status === 200);
  assert.equal(allowed.length, 10, 'one window for all processes');
  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  assert.deepEqual(
    allowed.map(({ headers }) => Number(headers['ratelimit-remaining'])).sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );

  const counted = `{method="GET",route="/v1/partners/pricing/tiers",status="200",partner="${partner.id}"}`;
  assert.equal(await metric(group, 'http_requests_total', counted), 10, 'the sum of all');
  assert.equal(await metric(group, 'processes', '{role="api"}'), 2);
  assert.equal(await metric(group, 'processes', '{role="worker"}'), 1);
  assert.equal(await metric(group, 'database_up', '{can="write"}'), 1, 'not a sum');
});

test('the sandbox clock has moved in all processes when the response says so', { skip }, async (t) => {
  const group = await startGroup(t);
  const routes = { ...group, url: group.url.replace('/v1', '/operator') };
  const authorization = `Bearer ${OPERATOR_TOKEN}`;
  const offsets = () =>
    Promise.all(
      Array.from({ length: 4 }, async () => {
        const { text } = await fresh(routes, '/clock', { authorization });
        return JSON.parse(text).data.offsetSeconds;
      }),
    );
  for (const seconds of [3_600, 7_200, 10_800, 14_400]) {
    await operator(group, 'POST', '/clock/advance', { seconds: 3_600 });
    assert.deepEqual(await offsets(), [seconds, seconds, seconds, seconds]);
  }
  await operator(group, 'DELETE', '/clock');
  assert.deepEqual(await offsets(), [0, 0, 0, 0]);
});

test('a process that dies is replaced, the worker too', { skip }, async (t) => {
  // When all die at once, PORT=0 would be another port for those that replace them.
  const group = await startGroup(t, { PORT: String(await freePort()) });
  for (const pid of group.pids()) process.kill(pid, 'SIGKILL');
  await until(async () => {
    const serving = ['api', 'worker'].map((role) => metric(group, 'processes', `{role="${role}"}`));
    const [api, worker] = (await Promise.allSettled(serving)).map((one) =>
      one.status === 'fulfilled' ? one.value : null,
    );
    return api === 2 && worker === 1;
  });
  assert.equal(group.lines().filter(({ msg }) => msg.startsWith('a process ended')).length, 3);
  assert.equal(await metric(group, 'process_restarts_total', '{role="api"}'), 2);
  assert.equal(await metric(group, 'process_restarts_total', '{role="worker"}'), 1);
  assert.equal((await fresh(group, '/partners/pricing/tiers')).status, 200);
  assert.equal(group.output().match(/Book something/g)?.length, 1, 'no second greeting');
});

test('one that replaces another gets no requests before its start is over', { skip }, async (t) => {
  const DATABASE_URL = await createPostgresDatabase(t);
  const group = await startGroup(t, { DATABASE_URL });
  const session = new pg.Client({ connectionString: DATABASE_URL });
  await session.connect();
  afterwards(t, () => session.end());
  // Only a start reads this table.
  await session.query('begin');
  await session.query('lock table schema_migrations in access exclusive mode');
  // The one that was started first serves requests.
  process.kill(Math.min(...group.pids()), 'SIGKILL');
  const held = "select from pg_locks where not granted and relation = 'schema_migrations'::regclass";
  await until(async () => (await session.query(held)).rowCount === 1);
  for (let sent = 0; sent < 4; sent++)
    assert.equal((await fresh(group, '/partners/pricing/tiers')).status, 200);
  await session.query('commit');
  await until(async () => (await metric(group, 'processes', '{role="api"}')) === 2);
  for (let sent = 0; sent < 4; sent++)
    assert.equal((await fresh(group, '/partners/pricing/tiers')).status, 200);
});

test('a stop ends all of them in good order', { skip }, async (t) => {
  const group = await startGroup(t);
  const pids = group.pids();
  group.child.kill('SIGTERM');
  assert.deepEqual(await group.ended, [0, null]);
  assert.equal(group.lines().filter(({ msg }) => msg === 'stopped').length, 4);
  assert.ok(!group.lines().some(({ msg }) => msg.startsWith('a process ended')));
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('without the first one the others end', { skip }, async (t) => {
  const group = await startGroup(t);
  const pids = group.pids();
  group.child.kill('SIGKILL');
  await group.ended;
  for (const pid of pids) {
    await until(() => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    });
  }
});

test('what the first process cannot start with ends the program, said once', { skip }, async (t) => {
  const { output, ended } = run(t, {
    DATABASE_URL: await createPostgresDatabase(t),
    DEPLOYMENT: 'sandbox',
    PROCESSES: '2',
    HOST: '203.0.113.1',
  });
  assert.deepEqual(await ended, [1, null]);
  assert.equal(output().match(/HOST is not an address of this machine/g)?.length, 1, output());
});

test('an embedded database has one process, and says so', async (t) => {
  for (const PROCESSES of ['2', 'auto']) {
    const { output, ended } = run(t, { PROCESSES });
    assert.deepEqual(await ended, [1, null]);
    assert.match(output(), /PROCESSES must be 1 with the embedded database/);
  }
});
