import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MINUTE } from '../src/base/clock.ts';
import { touch } from '../src/db/last-times.ts';
import { TOUCH_KEYS } from '../src/partners/access-queries.ts';
import type { UpdatePartner } from '../src/partners/account-schema.ts';
import { createKey, PERMISSIONS, type Permission } from '../src/partners/key-rules.ts';
import { createPartner, type KeyOptions } from './fixtures.ts';
import {
  call,
  createPostgresDatabase,
  onServer,
  startTestService,
  TEST_NOW,
  type TestService,
} from './harness.ts';
import { until } from './until.ts';

/** A key of a new partner. */
function keyWith(
  service: TestService,
  partner: UpdatePartner = {},
  { permissions, ...key }: KeyOptions & { permissions?: Permission[] } = {},
): Promise<{ key: string; keyId: string; partnerId: string }> {
  return createPartner(service, { partner, permissions, key });
}

/** Where a request that passes the guard gets to: a contact that is not there. */
const DOOR = '/partners/contacts/5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
const PASSED = { status: 404, code: 'RESOURCE_NOT_FOUND' };

async function knock(
  service: TestService,
  key: string | null,
  headers: Record<string, string> = {},
  path = DOOR,
) {
  const answer = await service.v1(key, 'GET', path, undefined, headers);
  return { status: answer.status, code: answer.body.error.code };
}

const UNAUTHORIZED = { status: 401, code: 'UNAUTHORIZED' };
const FORBIDDEN = { status: 403, code: 'FORBIDDEN' };

test('1: the key', async (t) => {
  const service = await startTestService(t);
  const { key } = await keyWith(service);
  assert.deepEqual(await knock(service, key), PASSED);
  assert.deepEqual(await knock(service, null), UNAUTHORIZED);
  for (const wrong of [
    'nonsense',
    `${key}x`,
    key.slice(0, -1),
    `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
    createKey('sandbox').key,
  ]) {
    assert.deepEqual(await knock(service, wrong), UNAUTHORIZED, wrong);
  }

  await t.test('as the query parameter api_key; the header takes precedence', async () => {
    assert.deepEqual(await knock(service, null, {}, `${DOOR}?api_key=${key}`), PASSED);
    assert.deepEqual(await knock(service, 'nonsense', {}, `${DOOR}?api_key=${key}`), UNAUTHORIZED);
    assert.deepEqual(await knock(service, key, {}, `${DOOR}?api_key=nonsense`), PASSED);
    assert.deepEqual(await knock(service, null, {}, `${DOOR}?api_key=${key}&api_key=${key}`), UNAUTHORIZED);
  });
  await t.test('expires', async () => {
    const { key: short } = await keyWith(service, {}, { expiresAt: TEST_NOW + MINUTE });
    assert.deepEqual(await knock(service, short), PASSED);
    service.clock.set(TEST_NOW + MINUTE);
    assert.deepEqual(await knock(service, short), UNAUTHORIZED);
    service.clock.set(TEST_NOW);
  });
  await t.test('of a suspended partner', async () => {
    const suspended = await keyWith(service, { status: 'SUSPENDED' });
    assert.deepEqual(await knock(service, suspended.key), UNAUTHORIZED);
  });
});

/** Waits until the response has the wanted status. */
async function becomes(look: () => Promise<{ status: number }>, wanted: number): Promise<void> {
  await until(async () => (await look()).status === wanted);
}

test('revocation and suspension take effect soon, also when written by others', async (t) => {
  const service = await startTestService(t);
  const revoked = await keyWith(service);
  const suspended = await keyWith(service);
  assert.deepEqual(await knock(service, revoked.key), PASSED);
  assert.deepEqual(await knock(service, suspended.key), PASSED);
  // Directly in the database, as another process would: this one gets no notification.
  const { db } = service.deps;
  await db.rows({ text: `update api_keys set status = 'REVOKED' where id = $1`, values: [revoked.keyId] });
  await becomes(() => knock(service, revoked.key), 401);
  await db.rows({
    text: `update partners set status = 'SUSPENDED' where id = $1`,
    values: [suspended.partnerId],
  });
  await becomes(() => knock(service, suspended.key), 401);
  await db.rows({
    text: `update partners set status = 'ACTIVE' where id = $1`,
    values: [suspended.partnerId],
  });
  await becomes(() => knock(service, suspended.key), 404);
});

test('a second process sees them', onServer('one process holds an embedded database'), async (t) => {
  const databaseUrl = await createPostgresDatabase(t);
  const first = await startTestService(t, { databaseUrl });
  const second = await startTestService(t, { databaseUrl });
  const { key, keyId } = await keyWith(first);
  assert.deepEqual(await knock(second, key), PASSED);
  await first.deps.db.rows({
    text: `update api_keys set expires_at = $2 where id = $1`,
    values: [keyId, new Date(TEST_NOW).toISOString()],
  });
  await becomes(() => knock(second, key), 401);
});

test('2: the IP allowlist', async (t) => {
  const service = await startTestService(t, { env: { TRUSTED_PROXIES: '127.0.0.1, 10.9.0.0/16' } });
  const only = async (...ipAllowlist: string[]) => (await keyWith(service, {}, { ipAllowlist })).key;
  const from = (key: string, forwarded?: string) =>
    knock(service, key, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded });
  const local = await only('127.0.0.0/8');
  assert.deepEqual(await from(local), PASSED);
  assert.deepEqual(await from(local, '203.0.113.7'), FORBIDDEN);
  const remote = await only('203.0.113.7', '2001:db8::/32');
  assert.deepEqual(await from(remote), FORBIDDEN);
  assert.deepEqual(await from(remote, '203.0.113.7'), PASSED);
  assert.deepEqual(await from(remote, '::ffff:203.0.113.7'), PASSED);
  assert.deepEqual(await from(remote, '2001:DB8:0::1'), PASSED);
  for (const withPort of ['203.0.113.7:52044', '[2001:db8::1]:52044', '203.0.113.7:52044, 10.9.1.1:443'])
    assert.deepEqual(await from(remote, withPort), PASSED, withPort);
  assert.deepEqual(await from(remote, '203.0.113.7, 10.9.1.1'), PASSED, 'through two trusted proxies');
  assert.deepEqual(
    await from(remote, '203.0.113.7, 198.51.100.1'),
    FORBIDDEN,
    'an address the client made up',
  );
  assert.deepEqual(await from(remote, 'unknown'), FORBIDDEN);
  assert.deepEqual(await from(await only('::ffff:203.0.113.0/120'), '203.0.113.7'), PASSED);

  const direct = await startTestService(t);
  const { key } = await keyWith(direct, {}, { ipAllowlist: ['203.0.113.7'] });
  assert.deepEqual(
    await knock(direct, key, { 'x-forwarded-for': '203.0.113.7' }),
    FORBIDDEN,
    'no proxy is trusted',
  );
});

test('3: the rate limit', async (t) => {
  const service = await startTestService(t);
  const { key } = await keyWith(service, { rateLimitPerMinute: 3 });
  const { key: other } = await keyWith(service, { rateLimitPerMinute: 3 });
  const { key: unlimited } = await keyWith(service);
  const ask = async (with_: string) => {
    const { status, headers } = await service.v1(with_, 'GET', DOOR);
    const number = (name: string) => (headers.has(name) ? Number(headers.get(name)) : null);
    return [
      status,
      number('ratelimit-limit'),
      number('ratelimit-remaining'),
      number('ratelimit-reset'),
      number('retry-after'),
    ];
  };
  assert.deepEqual(await ask(key), [404, 3, 2, 60, null]);
  service.clock.advance(20_000);
  assert.deepEqual(await ask(key), [404, 3, 1, 40, null]);
  assert.deepEqual(await ask(key), [404, 3, 0, 40, null]);
  service.clock.advance(39_999);
  assert.deepEqual(await ask(key), [429, 3, 0, 1, 1]);
  service.clock.advance(1);
  assert.deepEqual(
    await ask(key),
    [404, 3, 0, 20, null],
    'the first request left the window, the rejected one never was in it',
  );
  assert.deepEqual(await ask(key), [429, 3, 0, 20, 20]);
  assert.deepEqual(await ask(other), [404, 3, 2, 60, null]);
  assert.deepEqual(await ask(unlimited), [404, null, null, null, null]);
});

test('4: the domain', async (t) => {
  const service = await startTestService(t);
  const { key } = await keyWith(service, {
    allowedDomains: ['partner.example'],
    sandboxDomains: ['test.partner.example'],
  });
  const INVALID = { status: 403, code: 'INVALID_PARTNER_DOMAIN' };
  assert.deepEqual(await knock(service, key), PASSED);
  assert.deepEqual(await knock(service, key, { origin: 'https://app.partner.example:8443' }), PASSED);
  assert.deepEqual(await knock(service, key, { origin: 'https://evil.example' }), INVALID);
  assert.deepEqual(await knock(service, key, { origin: 'null', referer: 'https://evil.example/x' }), INVALID);
  assert.deepEqual(await knock(service, key, { 'x-partner-domain': 'PARTNER.example' }), PASSED);
  // Requests that are tried on the service's own reference page.
  const { port } = new URL(service.url);
  assert.deepEqual(await knock(service, key, { origin: service.url }), PASSED);
  assert.deepEqual(await knock(service, key, { referer: `${service.url}/docs` }), PASSED);
  assert.deepEqual(await knock(service, key, { origin: `http://localhost:${port}` }), PASSED);
  assert.deepEqual(await knock(service, key, { origin: 'http://127.0.0.1:1' }), INVALID, 'another port');
  assert.deepEqual(await knock(service, key, { origin: `https://127.0.0.1:${port}` }), INVALID);
  assert.deepEqual(
    await knock(service, key, { origin: service.url, 'x-partner-domain': 'evil.example' }),
    INVALID,
  );
  assert.deepEqual(
    await knock(service, key, { origin: 'https://test.partner.example' }),
    PASSED,
    'the sandbox check is off',
  );

  const strict = await startTestService(t, { env: { SANDBOX_DOMAIN_CHECK: 'on' } });
  const { key: checked } = await keyWith(strict, {
    allowedDomains: ['partner.example'],
    sandboxDomains: ['test.partner.example'],
  });
  assert.deepEqual(await knock(strict, checked, { origin: 'https://test.partner.example' }), {
    status: 403,
    code: 'SANDBOX_DOMAIN_NOT_ALLOWED',
  });
  assert.deepEqual(await knock(strict, checked, { origin: 'https://partner.example' }), PASSED);
});

test('5: the permission', async (t) => {
  const service = await startTestService(t);
  const id = '5f0c6a6e-3c1b-4b5e-9a53-0d5a2f1c7b10';
  const operations: [string, string, string][] = [
    ['partner_contacts_read', 'POST', '/partners/contacts'],
    ['partner_contacts_read', 'GET', `/partners/contacts/${id}`],
    ['partner_services_read', 'GET', '/partners/services'],
    ['partner_services_read', 'GET', `/partners/services/${id}`],
    ['partner_timeslots_read', 'GET', '/partners/timeslots/available'],
    ['partner_bookings_create', 'POST', '/partners/bookings'],
    ['partner_bookings_read', 'GET', '/partners/bookings'],
    ['partner_bookings_read', 'GET', `/partners/bookings/${id}/status`],
    ['partner_bookings_read', 'GET', '/partners/events'],
    ['partner_bookings_update', 'PATCH', `/partners/bookings/${id}`],
    ['partner_bookings_cancel', 'GET', '/partners/bookings/cancellation-reasons'],
    ['partner_bookings_cancel', 'PATCH', `/partners/bookings/${id}/cancel`],
    ['partner_bookings_confirm_payment', 'POST', `/partners/bookings/${id}/confirm-payment`],
    ['partner_pricing_read', 'GET', '/partners/pricing/tiers'],
    ['partner_pricing_read', 'POST', '/partners/pricing/calculate-price'],
  ];
  for (const [needed, method, path] of operations) {
    const { key: without } = await keyWith(
      service,
      {},
      { permissions: PERMISSIONS.filter((permission) => permission !== needed) },
    );
    const refused = await service.v1(without, method, path);
    assert.deepEqual({ status: refused.status, code: refused.body.error.code }, FORBIDDEN, path);
    const { key: only } = await keyWith(
      service,
      {},
      { permissions: PERMISSIONS.filter((permission) => permission === needed) },
    );
    const passed = await service.v1(only, method, path);
    assert.ok([200, 400, 404].includes(passed.status), path);
  }
});

test('the order of the checks', async (t) => {
  const service = await startTestService(t);
  // Everything wrong at once; then one fault less each time.
  const everything = { rateLimitPerMinute: 1, allowedDomains: ['partner.example'] };
  const wrongDomain = { origin: 'https://evil.example' };
  const first = await keyWith(
    service,
    { ...everything, status: 'SUSPENDED' },
    { permissions: [], ipAllowlist: ['203.0.113.7'] },
  );
  assert.deepEqual(await knock(service, first.key, wrongDomain), UNAUTHORIZED);
  const second = await keyWith(service, everything, { permissions: [], ipAllowlist: ['203.0.113.7'] });
  for (let request = 0; request < 3; request++) {
    const answer = await service.v1(second.key, 'GET', DOOR, undefined, wrongDomain);
    assert.equal(answer.body.error.code, 'FORBIDDEN');
    assert.equal(answer.headers.get('ratelimit-limit'), null, 'a refused address uses up nothing');
  }
  const third = await keyWith(service, everything, { permissions: [] });
  assert.equal((await knock(service, third.key, wrongDomain)).code, 'INVALID_PARTNER_DOMAIN');
  assert.equal(
    (await knock(service, third.key, wrongDomain)).code,
    'RATE_LIMIT_EXCEEDED',
    'the limit comes before the domain',
  );
  const fourth = await keyWith(service, {}, { permissions: [] });
  assert.deepEqual(await knock(service, fourth.key), FORBIDDEN);
  assert.deepEqual(
    await knock(service, fourth.key, {}, '/partners/nothing'),
    PASSED,
    'an unknown route needs no permission',
  );
});

test('an operator token is refused under /v1, a key under /operator', async (t) => {
  const service = await startTestService(t);
  const { key } = await keyWith(service);
  assert.deepEqual(await knock(service, service.operatorToken), UNAUTHORIZED);
  for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }, {}]) {
    const answer = await call(
      service.url,
      'GET',
      '/operator/partners',
      undefined,
      headers as Record<string, string>,
    );
    assert.equal(answer.status, 401);
    assert.equal(answer.body.error.code, 'UNAUTHORIZED');
  }
});

test('the last use of a key is stored', async (t: TestContext) => {
  const service = await startTestService(t);
  const { key, keyId } = await keyWith(service);
  await knock(service, key);
  await service.deps.keys.close();
  const { db } = service.deps;
  const lastUse = async () =>
    (await db.first<{ last_used_at: number }>({
      text: 'select last_used_at from api_keys where id = $1',
      values: [keyId],
    }))!.last_used_at;
  assert.equal(await lastUse(), TEST_NOW);
  // Another process writes its last uses, earlier and later.
  for (const [at, last] of [
    [TEST_NOW - 1, TEST_NOW],
    [TEST_NOW + 1, TEST_NOW + 1],
  ] as const) {
    await touch(db, TOUCH_KEYS, new Map([[keyId, at]]));
    assert.equal(await lastUse(), last);
  }
});
