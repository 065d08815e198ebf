import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, manualClock } from '../src/base/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { hintAtDueWork } from '../src/runtime/due-work.ts';
import { type DueWork, lookForDueWork } from '../src/runtime/due-work-queries.ts';
import { localWakeups } from '../src/runtime/wakeups.ts';
import { createWorld } from './fixtures.ts';
import { afterwards, openTestDatabase, startTestService, TEST_NOW } from './harness.ts';
import { until } from './until.ts';
import { createPartner, iso, WAITS_FOR_PAYMENT } from './webhook-queue-fixtures.ts';

/** A partner with a subscription and a booking that waits for its payment. */
async function createWork(db: Db) {
  const { partnerId, bookingId, subscribe } = await createPartner(db, WAITS_FOR_PAYMENT);
  const subscriptionId = await subscribe();
  const run = async (text: string, ...values: unknown[]): Promise<void> => {
    await db.rows({ text, values });
  };
  // Due when the booking was made; what comes by a trigger.
  await run(`update payments set due_at = null`);
  return {
    run,
    partnerId,
    bookingId,
    subscriptionId,
    deliver: (dueAt: number) =>
      run(
        `insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, due_at, created_at)
         values ($1, gen_random_uuid(), $2, $3, 'booking.updated', $4, $5)`,
        subscriptionId,
        partnerId,
        bookingId,
        iso(dueAt),
        iso(TEST_NOW),
      ),
  };
}

const NOTHING: DueWork = { deliveries: false, payments: false, steps: false };

test('a look says which queues have something to claim', async (t) => {
  const db = await openTestDatabase(t);
  const { run, partnerId, bookingId, subscriptionId, deliver } = await createWork(db);
  const look = (): Promise<DueWork> => lookForDueWork(db, TEST_NOW, TEST_NOW);
  assert.deepEqual(await look(), NOTHING);

  await run('update payments set due_at = $1', iso(TEST_NOW + 1));
  await deliver(TEST_NOW + 1);
  await run(
    `with run as (
       insert into simulator_runs (partner_id, booking_id, script, every_seconds, started_by, created_at)
       values ($1, $2, 'complete', 0, 'request', $3) returning id
     )
     insert into simulator_steps (run_id, number, action, due_at) select id, 1, 'cancel', $4 from run`,
    partnerId,
    bookingId,
    iso(TEST_NOW),
    iso(TEST_NOW + 1),
  );
  assert.deepEqual(await look(), NOTHING, 'none is due yet');

  await run('update payments set due_at = $1', iso(TEST_NOW));
  assert.deepEqual(await look(), { ...NOTHING, payments: true });
  await run('update payments set lease = gen_random_uuid(), leased_until = $1', iso(TEST_NOW + 1));
  assert.deepEqual(await look(), NOTHING, 'the payment is in the hands of a worker');

  await run('update simulator_steps set due_at = $1', iso(TEST_NOW));
  assert.deepEqual(await look(), { ...NOTHING, steps: true });
  await run(`update simulator_steps set leased_until = clock_timestamp() + interval '1 hour'`);
  assert.deepEqual(await look(), NOTHING, 'the step is in the hands of a worker');

  await deliver(TEST_NOW);
  assert.deepEqual(await look(), { ...NOTHING, deliveries: true });
  for (const [what, undo] of [
    [
      `update webhook_subscriptions set status = 'INACTIVE'`,
      `update webhook_subscriptions set status = 'ACTIVE'`,
    ],
    [
      `update webhook_subscriptions set removed_at = now()`,
      `update webhook_subscriptions set removed_at = null`,
    ],
    [`update partners set status = 'SUSPENDED'`, `update partners set status = 'ACTIVE'`],
    [
      `insert into webhook_leases (delivery_id, subscription_id, lease, leased_until)
       select id, subscription_id, gen_random_uuid(), clock_timestamp() + interval '1 hour' from webhook_deliveries`,
      `update webhook_leases set leased_until = clock_timestamp() - interval '1 hour'`,
    ],
  ] as const) {
    await run(what);
    assert.deepEqual(await look(), NOTHING, what);
    await run(undo);
    assert.deepEqual(await look(), { ...NOTHING, deliveries: true }, undo);
  }

  const another = await createWork(db);
  await run('delete from webhook_deliveries');
  for (const { deliver: write, at } of [
    { deliver, at: TEST_NOW + HOUR },
    { deliver: another.deliver, at: TEST_NOW + HOUR },
  ])
    await write(at);
  assert.deepEqual(await look(), NOTHING);
  const [first, second] = [subscriptionId, another.subscriptionId].sort();
  for (const id of [second!, first!]) {
    await run('update webhook_deliveries set due_at = $2 where subscription_id = $1', id, iso(TEST_NOW));
    assert.deepEqual(await look(), { ...NOTHING, deliveries: true }, 'of whichever subscription');
    await run(
      'update webhook_deliveries set due_at = $2 where subscription_id = $1',
      id,
      iso(TEST_NOW + HOUR),
    );
  }
});

test('a wake-up is one look, and wakes the queues that have work', async (t) => {
  const db = await openTestDatabase(t);
  const { deliver } = await createWork(db);
  const wakeups = localWakeups();
  let looks = 0;
  let fails = false;
  const errors: Error[] = [];
  const due = hintAtDueWork({
    db: {
      ...db,
      first: async (statement) => {
        looks++;
        if (fails) throw new Error('away');
        return db.first(statement);
      },
    },
    clock: manualClock(TEST_NOW),
    wakeups,
    onError: (error) => errors.push(error),
  });
  afterwards(t, due.stop);
  const heard: string[] = [];
  for (const queue of ['deliveries', 'payments', 'steps'] as const)
    due[queue].onWake(() => heard.push(queue));
  await until(() => looks === 1); // at the start

  await deliver(TEST_NOW);
  for (let time = 0; time < 10; time++) wakeups.wake();
  await until(() => heard.length > 0);
  assert.deepEqual(heard, ['deliveries']);
  assert.equal(looks, 2, 'ten at once are one look');

  fails = true;
  wakeups.wake();
  await until(() => errors.length === 1);
  fails = false;
  wakeups.wake();
  await until(() => heard.length === 2);

  let woken = 0;
  wakeups.onWake(() => woken++);
  due.payments.wake();
  assert.equal(woken, 1, 'what a queue makes may be work for the others');
  await until(() => heard.length === 3);
  await due.stop();
  const before = looks;
  wakeups.wake();
  await due.stop();
  assert.equal(looks, before + 1, 'the last look is that of stopping');
});

test('a booking wakes the workers, a contact does not', async (t) => {
  const service = await startTestService(t);
  const world = await createWorld(service);
  const wake = t.mock.method(service.deps.wakeups, 'wake', () => {});
  assert.equal((await world.contact()).status, 200);
  assert.equal((await world.book()).status, 200);
  // After the response, and in the order of the requests.
  await until(() => wake.mock.callCount() > 0);
  assert.equal(wake.mock.callCount(), 1);
});
