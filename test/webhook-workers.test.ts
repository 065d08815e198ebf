import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createWorld } from './fixtures.ts';
import {
  afterwards,
  OPERATOR_TOKEN,
  onPostgres,
  SECRETS_KEY,
  startTestService,
  type TestService,
} from './harness.ts';
import { times } from './storm.ts';
import { until } from './until.ts';
import { countDeliveries, startReceiver, subscribe, writeEvents } from './webhook-receiver.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const skip = !onPostgres && 'several processes need PostgreSQL';

/** A process that is a worker only, on the service's database. */
async function startWorkerProcess(t: TestContext, service: TestService, host: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: service.deps.config.databaseUrl!,
      OPERATOR_TOKEN,
      SECRETS_KEY,
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

/** Bookings of several partners, each partner with two subscriptions: a delivery to both of every event. */
async function bookingsWithTwoReceivers(
  service: TestService,
  url: string,
  partners: number,
): Promise<string[]> {
  const bookings = [];
  for (const _ of times(partners, () => null)) {
    const world = await createWorld(service, { service: { bookingHorizonDays: 730 } });
    const date = new Date(service.deps.clock.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const booking = await world.book({ date });
    assert.equal(booking.status, 200, booking.text);
    await subscribe(service, world.partnerId, `${url}/a`);
    await subscribe(service, world.partnerId, `${url}/b`);
    bookings.push(booking.body.data.bookingId);
  }
  return bookings;
}

test('2,000 deliveries over three workers: each arrives exactly once', { skip }, async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { ROLES: 'api' }, sandboxClock: true });
  const bookings = await bookingsWithTwoReceivers(service, receiver.url, 4);
  for (const booking of bookings) await writeEvents(service, booking, 250);
  await Promise.all(times(3, () => startWorkerProcess(t, service, receiver.host)));
  await receiver.arrived(2000);
  await until(async () => (await countDeliveries(service)).DELIVERED === 2000);
  assert.equal(receiver.received.length, 2000);
  assert.equal(new Set(receiver.received.map(({ json }) => json.deliveryId)).size, 2000);
});

test('workers are killed again and again: every delivery arrives', { skip }, async (t) => {
  const receiver = await startReceiver(t);
  // Slow enough that every kill meets attempts under way.
  receiver.answer = (_request, response) => setTimeout(() => response.end(), 300);
  const service = await startTestService(t, { env: { ROLES: 'api' }, sandboxClock: true });
  const bookings = await bookingsWithTwoReceivers(service, receiver.url, 2);
  const distinct = (): number => new Set(receiver.received.map(({ json }) => json.deliveryId)).size;

  const workers = await Promise.all(times(2, () => startWorkerProcess(t, service, receiver.host)));
  for (let kill = 0; kill < 5; kill++) {
    // 800 deliveries for each kill: however long a start takes, the next kill finds work that is not done.
    for (const booking of bookings) await writeEvents(service, booking, 200);
    await receiver.arrived(receiver.received.length + 400);
    assert.notEqual(receiver.open.now, 0, 'attempts are under way');
    workers[kill % 2]!.kill('SIGKILL');
    workers[kill % 2] = await startWorkerProcess(t, service, receiver.host);
  }
  // Whatever the dead had claimed is sent again when its lease has run out.
  await until(async () => (await countDeliveries(service)).DELIVERED === 4000, distinct);
  assert.equal(distinct(), 4000);
  t.diagnostic(`${receiver.received.length - 4000} of 4,000 arrived a second time`);
});

test('a worker in another process makes the first attempt of every event', {
  skip,
}, async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { ROLES: 'api' }, sandboxClock: true });
  await startWorkerProcess(t, service, receiver.host);
  const world = await createWorld(service, { teams: 4, service: { bookingHorizonDays: 730 } });
  await subscribe(service, world.partnerId, receiver.url);
  for (let day = 3; day < 43; day++) {
    const date = new Date(service.deps.clock.now() + day * 86_400_000).toISOString().slice(0, 10);
    const answer = await world.book({ date });
    assert.equal(answer.status, 200, answer.text);
    await receiver.arrived(day - 2);
  }
});
