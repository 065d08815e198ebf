import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { checkAlerts } from '../src/cli/doctor-server.ts';
import { parseConfig } from '../src/program/config.ts';
import { GIVEN, temporaryFolder } from './deploy-files.ts';
import { startTestService } from './harness.ts';
import { REFUND_FAILED } from './openapi-operator-operations.ts';
import {
  book,
  type Platform,
  paymentOf,
  settled,
  startPlatform,
  startWithProviders,
} from './payment-flows.ts';
import { freePort } from './ports.ts';
import { receive } from './receivers.ts';
import { runToEnd, startCommand } from './terminal.ts';
import { until } from './until.ts';
import { PHONES, startWatch, tellsOf } from './watch-fixtures.ts';

/** The watcher beside real services whose providers, jobs and database fail, and what two channels are told. */

/** So many bookings at once. */
const TEAMS = { teams: 5 };

for (const [provider, facts, fault] of [
  ['moyasar', ['LINKS_NOT_MADE', 'GATEWAY_FAILS'], { kind: 'status', status: 500 }],
  ['moyasar', ['LINKS_NOT_MADE', 'GATEWAY_FAILS', 'GATEWAY_KEY_REFUSED'], { kind: 'status', status: 401 }],
  ['unifonic', ['LINKS_NOT_SENT', 'MESSAGES_FAIL'], { kind: 'down' }],
  ['unifonic', ['LINKS_NOT_SENT', 'MESSAGES_FAIL', 'MESSAGES_KEY_REFUSED'], { kind: 'status', status: 401 }],
] as const)
  test(`${provider} is away (${'status' in fault ? fault.status : fault.kind}): ${facts}`, async (t) => {
    const it = await startWithProviders(t, {}, TEAMS);
    const watch = await startWatch(t, [it.service.url]);
    const bookings: string[] = [];
    await tellsOf(watch, facts, {
      async cause() {
        it[provider].fault = fault;
        for (let i = 0; i < 4; i++) bookings.push(await book(it));
        await until(() => it[provider].calls.filter(({ method }) => method === 'POST').length >= 4);
        for (const id of bookings) await settled(it, id);
        it.service.clock.advance(50_000);
        for (const id of bookings) await settled(it, id);
      },
      async mend() {
        it[provider].fault = null;
        for (const id of bookings)
          await until(async () => {
            const { sent_at, due_at } = await settled(it, id);
            if (sent_at === null && due_at !== null)
              it.service.clock.set(Math.max(it.service.clock.now(), due_at));
            return sent_at !== null;
          });
      },
    });
  });

/** A refund of the service that the gateway refuses, and that is done after all. */
async function refundOf(it: Platform) {
  const bookingId = await book(it);
  await until(async () => (await paymentOf(it, bookingId)).sent_at !== null);
  const set = (assignments: string) =>
    it.service.deps.db.rows({
      text: `update payments set ${assignments} where booking_id = $1`,
      values: [bookingId],
    });
  return {
    refuse: () => set(`${REFUND_FAILED}, refunded_at = null`),
    mend: () => set(`refund_status = 'DONE', refunded_at = created_at`),
  };
}

test('bookings that fail, and a refund that is refused', async (t) => {
  const it = await startPlatform(t, {}, TEAMS);
  const { service } = it;
  const watch = await startWatch(t, [service.url]);
  const { refuse, mend } = await refundOf(it);
  await tellsOf(watch, ['REFUNDS_REFUSED'], { cause: refuse, mend });
  await tellsOf(watch, ['BOOKINGS_FAIL'], {
    async cause() {
      await service.deps.db.rows({
        text: `create function fails() returns trigger language plpgsql as 'begin raise exception ''it fails''; end'`,
      });
      await service.deps.db.rows({
        text: 'create trigger fails before insert on bookings execute function fails()',
      });
      for (let i = 0; i < 4; i++) assert.equal((await it.world.book()).status, 500);
    },
    async mend() {
      await service.deps.db.rows({ text: 'drop trigger fails on bookings' });
      await book(it);
    },
  });
});

test('a job that fails at each run', async (t) => {
  const service = await startTestService(t);
  const watch = await startWatch(t, [service.url]);
  const { now } = performance;
  let ahead = 0;
  t.mock.method(performance, 'now', () => now.call(performance) + ahead);
  const overdue = async (): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^jobs_overdue_seconds\{name="sweep-holds"\} (\S+)$/m.exec(text)?.[1]);
  };
  await tellsOf(watch, ['JOB_OVERDUE'], {
    async cause() {
      await service.deps.db.rows({ text: 'alter table holds rename to lost' });
      await until(() => /"job":"sweep-holds"/.test(service.logged()));
      ahead = 11 * MINUTE;
    },
    async mend() {
      await service.deps.db.rows({ text: 'alter table lost rename to holds' });
      await until(async () => (await overdue()) < 600);
      // Those that run each minute have not been late.
      ahead = 0;
    },
  });
});

/** A local server beside a service that answers. */
async function liar(t: TestContext, answer: Parameters<typeof receive>[1]): Promise<string> {
  return `http://127.0.0.1:${(await receive(t, answer)).port}`;
}

test('a process that hangs, drips, floods or lies does not answer, and delays no other', async (t) => {
  const service = await startTestService(t);
  const figures = await (await fetch(`${service.url}/metrics`)).text();
  const liars = await Promise.all([
    liar(t, () => {}),
    liar(t, (_request, response) => void response.writeHead(200).write(figures.slice(0, 900))),
    liar(t, (_request, response) => void response.end(`${figures}${'x 1\n'.repeat(3_000_000)}`)),
    liar(t, (_request, response) => void response.end('<html>it works</html>')),
    liar(t, (_request, response) => void response.end(`${figures}\n<html>`)),
    liar(t, (_request, response) => void response.end('another_service 1\n')),
    liar(t, (_request, response) => void response.writeHead(503).end(figures)),
    liar(t, (request) => void request.socket.destroy()),
    Promise.resolve(`http://127.0.0.1:${await freePort()}`),
  ]);
  const watch = await startWatch(t, [...liars, service.url]);
  // Each reading takes as long as the slowest may: few of them.
  await watch.pass(15);
  await watch.pass(60, 60);
  const processes = watch.hook.messages.map((message) => (message as unknown as { process: string }).process);
  assert.deepEqual(processes.toSorted(), liars.toSorted());
  assert.deepEqual(new Set(watch.told()), new Set(['PROCESS_DOWN BEGUN']));
  // The good one was read at each of them.
  const { watchedAt } = (await service.operator('GET', '/alerts')).body.data;
  assert.ok(watchedAt !== null);
});

test('a process that ends and comes back, with its roles', async (t) => {
  const port = await freePort();
  const start = () => startTestService(t, { env: { PORT: String(port) } });
  let service = await start();
  const watch = await startWatch(t, [service.url]);
  // Its figures take a scrape or two.
  await until(async () => (await (await fetch(`${service.url}/metrics`)).text()).includes('\nattention{'));
  await tellsOf(watch, ['PROCESS_DOWN'], {
    cause: () => service.close(),
    async mend() {
      service = await start();
    },
  });
  const [begun] = watch.sms.messages;
  assert.match(
    begun!.text,
    new RegExp(`\\nA process does not answer, since 08:01\\napi,worker 127.0.0.1:${port}$`),
  );
});

/** A watcher of a service that can be made to fail: its refund. */
async function startRefusing(t: TestContext, file?: string) {
  const it = await startPlatform(t);
  const watch = await startWatch(t, [it.service.url], file === undefined ? {} : { file });
  return { watch, ...(await refundOf(it)) };
}

test('a watcher that starts anew tells nothing twice and forgets nothing', async (t) => {
  const { watch, refuse, mend } = await startRefusing(t);
  await refuse();
  await watch.pass(45);
  watch.restart();
  assert.deepEqual(watch.told(), [], 'what has just begun begins again');
  await watch.untilTold(1);
  watch.restart();
  await watch.pass(300);
  assert.deepEqual(watch.told(), ['REFUNDS_REFUSED BEGUN']);
  await mend();
  await watch.pass(60);
  watch.restart();
  await watch.untilTold(2);
  watch.restart();
  await watch.pass(300);
  assert.deepEqual(watch.told(), ['REFUNDS_REFUSED BEGUN', 'REFUNDS_REFUSED OVER']);
  assert.equal(watch.hook.calls.length, 2);
  assert.equal(watch.sms.calls.length, 2 * PHONES.length);
});

test('a file that is broken is begun anew, one that cannot be written costs a repetition', async (t) => {
  for (const text of [
    '{"fact',
    '[]x',
    'null',
    '[{"fact":"OF_A_LATER_VERSION"}]',
    '[{"fact":"JOB_OVERDUE"}]',
  ]) {
    const file = join(temporaryFolder(t), 'alerts.json');
    writeFileSync(file, text);
    const watch = await startWatch(t, [], { file });
    assert.match(watch.logged(), /nothing is remembered: ALERT_STATE is begun anew/, text);
    await watch.pass(15);
  }
  const folder = temporaryFolder(t);
  // In place of the file a folder, which nothing can be renamed to.
  mkdirSync(join(folder, 'alerts.json', 'in-the-way'), { recursive: true });
  const { watch, refuse } = await startRefusing(t, join(folder, 'alerts.json'));
  await refuse();
  await watch.untilTold(1);
  await watch.pass(300);
  assert.deepEqual(watch.told(), ['REFUNDS_REFUSED BEGUN'], 'once in a run');
  assert.equal(watch.logged().match(/ALERT_STATE cannot be written/g)?.length, 1);
});

test('channels are tried apart, again with the same id, until they take it or it is over', async (t) => {
  const { watch, refuse, mend } = await startRefusing(t);
  watch.sms.fault = { kind: 'status', status: 503 };
  watch.hook.fault = { kind: 'lost', times: 1 };
  await refuse();
  await watch.pass(120);
  assert.deepEqual(watch.told(), ['REFUNDS_REFUSED BEGUN'], 'the other one says so');
  assert.deepEqual([watch.hook.calls.length, watch.sms.messages.length], [2, 0]);
  assert.ok(watch.sms.calls.length > 4);
  watch.sms.fault = null;
  await watch.pass(300);
  assert.deepEqual(
    watch.sms.messages.map(({ to }) => to),
    PHONES,
  );
  const idsOf = (phone: string): string[] =>
    watch.sms.calls
      .map(({ body }) => JSON.parse(body))
      .filter(({ to }) => to === phone)
      .map(({ id }) => id);
  assert.deepEqual(
    PHONES.map((phone) => new Set(idsOf(phone)).size),
    [1, 1],
  );
  // Both are away at the end, which is told when they are back.
  watch.sms.fault = { kind: 'down' };
  watch.hook.fault = { kind: 'down' };
  await mend();
  await watch.pass(300);
  assert.equal(watch.told().length, 1);
  watch.sms.fault = null;
  watch.hook.fault = null;
  await watch.pass(15);
  assert.deepEqual(watch.told(), ['REFUNDS_REFUSED BEGUN', 'REFUNDS_REFUSED OVER']);
  assert.equal(watch.sms.messages.length, 2 * PHONES.length);
  // What was over before anybody could be told is not.
  watch.hook.fault = { kind: 'down' };
  await refuse();
  await watch.pass(120);
  await mend();
  await watch.pass(240);
  watch.hook.fault = null;
  await watch.pass(60);
  assert.equal(watch.told().length, 2);
});

test('a provider of SMS that hangs delays no other channel', async (t) => {
  const { watch, refuse } = await startRefusing(t);
  const answer = Promise.withResolvers<void>();
  watch.sms.fault = { kind: 'slow', until: answer.promise };
  await refuse();
  const telling = watch.untilTold(1);
  await until(() => watch.told().length === 1);
  assert.ok(!watch.logged().includes('"channel":"SMS"'));
  answer.resolve();
  await telling;
  assert.equal(watch.logged().match(/"channel":"SMS","msg":"told"/g)?.length, PHONES.length);
});

test('the file has what each channel took, and only the user may read it', async (t) => {
  const { watch, refuse } = await startRefusing(t);
  await refuse();
  await watch.untilTold(1);
  assert.equal(statSync(watch.file).mode & 0o777, 0o600);
  const [episode] = JSON.parse(readFileSync(watch.file, 'utf8'));
  assert.deepEqual(
    episode.told,
    Object.fromEntries([...PHONES.map((phone) => `SMS ${phone}`), 'WEBHOOK'].map((name) => [name, 'BEGUN'])),
  );
});

test('doctor says of a production when nobody is told', () => {
  const details = (env: Record<string, string>): string[] =>
    checkAlerts(parseConfig({ ...GIVEN, ...env })).map(({ warns, detail }) => `${warns} ${detail}`);
  assert.match(details({}).join(), /^true nobody is told at night: set ALERT_PHONES/);
  assert.equal(details({ ALERT_PHONES: PHONES[0]! }).length, 1, 'nothing sends to it');
  const webhook = { ALERT_WEBHOOK_URL: 'https://alerts.example.sa/in', ALERT_WEBHOOK_SECRET: 's'.repeat(16) };
  assert.deepEqual([details(webhook), details({ DEPLOYMENT: 'sandbox' })], [[], []]);
});

test('the command watches until it is stopped, with a token, and says what it lacks', async (t) => {
  const METRICS_TOKEN = 'metrics-token-of-the-tests';
  const service = await startTestService(t, { env: { METRICS_TOKEN } });
  const env = {
    DATA_DIR: temporaryFolder(t),
    WATCH_URLS: `${service.url}/`,
    METRICS_TOKEN,
    LOG_LEVEL: 'silent',
  };
  const nobody = await runToEnd(['watch'], env);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /set ALERT_PHONES with NOTIFIER, or ALERT_WEBHOOK_URL/);
  const command = startCommand(['watch'], { ...env, ALERT_PHONES: PHONES.join(), NOTIFIER: 'log' });
  const watchedAt = async () => (await service.operator('GET', '/alerts')).body.data.watchedAt;
  await until(async () => (await watchedAt()) !== null);
  command.stop();
  assert.equal((await command.ended).code, 0);
});

test('a test alert goes to every channel, is audited, and says what became of it', async (t) => {
  const bare = await startTestService(t);
  const nothing = (await bare.operator('POST', '/alerts/test')).body.data;
  assert.deepEqual(nothing, {
    channels: [],
    missing: ['ALERT_PHONES', 'ALERT_WEBHOOK_URL'],
    watchedAt: null,
  });
  const watch = await startWatch(t, []);
  const env = {
    ...watch.sms.env,
    ALERT_PHONES: PHONES.join(', '),
    ALERT_WEBHOOK_URL: watch.hook.url,
    ALERT_WEBHOOK_SECRET: watch.hook.secret,
  };
  const service = await startTestService(t, { env });
  watch.hook.refusal = 401;
  const { channels, missing } = (await service.operator('POST', '/alerts/test')).body.data;
  assert.deepEqual(missing, []);
  assert.deepEqual(channels, [
    { kind: 'SMS', to: '+966••••••233', outcome: 'taken' },
    { kind: 'SMS', to: '+966••••••244', outcome: 'taken' },
    { kind: 'WEBHOOK', to: new URL(watch.hook.url).host, outcome: 'ALERT_WEBHOOK_URL answered 401' },
  ]);
  assert.deepEqual(
    watch.sms.messages.map(({ to, kind }) => [to, kind]),
    PHONES.map((phone) => [phone, 'ALERT']),
  );
  assert.match(watch.sms.messages[0]!.text, /\nرسالة تجربة، لا خلل\nA test, nothing is wrong$/);
  watch.hook.refusal = null;
  await service.operator('POST', '/alerts/test');
  assert.deepEqual(watch.told(), ['TEST TEST']);
  const [entry] = (await service.operator('GET', '/audit?action=alert.test')).body.data;
  assert.equal(entry.after.channels.length, 3);
  assert.ok(!JSON.stringify(entry).includes(PHONES[0]!));
});
