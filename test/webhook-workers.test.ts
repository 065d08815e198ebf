import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compiled } from './compiled.ts';
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
  const child = spawn(process.execPath, ['--liftoff-only', MAIN], {
    env: {
      PATH: process.env.PATH,
      ...compiled,
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

/**
 * Keeps which deliveries were claimed again after a claim of theirs had run out. On a machine that gives a worker no time for
 * 15 seconds they do, and what it had sent is sent by another one. So are attempts whose response took ten seconds there, a
 * minute later; these are in the delivery's record. Nothing else may send a delivery twice.
 */
async function watchClaims(service: TestService): Promise<() => Promise<string[]>> {
  const { db } = service.deps;
  for (const text of [
    'create table claimed_again (delivery_id uuid not null)',
    `create function note_claimed_again() returns trigger language plpgsql as $$
      begin
        if old.leased_until > clock_timestamp() then raise 'claimed by two'; end if;
        insert into claimed_again values (new.delivery_id);
        return null;
      end $$`,
    `create trigger claimed_again after update on webhook_pending
      for each row when (old.lease <> new.lease) execute function note_claimed_again()`,
  ])
    await db.rows({ text });
  return async () =>
    (await db.rows<{ delivery_id: string }>({ text: 'select delivery_id from claimed_again' })).map(
      (row) => row.delivery_id,
    );
}

test('2,000 deliveries over three workers: each arrives once per attempt', { skip }, async (t) => {
  const receiver = await startReceiver(t);
  const service = await startTestService(t, { env: { ROLES: 'api' }, sandboxClock: true });
  const bookings = await bookingsWithTwoReceivers(service, receiver.url, 4);
  const claimedAgain = await watchClaims(service);
  for (const booking of bookings) await writeEvents(service, booking, 250);
  await Promise.all(times(3, () => startWorkerProcess(t, service, receiver.host)));
  await receiver.arrived(2000);
  await until(async () => (await countDeliveries(service)).DELIVERED === 2000);
  const again = await claimedAgain();
  const counts = new Map<string, number>();
  for (const { json } of receiver.received)
    counts.set(json.deliveryId, (counts.get(json.deliveryId) ?? 0) + 1);
  const made = await service.deps.db.rows<{ id: string; attempt_count: number; errors: string }>({
    text: `
      select id, attempt_count, jsonb_path_query_array(attempts, '$[*].error')::text as errors from webhook_deliveries`,
  });
  const tooOften = made.filter(
    ({ id, attempt_count: attempts }) =>
      counts.get(id)! > attempts + again.filter((other) => other === id).length,
  );
  assert.deepEqual(tooOften, []);
  const failed = made.filter(({ attempt_count: attempts }) => attempts > 1);
  t.diagnostic(`${again.length} claims ran out; attempts failed of ${failed.length}, ${failed[0]?.errors}`);
  assert.equal(counts.size, 2000);
});

test('workers are killed repeatedly: every delivery arrives', { skip }, async (t) => {
  const receiver = await startReceiver(t);
  // Slow enough that every kill interrupts attempts.
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
  // Deliveries claimed by dead workers are sent again when the lease has expired.
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
