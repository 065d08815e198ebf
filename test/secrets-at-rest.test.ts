import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Db } from '../src/db/connection.ts';
import { createSealer } from '../src/db/sealing.ts';
import { signature } from '../src/outbound/signature.ts';
import { countSecrets, resealAll } from '../src/program/secrets.ts';
import { startTestService, type TestService } from './harness.ts';
import { becomes, book, linkOf, paymentOf, sent, startPlatform, use } from './payment-flows.ts';
import { until } from './until.ts';
import { createHookWorld, subscribe } from './webhook-fixtures.ts';
import { type Received, startReceiver } from './webhook-receiver.ts';

/** Secrets in the database are encrypted, and useless with the database alone. */

/** The tables of the database that contain the text, plain or in base64 or hexadecimal, in any column. */
async function placesOf(db: Db, text: string): Promise<string[]> {
  const tables = await db.rows<{ name: string }>({
    text: `
      select format('%I', table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  });
  assert.ok(tables.length > 25, 'all of them');
  const bytes = Buffer.from(text);
  const forms = [text, bytes.toString('hex'), bytes.toString('base64').slice(0, -4)];
  const places: string[] = [];
  for (const { name } of tables) {
    const found = await db.first({
      text: `
        select 1 as found from ${name} as whole
        where exists (select from unnest($1::text[]) as form where strpos(whole::text, form) > 0) limit 1`,
      values: [forms],
    });
    if (found !== null) places.push(name);
  }
  return places;
}

async function startHooks(t: TestContext) {
  const receiver = await startReceiver(t);
  const env = { WEBHOOK_ALLOW_HOSTS: receiver.host };
  const service = await startTestService(t, { env });
  const world = await createHookWorld(service, { teams: 9 });
  const events = ['booking.created'];
  const { id, secret } = await subscribe(service, world.key, { url: receiver.url, events });
  return { receiver, env, service, world, id, secret };
}

function assertSigned({ headers, body }: Received, secret: string): void {
  const expected = signature(secret, headers['x-service-timestamp']!, body.toString());
  assert.equal(headers['x-service-signature'], expected);
}

async function store(service: TestService, id: string, secret: string): Promise<void> {
  await service.deps.db.rows({
    text: 'update webhook_subscriptions set secret = $2 where id = $1',
    values: [id, secret],
  });
}

async function stored({ deps }: TestService, id: string): Promise<string> {
  const row = await deps.db.first<{ secret: string }>({
    text: 'select secret from webhook_subscriptions where id = $1',
    values: [id],
  });
  return row!.secret;
}

test('the search for plain texts finds planted ones', async (t) => {
  const { service, id, secret } = await startHooks(t);
  await store(service, id, secret);
  assert.deepEqual(await placesOf(service.deps.db, secret), ['webhook_subscriptions']);
});

test('no secret of a webhook is readable in the database, and deliveries are signed with it', async (t) => {
  const { receiver, service, world, id, secret } = await startHooks(t);
  const { db } = service.deps;
  assert.equal((await world.book()).status, 200);
  await receiver.arrived(1);
  assertSigned(receiver.received[0]!, secret);
  const rotated = await service.v1(
    world.key,
    'POST',
    `/partners/webhooks/subscriptions/${id}/rotate-secret`,
    {
      overlapHours: 1,
    },
  );
  for (const readable of [secret, rotated.body.data.secret])
    assert.deepEqual(await placesOf(db, readable), []);
  assert.doesNotMatch(service.logged(), /whsec_/);
});

test('a plain secret of an older version is still used', async (t) => {
  const { receiver, service, world, id, secret } = await startHooks(t);
  await store(service, id, secret);
  assert.equal((await world.book()).status, 200);
  await receiver.arrived(1);
  assertSigned(receiver.received[0]!, secret);
});

test('a secret that cannot be opened fails the attempt, which is retried; others are delivered', async (t) => {
  const { receiver, service, world, id, secret } = await startHooks(t);
  const other = await subscribe(service, world.key, { url: receiver.url, events: ['booking.created'] });
  const own = await stored(service, id);
  for (const [wrong, why] of [
    [await stored(service, other.id), 'belongs to another row'],
    [createSealer([Buffer.alloc(32)]).seal(secret, `webhook-secret:${id}`), 'neither SECRETS_KEY nor'],
    ['v1.', 'not in the form'],
  ] as const) {
    await store(service, id, wrong);
    const count = receiver.received.length;
    const booked = await world.book();
    assert.equal(booked.status, 200);
    await receiver.arrived(count + 1);
    assertSigned(receiver.received.at(-1)!, other.secret);
    const failed = async () => {
      const { body } = await service.v1(
        world.key,
        'GET',
        `/partners/webhooks/deliveries?subscriptionId=${id}`,
      );
      return body.data[0];
    };
    await until(async () => (await failed()).attemptCount === 1);
    const { status, error, nextRetryAt } = await failed();
    assert.deepEqual([status, error], ['PENDING', 'NOT_SENT']);
    assert.equal(Date.parse(nextRetryAt), service.clock.now() + 60_000);
    assert.match(service.logged(), new RegExp(`"message":"[^"]*${why}`));

    await store(service, id, own);
    service.clock.advance(60_000);
    await receiver.arrived(count + 2);
    assertSigned(receiver.received.at(-1)!, secret);
  }
  for (const readable of [secret, other.secret, own]) assert.ok(!service.logged().includes(readable));
});

test('no payment link is readable in the database, and it can be paid', async (t) => {
  const it = await startPlatform(t);
  const { service } = it;
  const bookingId = await book(it);
  const { id, link_url: url, gateway_reference: reference } = await sent(it, bookingId);
  const token = url!.split('/').at(-1)!;
  const shown = async () => (await service.operator('GET', `/payments/${id}`)).body.data.linkUrl;
  assert.equal(await shown(), url);
  assert.ok(service.logged().includes(url!), 'the customer has it');
  const resent = await service.operator('POST', `/payments/${id}/resend`);
  assert.equal(resent.body.data.linkUrl, url);
  // The audit log has a row about it now.
  for (const readable of [url!, token]) assert.deepEqual(await placesOf(service.deps.db, readable), []);

  assert.equal((await fetch(`${service.url}/checkout/${reference}`)).status, 404, 'the books open nothing');
  const gateway = service.deps.gateways.current();
  assert.deepEqual(
    await gateway.findLink(id),
    { reference, url },
    'the same link when it is asked for again',
  );
  await use(it, await linkOf(it, bookingId), 'paid');
  await becomes(it, bookingId, ['in progress', 'PAID']);
  await service.operator('POST', `/bookings/${bookingId}/cancel`, { reason: 'a trial' });
  assert.deepEqual(await placesOf(service.deps.db, token), []);
});

test('a plain link of an older version still works', async (t) => {
  const it = await startPlatform(t);
  const { service } = it;
  const bookingId = await book(it);
  const { id } = await sent(it, bookingId);
  const token = 'a'.repeat(32);
  const { db, gateways } = service.deps;
  const url = `${service.url}/checkout/${token}`;
  await db.rows({ text: 'update sandbox_checkouts set token = $1', values: [token] });
  await db.rows({ text: 'update payments set gateway_reference = $1, link_url = $2', values: [token, url] });
  assert.equal((await paymentOf(it, bookingId)).link_url, url);
  assert.equal((await service.operator('GET', `/payments/${id}`)).body.data.linkUrl, url);
  assert.deepEqual(await gateways.current().findLink(id), { reference: token, url });
  await use(it, `/checkout/${token}`, 'paid');
  await becomes(it, bookingId, ['in progress', 'PAID']);
});

test('a link that cannot be opened is not sent and not shown, and does not block others', async (t) => {
  const it = await startPlatform(t);
  const { service } = it;
  const bookingId = await book(it);
  const { id, link_url: url } = await sent(it, bookingId);
  const another = await sent(it, await book(it, { timeslot: { startAt: '14:00', endAt: '16:00' } }));
  const { db } = service.deps;
  await db.rows({
    text: 'update payments set link_url = (select link_url from payments where id = $2) where id = $1',
    values: [id, another.id],
  });
  const answer = await service.operator('POST', `/payments/${id}/resend`);
  assert.deepEqual([answer.status, answer.body.data.linkUrl], [200, null]);
  await until(() => service.logged().includes('a payment could not be worked on'));
  assert.match(service.logged(), /belongs to another row/);
  const third = await sent(it, await book(it, { date: '2026-11-25' }));
  assert.notEqual(third.link_url, url);
  assert.equal(service.logged().split(url!).length, 2, 'sent once');
});

test('everything is resealed under another key, while deliveries continue', async (t) => {
  const { receiver, service, world, id, secret } = await startHooks(t);
  const { db, config } = service.deps;
  const own = config.secretsKey!;
  const [both, after] = [createSealer([Buffer.alloc(32), own]), createSealer([Buffer.alloc(32)])];
  const other = await subscribe(service, world.key, { events: ['booking.updated'] });
  await store(service, other.id, other.secret);
  assert.deepEqual(await countSecrets(db, both), {
    current: 0,
    previous: 1,
    plain: 1,
    lost: 0,
    lostLinks: 0,
  });
  assert.deepEqual(await countSecrets(db, after), {
    current: 0,
    previous: 0,
    plain: 1,
    lost: 1,
    lostLinks: 0,
  });
  assert.equal(await resealAll(db, createSealer([Buffer.alloc(32, 1)])), 1, 'what no key opens is left');
  assert.equal(await resealAll(db, createSealer([own, Buffer.alloc(32, 1)])), 1);
  assert.equal((await world.book()).status, 200);
  await receiver.arrived(1);
  assertSigned(receiver.received[0]!, secret);

  assert.equal(await resealAll(db, both), 2);
  assert.equal(await resealAll(db, both), 0);
  assert.deepEqual(await countSecrets(db, after), {
    current: 2,
    previous: 0,
    plain: 0,
    lost: 0,
    lostLinks: 0,
  });
  assert.equal(after.open(await stored(service, id), `webhook-secret:${id}`), secret);
  assert.equal(after.open(await stored(service, other.id), `webhook-secret:${other.id}`), other.secret);
});
