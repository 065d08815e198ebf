import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { manualClock } from '../src/base/clock.ts';
import { BinaryArray } from '../src/db/binary-arrays.ts';
import type { Db, Statement } from '../src/db/connection.ts';
import { createSealer } from '../src/db/sealing.ts';
import type { Outbound } from '../src/outbound/requests.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { localWakeups } from '../src/runtime/wakeups.ts';
import { startQueue } from '../src/webhooks/queue.ts';
import { GIVE_BACK, READ_ENDPOINTS, SETTLE_AND_CLAIM } from '../src/webhooks/queue-queries.ts';
import { MAX_AHEAD, MAX_PER_SUBSCRIPTION } from '../src/webhooks/rules.ts';
import { NO_TRACES } from '../src/webhooks/traces.ts';
import { afterwards, openTestDatabase, TEST_NOW } from './harness.ts';
import { until } from './until.ts';
import { createPartner, endLeases } from './webhook-queue-fixtures.ts';

/** What a worker claims ahead and what becomes of it; its attempts are made by the tests. */

const timings = { dnsMs: null, connectMs: null };
const OK = {
  statusCode: 200,
  error: null,
  durationMs: 5,
  body: Buffer.alloc(0),
  address: null,
  timings,
  tls: null,
};

/** A queue of one worker whose attempts are made by `send`. */
function startTestQueue(t: TestContext, db: Db, send: Outbound['send'], traces = NO_TRACES) {
  const wakeups = localWakeups();
  const queue = startQueue({
    db,
    sealer: createSealer([randomBytes(32)]),
    clock: manualClock(TEST_NOW),
    outbound: { send, close: async () => {} },
    wakeups,
    logger: createLogger('fatal'),
    withFaults: false,
    allowHosts: [],
    traces,
    observe: ({ statusCode }) => assert.equal(statusCode, 200),
  });
  afterwards(t, () => queue.stop());
  return { queue, wake: () => wakeups.wake() };
}

/** A partner with a subscription that may be sent to. */
async function createReceiving(db: Db) {
  const partner = await createPartner(db);
  await db.rows({ text: `update partners set allowed_webhook_domains = '{example.com}'` });
  return { partner, id: await partner.subscribe() };
}

const countLeases = async (db: Db): Promise<number> =>
  (await db.first<{ count: number }>({ text: 'select count(*)::integer as count from webhook_leases' }))!
    .count;

const countDelivered = async (db: Db): Promise<number> =>
  (await db.first<{ count: number }>({
    text: `select count(*)::integer as count from webhook_deliveries where status = 'DELIVERED' and attempt_count = 1`,
  }))!.count;

/** Attempts that end when they are let go. */
function heldSends() {
  const waiting: (() => void)[] = [];
  let holds = true;
  let all = 0;
  return {
    send(): Promise<typeof OK> {
      all++;
      return holds ? new Promise((resolve) => void waiting.push(() => resolve(OK))) : Promise.resolve(OK);
    },
    /** How many are held, and how many have begun in all. */
    count: () => waiting.length,
    all: () => all,
    letGo(): void {
      holds = false;
      for (const end of waiting.splice(0)) end();
    },
    hold(): void {
      holds = true;
    },
  };
}

type Partner = Awaited<ReturnType<typeof createPartner>>;
type Sends = ReturnType<typeof heldSends>;

/** From then on the endpoint is known as fast, and claims are made ahead for it. */
async function answerOneFast(db: Db, partner: Partner, sends: Sends, wake: () => void): Promise<void> {
  sends.letGo();
  await partner.writeEvents(1);
  wake();
  await until(async () => (await countDelivered(db)) === 1);
}

/** With more to send than that. */
async function holdAsManyAsMayBe(partner: Partner, sends: Sends, wake: () => void): Promise<void> {
  sends.hold();
  await partner.writeEvents(200);
  wake();
  await until(() => sends.count() === MAX_PER_SUBSCRIPTION);
}

test('a worker that has had a fast answer claims by it', async (t) => {
  const asked: unknown[] = [];
  const db = await openTestDatabase(t);
  const { partner, id } = await createReceiving(db);
  await partner.writeEvents(1);
  const watched: Db = {
    ...db,
    rows: (statement) => {
      asked.push(...(statement.values ?? []));
      return db.rows(statement);
    },
  };
  startTestQueue(t, watched, async () => OK);
  await until(() => asked.some((value) => String(value).startsWith(`{"${id}":`)));
});

test('what is claimed ahead waits for a place, goes back when it waits too long, and when the worker stops', async (t) => {
  const db = await openTestDatabase(t);
  const { partner } = await createReceiving(db);
  const sends = heldSends();
  const forgotten = new Set<string>();
  const traces = { ...NO_TRACES, forget: (id: string) => void forgotten.add(id) };
  const { queue, wake } = startTestQueue(t, db, sends.send, traces);
  await answerOneFast(db, partner, sends, wake);

  sends.hold();
  await partner.writeEvents(400);
  wake();
  await until(async () => (await countLeases(db)) > MAX_PER_SUBSCRIPTION);
  assert.ok((await countLeases(db)) <= MAX_PER_SUBSCRIPTION + MAX_AHEAD);
  await until(() => sends.count() === MAX_PER_SUBSCRIPTION);
  // The endpoint hangs, so others may have what waits for it.
  await until(async () => (await countLeases(db)) === MAX_PER_SUBSCRIPTION);
  assert.ok(forgotten.size > 0);
  const { fast, slow } = queue.underWay();
  assert.deepEqual([sends.count(), fast + slow], [MAX_PER_SUBSCRIPTION, MAX_PER_SUBSCRIPTION]);

  sends.letGo();
  await until(async () => (await countDelivered(db)) === 401);
  assert.equal(await countLeases(db), 0);

  // It is known to be fast again by now, whatever this one took.
  await partner.writeEvents(1);
  wake();
  await until(async () => (await countDelivered(db)) === 402);
  sends.hold();
  await partner.writeEvents(400);
  wake();
  await until(async () => (await countLeases(db)) > MAX_PER_SUBSCRIPTION && sends.count() > 0);
  const stopped = queue.stop();
  await until(async () => (await countLeases(db)) === sends.count());
  assert.equal(sends.count(), MAX_PER_SUBSCRIPTION);
  sends.letGo();
  await stopped;
  assert.deepEqual([await countDelivered(db), await countLeases(db)], [402 + MAX_PER_SUBSCRIPTION, 0]);
});

test('what has waited is sent as its subscription is by then', async (t) => {
  const db = await openTestDatabase(t);
  const { partner, id } = await createReceiving(db);
  const sends = heldSends();
  const urls: string[] = [];
  const { wake } = startTestQueue(t, db, ({ url }) => {
    urls.push(url.href);
    return sends.send();
  });
  await answerOneFast(db, partner, sends, wake);

  await holdAsManyAsMayBe(partner, sends, wake);
  urls.length = 0;
  const change = (columns: string) =>
    db.rows({ text: `update webhook_subscriptions set ${columns} where id = $1`, values: [id] });
  await change(`url = 'https://example.com/changed'`);
  sends.letGo();
  await until(async () => (await countDelivered(db)) === 201);
  assert.deepEqual(new Set(urls), new Set(['https://example.com/changed']));

  // The same again, and nothing to send to by then.
  await holdAsManyAsMayBe(partner, sends, wake);
  urls.length = 0;
  await change(`status = 'INACTIVE'`);
  sends.letGo();
  await until(async () => (await countLeases(db)) === 0);
  assert.deepEqual([urls.length, await countDelivered(db)], [0, 201 + MAX_PER_SUBSCRIPTION]);
});

test('what is dropped while others are given back is given back too', async (t) => {
  const db = await openTestDatabase(t);
  const { partner, id } = await createReceiving(db);
  const sends = heldSends();
  const dropped = new Set<string>();
  const givingBack = Promise.withResolvers<void>();
  let looks = 0;
  let waiting = Number.POSITIVE_INFINITY;
  const watched: Db = {
    ...db,
    // The second look ends while the first claims are being given back, which ends when nothing waits any more.
    async rows<Row>(statement: Statement) {
      if (statement.name === READ_ENDPOINTS.name && ++looks > 1) await givingBack.promise;
      const found = await db.rows<Row>(statement);
      if (statement.name === GIVE_BACK.name) {
        givingBack.resolve();
        if (waiting < Number.POSITIVE_INFINITY) await until(() => dropped.size >= waiting);
      }
      return found;
    },
  };
  const traces = { ...NO_TRACES, forget: (delivery: string) => void dropped.add(delivery) };
  const { wake } = startTestQueue(t, watched, sends.send, traces);
  await answerOneFast(db, partner, sends, wake);
  await holdAsManyAsMayBe(partner, sends, wake);
  await db.rows({
    text: `update webhook_subscriptions set status = 'INACTIVE' where id = $1`,
    values: [id],
  });
  waiting = (await countLeases(db)) - sends.count();
  sends.letGo();
  await until(async () => (await countLeases(db)) === 0);
});

test('a worker tells which claims are its own', async (t) => {
  const db = await openTestDatabase(t);
  const { partner } = await createReceiving(db);
  const told = new Set<unknown>();
  const watched: Db = {
    ...db,
    rows: (statement) => {
      if (statement.name === SETTLE_AND_CLAIM.name)
        for (const value of statement.values ?? [])
          if (value instanceof BinaryArray) for (const element of value.values) told.add(element);
      return db.rows(statement);
    },
  };
  const sends = heldSends();
  const { wake } = startTestQueue(t, watched, sends.send);
  await partner.writeEvents(1);
  wake();
  await until(() => sends.count() === 1);
  const row = await db.first<{ lease: string }>({ text: 'select lease from webhook_leases' });
  told.clear();
  wake();
  await until(() => told.has(row!.lease));
  sends.letGo();
});

test('of two results for a delivery that was claimed again, the one of the claim that holds is written', async (t) => {
  const db = await openTestDatabase(t);
  const { partner } = await createReceiving(db);
  const sends = heldSends();
  const { wake } = startTestQueue(t, db, sends.send);
  await partner.writeEvents(1);
  wake();
  await until(() => sends.count() === 1);
  await endLeases(db);
  wake();
  await until(() => sends.count() === 2);
  sends.letGo();
  await until(async () => (await countDelivered(db)) === 1);
  assert.equal(await countLeases(db), 0);
  assert.equal(sends.all(), 2, 'and not sent once more when the claim had run out');
});
