import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { claimDeliveries, releaseLeases, renewLeases } from '../src/webhooks/queue-queries.ts';
import { FREE_SHARE, MAX_PER_SUBSCRIPTION, MAX_PER_WORKER } from '../src/webhooks/rules.ts';
import { onPostgres, openTestDatabase, TEST_NOW } from './harness.ts';
import { times } from './storm.ts';
import {
  claim,
  createPartner,
  endLeases,
  failed,
  iso,
  releaseAll,
  succeeded,
  tallyBy,
} from './webhook-queue-fixtures.ts';

/** The statements of the queue, without a worker that would claim deliveries. */

test('a long queue does not delay a short one', async (t) => {
  const db = await openTestDatabase(t);
  const [busy, quiet] = [await createPartner(db), await createPartner(db)];
  const [long, short] = [await busy.subscribe(), await quiet.subscribe()];
  await busy.writeEvents(50);
  await quiet.writeEvents(5, TEST_NOW + 60_000);
  const claimed = await claim(db, { at: TEST_NOW + 60_000, room: 1000 });
  const tally = tallyBy(claimed);
  assert.equal(tally[short], 5);
  assert.ok(
    tally[long]! >= 5 && tally[long]! < 50 && tally[long]! * FREE_SHARE <= 1000,
    JSON.stringify(tally),
  );
});

test('a subscription leaves room for others, several times its own, beyond its first attempt', async (t) => {
  const db = await openTestDatabase(t);
  const [busy, quiet] = [await createPartner(db), await createPartner(db)];
  for (const _ of times(20, () => null)) await busy.subscribe();
  await busy.writeEvents(50);
  let room = 200;
  const first = await claim(db, { room });
  const tally = Object.values(tallyBy(first));
  assert.equal(tally.length, 20);
  const most = Math.max(...tally);
  assert.ok(most - Math.min(...tally) <= 1, String(tally));
  room -= first.length;
  // The share of the free room is used up: another claim gets no more.
  assert.ok(most * FREE_SHARE <= room + first.length && (most + 2) * FREE_SHARE > room, `${most} of ${room}`);
  room -= (await claim(db, { room })).length;
  assert.deepEqual(await claim(db, { room }), []);

  const other = await quiet.subscribe();
  await quiet.writeEvents(50);
  const next = await claim(db, { room });
  assert.ok(next.length > 1, `${next.length} of ${room}`);
  assert.deepEqual(Object.keys(tallyBy(next)), [other]);
});

test('one attempt of a subscription is claimed while there is any room', async (t) => {
  const db = await openTestDatabase(t);
  const partners = await Promise.all(times(3, () => createPartner(db)));
  for (const partner of partners) {
    await partner.subscribe();
    await partner.writeEvents(5);
  }
  const claimed = await claim(db, { room: 3 });
  assert.deepEqual(Object.values(tallyBy(claimed)), [1, 1, 1]);
  assert.deepEqual(await claim(db, { room: 3 }), [], 'the second ones would leave too little');
});

test('with any number of hanging endpoints, a new one gets many attempts at once', async (t) => {
  const db = await openTestDatabase(t);
  let room = MAX_PER_WORKER;
  /** A turn of a worker whose attempts do not end. */
  const turn = async () => {
    const claimed = await claim(db, { room });
    room -= claimed.length;
    return claimed;
  };
  // Fifty bursts one after another, each claimed at once, and again when more of it is due.
  for (const _ of times(50, () => null)) {
    const partner = await createPartner(db);
    const id = await partner.subscribe();
    await partner.writeEvents(100);
    assert.ok(tallyBy(await turn())[id]! > 1, 'a burst had to wait');
  }
  for (const _ of times(4, () => null)) await turn();

  const healthy = await createPartner(db);
  const id = await healthy.subscribe();
  await healthy.writeEvents(100);
  const first = await turn();
  assert.deepEqual(Object.keys(tallyBy(first)), [id]);
  assert.ok(first.length >= 8, `${first.length} of ${room}`);
  // Its responses make room for as many again.
  room += first.length;
  assert.equal((await claim(db, { room, results: first.map(succeeded) })).length, first.length);
});

test('concurrent attempts to one subscription are limited, over all workers', async (t) => {
  const db = await openTestDatabase(t);
  // Many rounds: that two claims meet is a matter of luck.
  for (const _ of times(onPostgres ? 25 : 1, () => null)) {
    const partner = await createPartner(db);
    const id = await partner.subscribe();
    await partner.writeEvents(300);
    const claims = (await Promise.all(times(4, () => claim(db)))).flat();
    // Deliveries chosen by a claim that was second are left to the next turn.
    claims.push(...(await claim(db)));
    assert.deepEqual(tallyBy(claims), { [id]: MAX_PER_SUBSCRIPTION });
    assert.equal(new Set(claims.map((delivery) => delivery.id)).size, MAX_PER_SUBSCRIPTION);

    // Saved results make room for as many.
    const next = await claim(db, { results: claims.slice(0, 10).map(succeeded) });
    assert.equal(next.length, 10);
    await db.rows({ text: 'delete from webhook_deliveries' });
    await db.rows({ text: 'delete from webhook_pending' });
  }
});

test('a lease expires, and the result of a lost one is ignored', async (t) => {
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

test('a renewed lease does not expire', async (t) => {
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
  // A worker that has lost it does not renew the new owner's.
  await endLeases(db);
  await renewLeases(db, claimed);
  assert.equal((await claim(db)).length, 1);
});

test('releasing a lease releases only that one', async (t) => {
  const db = await openTestDatabase(t);
  const [partner, other] = [await createPartner(db), await createPartner(db)];
  await partner.subscribe();
  await partner.writeEvents(1);
  const lease = randomUUID();
  const [first] = await claimDeliveries(db, TEST_NOW, lease, 10);
  await other.subscribe();
  await other.writeEvents(1);
  assert.equal((await claim(db)).length, 1);
  await releaseLeases(db, [randomUUID()]);
  assert.deepEqual(await claim(db), []);
  await releaseLeases(db, [lease]);
  assert.deepEqual(
    (await claim(db)).map(({ id }) => id),
    [first!.id],
  );
});

test('a failed attempt ends the lease: it is claimed again when due', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  const id = await partner.subscribe();
  await partner.writeEvents(2);
  const claimed = await claim(db);
  assert.deepEqual(await claim(db, { results: claimed.map(failed) }), []);
  assert.equal((await claim(db, { at: TEST_NOW + 60_000 })).length, 2);
  const { failures } = (await db.first<{ failures: number }>({
    text: 'select failures_in_a_row as failures from webhook_subscriptions where id = $1',
    values: [id],
  }))!;
  assert.equal(failures, 2);
});

test('a claim contains the secrets that are valid then', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  for (const [until, signs] of [
    [TEST_NOW, null],
    [TEST_NOW + 1, 'whsec_old'],
  ] as const) {
    await db.rows({
      text: `update webhook_subscriptions set previous_secret = 'whsec_old', previous_secret_until = $1`,
      values: [iso(until)],
    });
    const [claimed] = await claim(db);
    assert.deepEqual([claimed!.secret, claimed!.previous_secret], ['whsec_x', signs]);
    await releaseAll(db);
  }
});

test('deliveries of an inactive subscription and a suspended partner wait, and continue later', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(1);
  for (const [away, back] of [
    [`webhook_subscriptions set status = 'INACTIVE'`, `webhook_subscriptions set status = 'ACTIVE'`],
    [`partners set status = 'SUSPENDED'`, `partners set status = 'ACTIVE'`],
    [`webhook_subscriptions set removed_at = created_at`, `webhook_subscriptions set removed_at = null`],
  ] as const) {
    await db.rows({ text: `update ${away}` });
    assert.deepEqual(await claim(db), [], away);
    await db.rows({ text: `update ${back}` });
  }
  assert.equal((await claim(db)).length, 1);
});
