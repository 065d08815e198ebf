import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY, MINUTE } from '../src/base/clock.ts';
import { hashKey, isWellFormedKey, PERMISSIONS } from '../src/partners/key-rules.ts';
import { call, OPERATOR_TOKEN, type TestService } from './harness.ts';
import {
  auditRows,
  make,
  NOW_TEXT,
  partnerWithKey,
  type Resource,
  refused,
} from './operator-partner-fixtures.ts';

/** The operator manages partners' keys. */

/** Requests an unknown contact with the key: a 404 shows that the guard let it pass. */
async function knock(service: TestService, key: string): Promise<number> {
  return (await service.v1(key, 'GET', `/partners/contacts/${randomUUID()}`)).status;
}

test('a new key works at once and is shown only once', async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  assert.equal(await knock(service, key.key), 404);
  assert.ok(isWellFormedKey(key.key));
  assert.ok(key.key.startsWith('pbs_test_'));
  const resource = {
    id: key.id,
    partnerId: partner.id,
    name: 'Server',
    permissions: [...PERMISSIONS],
    ipAllowlist: [],
    expiresAt: null,
    status: 'ACTIVE',
    lastUsedAt: null,
    prefix: key.key.slice(0, 13),
    last4: key.key.slice(-4),
    previousExpiresAt: null,
    createdAt: NOW_TEXT,
    updatedAt: NOW_TEXT,
  };
  assert.deepEqual(key, { ...resource, key: key.key });
  const list = await service.operator('GET', `/partners/${partner.id}/keys`);
  assert.deepEqual(list.body.data, [resource]);
  assert.deepEqual(list.body.meta, { page: 1, limit: 20, total: 1, totalPages: 1 });
});

test('a key has its permissions, and changes take effect at once', async (t) => {
  const { service, key } = await partnerWithKey(t);
  assert.equal(await knock(service, key.key), 404);
  const path = `/keys/${key.id}`;
  const changed = await service.operator('PATCH', path, { permissions: ['partner_bookings_read'] });
  assert.deepEqual(changed.body.data.permissions, ['partner_bookings_read']);
  assert.equal(await knock(service, key.key), 403);
  await service.operator('PATCH', path, { permissions: PERMISSIONS, ipAllowlist: ['203.0.113.0/24'] });
  refused(await service.v1(key.key, 'GET', '/partners/services'), 403, 'FORBIDDEN');
  await service.operator('PATCH', path, { ipAllowlist: ['203.0.113.0/24', '127.0.0.0/8'] });
  assert.equal(await knock(service, key.key), 404);
});

test('a limit, an allowed domain and a suspension of the partner take effect at once', async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  const path = `/partners/${partner.id}`;
  const contact = `/partners/contacts/${randomUUID()}`;
  assert.equal(await knock(service, key.key), 404);
  await service.operator('PATCH', path, { allowedDomains: ['example.sa'] });
  const origin = (host: string) =>
    service.v1(key.key, 'GET', contact, undefined, { origin: `https://${host}` });
  refused(await origin('evil.sa'), 403, 'INVALID_PARTNER_DOMAIN');
  assert.equal((await origin('Shop.Example.sa')).status, 404);
  await service.operator('PATCH', path, { rateLimitPerMinute: 1 });
  assert.equal(await knock(service, key.key), 404);
  assert.equal(await knock(service, key.key), 429);
  await service.operator('PATCH', path, { status: 'SUSPENDED', rateLimitPerMinute: null });
  assert.equal(await knock(service, key.key), 401);
  await service.operator('PATCH', path, { status: 'ACTIVE' });
  assert.equal(await knock(service, key.key), 404);
});

test('a revoked key stops at once and permanently', async (t) => {
  const { service, key } = await partnerWithKey(t);
  assert.equal(await knock(service, key.key), 404);
  service.clock.advance(MINUTE);
  const revoked = await service.operator('PATCH', `/keys/${key.id}`, { status: 'REVOKED' });
  assert.equal(revoked.body.data.status, 'REVOKED');
  assert.equal(await knock(service, key.key), 401);

  const again = await service.operator('PATCH', `/keys/${key.id}`, { status: 'ACTIVE', name: 'Back' });
  refused(again, 422, 'INVALID_TRANSITION');
  refused(await service.operator('POST', `/keys/${key.id}/rotate`, {}), 422, 'INVALID_TRANSITION');
  // An equal status is no move, and the other fields can be changed.
  const renamed = await service.operator('PATCH', `/keys/${key.id}`, { status: 'REVOKED', name: 'Old' });
  assert.deepEqual([renamed.status, renamed.body.data.name], [200, 'Old']);
  assert.equal(await knock(service, key.key), 401);
  assert.deepEqual(
    (await auditRows(service)).map((row) => row.action),
    ['partner.create', 'key.create', 'key.update', 'key.update'],
  );
});

test('a key works until it expires', async (t) => {
  const { service, partner } = await partnerWithKey(t);
  const key = await make(service, `/partners/${partner.id}/keys`, {
    name: 'Short',
    permissions: ['partner_contacts_read'],
    expiresAt: '2026-11-22T05:10:00Z',
  });
  assert.equal(key.expiresAt, '2026-11-22T08:10:00+03:00');
  service.clock.advance(10 * MINUTE - 1);
  assert.equal(await knock(service, key.key), 404);
  service.clock.advance(1);
  assert.equal(await knock(service, key.key), 401);
  const extended = await service.operator('PATCH', `/keys/${key.id}`, { expiresAt: null });
  assert.equal(extended.body.data.expiresAt, null);
  assert.equal(await knock(service, key.key), 404);
});

test('rotation: the old secret works during the overlap, exactly', async (t) => {
  const { service, key } = await partnerWithKey(t);
  const rotated = await make(service, `/keys/${key.id}/rotate`, { overlapMinutes: 10 });
  assert.equal(rotated.id, key.id);
  assert.notEqual(rotated.key, key.key);
  assert.deepEqual([rotated.prefix, rotated.last4], [rotated.key.slice(0, 13), rotated.key.slice(-4)]);
  assert.equal(rotated.previousExpiresAt, '2026-11-22T08:10:00+03:00');
  assert.deepEqual([await knock(service, key.key), await knock(service, rotated.key)], [404, 404]);
  service.clock.advance(10 * MINUTE - 1);
  assert.deepEqual([await knock(service, key.key), await knock(service, rotated.key)], [404, 404]);
  service.clock.advance(1);
  assert.deepEqual([await knock(service, key.key), await knock(service, rotated.key)], [401, 404]);
  const list = await service.operator('GET', `/partners/${key.partnerId}/keys`);
  assert.equal(list.body.data[0].previousExpiresAt, null);
});

test('rotation without an overlap, with or without a body, stops the old secret at once', async (t) => {
  const { service, key } = await partnerWithKey(t);
  assert.equal(await knock(service, key.key), 404);
  const rotated = await make(service, `/keys/${key.id}/rotate`, undefined);
  assert.equal(rotated.previousExpiresAt, null);
  assert.deepEqual([await knock(service, key.key), await knock(service, rotated.key)], [401, 404]);
  const again = await make(service, `/keys/${key.id}/rotate`, {});
  assert.deepEqual([await knock(service, rotated.key), await knock(service, again.key)], [401, 404]);
});

test('a second rotation ends the overlap of the first; an expiry or a revocation ends every overlap', async (t) => {
  const { service, key } = await partnerWithKey(t);
  const path = `/keys/${key.id}`;
  const second = await make(service, `${path}/rotate`, { overlapMinutes: 60 });
  const third = await make(service, `${path}/rotate`, { overlapMinutes: 60 });
  const works = async () => [
    await knock(service, key.key),
    await knock(service, second.key),
    await knock(service, third.key),
  ];
  assert.deepEqual(await works(), [401, 404, 404]);
  const expiresAt = '2026-11-22T08:30:00+03:00';
  const shortened = await service.operator('PATCH', path, { expiresAt });
  assert.equal(shortened.body.data.previousExpiresAt, expiresAt);
  const revoked = await service.operator('PATCH', path, { status: 'REVOKED' });
  assert.equal(revoked.body.data.previousExpiresAt, null);
  assert.deepEqual(await works(), [401, 401, 401]);
});

test('invalid overlaps are refused and rotate nothing', async (t) => {
  const { service, key } = await partnerWithKey(t);
  for (const [body, message] of [
    [{ overlapMinutes: -1 }, 'overlapMinutes must not be less than 0'],
    [{ overlapMinutes: 43_201 }, 'overlapMinutes must not be greater than 43200'],
    [{ overlapMinutes: 1.5 }, 'overlapMinutes must be an integer number'],
    [{ overlapMinutes: '5' }, 'overlapMinutes must be an integer number'],
    [{ overlap: 5 }, 'property overlap should not exist'],
    ['null', 'body must be an object'],
  ] as const) {
    refused(await service.operator('POST', `/keys/${key.id}/rotate`, body), 400, 'VALIDATION_ERROR', message);
  }
  assert.equal(await knock(service, key.key), 404);
  await make(service, `/keys/${key.id}/rotate`, { overlapMinutes: 43_200 });
  service.clock.advance(30 * DAY - 1);
  assert.equal(await knock(service, key.key), 404);
});

test('no secret is in a list, the audit log, the database or the log', async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  const rotated = await make(service, `/keys/${key.id}/rotate`, { overlapMinutes: 5 });
  await knock(service, rotated.key);
  const patched = await service.operator('PATCH', `/keys/${key.id}`, { name: 'Renamed' });
  const list = await service.operator('GET', `/partners/${partner.id}/keys`);
  const audited = JSON.stringify(await auditRows(service));
  const stored = JSON.stringify(await service.deps.db.rows({ text: 'select * from api_keys' }));
  assert.match(audited, /key\.rotate/);
  for (const secret of [key.key, rotated.key]) {
    for (const text of [patched.text, list.text, audited, stored, service.logged()]) {
      assert.ok(!text.includes(secret));
    }
    for (const text of [patched.text, list.text, audited, service.logged()]) {
      assert.ok(!text.includes(hashKey(secret)));
    }
  }
  assert.ok(!('key' in patched.body.data) && !('hash' in patched.body.data));
});

test('the last use of a key shows after it is written', async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  await knock(service, key.key);
  // Closing the cache writes its buffer, as the timer does periodically.
  await service.deps.keys.close();
  const list = await service.operator('GET', `/partners/${partner.id}/keys`);
  assert.equal(list.body.data[0].lastUsedAt, NOW_TEXT);
  assert.equal(list.body.data[0].updatedAt, NOW_TEXT);
});

test('an invalid key body is refused with every error', async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  const path = `/partners/${partner.id}/keys`;
  const permissions = ['partner_bookings_read'];
  const valid = { name: 'K', permissions };
  const list = PERMISSIONS.join(', ');
  const cases: [Record<string, unknown>, ...string[]][] = [
    [{}, 'name should not be empty', 'permissions must be an array'],
    [{ name: 'K', permissions: [] }, 'permissions must contain at least 1 elements'],
    [
      { name: 'K', permissions: ['partner_bookings_read', 'partner_bookings_read'] },
      "All permissions's elements must be unique",
    ],
    [{ name: 'K', permissions: ['admin'] }, `permissions.0 must be one of the following values: ${list}`],
    [{ ...valid, status: 'ACTIVE' }, 'property status should not exist'],
    [{ ...valid, key: 'pbs_test_x' }, 'property key should not exist'],
    [{ ...valid, expiresAt: '2026-12-01' }, 'expiresAt must be a valid ISO 8601 date and time with offset'],
    [{ ...valid, expiresAt: 5 }, 'expiresAt must be a string or null'],
    ...[
      '0000-01-01T00:00:00Z',
      '1999-12-31T20:59:59Z',
      '2100-12-31T21:00:00Z',
      '9999-12-31T23:59:00-23:00',
    ].map((expiresAt): [Record<string, unknown>, string] => [
      { ...valid, expiresAt },
      'expiresAt must be a date and time with offset in the years 2000 to 2100',
    ]),
    [
      { ...valid, ipAllowlist: ['10.1', '10.0.0.0/33', '2001:db8::/129', 'example.sa', '::1/', '192.0.2.1'] },
      ...[0, 1, 2, 3, 4].map((index) => `ipAllowlist.${index} must be an IP address or a CIDR`),
    ],
  ];
  for (const [body, ...messages] of cases) {
    refused(await service.operator('POST', path, body), 400, 'VALIDATION_ERROR', ...messages);
  }
  const patch = await service.operator('PATCH', `/keys/${key.id}`, { status: 'OLD', partnerId: partner.id });
  refused(
    patch,
    400,
    'VALIDATION_ERROR',
    'property partnerId should not exist',
    'status must be one of the following values: ACTIVE, REVOKED',
  );
  assert.equal((await service.operator('GET', path)).body.meta.total, 1);
});

test('allowlists match every spelling of an address', async (t) => {
  const { service, partner } = await partnerWithKey(t);
  const key = await make(service, `/partners/${partner.id}/keys`, {
    name: 'K',
    permissions: ['partner_contacts_read'],
    ipAllowlist: ['2001:DB8:0::1', '::ffff:127.0.0.0/104', '127.0.0.0/8', '::ffff:192.0.2.1'],
  });
  assert.deepEqual(key.ipAllowlist, ['2001:db8::1', '127.0.0.0/8', '192.0.2.1']);
  assert.equal(await knock(service, key.key), 404);
});

test("a partner's keys are listed newest first, in pages, by name and by status, without those of others", async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  const other = await make(service, '/partners', { name: 'Other' });
  const permissions = ['partner_bookings_read'];
  await make(service, `/partners/${other.id}/keys`, { name: "Other's server", permissions });
  service.clock.advance(1000);
  await make(service, `/partners/${partner.id}/keys`, { name: 'Laptop', permissions });
  await service.operator('PATCH', `/keys/${key.id}`, { status: 'REVOKED' });
  const list = async (query: string) => {
    const { body } = await service.operator('GET', `/partners/${partner.id}/keys${query}`);
    return [body.meta.total, ...body.data.map((row: Resource) => row.name)];
  };
  assert.deepEqual(await list(''), [2, 'Laptop', 'Server']);
  assert.deepEqual(await list('?limit=1&page=2'), [2, 'Server']);
  assert.deepEqual(await list('?search=LAP'), [1, 'Laptop']);
  assert.deepEqual(await list('?status=REVOKED'), [1, 'Server']);
});

test("a partner's key does not open /operator, the operator's token does not open /v1", async (t) => {
  const { service, key } = await partnerWithKey(t);
  const operator = (headers: Record<string, string>, path = '/partners') =>
    call(`${service.operatorUrl}/operator`, 'GET', path, undefined, headers);
  refused(await operator({}), 401, 'UNAUTHORIZED');
  refused(await operator({ authorization: `Bearer ${key.key}` }), 401, 'UNAUTHORIZED');
  refused(await operator({ 'x-api-key': key.key }), 401, 'UNAUTHORIZED');
  refused(await operator({ 'x-api-key': OPERATOR_TOKEN }), 401, 'UNAUTHORIZED');
  refused(await operator({}, `/partners?api_key=${key.key}`), 401, 'UNAUTHORIZED');
  const path = '/partners/bookings/cancellation-reasons';
  refused(await service.v1(OPERATOR_TOKEN, 'GET', path), 401, 'UNAUTHORIZED');
  const bearer = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  refused(await service.v1(null, 'GET', path, undefined, bearer), 401, 'UNAUTHORIZED');
});
