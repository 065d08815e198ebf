import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createWorld } from './fixtures.ts';
import { afterwards, OPERATOR_TOKEN, onPostgres, startTestService, type TestService } from './harness.ts';
import { times } from './storm.ts';
import { countDeliveries, startReceiver, subscribe, until, writeEvents } from './webhook-receiver.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const skip = !onPostgres && 'several processes need PostgreSQL';

/** A process that is a worker only, on the service's database. */
async function startWorkerProcess(t: TestContext, service: TestService, host: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: service.deps.config.databaseUrl!,
      OPERATOR_TOKEN,
      ROLES: 'worker',
      DEPLOYMENT: 'sandbox',
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOW_HOSTS: host,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterwards(t, () => child.kill('SIGKILL'));
  await once(child.stdout!, 'data'); // its banner
  return child;
}

/** Events for several subscriptions of several partners: `perPartner` for each of two subscriptions. */
async function fill(service: TestService, url: string, partners: number, perPartner: number): Promise<void> {
  for (const _ of times(partners, () => null)) {
    const world = await createWorld(service, { service: { bookingHorizonDays: 730 } });
    const date = new Date(service.deps.clock.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const booking = await world.book({ date });
    assert.equal(booking.status, 200, booking.text);
    await subscribe(service, world.partnerId, `${url}/a`);
    await subscribe(service, world.partnerId, `${url}/b`);
    await writeEvents(service, booking.body.data.bookingId, perPartner);
  }
}

test('4,000 deliveries over three workers: each arrives exactly once', { skip }, async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { ROLES: 'api' }, sandboxClock: true });
  await fill(service, receiver.url, 4, 500);
  await Promise.all(times(3, () => startWorkerProcess(t, service, receiver.host)));
  await receiver.arrived(4000, 60_000);
  await until(async () => (await countDeliveries(service)).DELIVERED === 4000, 20_000);
  assert.equal(receiver.received.length, 4000);
  assert.equal(new Set(receiver.received.map(({ json }) => json.deliveryId)).size, 4000);
});

test('workers are killed every other second: every delivery arrives, and soon', { skip }, async (t) => {
  const receiver = await startReceiver(t);
  // Slow enough that every kill meets attempts under way.
  receiver.answer = (_request, response) => setTimeout(() => response.end(), 300);
  const service = await startTestService(t, { env: { ROLES: 'api' }, sandboxClock: true });
  await fill(service, receiver.url, 2, 1000);
  const distinct = (): number => new Set(receiver.received.map(({ json }) => json.deliveryId)).size;

  const workers = await Promise.all(times(2, () => startWorkerProcess(t, service, receiver.host)));
  for (let kill = 0; kill < 5; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    workers[kill % 2]!.kill('SIGKILL');
    workers[kill % 2] = await startWorkerProcess(t, service, receiver.host);
  }
  const lastKill = Date.now();
  // Whatever the dead had claimed is sent again within 30 seconds.
  await until(async () => (await countDeliveries(service)).DELIVERED === 4000, 60_000, distinct);
  assert.equal(distinct(), 4000);
  const latest = Math.max(...receiver.received.map(({ at }) => at));
  assert.ok(latest - lastKill < 30_000, `${latest - lastKill} ms after the last kill`);
  t.diagnostic(`${receiver.received.length - 4000} of 4,000 arrived a second time`);
});

test('a first attempt comes within a second of the commit, from a worker in another process', {
  skip,
}, async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { ROLES: 'api' }, sandboxClock: true });
  await startWorkerProcess(t, service, receiver.host);
  const world = await createWorld(service, { teams: 4, service: { bookingHorizonDays: 730 } });
  await subscribe(service, world.partnerId, receiver.url);
  const latencies: number[] = [];
  for (let day = 3; day < 43; day++) {
    const date = new Date(service.deps.clock.now() + day * 86_400_000).toISOString().slice(0, 10);
    const answer = await world.book({ date });
    assert.equal(answer.status, 200, answer.text);
    const committed = Date.now();
    await receiver.arrived(latencies.length + 1);
    latencies.push(receiver.received.at(-1)!.at - committed);
  }
  const p95 = latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.95)]!;
  t.diagnostic(`p95 ${p95} ms, median ${latencies[latencies.length >> 1]} ms`);
  assert.ok(p95 < 1000, `p95 ${p95} ms`);
});
