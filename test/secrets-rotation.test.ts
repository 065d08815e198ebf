import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSealer } from '../src/db/sealing.ts';
import { signature } from '../src/outbound/signature.ts';
import { countSecrets, resealAll } from '../src/program/secrets.ts';
import { createWorld, WORLD_DATE } from './fixtures.ts';
import { createPostgresDatabase, onPostgres, startTestService } from './harness.ts';
import {
  becomes,
  book,
  cancel,
  linkOf,
  type Platform,
  refundedOf,
  sent,
  startPlatform,
  use,
} from './payment-flows.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { startReceiver } from './webhook-receiver.ts';

const [OLD, NEW] = ['0a'.repeat(32), '0b'.repeat(32)] as const;
const keyOf = (text: string): Buffer => Buffer.from(text, 'hex');

test('a key is replaced while two services deliver and take payments, without a loss', {
  skip: !onPostgres && 'one process holds an embedded database',
}, async (t) => {
  const receiver = await startReceiver(t);
  const databaseUrl = await createPostgresDatabase(t);
  // In the middle of the second round of the guide: one process writes under the old key, one under the new.
  const env = { WEBHOOK_ALLOW_HOSTS: receiver.host };
  const first = await startTestService(t, {
    databaseUrl,
    env: { ...env, SECRETS_KEY: OLD, SECRETS_KEY_PREVIOUS: NEW },
  });
  const second = await startTestService(t, {
    databaseUrl,
    env: { ...env, SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: OLD },
  });
  const hooks = await createHookWorld(first, { teams: 4 });
  const partner = { paymentResponsibility: 'PLATFORM' } as const;
  const platform: Platform = { service: first, world: await createWorld(first, { teams: 4, partner }) };
  await second.deps.versions.refresh();
  const secrets = new Map<string, string>();
  for (const service of [first, second])
    for (let count = 0; count < 3; count++) {
      const { id, secret } = await subscribe(service, hooks.key, {
        url: `${receiver.url}?${secrets.size}`,
        events: ['booking.created'],
      });
      secrets.set(id, secret);
    }

  const sealer = createSealer([keyOf(NEW), keyOf(OLD)]);
  const back = createSealer([keyOf(OLD), keyOf(NEW)]);
  let working = true;
  let sealed = 0;
  // Back and forth, so that keys of values change during all reads.
  const rotating = (async () => {
    while (working)
      sealed += (await resealAll(first.deps.db, sealer)) + (await resealAll(first.deps.db, back));
  })();
  const bookings = 8;
  const paid: string[] = [];
  for (let number = 0; number < bookings; number++) {
    const service = number % 2 === 0 ? first : second;
    const slot = {
      date: number < 4 ? WORLD_DATE : '2026-11-24',
      timeslot: { startAt: '10:00', endAt: '12:00' },
    };
    const { contactId, addressId, serviceId } = hooks;
    const body = { contactId, addressId, serviceId, ...slot };
    assert.equal((await service.v1(hooks.key, 'POST', '/partners/bookings', body)).status, 200);
    paid.push(await book(platform, slot));
  }
  for (const [number, bookingId] of paid.entries()) {
    const link = await linkOf(platform, bookingId);
    const page = { ...platform, service: number % 2 === 0 ? first : second };
    assert.equal((await use(page, link, 'paid')).status, 200);
    await becomes(platform, bookingId, ['in progress', 'PAID']);
  }
  await receiver.arrived(bookings * secrets.size);
  working = false;
  await rotating;
  assert.ok(sealed > 0);

  const seen = new Set<string>();
  for (const { headers, body, json } of receiver.received) {
    const signed = [...secrets].find(
      ([, secret]) =>
        signature(secret, headers['x-service-timestamp']!, body.toString()) ===
        headers['x-service-signature'],
    );
    assert.ok(signed, 'signed with one of the secrets');
    seen.add(`${signed[0]} ${json.payload.bookingId}`);
  }
  assert.equal(seen.size, bookings * secrets.size, 'each booking to each subscription, under its own secret');
  for (const { logged } of [first, second]) assert.doesNotMatch(logged(), /SealError|could not be worked on/);

  await resealAll(second.deps.db, sealer);
  const { current, ...others } = await countSecrets(second.deps.db, createSealer([keyOf(NEW)]));
  assert.ok(current >= secrets.size);
  assert.deepEqual(others, { previous: 0, plain: 0, lost: 0, lostLinks: 0 });
});

const NONE_LOST = { lost: 0, lostLinks: 0 };

test('plain values of older versions are encrypted or hidden as well', async (t) => {
  const it = await startPlatform(t, {}, { teams: 2 });
  const { service } = it;
  const { db, sealer } = service.deps;
  const bookings = [await book(it), await book(it)];
  const tokens = ['a', 'b'].map((letter) => letter.repeat(32));
  for (const [number, bookingId] of bookings.entries()) {
    const { id } = await sent(it, bookingId);
    const token = tokens[number]!;
    await db.rows({
      text: 'update sandbox_checkouts set token = $2 where payment_id = $1',
      values: [id, token],
    });
    await db.rows({
      text: 'update payments set gateway_reference = $2, link_url = $3 where id = $1',
      values: [id, token, `${service.url}/checkout/${token}`],
    });
  }
  await use(it, `/checkout/${tokens[0]}`, 'paid');
  await becomes(it, bookings[0]!, ['in progress', 'PAID']);

  assert.deepEqual(await countSecrets(db, sealer), { current: 0, previous: 0, plain: 4, ...NONE_LOST });
  assert.equal(await resealAll(db, sealer), 4);
  assert.deepEqual(await countSecrets(db, sealer), { current: 2, previous: 0, plain: 0, ...NONE_LOST });
  for (const table of ['payments', 'sandbox_checkouts'])
    for (const token of tokens) {
      const text = `select 1 as found from ${table} as whole where strpos(whole::text, $1) > 0 limit 1`;
      assert.equal(await db.first({ text, values: [token] }), null, table);
    }

  // The open one can be paid by the customer's link, and the paid one refunded.
  await use(it, `/checkout/${tokens[1]}`, 'paid');
  await becomes(it, bookings[1]!, ['in progress', 'PAID']);
  assert.equal((await cancel(it, bookings[0]!)).status, 200);
  await until(async () => (await refundedOf(it, bookings[0]!)) === '150.00');
});
