import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { manualClock } from '../src/base/clock.ts';
import { createTracking } from '../src/bookings/tracking.ts';
import type { Db } from '../src/db/connection.ts';
import { createSealer } from '../src/db/sealing.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { localWakeups } from '../src/runtime/wakeups.ts';
import { NO_FAULTS, startQueue } from '../src/webhooks/queue.ts';
import { MAX_PER_SUBSCRIPTION } from '../src/webhooks/rules.ts';
import { untracedAttempt } from '../src/webhooks/traces.ts';
import { afterwards, openTestDatabase, TEST_NOW } from './harness.ts';
import { until } from './until.ts';
import { createPartner, endLeases } from './webhook-queue-fixtures.ts';

/** A worker's leases; the tests make its attempts. */

const OK = {
  statusCode: 200,
  error: null,
  durationMs: 5,
  body: Buffer.alloc(0),
  address: null,
  timings: { dnsMs: null, connectMs: null },
  tls: null,
};

/** Attempts that end when they are let go. */
function heldSends() {
  const waiting: (() => void)[] = [];
  return {
    send: (): Promise<typeof OK> => new Promise((resolve) => void waiting.push(() => resolve(OK))),
    /** Attempts started so far. */
    count: () => waiting.length,
    letGo: () => waiting.forEach((end) => void end()),
  };
}

/** A worker's queue, and a partner whose subscription may be sent to. */
async function start(t: TestContext) {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await db.rows({ text: `update partners set allowed_webhook_domains = '{example.com}'` });
  await partner.subscribe();
  const sends = heldSends();
  const wakeups = localWakeups();
  const queue = startQueue({
    db,
    sealer: createSealer([randomBytes(32)]),
    tracking: createTracking(() => 'https://bookings.example.sa'),
    clock: manualClock(TEST_NOW),
    outbound: { send: sends.send, close: async () => {} },
    wakeups,
    logger: createLogger('fatal'),
    faults: NO_FAULTS,
    allowHosts: [],
    trace: untracedAttempt,
    observe: ({ statusCode }) => assert.equal(statusCode, 200),
    gaveUp: () => assert.fail('every attempt succeeds'),
  });
  afterwards(t, () => {
    sends.letGo();
    return queue.stop();
  });
  return { db, partner, sends, queue, wake: () => wakeups.wake() };
}

const countOf = async (db: Db, from: string): Promise<number> =>
  (await db.first<{ count: number }>({ text: `select count(*)::integer as count from ${from}` }))!.count;
const countLeases = (db: Db) => countOf(db, 'webhook_pending where lease is not null');
const countDelivered = (db: Db) =>
  countOf(db, `webhook_deliveries where status = 'DELIVERED' and attempt_count = 1`);

test('of two results of a delivery that was claimed again, the one with the valid lease is saved', async (t) => {
  const { db, partner, sends, wake } = await start(t);
  await partner.writeEvents(1);
  wake();
  await until(() => sends.count() === 1);
  await endLeases(db);
  wake();
  await until(() => sends.count() === 2);
  sends.letGo();
  await until(async () => (await countDelivered(db)) === 1);
  assert.equal(sends.count(), 2, 'and not sent once more when the lease had run out');
  assert.equal(await countLeases(db), 0);
});

test('a worker that stops finishes its active attempts, and leaves the rest to others', async (t) => {
  const { db, partner, sends, queue, wake } = await start(t);
  await partner.writeEvents(200);
  wake();
  await until(() => sends.count() === MAX_PER_SUBSCRIPTION);
  assert.deepEqual([queue.underWay(), await countLeases(db)], [sends.count(), sends.count()]);
  const stopped = queue.stop();
  sends.letGo();
  await stopped;
  assert.deepEqual(
    [sends.count(), await countDelivered(db), await countLeases(db)],
    [MAX_PER_SUBSCRIPTION, MAX_PER_SUBSCRIPTION, 0],
  );
});
