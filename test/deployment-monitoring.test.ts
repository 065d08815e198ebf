import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { hasNo, pathOf, ROOT, readDeploy, run, startProgram, temporaryFolder } from './deploy-files.ts';
import { createWorld } from './fixtures.ts';
import { call, createPostgresDatabase, onPostgres, startTestService } from './harness.ts';
import { freePort } from './ports.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/** The alerts and the dashboard beside the service's metrics, and in Prometheus. */

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

const OF_SERVER = {
  database_connections: 'state',
  database_archive: 'what',
  database_standbys: 'what',
  backup_age_seconds: 'kind',
  backup_failed: 'kind',
};
/** Of programs beside the service, by the beginning of the metric's name. */
const OTHER_JOBS = { node_: 'node', probe_: 'blackbox' };

/** The job whose metric it is. */
function jobOf(metric: string): string {
  const found = Object.entries(OTHER_JOBS).find(([beginning]) => metric.startsWith(beginning));
  return found?.[1] ?? 'partner-booking';
}

test('every metric and label of the alerts and the dashboard is exported', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  await world.book();
  let text = '';
  // What takes long to read is there at a later scrape.
  await until(async () => {
    text = (await call(service.url, 'GET', '/metrics')).text;
    return text.includes('attention{');
  });
  const exported = new Map<string, Set<string>>();
  for (const [, name, labels = ''] of text.matchAll(/^([a-z_][a-z0-9_]*)(?:\{(.*)\})? \S+$/gm)) {
    const known = exported.get(name!) ?? new Set(['job', 'instance', 'deployment']);
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
  // Without REDIS_URL there is none.
  exported.set('redis_up', new Set(['job', 'instance', 'used_for']));
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  assert.ok(expressions.length > 20);
  for (const expression of expressions) {
    const names = metricsIn(expression);
    assert.ok(names.length > 0, expression);
    for (const name of names)
      assert.ok(exported.has(name) || jobOf(name) !== 'partner-booking', `${name} is not exported`);
    for (const [, name, selector] of expression.matchAll(/\b([a-z_][a-z0-9_]*)\{([^}]*)\}/g)) {
      assert.ok(selector!.includes(`job="${jobOf(name!)}"`), expression);
      if (jobOf(name!) !== 'partner-booking') continue;
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

test('every rule judges each deployment by itself', () => {
  const mixed = alerts.filter(({ expr }) =>
    /\b(?:sum|max|min|avg|count)(?! by \(deployment\b)(?: by)? ?\(/.test(expr),
  );
  assert.deepEqual(
    mixed.map(({ alert }) => alert),
    [],
  );
  const targets = readDeploy('monitoring/prometheus.yml').match(
    /- targets: .*\n +labels: \{ deployment: \w+ \}/g,
  );
  assert.equal(targets?.length, 3);
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
  labels?: Record<string, string | undefined>[];
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
  {
    name: 'within a minute of the first, while reads are answered',
    alert: 'BookingsFail',
    series: bookings('0+1x20 20x20', '0x20 0+2x20'),
    quietAt: '5m',
    firesAt: '6m',
    labels: [{}],
  },
  {
    name: 'one in a hundred is another matter',
    alert: 'BookingsFail',
    series: bookings('0+100x60', '0+1x60'),
    quietAt: '10m',
  },
  ...(['make', 'send'] as const).flatMap((step) => {
    const alert = step === 'make' ? 'PaymentLinksNotMade' : 'PaymentLinksNotSent';
    const metric = `payment_links_unsent_seconds{instance="a", step="${step}"}`;
    const other = `payment_links_unsent_seconds{instance="a", step="${step === 'make' ? 'send' : 'make'}"}`;
    return [
      {
        name: 'within two minutes of the booking that has none',
        alert,
        series: { [metric]: '0x20 0+15x40', [other]: '0x60' },
        quietAt: '5m45s',
        firesAt: '7m',
        labels: [{}],
      },
      {
        name: 'those that need two tries are none',
        alert,
        series: { [metric]: '0x10 15 30 0x10 15 30 0x40' },
        quietAt: '4m',
      },
    ];
  }),
  ...[
    ['PaymentGatewayFails', 'payment_gateway_calls_total'],
    ['MessagesNotAccepted', 'messages_sent_total'],
  ].flatMap(([alert, metric]) => {
    const calls = (done: string, failed: string, refused: string) => ({
      [`${metric}{instance="a", outcome="done"}`]: done,
      [`${metric}{instance="a", outcome="failed"}`]: failed,
      [`${metric}{instance="a", outcome="refused"}`]: refused,
      [`${metric}{instance="a", outcome="key_refused"}`]: '0x60',
    });
    return [
      {
        name: 'within a minute',
        alert: alert!,
        series: calls('0+2x20 40x40', '0x20 0+2x40', '0x60'),
        quietAt: '5m15s',
        firesAt: '6m15s',
        labels: [{}],
      },
      {
        name: 'some that fail, and refused ones, are none',
        alert: alert!,
        series: calls('0+9x60', '0+1x60', '0+20x60'),
        quietAt: '10m',
      },
      {
        name: 'the key is refused, at once',
        alert: 'ProviderKeyRefused',
        series: { [`${metric}{instance="a", outcome="key_refused"}`]: '0x20 1x40' },
        quietAt: '5m',
        firesAt: '5m30s',
        labels: [{}],
      },
    ];
  }),
  {
    name: 'from outside, while each process answers',
    alert: 'NotReachable',
    series: { 'probe_success{instance="b"}': '1x20 0x40' },
    quietAt: '5m30s',
    firesAt: '6m30s',
    labels: [{ instance: 'b' }],
  },
  {
    name: 'two weeks before its end',
    alert: 'CertificateExpires',
    series: {
      'probe_ssl_earliest_cert_expiry{instance="b"}': '2000000x200',
      'probe_ssl_earliest_cert_expiry{instance="c"}': '1211000x200',
    },
    quietAt: '5m',
    firesAt: '40m',
    labels: [{ instance: 'c' }],
  },
  {
    name: 'for four hours, but not for one',
    alert: 'RefundsWait',
    series: { 'payment_refunds{instance="a", status="TO_DECIDE"}': '0x240 1x1100' },
    quietAt: '3h',
    firesAt: '5h15m',
    labels: [{}],
  },
  {
    name: 'twice as many as an hour before, not those that are always there',
    alert: 'AttentionGrows',
    series: {
      'attention{instance="w", concern="late"}': '5x480 50x240',
      'attention{instance="w", concern="overdue"}': '40x720',
      'attention{instance="w", concern="unreported"}': '1x480 9x240',
    },
    quietAt: '2h5m',
    firesAt: '2h20m',
    labels: [{ concern: 'late' }],
  },
  {
    name: 'ten minutes beyond its interval, also on one worker of two',
    alert: 'JobOverdue',
    series: {
      'jobs_overdue_seconds{instance="a", name="sweep-holds"}': '0x20 0+15x80',
      'jobs_overdue_seconds{instance="b", name="sweep-holds"}': '0x100',
    },
    quietAt: '15m',
    firesAt: '16m',
    labels: [{ name: 'sweep-holds' }],
  },
  {
    name: 'for one process of two',
    alert: 'RedisUnavailable',
    series: {
      'redis_up{instance="a", used_for="rate_limits"}': '1x20 0x40',
      'redis_up{instance="b", used_for="rate_limits"}': '1x60',
    },
    quietAt: '5m30s',
    firesAt: '7m',
    labels: [{}],
  },
  {
    name: 'of one deployment beside a busy one',
    alert: 'PartnerBookingErrors',
    series: {
      'http_requests_total{deployment="riyadh", instance="a", status="200"}': '0+9000x80',
      'http_requests_total{deployment="jeddah", instance="b", status="200"}': '0+10x80',
      'http_requests_total{deployment="jeddah", instance="b", status="500"}': '0x20 0+10x60',
    },
    quietAt: '5m',
    firesAt: '15m',
    labels: [{ deployment: 'jeddah' }],
  },
  {
    name: 'one of two deployments is gone',
    alert: 'PartnerBookingNotScraped',
    series: {
      'up{deployment="riyadh", instance="a"}': '1x400',
      'up{deployment="jeddah", instance="b"}': '1x300 stale',
    },
    quietAt: '70m',
    firesAt: '80m',
    labels: [{ deployment: 'jeddah', job: undefined }],
  },
  {
    name: 'for a quarter of an hour',
    alert: 'MemoryHigh',
    series: { 'process_resident_memory_bytes{instance="a"}': '200000000x20 800000000x100' },
    quietAt: '18m',
    firesAt: '21m',
    labels: [{ instance: 'a' }],
  },
  {
    name: 'two minutes old',
    alert: 'FiguresOld',
    series: {
      'figures_age_seconds{instance="a", figure="queue_depth"}': '15x20 15+15x40',
      'figures_age_seconds{instance="b", figure="queue_depth"}': '15x60',
    },
    quietAt: '7m30s',
    firesAt: '9m',
    labels: [{ figure: 'queue_depth' }],
  },
  {
    name: 'minutes of data foretell nothing',
    alert: 'DiskAlmostFull',
    series: disk('/srv', '90-0.5x100'),
    quietAt: '22m',
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
    series: attempts({
      busy: ['0+90x120', '0x120'],
      b: ['0+1x120', '0x40 0+1x80'],
      c: ['0+1x120', '0x40 0+1x80'],
    }),
    quietAt: '10m45s',
    firesAt: '12m30s',
    labels: [{}],
  },
  {
    name: 'all of them, within two minutes',
    alert: 'WebhooksFail',
    series: attempts({ a: ['0+1x80', '0x40 0+1x40'], b: ['0+3x80', '0x40 0+3x40'] }),
    quietAt: '10m30s',
    firesAt: '12m',
    labels: [{}],
  },
  {
    name: 'a few attempts of the only subscription are no reason to get up',
    alert: 'WebhooksFail',
    series: attempts({ only: ['0+1x4 5x60', '0+1x4 5x60'] }),
    quietAt: '2m',
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
    name: 'within a minute of its report, and when there is none any more',
    alert: 'BackupsFail',
    series: {
      'backup_failed{instance="a", kind="backup"}': '0x20 1x20 0x40',
      'backup_age_seconds{instance="a", kind="backup"}': '3600x60 108001x20',
    },
    quietAt: '5m',
    firesAt: '7m',
    labels: [{}],
  },
  {
    name: 'none for 30 hours',
    alert: 'BackupsFail',
    series: {
      'backup_failed{instance="a", kind="backup"}': '0x60',
      'backup_age_seconds{instance="a", kind="backup"}': '107000+15x240',
    },
    quietAt: '15m',
    firesAt: '20m',
    labels: [{}],
  },
  {
    name: 'at once, and when nothing looks any more',
    alert: 'ArchiveHasHole',
    series: {
      'backup_failed{instance="a", kind="archive"}': '0x20 1x20 0x200',
      'backup_age_seconds{instance="a", kind="archive"}': '0+15x240',
      'backup_failed{instance="a", kind="drill"}': '1x240',
    },
    quietAt: '5m',
    firesAt: '5m15s',
    labels: [{}],
  },
  {
    name: 'failed, not an old one of last month',
    alert: 'RestoreDrillDue',
    series: {
      'backup_failed{instance="a", kind="drill"}': '0x20 1x80',
      'backup_age_seconds{instance="a", kind="drill"}': '3000000x100',
    },
    quietAt: '5m',
    firesAt: '20m',
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

/** Creates that succeed and that fail, beside reads that succeed. */
function bookings(made: string, failed: string): Record<string, string> {
  const of = (method: string, status: number): string =>
    `http_requests_total{instance="a", method="${method}", route="/v1/partners/bookings", status="${status}"}`;
  return { [of('POST', 200)]: made, [of('POST', 500)]: failed, [of('GET', 200)]: '0+900x60' };
}

function disk(mountpoint: string, available: string): Record<string, string> {
  const labels = `instance="db", fstype="ext4", mountpoint="${mountpoint}"`;
  return {
    [`node_filesystem_avail_bytes{${labels}}`]: available,
    [`node_filesystem_size_bytes{${labels}}`]: '100x2880',
  };
}

test('the rules fire when they should, and not before', { skip: hasNo('promtool') }, async (t) => {
  const testOf = ({ name, alert, series, quietAt, firesAt, labels = [] }: RuleCase) => {
    const severity = alerts.find((rule) => rule.alert === alert)!.labels.severity;
    const exp_alerts = labels.map((own) => {
      const job = NAMES_JOB.test(alert) ? { job: jobOf(Object.keys(series)[0] ?? '') } : {};
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
  };
  const folder = temporaryFolder(t);
  // Each rule by itself: hours of samples of one would be judged by all others. JSON is YAML.
  const files = [...Map.groupBy(RULE_CASES, ({ alert }) => alert)].map(([alert, cases]) => {
    const own = join(folder, `${alert}.json`);
    writeFileSync(own, JSON.stringify(withoutAnnotations(alert)));
    const file = join(folder, `${alert}.test.json`);
    const tests = cases.map(testOf);
    writeFileSync(file, JSON.stringify({ rule_files: [own], evaluation_interval: '15s', tests }));
    return file;
  });
  const { stdout } = await run('promtool', ['test', 'rules', ...files]);
  assert.match(stdout, /SUCCESS/);
});

type Targets = { activeTargets: { labels: { instance: string }; health: string }[] };
type RuleState = { name: string; state: string; lastError?: string };

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
  startProgram(
    t,
    'prometheus',
    [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, `--storage.tsdb.path=${folder}/data`],
    folder,
  );
  const ask = async <Data>(path: string): Promise<Data | undefined> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => null);
    return answer?.ok ? ((await answer.json()) as { data: Data }).data : undefined;
  };
  const instance = new URL(service.operatorUrl!).host;
  const isUp = async () =>
    (await ask<Targets>('targets'))?.activeTargets.some(
      ({ labels, health }) => labels.instance === instance && health === 'up',
    ) ?? false;
  await until(isUp);
  const states = async (): Promise<Map<string, string>> => {
    const asked = await ask<{ groups: { rules: RuleState[] }[] }>('rules');
    const rules = asked!.groups.flatMap((group) => group.rules);
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
const NAMES_JOB =
  /^(ClockSkewed|LogLinesLost|PartnerBookingNotScraped|DiskAlmostFull|NotReachable|CertificateExpires|MemoryHigh)$/;

/** The alert's rule, to be compared by its labels: annotations would be compared too. */
function withoutAnnotations(alert: string) {
  const copy = structuredClone(rules) as { groups: { rules: (Rule & { annotations?: unknown })[] }[] };
  for (const group of copy.groups) {
    group.rules = group.rules.filter((rule) => rule.alert === alert);
    for (const rule of group.rules) delete rule.annotations;
  }
  return copy;
}
