import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY, manualClock } from '../src/clock.ts';
import type { Db } from '../src/db/connection.ts';
import { listPartitions } from '../src/db/partitions.ts';
import { createSealer } from '../src/db/sealing.ts';
import { lookForDueWork } from '../src/runtime/due-work-queries.ts';
import { createLogger } from '../src/runtime/logger.ts';
import { localWakeups } from '../src/runtime/wakeups.ts';
import { listDeliveryRows, retryFailed } from '../src/webhooks/delivery-queries.ts';
import { startQueue } from '../src/webhooks/queue.ts';
import {
  type ClaimedDelivery,
  renewLeases,
  type SettledAttempt,
  settleAndClaim,
} from '../src/webhooks/queue-queries.ts';
import {
  DELIVERY_PARTITIONS,
  foldDeliveryTotals,
  keepDeliveryPartitions,
} from '../src/webhooks/retention-queries.ts';
import { DELIVERY_STATUSES, FAILING_AFTER, MAX_PER_SUBSCRIPTION, MAX_SLOW } from '../src/webhooks/rules.ts';
import { createShares, type Held, type Room } from '../src/webhooks/shares.ts';
import { NO_TRACES } from '../src/webhooks/traces.ts';
import { keepEventsAndDeliveries } from '../src/worker.ts';
import { afterwards, onPostgres, openTestDatabase, TEST_NOW } from './harness.ts';
import { times } from './storm.ts';
import { until } from './until.ts';

/** The queue's statements by themselves, without a worker that would take what is to be claimed. */

const iso = (at: number): string => new Date(at).toISOString();

/** A partner with one booking; answers how to subscribe it and how to write events. */
async function createPartner(db: Db) {
  const row = await db.first<{ partner_id: string; booking_id: string }>({
    text: `
      with partner as (
        insert into partners (name, created_at, updated_at) values ($1, $2, $2) returning id
      ), category as (
        insert into categories (name_en, name_ar, created_at, updated_at) values ($1, $1, $2, $2) returning id
      ), service as (
        insert into services (category_id, name, duration_minutes, default_price, created_at, updated_at)
        select id, $1, 60, 100, $2, $2 from category returning id
      ), contact as (
        insert into contacts (partner_id, phone, name, utm_source, created_at)
        select id, '+966501234567', 'Customer', 'x', $2 from partner returning id, partner_id
      ), address as (
        insert into addresses (contact_id, partner_id, city_name, created_at)
        select id, partner_id, 'Riyadh', $2 from contact returning id, contact_id, partner_id
      )
      insert into bookings (id, partner_id, contact_id, address_id, service_id, status, payment_status,
        payment_responsibility, amount, service_date, created_at, updated_at)
      select gen_random_uuid(), address.partner_id, address.contact_id, address.id, service.id, 'in progress',
        'PENDING', 'PARTNER', 100, '2026-11-23', $2, $2
      from address, service returning partner_id, id as booking_id`,
    values: [`Partner ${randomUUID()}`, iso(TEST_NOW)],
  });
  const { partner_id: partnerId, booking_id: bookingId } = row!;
  return {
    partnerId,
    async subscribe(): Promise<string> {
      const subscription = await db.first<{ id: string }>({
        text: `
          insert into webhook_subscriptions (partner_id, url, events, secret, created_at, updated_at)
          values ($1, 'https://example.com/', array['booking.updated'], 'whsec_x', $2, $2) returning id`,
        values: [partnerId, iso(TEST_NOW)],
      });
      return subscription!.id;
    },
    async writeEvents(count: number, at = TEST_NOW): Promise<void> {
      await db.rows({
        text: `
          with booking as (
            update bookings set event_count = event_count + $2 where id = $1 returning *
          )
          insert into events (id, partner_id, booking_id, sequence, event, payload, created_at)
          select gen_random_uuid(), partner_id, id, event_count - $2 + number, 'booking.updated', '{}', $3
          from booking, generate_series(1, $2::integer) as number`,
        values: [bookingId, count, iso(at)],
      });
    },
  };
}

type ClaimOptions = {
  at?: number;
  results?: SettledAttempt[];
  fast?: string[];
  withFaults?: boolean;
} & Partial<Room>;

/** By a worker that knows the endpoints in `fast` to be fast; all of them unless given. */
async function claim(
  db: Db,
  { at = TEST_NOW, results = [], fast, withFaults = false, ...room }: ClaimOptions = {},
): Promise<ClaimedDelivery[]> {
  const known: Room = {
    total: 1000,
    slow: 500,
    fastSubscriptions: Object.fromEntries(
      (fast ?? (await subscriptionIds(db))).map((id) => [id, true as const]),
    ),
    held: {},
    ...room,
  };
  return settleAndClaim(db, at, results, randomUUID(), known, withFaults);
}

const subscriptionIds = async (db: Db): Promise<string[]> =>
  (await db.rows<{ id: string }>({ text: 'select id from webhook_subscriptions' })).map(({ id }) => id);

/** As when nobody had renewed them for so long. */
const endLeases = (db: Db) =>
  db.rows({ text: `update webhook_leases set leased_until = leased_until - interval '1 day'` });

const succeeded = ({ id, lease }: ClaimedDelivery): SettledAttempt => ({
  id,
  lease,
  attemptedAt: TEST_NOW,
  result: { statusCode: 200, error: null, durationMs: 5, responseBody: 'ok' },
});
const failed = (delivery: ClaimedDelivery): SettledAttempt => ({
  ...succeeded(delivery),
  result: { statusCode: null, error: 'TIMEOUT', durationMs: 10_000, responseBody: '' },
});

const tallyBy = (claimed: ClaimedDelivery[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { subscription_id: id } of claimed) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
};

test('a long queue does not stand before a short one', async (t) => {
  const db = await openTestDatabase(t);
  const [busy, quiet] = [await createPartner(db), await createPartner(db)];
  const [long, short] = [await busy.subscribe(), await quiet.subscribe()];
  await busy.writeEvents(50);
  await quiet.writeEvents(5, TEST_NOW + 60_000);
  const claimed = await claim(db, { at: TEST_NOW + 60_000, total: 20 });
  assert.deepEqual(tallyBy(claimed), { [long]: 5, [short]: 5 });
});

test('a partner takes no more than it leaves, however many subscriptions it has', async (t) => {
  const db = await openTestDatabase(t);
  const [busy, quiet] = [await createPartner(db), await createPartner(db)];
  for (const _ of times(20, () => null)) await busy.subscribe();
  await busy.writeEvents(50);
  const first = await claim(db, { total: 200 });
  assert.ok(first.length >= 90 && first.length <= 100, `${first.length} of 200`);
  const tally = Object.values(tallyBy(first));
  assert.equal(tally.length, 20);
  assert.ok(Math.max(...tally) - Math.min(...tally) <= 1, String(tally));

  // It has what it gets; somebody else gets the next, also a single one.
  const held = { [busy.partnerId]: [first.length, 0] as [number, number] };
  const total = 200 - first.length;
  assert.ok((await claim(db, { total, held })).length <= 10);
  const other = await quiet.subscribe();
  await quiet.writeEvents(1);
  assert.deepEqual(tallyBy(await claim(db, { total: 1, held })), { [other]: 1 });
});

test('slow endpoints get only their part, and none of what is kept for the fast ones', async (t) => {
  const db = await openTestDatabase(t);
  const [slow, fast] = [await createPartner(db), await createPartner(db)];
  const [slowOne, fastOne] = [await slow.subscribe(), await fast.subscribe()];
  await slow.writeEvents(100);
  const known = [fastOne];
  // One, whoever else hangs: or it could never show that it is well again.
  assert.equal((await claim(db, { slow: 0, fast: known })).length, 1);
  assert.equal((await claim(db, { slow: 0, fast: known })).length, 0);
  const some = await claim(db, { slow: 29, fast: known });
  assert.deepEqual(tallyBy(some), { [slowOne]: 10 }); // as much again for its partner, and for another partner
  await fast.writeEvents(30);
  assert.deepEqual(tallyBy(await claim(db, { slow: 0, fast: known })), { [fastOne]: 30 });
  // Both together leave to others as much as one of them alone would.
  await db.rows({ text: 'delete from webhook_leases' });
  await claim(db, { slow: 0, fast: known });
  await db.rows({ text: 'delete from webhook_leases where subscription_id = $1', values: [fastOne] });
  const both = await claim(db, { total: 20, slow: 20, fast: known });
  assert.ok(both.length <= 10, `${both.length} of 20`);
});

test('a worker that knows no endpoint yet keeps half for those that will answer fast', async (t) => {
  const db = await openTestDatabase(t);
  const shares = createShares();
  const held = new Map<string, ClaimedDelivery & Held>();
  /** One turn of a worker, at this time of its stopwatch; answers what it begins. */
  const turn = async (at: number): Promise<ClaimedDelivery[]> => {
    const claimed = await settleAndClaim(db, TEST_NOW, [], randomUUID(), shares.room(held.values(), at));
    for (const row of claimed) {
      const { id, subscription_id: subscriptionId, partner_id: partnerId } = row;
      held.set(id, { ...row, subscriptionId, partnerId, startedAt: at, endedAt: null });
    }
    return claimed;
  };
  // Fifty bursts one after another, each claimed at once, and again when more of it is due; none answers.
  const slow = await Promise.all(times(50, () => createPartner(db)));
  for (const [number, partner] of slow.entries()) {
    await partner.subscribe();
    await partner.writeEvents(100);
    const begun = await turn(number);
    assert.ok(
      begun.some((row) => row.partner_id === partner.partnerId),
      `the first of ${number} had to wait`,
    );
  }
  for (const at of [100, 400, 600, 5_000]) await turn(at);
  assert.ok(held.size <= MAX_SLOW + 50, `${held.size} are under way`);

  // One attempt of a new partner begins at once, and when it was answered fast, all that is allowed.
  const healthy = await createPartner(db);
  const id = await healthy.subscribe();
  await healthy.writeEvents(100);
  const [first, ...others] = (await turn(5_001)).filter((row) => row.subscription_id === id);
  assert.deepEqual(others, []);
  shares.learn(id, 5);
  held.delete(first!.id);
  await db.rows({ text: 'delete from webhook_leases where delivery_id = $1', values: [first!.id] });
  assert.deepEqual(tallyBy(await turn(5_010)), { [id]: MAX_PER_SUBSCRIPTION });
});

test('a worker that has had a fast answer claims by it', async (t) => {
  const asked: unknown[] = [];
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await db.rows({ text: `update partners set allowed_webhook_domains = '{example.com}'` });
  const id = await partner.subscribe();
  await partner.writeEvents(1);
  const timings = { dnsMs: null, connectMs: null };
  const answer = {
    statusCode: 200,
    error: null,
    durationMs: 5,
    body: Buffer.alloc(0),
    address: null,
    timings,
    tls: null,
  };
  const queue = startQueue({
    db: {
      ...db,
      rows: (statement) => {
        asked.push(...(statement.values ?? []));
        return db.rows(statement);
      },
    },
    sealer: createSealer([randomBytes(32)]),
    clock: manualClock(TEST_NOW),
    outbound: { send: async () => answer, close: async () => {} },
    wakeups: localWakeups(),
    logger: createLogger('fatal'),
    withFaults: false,
    allowHosts: [],
    traces: NO_TRACES,
    observe: ({ statusCode }) => assert.equal(statusCode, 200),
  });
  afterwards(t, () => queue.stop());
  await until(() => asked.includes(JSON.stringify({ [id]: true })));
});

test('beside its own slow endpoints a partner has its part for the fast ones', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  const [slowOne, fastOne] = [await partner.subscribe(), await partner.subscribe()];
  await partner.writeEvents(10);
  const claimed = await claim(db, {
    slow: 0,
    fast: [fastOne],
    held: { [partner.partnerId]: [0, 512] },
  });
  assert.deepEqual(tallyBy(claimed), { [fastOne]: 10, [slowOne]: 1 });
});

test('no more attempts are under way to one subscription than allowed, whoever makes them', async (t) => {
  const db = await openTestDatabase(t);
  // Many rounds: that two claims meet is a matter of luck.
  for (const _ of times(onPostgres ? 25 : 1, () => null)) {
    const partner = await createPartner(db);
    const id = await partner.subscribe();
    await partner.writeEvents(300);
    const claims = (await Promise.all(times(4, () => claim(db)))).flat();
    assert.deepEqual(tallyBy(claims), { [id]: MAX_PER_SUBSCRIPTION });
    assert.equal(new Set(claims.map((delivery) => delivery.id)).size, MAX_PER_SUBSCRIPTION);

    // What is written down makes room for as many.
    const next = await claim(db, { results: claims.slice(0, 10).map(succeeded) });
    assert.equal(next.length, 10);
  }
});

test('a claim ends by itself, and the result of a lost one counts no more', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  const [first] = await claim(db);
  // Business time has no say in it.
  assert.deepEqual(await claim(db, { at: TEST_NOW + 86_400_000 }), []);
  await endLeases(db);
  const [second] = await claim(db);
  assert.equal(second!.id, first!.id);

  const state = () =>
    db.first<{ status: string; attempt_count: number }>({
      text: 'select status, attempt_count from webhook_deliveries',
    });
  await claim(db, { results: [succeeded(first!)] });
  assert.deepEqual({ ...(await state()) }, { status: 'PENDING', attempt_count: 0 });
  await claim(db, { results: [succeeded(second!)] });
  assert.deepEqual({ ...(await state()) }, { status: 'DELIVERED', attempt_count: 1 });
});

test('a claim that is renewed does not end', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  const claimed = await claim(db);
  await endLeases(db);
  await renewLeases(db, claimed);
  assert.deepEqual(await claim(db), []);
  await endLeases(db);
  assert.equal((await claim(db)).length, 1);
});

test('an inactive subscription and a suspended partner wait, and go on later', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  const id = await partner.subscribe();
  await partner.writeEvents(1);
  const set = (table: string, of: string, status: string) =>
    db.rows({ text: `update ${table} set status = $2 where id = $1`, values: [of, status] });
  await set('webhook_subscriptions', id, 'INACTIVE');
  assert.deepEqual(await claim(db), []);
  await set('webhook_subscriptions', id, 'ACTIVE');
  await set('partners', partner.partnerId, 'SUSPENDED');
  assert.deepEqual(await claim(db), []);
  await set('partners', partner.partnerId, 'ACTIVE');
  assert.equal((await claim(db)).length, 1);
});

test('an endpoint that keeps failing gets less of what is scarce, but always one, and most when there is room', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  const id = await partner.subscribe();
  await partner.writeEvents(200);
  const claimed = await claim(db);
  await claim(db, { total: 0, results: claimed.slice(0, FAILING_AFTER).map(failed) });
  await db.rows({ text: 'delete from webhook_leases' });
  const state = await db.first<{ failures_in_a_row: number; paused_until: number | null }>({
    text: 'select failures_in_a_row, paused_until from webhook_subscriptions where id = $1',
    values: [id],
  });
  assert.deepEqual({ ...state! }, { failures_in_a_row: FAILING_AFTER, paused_until: null });

  assert.equal((await claim(db, { slow: 1 })).length, 1);
  assert.equal((await claim(db, { slow: 1, held: { [partner.partnerId]: [0, 1] } })).length, 0);
  assert.equal((await claim(db, { slow: 100, held: { [partner.partnerId]: [0, 1] } })).length, 10);
  assert.equal((await claim(db, { slow: 512, held: { [partner.partnerId]: [0, 11] } })).length, 42);
});

test('processes of the versions before work beside: none claims what another has', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(60);
  const oldest = (real: number) =>
    db.rows<ClaimedDelivery>({
      text: `
        select * from turn_deliveries($1, $2, 10, 64, 20, $3, $4, '{}', '{}', '{}', '{}', '{}', '{60,300,900}',
          '{10,20,40,60}')`,
      values: [iso(TEST_NOW), iso(real), randomUUID(), iso(real + 15_000)],
    });
  const before = () =>
    db.rows<ClaimedDelivery>({
      text: `
        select * from settle_and_claim($1, $2, 15, 20, 10, 64, 20, 8, '{}', '{}', '{}', '{}', '{}', '{}', '{}',
          '{60,300,900}')`,
      values: [iso(TEST_NOW), randomUUID()],
    });
  const theirs = await oldest(Date.now());
  const others = await before();
  const ours = await claim(db);
  assert.equal(theirs.length, 10);
  assert.ok(others.length > 0);
  assert.equal(theirs.length + others.length + ours.length, 60);
  assert.equal(new Set([...theirs, ...others, ...ours].map(({ id }) => id)).size, 60);
  assert.deepEqual([await oldest(Date.now()), await before()], [[], []]);
});

for (const withFaults of [false, true]) {
  const told = withFaults ? ', in a sandbox too' : '';
  test(`a long queue is claimed by its indexes, also with the plan of an empty one${told}`, async (t) => {
    const db = await openTestDatabase(t);
    const partner = await createPartner(db);
    await partner.subscribe();
    // Statistics of nothing, and plans that are kept: what a quiet night leaves behind.
    await db.rows({ text: 'vacuum analyze webhook_deliveries, webhook_pending, webhook_leases' });
    for (const _ of times(8, () => null)) await claim(db, { withFaults });
    await partner.writeEvents(20_000);
    const before = await readsOf(db);
    let claimed = await claim(db, { withFaults });
    for (const _ of times(20, () => null))
      claimed = await claim(db, { withFaults, results: claimed.map(succeeded) });
    assert.equal(claimed.length, MAX_PER_SUBSCRIPTION);
    // What a scan of everything would read is 20,000 each time.
    const read = (await readsOf(db)) - before;
    assert.ok(read < 20_000, `${read} were read`);
  });
}

/** Rows and index entries that were read of deliveries so far. */
async function readsOf(db: Db): Promise<number> {
  // Statistics of this session arrive late unless it is told to.
  await db.rows({ text: 'select pg_stat_force_next_flush(), pg_stat_clear_snapshot()' });
  const row = await db.first<{ reads: number }>({
    text: `
      select (
        select sum(seq_tup_read) from pg_stat_user_tables where relname ~ '^webhook_(deliveries|pending|leases)'
      )::float8 + (
        select sum(idx_tup_read) from pg_stat_user_indexes where relname like 'webhook_deliveries%'
      )::float8 as reads`,
  });
  return row!.reads;
}

test('a look for due work reads nothing of what is over', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(2_000);
  await db.rows({
    text: `update webhook_deliveries set status = 'DELIVERED', due_at = null, finished_at = created_at`,
  });
  const before = await readsOf(db);
  for (const _ of times(10, () => null))
    assert.equal((await lookForDueWork(db, TEST_NOW, Date.now())).deliveries, false);
  assert.equal((await readsOf(db)) - before, 0);
});

test('writing a result looks for its delivery alone, also when the queue was seen empty', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(60);
  await claim(db, { results: (await claim(db)).map(succeeded) });
  await db.rows({ text: 'analyze webhook_deliveries, webhook_pending, webhook_leases' });
  await partner.writeEvents(5);
  const results = (await claim(db)).map(succeeded);
  const room = { total: 0, slow: 0, fastSubscriptions: {}, held: {} };
  const read = await db.transaction(async (tx) => {
    const count = async () =>
      (await tx.first<{ key: number }>({
        text: `
          select sum(pg_stat_get_xact_tuples_returned(indexrelid))::float8 as key from pg_index
          where indrelid::regclass::text like 'webhook_deliveries%'`,
      }))!.key;
    const before = await count();
    await settleAndClaim(tx, TEST_NOW, results, randomUUID(), room);
    return (await count()) - before;
  });
  assert.equal(read, results.length);
});

test('the queue has what is pending, whoever changes deliveries', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(6);
  const check = async (told: string) => {
    const columns = 'subscription_id, event, created_at, due_at';
    const differing = await db.rows({
      text: `
        (select id, ${columns} from webhook_deliveries where status = 'PENDING'
          except select delivery_id, ${columns} from webhook_pending)
        union all
        (select delivery_id, ${columns} from webhook_pending
          except select id, ${columns} from webhook_deliveries where status = 'PENDING')`,
    });
    assert.deepEqual(differing, [], told);
    const failed = await db.rows({
      text: `
        select 1 from webhook_deliveries
        where failed_at is distinct from case when status = 'FAILED' then finished_at end`,
    });
    assert.deepEqual(failed, [], told);
  };
  await check('written');
  const [one, two, three] = await claim(db);
  await claim(db, { total: 0, results: [succeeded(one!), failed(two!)] });
  await check('with a success, and with a failure that is tried again');
  const run = (text: string) => db.rows({ text, values: [three!.id] });
  await run(
    `update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = created_at where id = $1`,
  );
  await check('failed');
  await run(
    `update webhook_deliveries set status = 'PENDING', due_at = now(), finished_at = null where id = $1`,
  );
  await check('retried');
  await run(`update webhook_deliveries set created_at = created_at + interval '3 months' where id = $1`);
  await check('in another month');
  await run('delete from webhook_deliveries where id = $1');
  await check('deleted');

  // An entry without a delivery ends at its claim.
  await db.rows({ text: 'delete from webhook_leases' });
  await db.rows({
    text: `
      insert into webhook_pending (delivery_id, subscription_id, event, created_at, due_at)
      select gen_random_uuid(), subscription_id, event, created_at, due_at from webhook_pending limit 1`,
  });
  assert.equal((await claim(db)).length, 3);
  await check('claimed');
});

test('kept totals are those of a count, whatever became of deliveries and whenever months are dropped', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  const id = await partner.subscribe();
  const check = async (told: string) => {
    for (const status of [undefined, ...DELIVERY_STATUSES])
      for (const event of [undefined, 'booking.updated', 'booking.created'] as const) {
        const filter = { subscriptionId: id, ...(status && { status }), ...(event && { event }) };
        const { total, rows } = await listDeliveryRows(db, filter, { limit: 50, offset: 0 });
        const counted = await db.first<{ total: number }>({
          text: `
            select count(*) as total from webhook_deliveries
            where subscription_id = $1 and ($2::text is null or status = $2) and ($3::text is null or event = $3)`,
          values: [id, status ?? null, event ?? null],
        });
        const { total: far } = await listDeliveryRows(db, filter, { limit: 50, offset: 1_000 });
        const expected = counted!.total;
        assert.deepEqual(
          [total, rows.length, far],
          [expected, expected, expected],
          `${told}: ${status} ${event}`,
        );
      }
  };
  await partner.writeEvents(8);
  await check('pending');
  const claimed = await claim(db);
  await claim(db, { total: 0, results: [...claimed.slice(0, 3).map(succeeded), failed(claimed[3]!)] });
  await db.rows({
    text: `
      update webhook_deliveries set status = 'FAILED', due_at = null, finished_at = created_at, event = 'booking.created'
      where id = any ($1::uuid[])`,
    values: [claimed.slice(4, 6).map((delivery) => delivery.id)],
  });
  await check('only changes');
  assert.ok((await foldDeliveryTotals(db)) > 0);
  await check('only totals');
  await retryFailed(db, TEST_NOW, null, claimed[4]!.id);
  await db.rows({ text: 'delete from webhook_deliveries where id = $1', values: [claimed[0]!.id] });
  await check('both');
  await Promise.all([foldDeliveryTotals(db), foldDeliveryTotals(db)]);
  await check('moved by two');

  const later = Date.parse('2026-12-05T00:00:00Z');
  await partner.writeEvents(2, later);
  await claim(db, { total: 0, results: (await claim(db, { at: later })).map(succeeded) });
  await check('in two months');
  const { until } = (await listPartitions(db, DELIVERY_PARTITIONS))[0]!;
  assert.deepEqual(await keepDeliveryPartitions(db, TEST_NOW, until!), { made: 0, dropped: 1 });
  await check('dropped');
  assert.deepEqual(
    await db.rows({ text: 'select 1 from webhook_pending where created_at < $1', values: [iso(later)] }),
    [],
  );
});

test('months of deliveries are dropped when they are older than 90 days, and a replay with its event', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  const december = Date.parse('2026-12-01T00:00:00Z');
  await partner.writeEvents(2, december);
  const isOver = december + 90 * DAY;
  await keepEventsAndDeliveries(db, isOver - 1);
  assert.equal((await claim(db, { at: december })).length, 3, 'a millisecond before');
  await db.rows({ text: 'delete from webhook_leases' });

  // A replay finds its event, which is older, and goes when that is gone.
  await db.rows({
    text: `
      insert into webhook_deliveries (subscription_id, event_id, partner_id, booking_id, event, replay, due_at, created_at)
      select subscription_id, event_id, partner_id, booking_id, event, 1, $1, $1
      from webhook_deliveries order by created_at limit 1`,
    values: [iso(isOver)],
  });
  const claimed = await claim(db, { at: isOver });
  assert.deepEqual(
    claimed.map(({ payload }) => payload),
    Array(4).fill({}),
  );
  await keepEventsAndDeliveries(db, isOver);
  const left = await db.rows<{ created_at: number }>({ text: 'select created_at from webhook_deliveries' });
  assert.deepEqual(
    left.map((row) => row.created_at),
    [december, december],
  );
});
