import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { connectPostgres, type Db } from '../src/platform/db.ts';
import { openInMemory } from '../src/platform/embedded.ts';
import { migrate } from '../src/platform/migrate.ts';
import {
  type ClaimedDelivery,
  renewLeases,
  type SettledAttempt,
  turnDeliveries,
} from '../src/webhooks/queue-queries.ts';
import { BREAKER_AFTER, LEASE, MOST_TO_ONE } from '../src/webhooks/rules.ts';
import { afterwards, createPostgresDatabase, onPostgres, TEST_NOW } from './harness.ts';
import { times } from './storm.ts';

/** The queue's statements by themselves, without a worker that would take what is to be claimed. */

const iso = (at: number): string => new Date(at).toISOString();

async function openDatabase(t: TestContext): Promise<Db> {
  if (!onPostgres) {
    const { db } = await openInMemory();
    afterwards(t, () => db.close());
    await migrate(db);
    return db;
  }
  const url = await createPostgresDatabase(t);
  const db = connectPostgres(url, 4, (error) => {
    throw error;
  });
  afterwards(t, () => db.close());
  return db;
}

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

const claim = (db: Db, { at = TEST_NOW, capacity = 1000, results = [] as SettledAttempt[] } = {}) =>
  turnDeliveries(db, at, at, results, { capacity, lease: randomUUID(), leasedUntil: at + LEASE });

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

test('subscriptions take turns: a long queue does not stand before a short one', async (t) => {
  const db = await openDatabase(t);
  const [busy, quiet] = [await createPartner(db), await createPartner(db)];
  const [long, short] = [await busy.subscribe(), await quiet.subscribe()];
  await busy.writeEvents(50);
  await quiet.writeEvents(5, TEST_NOW + 60_000);
  const claimed = await claim(db, { at: TEST_NOW + 60_000, capacity: 10 });
  assert.deepEqual(tallyBy(claimed), { [long]: 5, [short]: 5 });
});

test('no more attempts are under way to one subscription than allowed, whoever makes them', async (t) => {
  const db = await openDatabase(t);
  // Many rounds: that two claims meet is a matter of luck.
  for (const _ of times(onPostgres ? 25 : 1, () => null)) {
    const partner = await createPartner(db);
    const id = await partner.subscribe();
    await partner.writeEvents(300);
    const claims = (await Promise.all(times(4, () => claim(db)))).flat();
    assert.deepEqual(tallyBy(claims), { [id]: MOST_TO_ONE });
    assert.equal(new Set(claims.map((delivery) => delivery.id)).size, MOST_TO_ONE);

    // What is written down makes room for as many.
    const next = await claim(db, { results: claims.slice(0, 10).map(succeeded) });
    assert.equal(next.length, 10);
  }
});

test('a claim ends by itself, and the result of a lost one counts no more', async (t) => {
  const db = await openDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  const [first] = await claim(db);
  assert.deepEqual(await claim(db, { at: TEST_NOW + LEASE - 1 }), []);
  const [second] = await claim(db, { at: TEST_NOW + LEASE });
  assert.equal(second!.id, first!.id);

  const state = () =>
    db.first<{ status: string; attempt_count: number }>({
      text: 'select status, attempt_count from webhook_deliveries',
    });
  await claim(db, { at: TEST_NOW + LEASE, results: [succeeded(first!)] });
  assert.deepEqual({ ...(await state()) }, { status: 'PENDING', attempt_count: 0 });
  await claim(db, { at: TEST_NOW + LEASE, results: [succeeded(second!)] });
  assert.deepEqual({ ...(await state()) }, { status: 'DELIVERED', attempt_count: 1 });
});

test('a claim that is renewed does not end', async (t) => {
  const db = await openDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  const claimed = await claim(db);
  await renewLeases(db, claimed, TEST_NOW + 2 * LEASE);
  assert.deepEqual(await claim(db, { at: TEST_NOW + 2 * LEASE - 1 }), []);
  assert.equal((await claim(db, { at: TEST_NOW + 2 * LEASE })).length, 1);
});

test('an inactive subscription and a suspended partner wait, and go on later', async (t) => {
  const db = await openDatabase(t);
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

test('a circuit breaker that tries lets one attempt through', async (t) => {
  const db = await openDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(200);
  const claimed = await claim(db);
  await claim(db, { capacity: 0, results: claimed.slice(0, BREAKER_AFTER).map(failed) });
  const later = TEST_NOW + LEASE;
  assert.equal((await claim(db, { at: later })).length, 1);
  assert.equal((await claim(db, { at: later })).length, 0);
});

test('a long queue is claimed by its indexes, also with the plan of an empty one', async (t) => {
  const db = await openDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  // Statistics of nothing, and plans that are kept: what a quiet night leaves behind.
  await db.rows({ text: 'vacuum analyze webhook_deliveries' });
  for (const _ of times(8, () => null)) await claim(db);
  await partner.writeEvents(20_000);
  const reads = async (): Promise<number> => {
    await db.rows({ text: 'select pg_stat_clear_snapshot()' });
    const row = await db.first<{ reads: number }>({
      text: `select coalesce(seq_tup_read, 0) as reads from pg_stat_user_tables where relname = 'webhook_deliveries'`,
    });
    return row!.reads;
  };
  const before = await reads();
  let claimed = await claim(db);
  for (const _ of times(20, () => null)) claimed = await claim(db, { results: claimed.map(succeeded) });
  assert.equal(claimed.length, MOST_TO_ONE);
  // Statistics arrive late on PostgreSQL; what a scan of everything would read is 20,000 each time.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.ok((await reads()) - before < 20_000, 'the queue was read from end to end');
});
