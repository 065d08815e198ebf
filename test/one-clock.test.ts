import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addDays, dateOf, skewFrom } from '../src/base/clock.ts';
import { LEASE } from '../src/webhooks/rules.ts';
import { compiled } from './compiled.ts';
import { createWorld } from './fixtures.ts';
import {
  afterwards,
  call,
  createPostgresDatabase,
  OPERATOR_TOKEN,
  onPostgres,
  startTestService,
} from './harness.ts';
import { startMoyasar } from './moyasar-server.ts';
import { book, paymentOf, providerEnv, startPlatform } from './payment-flows.ts';
import { startUnifonic } from './unifonic-server.ts';
import { until } from './until.ts';
import { makeDeliveries } from './webhook-fixtures.ts';
import { startReceiver, subscribe } from './webhook-receiver.ts';

const SKEWED = fileURLToPath(new URL('skewed-service.ts', import.meta.url));
const skip = !onPostgres && 'an embedded database has the clock of its process';

/** Starts a process whose machine's clock is an hour ahead; returns when its skew has been measured. */
async function startSkewed(
  t: TestContext,
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; base: string }> {
  const child = spawn(process.execPath, ['--liftoff-only', SKEWED], {
    env: {
      PATH: process.env.PATH ?? '',
      ...compiled,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      OPERATOR_TOKEN,
      DEPLOYMENT: 'sandbox',
      METRICS_TOKEN: 'metrics-token-of-the-tests',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  afterwards(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await until(
    () => output.includes('serves ') && output.includes("the machine's clock differs from the database's"),
    () => output,
  );
  return { child, base: /serves (\S+)/.exec(output)![1]! };
}

test('a skew stays until a measurement excludes it', () => {
  assert.equal(skewFrom(0, { now: 1_000, from: 990, until: 1_010 }), 0);
  assert.equal(skewFrom(5, { now: 1_000, from: 990, until: 1_010 }), 5);
  assert.equal(skewFrom(0, { now: 4_600_000, from: 990_000, until: 1_000_000 }), 3_605_000);
  assert.equal(skewFrom(-3_600_000, { now: 1_000, from: 3_600_995, until: 3_601_005 }), -3_600_000);
});

test("a process whose clock is an hour ahead: not ready, and its times are the database's", {
  skip,
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const right = await startTestService(t, { databaseUrl, sandboxClock: true });
  const world = await createWorld(right);
  const { base } = await startSkewed(t, databaseUrl);

  const ready = await call(base, 'GET', '/readyz');
  assert.deepEqual([ready.status, ready.body.clock], [503, '-3600 s off']);
  const metrics = await fetch(`${base}/metrics`, {
    headers: { authorization: 'Bearer metrics-token-of-the-tests' },
  });
  assert.match(await metrics.text(), /^clock_skew_seconds\{clock="database"\} -3(?:600|599)/m);

  const before = Date.now();
  const made = await call(
    `${base}/operator`,
    'POST',
    '/partners',
    { name: 'Made by the process that is an hour off' },
    { authorization: `Bearer ${OPERATOR_TOKEN}` },
  );
  assert.equal(made.status, 201, made.text);
  const off = Math.abs(Date.parse(made.body.data.createdAt) - before);
  assert.ok(off < 60_000, `createdAt is ${off} ms off`);

  // A key that expires in half an hour is still good.
  const expiresAt = new Date(before + 30 * 60_000).toISOString();
  const path = `/partners/${world.partnerId}/keys`;
  const issued = await right.operator('POST', path, {
    name: 'Half an hour',
    permissions: ['partner_bookings_read'],
    expiresAt,
  });
  assert.equal(issued.status, 201, issued.text);
  const listed = await call(`${base}/v1`, 'GET', '/partners/bookings', undefined, {
    'x-api-key': issued.body.data.key,
  });
  assert.equal(listed.status, 200, listed.text);
});

test('a worker whose clock is an hour ahead, alone and beside a correct one: nothing is sent twice, signatures carry real time', {
  skip,
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const receiver = await startReceiver(t);
  /** Held back responses: their deliveries stay claimed by their sender. */
  const held: ServerResponse[] = [];
  receiver.answer = (_request, response) => void held.push(response);
  const [moyasar, unifonic] = [await startMoyasar(t), await startUnifonic(t)];
  for (const provider of [moyasar, unifonic]) provider.fault = { kind: 'slow', milliseconds: 1_500 };
  const env = { ...providerEnv(moyasar, unifonic), WEBHOOK_ALLOW_HOSTS: receiver.host };
  const options = { databaseUrl, sandboxClock: true };
  const platform = await startPlatform(t, { ...options, env: { ...env, ROLES: 'api' } }, { teams: 8 });
  const { service, world } = platform;
  await subscribe(service, world.partnerId, receiver.url, ['booking.updated']);
  const now = service.deps.clock.now();
  const date = addDays(dateOf(now), 2);
  const bookings: string[] = [];

  /** Work for the workers: deliveries, and two bookings whose customers get a link. */
  async function makeWork(count: number): Promise<void> {
    for (let made = 0; made < 2; made++) bookings.push(await book(platform, { date }));
    await makeDeliveries(service, bookings[0]!, count, { dueAt: now });
    service.deps.wakeups.wake();
  }
  /** Returns when the worker that calls itself so to the database has looked for work three times more. */
  async function looks(name: string): Promise<void> {
    const seen = new Set<number>();
    await until(async () => {
      const rows = await service.deps.db.rows<{ query_start: number }>({
        text: `
          select query_start from pg_stat_activity
          where datname = current_database() and application_name = $1 and query like '%recursive waiting%'`,
        values: [name],
      });
      for (const row of rows) seen.add(row.query_start);
      return seen.size > 3;
    });
  }
  /** Lets the receiver respond until that many deliveries are done, and every link was sent. */
  async function done(count: number): Promise<void> {
    await until(async () => {
      for (const response of held.splice(0)) response.end('thanks');
      const rows = await service.deps.db.rows({
        text: `select 1 from webhook_deliveries where status = 'DELIVERED'`,
      });
      return rows.length === count;
    });
    for (const bookingId of bookings) {
      await until(async () => (await paymentOf(platform, bookingId)).sent_at !== null);
    }
    assertOnceAndRight(count);
  }
  function assertOnceAndRight(count: number): void {
    const ids = receiver.received.map(({ headers }) => headers['x-service-delivery-id']);
    assert.deepEqual([ids.length, new Set(ids).size], [count, count]);
    for (const { at, headers } of receiver.received) {
      const off = Math.abs(Date.parse(headers['x-service-timestamp']!) - at);
      assert.ok(off < 60_000, `signed ${off} ms off`);
    }
    const made = moyasar.calls.filter(({ method, path }) => method === 'POST' && path === '/v1/invoices');
    assert.deepEqual([made.length, unifonic.calls.length], [bookings.length, bookings.length]);
  }

  // Alone: it sends everything. Then another one starts, and leaves its claims alone.
  const skewed = await startSkewed(t, `${databaseUrl}?application_name=skewed`, { ...env, ROLES: 'worker' });
  await makeWork(1);
  await receiver.arrived(1);
  await done(1);
  await makeWork(10);
  await receiver.arrived(11);
  await startTestService(t, { ...options, env: { ...env, ROLES: 'worker' } });
  await looks('partner-booking');
  assertClaimed(await leases(), 10);
  await done(11);

  // Vice versa: it finds the claims of the stopped one.
  skewed.child.kill('SIGSTOP');
  await makeWork(1);
  await receiver.arrived(12);
  await done(12);
  await makeWork(10);
  await receiver.arrived(22);
  skewed.child.kill('SIGCONT');
  await looks('skewed');
  assertClaimed(await leases(), 10);
  await done(22);

  function leases(): Promise<{ ahead: number }[]> {
    return service.deps.db.rows({
      text: 'select extract(epoch from leased_until - clock_timestamp())::float8 as ahead from webhook_pending where lease is not null',
    });
  }
});

/** Claims end by the database's clock: within the lease, not an hour from now. */
function assertClaimed(leases: readonly { ahead: number }[], count: number): void {
  assert.equal(leases.length, count);
  for (const { ahead } of leases) assert.ok(ahead > 0 && ahead * 1000 <= LEASE, `claimed for ${ahead} s`);
}

test('the command line of a machine that is an hour ahead writes the time of the database', {
  skip,
}, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const ahead = 'const now = Date.now; Date.now = () => now() + 3_600_000;';
  const child = spawn(
    process.execPath,
    [
      '--liftoff-only',
      '--import',
      `data:text/javascript,${encodeURIComponent(ahead)}`,
      fileURLToPath(new URL('../src/cli.ts', import.meta.url)),
      ...['partners', 'create', '--name', 'Made an hour ahead', '--json'],
    ],
    {
      env: {
        PATH: process.env.PATH ?? '',
        ...compiled,
        DATABASE_URL: databaseUrl,
        OPERATOR_TOKEN,
        DEPLOYMENT: 'sandbox',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  const off = Math.abs(Date.parse(JSON.parse(output).createdAt) - Date.now());
  assert.ok(off < 60_000, `createdAt is ${off} ms off`);
});
