import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import {
  type ClaimedDelivery,
  giveBack,
  readEndpoints,
  renewLeases,
  settleAndClaim,
} from '../src/webhooks/queue-queries.ts';
import { FAILING_AFTER, MAX_PER_SUBSCRIPTION, MAX_SLOW } from '../src/webhooks/rules.ts';
import { createShares, type Held } from '../src/webhooks/shares.ts';
import { onPostgres, openTestDatabase, TEST_NOW } from './harness.ts';
import { times } from './storm.ts';
import {
  claim,
  createPartner,
  endLeases,
  failed,
  iso,
  succeeded,
  tallyBy,
} from './webhook-queue-fixtures.ts';

/** The queue's statements by themselves, without a worker that would take what is to be claimed. */

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

test('one worker has more of a fast endpoint than may be under way, as long as no other has any', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  const id = await partner.subscribe();
  await partner.writeEvents(500);
  const ahead = { fastSubscriptions: { [id]: 256 } };
  // Whoever comes first has all of it.
  const claims = await Promise.all(times(onPostgres ? 4 : 2, () => claim(db, ahead)));
  const first = claims.find((claimed) => claimed.length > 0)!;
  assert.deepEqual(claims.map((claimed) => claimed.length).sort(), [...claims.slice(1).map(() => 0), 256]);
  const mine = first[0]!.lease;

  // Its own claims do not keep it from more, those of another do.
  const results = first.slice(0, 200).map(succeeded);
  const next = await claim(db, { ...ahead, leasesHeld: [mine], results });
  assert.equal(next.length, 200);
  await giveBack(db, [...first.slice(200, 230), ...next.slice(0, 190)]);
  const left = 256 - 220;
  // Two have some: together no more than may be under way.
  const other = await claim(db, ahead);
  assert.equal(other.length, MAX_PER_SUBSCRIPTION - left);
  for (const leasesHeld of [[mine, next[0]!.lease], [other[0]!.lease]])
    assert.deepEqual(await claim(db, { ...ahead, leasesHeld }), []);
});

test('giving back ends one claim alone', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  await partner.subscribe();
  await partner.writeEvents(2);
  const [first, second] = await claim(db);
  await giveBack(db, [{ id: first!.id, lease: randomUUID() }]);
  assert.deepEqual(await claim(db), []);
  await giveBack(db, [first!]);
  assert.deepEqual(
    (await claim(db)).map(({ id }) => id),
    [first!.id],
  );
  assert.notEqual(first!.id, second!.id);
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
  // Who has lost it does not renew it for the other.
  await endLeases(db);
  await renewLeases(db, claimed);
  assert.equal((await claim(db)).length, 1);
});

test('what has waited goes where a claim would send it by then, or nowhere', async (t) => {
  const db = await openTestDatabase(t);
  const partner = await createPartner(db);
  const id = await partner.subscribe();
  const read = async () => (await readEndpoints(db, [id], TEST_NOW))[0]!;
  const { url, secret, previous_secret } = (await read())!;
  assert.deepEqual([url, secret, previous_secret], ['https://example.com/', 'whsec_x', null]);
  assert.deepEqual(await readEndpoints(db, [randomUUID()], TEST_NOW), [null]);

  const change = (text: string) => db.rows({ text });
  for (const [away, back] of [
    [`webhook_subscriptions set status = 'INACTIVE'`, `webhook_subscriptions set status = 'ACTIVE'`],
    [`partners set status = 'SUSPENDED'`, `partners set status = 'ACTIVE'`],
    [`webhook_subscriptions set removed_at = created_at`, `webhook_subscriptions set removed_at = null`],
  ] as const) {
    await change(`update ${away}`);
    assert.equal(await read(), null, away);
    await change(`update ${back}`);
    assert.notEqual(await read(), null, back);
  }
  for (const [until, signs] of [
    [TEST_NOW, null],
    [TEST_NOW + 1, 'whsec_old'],
  ] as const) {
    await change(
      `update webhook_subscriptions set previous_secret = 'whsec_old', previous_secret_until = '${iso(until)}'`,
    );
    assert.equal((await read())!.previous_secret, signs);
  }
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
