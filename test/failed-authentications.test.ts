import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { createKey } from '../src/partners/key-rules.ts';
import { createPartner } from './fixtures.ts';
import {
  alsoOnServer,
  call,
  createPostgresDatabase,
  onPostgres,
  startTestService,
  type TestService,
} from './harness.ts';
import { becomes, book, sent, startPlatform, startWithProviders } from './payment-flows.ts';
import { until } from './until.ts';

/**
 * Guesses of keys, tokens and links are counted for each address, and refused after 100 in a minute.
 */

/** Where a request that passes the guard gets to: a contact that is not there. */
const DOOR = '/partners/contacts/5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const PROXY = { TRUSTED_PROXIES: '127.0.0.1' };
const LIMIT = 100;
/** Where it is set for the test. */
const FEW = 10;

const from = (address: string) => ({ 'x-forwarded-for': address });

async function knock(service: TestService, address: string, key: string | null): Promise<number> {
  return (await service.v1(key, 'GET', DOOR, undefined, from(address))).status;
}

test('failed authentications are limited by address, valid keys are not', async (t) => {
  const service = await startTestService(t, { env: PROXY });
  const { key } = await createPartner(service);
  for (const [one, other, stranger] of [
    ['203.0.113.7', '203.0.113.7:52044', '203.0.113.8'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
  ] as const) {
    for (let guess = 0; guess < LIMIT; guess++)
      assert.equal(await knock(service, one, guess % 2 === 0 ? 'nonsense' : null), 401);
    assert.equal(await knock(service, other, createKey('sandbox').key), 429);
    assert.equal(await knock(service, other, key), 404, 'a valid key goes on working');
    assert.equal(await knock(service, stranger, 'nonsense'), 401);
  }
  const answer = await service.v1(null, 'GET', DOOR, undefined, from('203.0.113.7'));
  assert.equal(answer.headers.get('retry-after'), '60');
  assert.equal(answer.body.error.code, 'RATE_LIMIT_EXCEEDED');
  service.clock.advance(MINUTE);
  assert.equal(await knock(service, '203.0.113.7', 'nonsense'), 401);
});

test('guesses of links of checkouts are limited, valid links are not', async (t) => {
  const it = await startPlatform(t, { env: PROXY, maxAuthFailures: FEW });
  const { service } = it;
  const bookingId = await book(it);
  const { link_url: url } = await sent(it, bookingId);
  const address = from('203.0.113.7');
  const ask = async (link: string, headers: Record<string, string>, method = 'GET'): Promise<number> => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const init = method === 'GET' ? { headers } : { method, headers: form, body: 'outcome=paid' };
    const response = await fetch(link, init);
    await response.text();
    return response.status;
  };
  const guess = () => `${service.url}/checkout/${randomBytes(24).toString('base64url')}`;
  for (let count = 0; count < FEW; count++)
    assert.equal(await ask(guess(), address, count % 2 === 0 ? 'GET' : 'POST'), 404);
  assert.equal(await ask(guess(), address), 429);
  assert.equal(await ask(guess(), address, 'POST'), 429);
  assert.equal(await ask(`${service.url}/checkout/nonsense`, address), 429);
  assert.equal(await ask(guess(), from('203.0.113.8')), 404);
  // Opened often, and then paid: only failures count.
  for (let count = 0; count <= FEW; count++) assert.equal(await ask(url!, address), 200);
  assert.equal(await ask(url!, address, 'POST'), 200);
  await becomes(it, bookingId, ['in progress', 'PAID']);
});

test("guesses of the gateway's token are limited, genuine notifications are not", async (t) => {
  const it = await startWithProviders(t, { env: PROXY, maxAuthFailures: FEW });
  const { service, moyasar } = it;
  const tell = (gateway: string, token: string) =>
    call(
      service.url,
      'POST',
      `/payments/${gateway}/notifications`,
      { secret_token: token, data: { invoice_id: randomUUID(), metadata: { payment_id: randomUUID() } } },
      from('203.0.113.7'),
    );
  for (let guess = 0; guess < FEW; guess++)
    assert.equal((await tell(guess % 2 === 0 ? 'moyasar' : 'nobody', randomUUID())).status, 401);
  const refused = await tell('moyasar', randomUUID());
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMIT_EXCEEDED']);
  assert.equal((await tell('moyasar', moyasar.webhookToken)).status, 200);
});

const redisUrl = onPostgres ? process.env.TEST_REDIS_URL : undefined;
const inRedis = { ...alsoOnServer, skip: redisUrl === undefined && 'needs PostgreSQL and TEST_REDIS_URL' };

/** Until the connection to Redis is up, failures are counted by the process. */
async function connected({ deps, logged }: TestService): Promise<void> {
  await until(async () => {
    await deps.rateLimiter.take(randomUUID(), 1, Date.now());
    return logged().split('Redis does not answer').length === logged().split('Redis answers again').length;
  });
}

test('with Redis failures are counted across processes', inRedis, async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const env = { ...PROXY, REDIS_URL: redisUrl! };
  const first = await startTestService(t, { databaseUrl, env, maxAuthFailures: FEW });
  const second = await startTestService(t, { databaseUrl, env, maxAuthFailures: FEW });
  const { key } = await createPartner(first);
  await second.deps.versions.refresh();
  await connected(first);
  await connected(second);
  // A network that no run before this one has used in the last minute.
  const [high, low] = [randomBytes(2).toString('hex'), randomBytes(2).toString('hex')];
  const at = (host: string) => `2001:db8:${high}:${low}::${host}`;
  for (let guess = 0; guess < FEW; guess++)
    assert.equal(await knock(guess % 2 === 0 ? first : second, at(String(guess)), 'nonsense'), 401);
  for (const service of [first, second]) {
    assert.equal(await knock(service, at('fff'), 'nonsense'), 429);
    assert.equal(await knock(service, at('fff'), key), 404, 'a valid key goes on working');
  }
});
