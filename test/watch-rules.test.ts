import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { MINUTE, SECOND } from '../src/base/clock.ts';
import { alertOf } from '../src/watch/channels.ts';
import {
  type Episode,
  FACTS,
  type FactId,
  follow,
  type Sample,
  untold,
  valuesOf,
} from '../src/watch/rules.ts';
import texts from '../src/watch/texts.json' with { type: 'json' };
import { readDeploy } from './deploy-files.ts';
import { TEST_NOW } from './harness.ts';

/** Who is told of what at night: rules by figures, held against the alerts and the guide. */

const IDS = Object.keys(FACTS) as FactId[];
type Rule = { alert: string; expr: string; for?: string; labels: { severity: string } };
const { groups } = parse(readDeploy('monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] };
const RULES = new Map(groups.flatMap(({ rules }) => rules).map((rule) => [rule.alert, rule]));

/** Rules that page, of which nobody is told: what the watcher cannot know, or would not get anybody up alone. */
const NOT_TOLD: Record<string, string> = {
  PartnerBookingNotScraped: 'of Prometheus itself',
  NotReachable: 'from outside',
  DiskAlmostFull: 'of node_exporter',
  NoSynchronousStandby: 'of three machines, which have a monitoring system',
  WebhooksFail: 'partners read the feed meanwhile',
  PartnerBookingErrors: 'BookingsFail has those that cost bookings',
  PartnerBookingSlow: 'slow is not away',
  PartnerBookingWritesSlow: 'slow is not away',
};

/** Seconds of `30s`, `5m`. */
const secondsOf = (text = '0s'): number =>
  Number.parseInt(text, 10) * { s: 1, m: 60, h: 3600 }[text.at(-1)!]!;
/** An expression without spaces, job and groups. */
const bare = (expr: string): string =>
  expr
    .replaceAll(/ by \([\w, ]+\) ?/g, '')
    .replaceAll(/job="partner-booking"(?:, )?/g, '')
    .replaceAll('{}', '')
    .replaceAll('30 * 3600', '108000')
    .replaceAll(/\s+/g, '');

/** What the rule would say of the fact's numbers. */
function expressionOf({ above, zero, calls }: (typeof FACTS)[FactId]): string {
  if (above !== undefined)
    return Object.entries(above)
      .map(([selector, limit]) => `max(${selector}) > ${limit}`)
      .join(' or ');
  if (zero !== undefined) return `min(${zero}) == 0`;
  if (calls === undefined) return 'up == 0';
  const [all, bad, seconds, moreThan, share] = calls;
  const both = all.includes('{') ? all.replace('}', `, ${bad}}`) : `${all}{${bad}}`;
  const within = `[${seconds / 60}m]`;
  const many = `sum(increase(${both}${within})) > ${moreThan}`;
  if (share === 0) return many;
  return `${many} and sum(rate(${both}${within})) > ${share} * sum(rate(${all}${within}))`;
}

test('every fact has the numbers of the rule that it stands for', () => {
  for (const id of IDS) {
    const { alert, after } = FACTS[id];
    const rule = RULES.get(alert) ?? assert.fail(`${id}: there is no rule ${alert}`);
    assert.equal(after, secondsOf(rule.for), `${id}: for`);
    // Two facts stand for one that is about either provider.
    const parts = alert === 'ProviderKeyRefused' ? rule.expr.split(' or ') : [rule.expr];
    assert.ok(parts.map(bare).includes(bare(expressionOf(FACTS[id]))), `${id}: ${expressionOf(FACTS[id])}`);
  }
});

test('every rule that pages is told, or has a reason why not', () => {
  const pages = [...RULES.values()]
    .filter(({ labels }) => labels.severity === 'page')
    .map(({ alert }) => alert);
  const told = new Set(IDS.map((id) => FACTS[id].alert));
  assert.deepEqual(
    pages.filter((alert) => !told.has(alert) && NOT_TOLD[alert] === undefined),
    [],
  );
  assert.deepEqual(
    Object.keys(NOT_TOLD).filter((alert) => told.has(alert) || !pages.includes(alert)),
    [],
  );
});

test('the guide lists every fact as it is told, and no other', () => {
  const guide = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| `([A-Z_]+)` \| (.*) \| `(\w+)` \|$/gm)].map((row) => row.slice(1));
  assert.deepEqual(
    rows,
    IDS.map((id) => [id, texts.facts[id].en, FACTS[id].alert]),
  );
});

/** Figures of a process in which all is well. */
const HEALTHY: Record<string, number> = {
  'build_info{build="0.1.0"}': 1,
  'database_up{can="answer"}': 1,
  'database_up{can="write"}': 1,
  'http_requests_total{method="POST",route="/v1/partners/bookings",status="200",partner="a"}': 4_000,
  'http_requests_total{method="GET",route="/v1/partners/bookings",status="500",partner="a"}': 70,
  'payment_links_unsent_seconds{step="make"}': 45,
  'payment_links_unsent_seconds{step="send"}': 3,
  'payment_gateway_calls_total{outcome="done"}': 900,
  'payment_gateway_calls_total{outcome="failed"}': 80,
  'payment_gateway_calls_total{outcome="refused"}': 8,
  'payment_gateway_calls_total{outcome="key_refused"}': 1,
  'messages_sent_total{outcome="done"}': 900,
  'messages_sent_total{outcome="failed"}': 80,
  'messages_sent_total{outcome="key_refused"}': 1,
  'payment_refunds{status="PENDING"}': 9,
  'payment_refunds{status="FAILED"}': 0,
  'payment_refunds{status="TO_DECIDE"}': 9,
  'webhook_oldest_due_seconds{queue="deliveries"}': 60,
  'jobs_overdue_seconds{name="sweep-holds"}': 600,
  'attention{concern="late"}': 12,
  'database_archive{what="failing"}': 0,
  'database_archive{what="waiting"}': 3,
  'backup_failed{kind="backup"}': 0,
  'backup_failed{kind="archive"}': 0,
  'backup_failed{kind="drill"}': 1,
  'backup_age_seconds{kind="backup"}': 108_000,
  'backup_age_seconds{kind="archive"}': 3_600,
  'backup_age_seconds{kind="drill"}': 9_000_000,
};
const FAILED_POST =
  'http_requests_total{method="POST",route="/v1/partners/bookings",status="500",partner="a"}';

const written = (figures: Record<string, number>): string =>
  `# HELP build_info The build\n${Object.entries(figures)
    .map(([sample, value]) => `${sample} ${value}`)
    .join('\n')}\n`;

const [API, WORKER] = ['http://127.0.0.1:3001', 'http://127.0.0.1:3002'];

/** Readings 15 seconds apart; each changes the figures of the first process, or makes it silent (null). */
function night() {
  let episodes: Episode[] = [];
  let samples: Sample[] = [];
  const figures = { ...HEALTHY };
  let at = TEST_NOW;
  const read = (changes: Record<string, number> | null): void => {
    at += 15 * SECOND;
    for (const [sample, by] of Object.entries(changes ?? {}))
      figures[sample] = /_total/.test(sample) ? (figures[sample] ?? 0) + by : by;
    const processes = new Map([
      [API!, changes === null ? null : written(figures)],
      [WORKER!, written(HEALTHY)],
    ]);
    samples = [...samples, { at, processes }];
    episodes = follow(episodes, samples);
  };
  return {
    /** For so many seconds, with the changes at each reading. */
    pass(seconds: number, changes: Record<string, number> | null = {}) {
      for (let left = seconds; left > 0; left -= 15) read(changes);
    },
    open: () =>
      episodes.filter((one) => one.openedAt !== null && one.endedAt === null).map(({ fact }) => fact),
    ended: () => episodes.filter(({ endedAt }) => endedAt !== null),
    now: () => at,
  };
}

const calls = (metric: string, outcome: string, times = 1) => ({
  [`${metric}{outcome="${outcome}"}`]: times,
});
const GATEWAY = 'payment_gateway_calls_total';
const MESSAGES = 'messages_sent_total';

/** What makes each fact true at every reading, almost true, and fine again. */
const CASES: Record<
  FactId,
  { bad: Record<string, number> | null; almost: Record<string, number>; fine: Record<string, number> }
> = {
  PROCESS_DOWN: { bad: null, almost: {}, fine: {} },
  DATABASE_AWAY: {
    bad: { 'database_up{can="write"}': 0 },
    almost: {},
    fine: { 'database_up{can="write"}': 1 },
  },
  BOOKINGS_FAIL: {
    bad: { [FAILED_POST]: 1 },
    almost: {
      [FAILED_POST]: 1,
      'http_requests_total{method="POST",route="/v1/partners/bookings",status="200",partner="a"}': 9,
    },
    fine: { 'http_requests_total{method="POST",route="/v1/partners/bookings",status="200",partner="a"}': 1 },
  },
  LINKS_NOT_MADE: above('payment_links_unsent_seconds{step="make"}', 45),
  LINKS_NOT_SENT: above('payment_links_unsent_seconds{step="send"}', 45),
  GATEWAY_FAILS: {
    bad: calls(GATEWAY, 'failed'),
    almost: { ...calls(GATEWAY, 'failed'), ...calls(GATEWAY, 'done') },
    fine: calls(GATEWAY, 'done'),
  },
  GATEWAY_KEY_REFUSED: {
    bad: { ...calls(GATEWAY, 'key_refused'), ...calls(GATEWAY, 'done', 2) },
    almost: calls(GATEWAY, 'refused'),
    fine: calls(GATEWAY, 'done'),
  },
  MESSAGES_FAIL: {
    bad: calls(MESSAGES, 'failed'),
    almost: { ...calls(MESSAGES, 'failed'), ...calls(MESSAGES, 'done') },
    fine: calls(MESSAGES, 'done'),
  },
  MESSAGES_KEY_REFUSED: {
    bad: { ...calls(MESSAGES, 'key_refused'), ...calls(MESSAGES, 'done', 2) },
    almost: calls(MESSAGES, 'done'),
    fine: calls(MESSAGES, 'done'),
  },
  REFUNDS_REFUSED: above('payment_refunds{status="FAILED"}', 0),
  WEBHOOKS_LATE: above('webhook_oldest_due_seconds{queue="deliveries"}', 60),
  JOB_OVERDUE: above('jobs_overdue_seconds{name="sweep-holds"}', 600),
  ARCHIVING_FAILS: above('database_archive{what="failing"}', 0),
  BACKUP_FAILED: above('backup_age_seconds{kind="backup"}', 108_000),
  ARCHIVE_HAS_HOLE: above('backup_age_seconds{kind="archive"}', 3_600),
};

function above(sample: string, limit: number) {
  return { bad: { [sample]: limit + 0.5 }, almost: { [sample]: limit }, fine: { [sample]: 0 } };
}

for (const id of IDS)
  test(`${id} begins after its time, holds, and is over two minutes after it`, () => {
    const { bad, almost, fine } = CASES[id];
    const it = night();
    it.pass(60);
    it.pass(600, almost);
    assert.deepEqual([it.open(), it.ended()], [[], []], 'almost');
    it.pass(150);
    // It is first seen at a reading, calls after more of them than are allowed.
    const moreThan = FACTS[id].calls?.[3] ?? 0;
    it.pass(moreThan * 15 + FACTS[id].after, bad);
    assert.deepEqual(it.open(), [], 'not yet');
    it.pass(15, bad);
    assert.deepEqual(it.open(), [id]);
    it.pass(900, bad);
    assert.deepEqual([it.open(), it.ended()], [[id], []], 'it holds, once');
    it.pass(15, fine);
    it.pass(15, bad);
    it.pass(60, fine);
    assert.deepEqual(it.open(), [id], 'it comes and goes');
    // Calls that failed are remembered as long as they count.
    it.pass(120 + (FACTS[id].calls?.[2] ?? 0), fine);
    assert.deepEqual([it.open(), it.ended().map(({ fact }) => fact)], [[], [id]]);
  });

test('what nobody says neither begins nor ends anything', () => {
  const it = night();
  it.pass(60);
  it.pass(90, calls(GATEWAY, 'failed'));
  assert.deepEqual(it.open(), ['GATEWAY_FAILS']);
  // Nobody books at night: that the gateway answers again is not known.
  it.pass(3_600);
  assert.deepEqual(it.open(), ['GATEWAY_FAILS']);
  it.pass(15, calls(GATEWAY, 'done'));
  it.pass(180);
  assert.deepEqual([it.open(), it.ended().length], [[], 1]);
});

test('a counter that begins anew has not gone back, and one process of two is enough', () => {
  const it = night();
  it.pass(60);
  const anew = { done: -900, failed: -80, refused: -8, key_refused: -1 };
  it.pass(15, Object.assign({}, ...Object.entries(anew).map(([outcome, by]) => calls(GATEWAY, outcome, by))));
  assert.deepEqual(it.open(), []);
  // Within the time that counts.
  it.pass(60, calls(GATEWAY, 'failed'));
  assert.deepEqual(it.open(), ['GATEWAY_FAILS']);
});

test('a selector finds its samples, also with exemplars and in any order of labels', () => {
  const text =
    'a_total{outcome="failed",x="1"} 3 # {trace_id="outcome"} 1 17\na_total{x="2",outcome="done"} 4\na_total_more{outcome="failed"} 9\na 5\n# EOF\n';
  assert.deepEqual(valuesOf(text, 'a_total'), [3, 4]);
  assert.deepEqual(valuesOf(text, 'a_total outcome=~"failed|key_refused"'), [3]);
  assert.deepEqual(valuesOf(text, 'a_total{x="2"}'), [4]);
  assert.deepEqual(valuesOf(text, 'a'), [5]);
  assert.deepEqual(valuesOf(text, 'a_total{outcome="fail"}'), []);
});

const EPISODE: Episode = {
  fact: 'LINKS_NOT_MADE',
  process: null,
  roles: '',
  since: TEST_NOW,
  openedAt: TEST_NOW + 30 * SECOND,
  fineSince: null,
  endedAt: null,
  told: {},
};

test('a channel is told the beginning, then the end, and no end without a beginning', () => {
  const ended = { ...EPISODE, endedAt: TEST_NOW + 12 * MINUTE };
  assert.equal(untold({ ...EPISODE, openedAt: null }, 'a'), null);
  assert.equal(untold(EPISODE, 'a'), 'BEGUN');
  assert.equal(untold({ ...EPISODE, told: { a: 'BEGUN' } }, 'a'), null);
  assert.equal(untold({ ...EPISODE, told: { a: 'BEGUN' } }, 'b'), 'BEGUN');
  assert.equal(untold({ ...ended, told: { a: 'BEGUN' } }, 'a'), 'OVER');
  assert.equal(untold({ ...ended, told: { a: 'OVER' } }, 'a'), null);
  assert.equal(untold(ended, 'a'), null);
});

test('every text has three segments of SMS at most, and one writing direction a line', () => {
  const to = { host: 'bookings.riyadh.example.sa', channel: 'a' };
  for (const fact of IDS)
    for (const state of ['BEGUN', 'OVER'] as const) {
      const process = fact === 'PROCESS_DOWN' ? 'http://booking-worker-1.internal:3002' : null;
      const episode = { ...EPISODE, fact, process, roles: 'api,worker', endedAt: TEST_NOW + 719 * MINUTE };
      const { text } = alertOf(episode, state, TEST_NOW, to);
      assert.ok(text.length <= 3 * 67, `${text.length}: ${text}`);
      for (const line of text.split('\n'))
        assert.ok(!(/[a-z]/i.test(line) && /\p{Script=Arabic}/u.test(line)), line);
    }
  const begun = alertOf(EPISODE, 'BEGUN', EPISODE.openedAt!, { ...to, host: 'riyadh.example.sa' });
  assert.equal(
    begun.text,
    'riyadh.example.sa 22/11 08:00:30\nلا تُنشأ روابط الدفع، منذ 08:00\nPayment links are not being made, since 08:00',
  );
  const over = { ...EPISODE, endedAt: TEST_NOW + 12 * MINUTE };
  assert.match(
    alertOf(over, 'OVER', over.endedAt, to).text,
    /\nOver after 12 min: Payment links are not being made$/,
  );
  // The same again is the same message; to another channel it is another one.
  assert.deepEqual(alertOf(EPISODE, 'BEGUN', EPISODE.openedAt!, to).id, begun.id);
  assert.notEqual(alertOf(EPISODE, 'BEGUN', EPISODE.openedAt!, { ...to, channel: 'b' }).id, begun.id);
});
