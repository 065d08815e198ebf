import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { parseConfig } from '../src/program/config.ts';
import { startService } from '../src/program/service.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { createWorld } from './fixtures.ts';
import {
  type Answer,
  afterwards,
  call,
  createPostgresDatabase,
  documented,
  OPERATOR_TOKEN,
  onPostgres,
  startTestService,
} from './harness.ts';
import { freePort } from './ports.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { until } from './until.ts';

/** A database that goes away in every manner, and comes back. */

const skip = !onPostgres && 'an embedded database is in the process';

async function behindProxy(t: TestContext) {
  const url = await createPostgresDatabase(t);
  const proxy = await startTcpProxy(t, url);
  const service = await startTestService(t, { databaseUrl: proxy.through(url), env: { DATABASE_POOL: '4' } });
  const world = await createWorld(service);
  const ready = () => call(service.url, 'GET', '/readyz');
  return { url, proxy, service, world, ready };
}

function assertRefused(answer: Answer): void {
  assert.equal(answer.status, 500, answer.text);
  assert.equal(answer.body.error.code, 'INTERNAL_ERROR');
  assert.equal(answer.body.error.message, 'The service cannot answer at the moment: try again');
  assert.deepEqual(answer.body.error.details, documented('INTERNAL_ERROR'));
  assert.equal(answer.headers.get('retry-after'), '2');
}

for (const [kind, leave] of [
  ['refuses connections', 'refuse'],
  ['hears nothing any more', 'stall'],
] as const) {
  test(`a database outage (${kind}): not ready, requests refused at once, metrics served, recovery without a restart`, {
    skip,
  }, async (t) => {
    const { proxy, service, world, ready } = await behindProxy(t);
    assert.equal((await ready()).status, 200);
    await proxy[leave]();
    await until(async () => (await ready()).status === 503);
    assert.deepEqual((await ready()).body, { status: 'unavailable', database: 'unreachable' });
    await until(() => service.logged().includes('the database is away'));

    // Requests that were under way give theirs up.
    await until(() => service.deps.db.stats().total === 0);
    let answered = false;
    const answering = Promise.all(
      Array.from({ length: 50 }, () => service.v1(world.key, 'GET', '/partners/bookings')),
    ).finally(() => {
      answered = true;
    });
    let opened = 0;
    while (!answered) {
      opened = Math.max(opened, service.deps.db.stats().total);
      await setImmediate();
    }
    for (const answer of await answering) assertRefused(answer);
    assert.equal(opened, 0, 'requests are no probes: they open no connection');
    assert.equal((await call(service.url, 'GET', '/livez')).status, 200);
    const metrics = await call(service.url, 'GET', '/metrics');
    assert.equal(metrics.status, 200);
    assert.match(metrics.text, /^database_up\{can="answer"\} 0$/m);
    const lines = (text: string): number => service.logged().split(text).length - 1;
    await until(() => lines('jobs wait') === 1);

    await proxy.restore();
    await until(async () => (await ready()).status === 200);
    await until(() => lines('jobs run again') === 1);
    assert.deepEqual([lines('jobs wait'), lines('job failed')], [1, 0]);
    assert.equal((await service.v1(world.key, 'GET', '/partners/bookings')).status, 200);
    assert.match(service.logged(), /the database answers again/);
  });
}

test('silent connections are found while new ones work, and closed together', {
  skip,
}, async (t) => {
  const { proxy, service, world } = await behindProxy(t);
  // Every connection of the pool is open, and idle.
  await Promise.all(Array.from({ length: 8 }, () => service.deps.db.rows({ text: 'select pg_sleep(0.05)' })));
  proxy.injectFault('silent');
  // With nothing but their own time-outs each of the four would cost a request 9 s.
  const first = await Promise.all(
    Array.from({ length: 4 }, () => service.v1(world.key, 'GET', '/partners/bookings')),
  );
  for (const answer of first) if (answer.status !== 200) assertRefused(answer);
  for (let round = 0; round < 8; round++) {
    assert.equal((await service.v1(world.key, 'GET', '/partners/bookings')).status, 200);
  }
  assert.ok(!service.logged().includes('Query read timeout'), 'nobody had to wait for the time-out');
});

test('a row lock of a vanished process does not use up the pool', { skip }, async (t) => {
  const { url, service, world } = await behindProxy(t);
  const { bookingId } = (await world.book()).body.data;
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  afterwards(t, () => holder.end());
  await holder.query('begin');
  await holder.query('update bookings set notes = notes where id = $1', [bookingId]);
  let ended = 0;
  const changes = Array.from({ length: 12 }, async (_, index) => {
    const answer =
      index % 2 === 0
        ? await service.v1(world.key, 'PATCH', `/partners/bookings/${bookingId}`, { notes: 'x' })
        : await service.v1(world.key, 'POST', `/partners/bookings/${bookingId}/confirm-payment`);
    ended++;
    assertRefused(answer);
  });
  await until(() => service.deps.db.stats().waiting >= 11);
  for (let round = 0; round < 10; round++) {
    assert.equal((await service.v1(world.key, 'GET', '/partners/bookings')).status, 200);
  }
  assert.equal(ended, 0, 'others were served while they waited');
  await Promise.all(changes);
});

test('a database that became read-only is not ready, and reads still work', { skip }, async (t) => {
  const { url, service, world, ready } = await behindProxy(t);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  afterwards(t, () => admin.end());
  const name = new URL(url).pathname.slice(1);
  const sessions = (readOnly: 'on' | 'off') =>
    admin.query(
      `set default_transaction_read_only = off; alter database ${name} set default_transaction_read_only = ${readOnly}`,
    );
  await sessions('on');
  await admin.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await until(async () => (await ready()).body.database === 'read-only');
  assert.equal((await service.v1(world.key, 'GET', '/partners/bookings')).status, 200);
  assertRefused(await world.book());
  await sessions('off');
  await until(async () => (await ready()).status === 200);
  assert.equal((await world.book()).status, 200);
});

test('a process that starts during an outage waits for its end', { skip }, async (t) => {
  const url = await createPostgresDatabase(t);
  const proxy = await startTcpProxy(t, url);
  await proxy.refuse();
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  const env = {
    PORT: String(port),
    DATABASE_URL: proxy.through(url),
    OPERATOR_TOKEN,
    DEPLOYMENT: 'sandbox',
    METRICS_TOKEN: 'metrics-token-of-the-tests',
  };
  const starting = startService(parseConfig(env), {
    logger: createLogger('info', { write: (line) => void lines.push(line) }),
  });
  afterwards(t, async () => (await starting).close());
  const away = () => lines.filter((line) => line.includes('the database is away')).length;
  await until(() => away() === 1);
  assert.deepEqual((await call(base, 'GET', '/readyz')).body, {
    status: 'unavailable',
    service: 'starting',
    database: 'unreachable',
  });
  assert.equal((await call(base, 'GET', '/livez')).status, 200);
  const refused = await call(base, 'GET', '/v1/partners/bookings', undefined, { 'x-api-key': 'x' });
  assert.equal(refused.status, 500);
  assert.equal(refused.headers.get('retry-after'), '2');
  await until(() => away() === 2); // logged again
  await proxy.restore();
  const service = await starting;
  assert.equal(service.url, base);
  assert.equal((await call(base, 'GET', '/readyz')).status, 200);
});
