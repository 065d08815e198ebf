import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { DAY, MINUTE, toRiyadhIso } from '../src/clock.ts';
import { hashKey, isWellFormedKey, PERMISSIONS } from '../src/partners/rules.ts';
import {
  type Answer,
  call,
  OPERATOR_TOKEN,
  onPostgres,
  startTestService,
  type TestService,
} from './harness.ts';
import { until } from './until.ts';

const NOW_TEXT = '2026-11-22T08:00:00+03:00';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Resource = any;

async function make(service: TestService, path: string, body: unknown): Promise<Resource> {
  const answer = await service.operator('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
}

/** A partner with one key that may do everything. */
async function partnerWithKey(
  t: TestContext,
): Promise<{ service: TestService; partner: Resource; key: Resource }> {
  const service = await startTestService(t);
  const partner = await make(service, '/partners', { name: 'Riyadh Homes' });
  const key = await make(service, `/partners/${partner.id}/keys`, {
    name: 'Server',
    permissions: PERMISSIONS,
  });
  return { service, partner, key };
}

/** What a key gets for a contact that is not there: 404 shows that the guard let it through. */
async function knock(service: TestService, key: string): Promise<number> {
  return (await service.v1(key, 'GET', `/partners/contacts/${randomUUID()}`)).status;
}

function refused(answer: Answer, status: number, code: string, ...messages: string[]): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.error.code, code);
  if (messages.length > 0) assert.deepEqual(answer.body.error.details.message, messages);
}

async function auditRows(service: TestService): Promise<Resource[]> {
  return service.deps.db.rows({
    text: 'select at, actor, action, target, before, after from audit_log order by position',
  });
}

async function insertService(service: TestService, name: string): Promise<string> {
  const now = new Date(service.clock.now()).toISOString();
  const row = await service.deps.db.first<{ id: string }>({
    text: `
      with category as (
        insert into categories (name_en, name_ar, created_at, updated_at) values ($1, $1, $2, $2) returning id)
      insert into services (category_id, name, duration_minutes, default_price, created_at, updated_at)
      select id, $1, 120, 100, $2, $2 from category returning id`,
    values: [name, now],
  });
  return row!.id;
}

test('a partner is created with defaults, read, listed and audited', async (t) => {
  const service = await startTestService(t);
  const partner = await make(service, '/partners', { name: '  Riyadh Homes ' });
  assert.match(partner.id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(partner, {
    id: partner.id,
    name: 'Riyadh Homes',
    status: 'ACTIVE',
    paymentResponsibility: 'PARTNER',
    rateLimitPerMinute: null,
    allowedDomains: [],
    sandboxDomains: [],
    allowedWebhookDomains: [],
    requireHttpsWebhooks: true,
    language: 'en',
    createdAt: NOW_TEXT,
    updatedAt: NOW_TEXT,
  });
  const read = await service.operator('GET', `/partners/${partner.id.toUpperCase()}`);
  assert.equal(read.status, 200);
  assert.deepEqual(read.body, { success: true, data: partner });

  const [row, ...others] = await auditRows(service);
  assert.deepEqual(others, []);
  assert.deepEqual(row, {
    at: service.clock.now(),
    actor: 'operator:first-token',
    action: 'partner.create',
    target: `partner:${partner.id}`,
    before: null,
    after: partner,
  });
});

test('every field of a partner can be set and changed, one by one', async (t) => {
  const service = await startTestService(t);
  const first = {
    name: 'Platform Homes',
    status: 'SUSPENDED',
    paymentResponsibility: 'PLATFORM',
    rateLimitPerMinute: 60,
    allowedDomains: ['example.sa'],
    sandboxDomains: ['sandbox.example.sa'],
    allowedWebhookDomains: ['hooks.example.sa'],
    requireHttpsWebhooks: false,
    language: 'ar',
  };
  const partner = await make(service, '/partners', first);
  for (const [field, value] of Object.entries(first)) assert.deepEqual(partner[field], value, field);

  const changes = {
    name: 'Homes',
    status: 'ACTIVE',
    paymentResponsibility: 'PARTNER',
    rateLimitPerMinute: null,
    allowedDomains: [],
    sandboxDomains: [],
    allowedWebhookDomains: ['a.sa', 'b.sa'],
    requireHttpsWebhooks: true,
    language: 'en',
  };
  const expected = { ...partner };
  for (const [field, value] of Object.entries(changes)) {
    service.clock.advance(1000);
    const answer = await service.operator('PATCH', `/partners/${partner.id}`, { [field]: value });
    assert.equal(answer.status, 200, answer.text);
    expected[field] = value;
    expected.updatedAt = toRiyadhIso(service.clock.now());
    assert.deepEqual(answer.body.data, expected);
  }
  assert.deepEqual((await service.operator('GET', `/partners/${partner.id}`)).body.data, expected);

  const rows = await auditRows(service);
  assert.equal(rows.length, 1 + Object.keys(changes).length);
  assert.deepEqual(rows[1].before, partner);
  assert.deepEqual(rows[1].after, {
    ...partner,
    name: 'Homes',
    updatedAt: toRiyadhIso(Date.parse(NOW_TEXT) + 1000),
  });
  assert.equal(rows[1].action, 'partner.update');
});

test('a PATCH that changes nothing leaves no trace', async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  const before = (await auditRows(service)).length;
  service.clock.advance(MINUTE);
  for (const body of [{}, { name: ' Riyadh Homes' }, { status: 'ACTIVE', allowedDomains: [] }]) {
    const answer = await service.operator('PATCH', `/partners/${partner.id}`, body);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.data, partner);
  }
  for (const body of [{}, { name: 'Server ', status: 'ACTIVE', expiresAt: null, permissions: PERMISSIONS }]) {
    const answer = await service.operator('PATCH', `/keys/${key.id}`, body);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.updatedAt, NOW_TEXT);
  }
  const services = { restricted: false, services: [] };
  const answer = await service.operator('PUT', `/partners/${partner.id}/services`, services);
  assert.deepEqual([answer.status, answer.body.data], [200, { version: 1, ...services }]);
  assert.equal((await auditRows(service)).length, before);
});

test('partner names are unique whatever their case', async (t) => {
  const service = await startTestService(t);
  await make(service, '/partners', { name: 'Riyadh Homes' });
  const other = await make(service, '/partners', { name: 'Jeddah Homes' });
  refused(await service.operator('POST', '/partners', { name: 'RIYADH homes' }), 409, 'CONFLICT');
  const renamed = await service.operator('PATCH', `/partners/${other.id}`, { name: ' riyadh Homes' });
  refused(renamed, 409, 'CONFLICT');
  assert.equal((await service.operator('GET', `/partners/${other.id}`)).body.data.name, 'Jeddah Homes');
  assert.equal((await auditRows(service)).length, 2);
  // Its own name in another case is not another partner's.
  const recased = await service.operator('PATCH', `/partners/${other.id}`, { name: 'JEDDAH Homes' });
  assert.equal(recased.body.data.name, 'JEDDAH Homes');
});

test('domains are stored as requests are compared with them; anything but a host name is refused', async (t) => {
  const service = await startTestService(t);
  const partner = await make(service, '/partners', {
    name: 'P',
    allowedDomains: ['Example.SA', 'example.sa', 'localhost', '192.0.2.1', 'حجز.السعودية'],
    allowedWebhookDomains: ['München.example.'],
  });
  assert.deepEqual(partner.allowedDomains, [
    'example.sa',
    'localhost',
    '192.0.2.1',
    new URL('https://حجز.السعودية').hostname,
  ]);
  assert.deepEqual(partner.allowedWebhookDomains, ['xn--mnchen-3ya.example']);

  const answer = await service.operator('PATCH', `/partners/${partner.id}`, {
    allowedDomains: ['ok.sa', 'https://example.sa', 'example.sa:443'],
    sandboxDomains: ['example.sa/path'],
    allowedWebhookDomains: ['*.example.sa'],
  });
  const rule = 'must be a bare host name (no scheme, port, path or wildcard)';
  refused(
    answer,
    400,
    'VALIDATION_ERROR',
    `allowedDomains.1 ${rule}`,
    `allowedDomains.2 ${rule}`,
    `sandboxDomains.0 ${rule}`,
    `allowedWebhookDomains.0 ${rule}`,
  );
});

test('a partner body that is not valid is refused with every fault', async (t) => {
  const service = await startTestService(t);
  refused(
    await service.operator('POST', '/partners', {
      status: 'GONE',
      paymentResponsibility: 'BOTH',
      rateLimitPerMinute: 0,
      allowedDomains: 'example.sa',
      requireHttpsWebhooks: 'yes',
      utmSource: 'x',
    }),
    400,
    'VALIDATION_ERROR',
    'name should not be empty',
    'property utmSource should not exist',
    'status must be one of the following values: ACTIVE, SUSPENDED',
    'paymentResponsibility must be one of the following values: PARTNER, PLATFORM',
    'rateLimitPerMinute must not be less than 1',
    'allowedDomains must be an array',
    'requireHttpsWebhooks must be a boolean value',
  );
  refused(await service.operator('POST', '/partners', { name: '  ' }), 400, 'VALIDATION_ERROR');
  refused(await service.operator('POST', '/partners'), 400, 'VALIDATION_ERROR');
  const partner = await make(service, '/partners', { name: 'P' });
  const path = `/partners/${partner.id}`;
  refused(
    await service.operator('PATCH', path, { rateLimitPerMinute: '60', id: partner.id }),
    400,
    'VALIDATION_ERROR',
    'property id should not exist',
    'rateLimitPerMinute must be an integer number or null',
  );
  refused(await service.operator('PATCH', path, { name: null }), 400, 'VALIDATION_ERROR');
});

test('partners are listed newest first, in pages, by name and by status', async (t) => {
  const service = await startTestService(t);
  for (const name of ['Alpha Homes', 'Beta homes', 'Gamma_Services', 'Delta Homes']) {
    service.clock.advance(1000);
    await make(service, '/partners', { name, ...(name[0] === 'D' && { status: 'SUSPENDED' }) });
  }
  const list = async (query: string) => {
    const { body } = await service.operator('GET', `/partners${query}`);
    return { names: body.data.map((partner: Resource) => partner.name), meta: body.meta };
  };
  assert.deepEqual(await list(''), {
    names: ['Delta Homes', 'Gamma_Services', 'Beta homes', 'Alpha Homes'],
    meta: { page: 1, limit: 20, total: 4, totalPages: 1 },
  });
  assert.deepEqual(await list('?page=2&limit=3'), {
    names: ['Alpha Homes'],
    meta: { page: 2, limit: 3, total: 4, totalPages: 2 },
  });
  assert.deepEqual((await list('?search=HOMES')).names, ['Delta Homes', 'Beta homes', 'Alpha Homes']);
  assert.deepEqual((await list('?search=_')).names, ['Gamma_Services']);
  assert.deepEqual((await list('?search=homes&status=SUSPENDED')).names, ['Delta Homes']);
  refused(
    await service.operator('GET', '/partners?limit=101&status=OLD&search=%00'),
    400,
    'VALIDATION_ERROR',
    'search must not contain NUL characters or lone surrogates',
    'status must be one of the following values: ACTIVE, SUSPENDED',
    'limit must not be greater than 100',
  );
});

test('unknown partners and keys are 404, ids that are none 400', async (t) => {
  const service = await startTestService(t);
  const id = randomUUID();
  const calls: [string, string, unknown?][] = [
    ['GET', `/partners/${id}`],
    ['PATCH', `/partners/${id}`, {}],
    ['GET', `/partners/${id}/keys`],
    ['POST', `/partners/${id}/keys`, { name: 'K', permissions: ['partner_bookings_read'] }],
    ['GET', `/partners/${id}/services`],
    ['PUT', `/partners/${id}/services`, { restricted: true, services: [] }],
    ['PATCH', `/keys/${id}`, {}],
    ['POST', `/keys/${id}/rotate`, {}],
  ];
  for (const [method, path, body] of calls) {
    refused(await service.operator(method, path, body), 404, 'RESOURCE_NOT_FOUND');
    const bad = await service.operator(method, path.replace(id, 'no-id'), body);
    refused(bad, 400, 'VALIDATION_ERROR', 'id must be a UUID');
  }
  assert.deepEqual(await auditRows(service), []);
});

test('a new key opens /v1 at once and is shown only once', async (t) => {
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

test('a key has the permissions it was given and changes take effect at once', async (t) => {
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

test('a revoked key stops at once and for good', async (t) => {
  const { service, key } = await partnerWithKey(t);
  assert.equal(await knock(service, key.key), 404);
  service.clock.advance(MINUTE);
  const revoked = await service.operator('PATCH', `/keys/${key.id}`, { status: 'REVOKED' });
  assert.equal(revoked.body.data.status, 'REVOKED');
  assert.equal(await knock(service, key.key), 401);

  const again = await service.operator('PATCH', `/keys/${key.id}`, { status: 'ACTIVE', name: 'Back' });
  refused(again, 422, 'INVALID_TRANSITION');
  refused(await service.operator('POST', `/keys/${key.id}/rotate`, {}), 422, 'INVALID_TRANSITION');
  // What is so already is no move, and the other fields stay open.
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

test('rotation: the old secret works for the overlap and not a moment longer', async (t) => {
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

test('overlaps that are none are refused and rotate nothing', async (t) => {
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
  // Closing the cache writes what it remembers, as the timer does every few seconds.
  await service.deps.keys.close();
  const list = await service.operator('GET', `/partners/${partner.id}/keys`);
  assert.equal(list.body.data[0].lastUsedAt, NOW_TEXT);
  assert.equal(list.body.data[0].updatedAt, NOW_TEXT);
});

test('a key body that is not valid is refused with every fault', async (t) => {
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

test('allowlists hold in every spelling of an address', async (t) => {
  const { service, partner } = await partnerWithKey(t);
  const key = await make(service, `/partners/${partner.id}/keys`, {
    name: 'K',
    permissions: ['partner_contacts_read'],
    ipAllowlist: ['2001:DB8:0::1', '::ffff:127.0.0.0/104', '127.0.0.0/8', '::ffff:192.0.2.1'],
  });
  assert.deepEqual(key.ipAllowlist, ['2001:db8::1', '127.0.0.0/8', '192.0.2.1']);
  assert.equal(await knock(service, key.key), 404);
});

test("a partner's keys are listed newest first, in pages, by name and by status, and no other partner's", async (t) => {
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

test('services of a partner are put and read, prices exact', async (t) => {
  const { service, partner } = await partnerWithKey(t);
  const path = `/partners/${partner.id}/services`;
  const [sofa, deep, window] = [
    await insertService(service, 'Sofa'),
    await insertService(service, 'Deep cleaning'),
    await insertService(service, 'Windows'),
  ];
  const none = { version: 1, restricted: false, services: [] };
  assert.deepEqual((await service.operator('GET', path)).body.data, none);

  const body = {
    restricted: true,
    services: [
      { serviceId: sofa.toUpperCase(), price: 9999999999.99 },
      { serviceId: deep, price: 0.1 },
      { serviceId: window },
    ],
  };
  const expected = {
    version: 2,
    restricted: true,
    services: [
      { serviceId: deep, price: 0.1 },
      { serviceId: sofa, price: 9999999999.99 },
      { serviceId: window, price: null },
    ],
  };
  service.clock.advance(1000);
  const put = await service.operator('PUT', path, body);
  assert.equal(put.status, 200, put.text);
  assert.deepEqual(put.body.data, expected);
  assert.deepEqual((await service.operator('GET', path)).body.data, expected);
  const stored = await service.deps.db.rows({
    text: 'select price from partner_services order by price nulls last',
  });
  assert.deepEqual(stored, [{ price: '0.10' }, { price: '9999999999.99' }, { price: null }]);

  const again = await service.operator('PUT', path, expected);
  assert.equal(again.status, 200);
  service.clock.advance(1000);
  // What was read is changed and sent back; again, it is the same request; with other changes, it is late.
  const open = { version: 3, restricted: false, services: [{ serviceId: sofa, price: 0 }] };
  for (let times = 0; times < 2; times++)
    assert.deepEqual((await service.operator('PUT', path, { ...open, version: 2 })).body.data, open);
  const late = await service.operator('PUT', path, { ...expected, version: 2 });
  assert.deepEqual([late.status, late.body.error.details.current], [409, open]);

  const audited = (await auditRows(service)).filter((row) => row.action === 'partner.services');
  assert.deepEqual(
    audited.map((row) => [row.target, row.before, row.after]),
    [
      [`partner:${partner.id}`, none, expected],
      [`partner:${partner.id}`, expected, open],
    ],
  );
});

test('services that are none, twice or not priced in money are refused and change nothing', async (t) => {
  const { service, partner } = await partnerWithKey(t);
  const path = `/partners/${partner.id}/services`;
  const known = await insertService(service, 'Deep cleaning');
  const before = { restricted: true, services: [{ serviceId: known, price: 5 }] };
  assert.equal((await service.operator('PUT', path, before)).status, 200);

  const money = 'price must be an amount from 0 to 9999999999.99 with at most 2 decimals';
  const cases: [unknown, ...string[]][] = [
    [{}, 'restricted must be a boolean value', 'services must be an array'],
    [{ ...before, prices: [] }, 'property prices should not exist'],
    [
      { restricted: false, services: [{ serviceId: known }, { serviceId: randomUUID(), price: 1 }] },
      'services.1.serviceId must be the id of a service',
    ],
    [
      { restricted: false, services: [{ serviceId: known }, { serviceId: known.toUpperCase() }] },
      'services.1.serviceId must not be listed twice',
    ],
    [{ restricted: false, services: [{ serviceId: 'deep' }] }, 'services.0.serviceId must be a UUID'],
    [{ restricted: false, services: [{ serviceId: known, price: 1.005 }] }, `services.0.${money}`],
    [{ restricted: false, services: [{ serviceId: known, price: 1e-7 }] }, `services.0.${money}`],
    [
      { restricted: false, services: [{ serviceId: known, price: -0.01 }] },
      'services.0.price must not be less than 0',
    ],
    [
      { restricted: false, services: [{ serviceId: known, price: 1e10 }] },
      'services.0.price must not be greater than 9999999999.99',
    ],
    [
      { restricted: false, services: [{ serviceId: known, price: '5' }] },
      'services.0.price must be a number or null',
    ],
    [
      { restricted: false, services: [{ serviceId: known, note: '' }] },
      'property services.0.note should not exist',
    ],
  ];
  for (const [body, ...messages] of cases) {
    refused(await service.operator('PUT', path, body), 400, 'VALIDATION_ERROR', ...messages);
  }
  assert.deepEqual((await service.operator('GET', path)).body.data, { version: 2, ...before });
});

test('what a partner may book follows its services at once', async (t) => {
  const { service, partner, key } = await partnerWithKey(t);
  const path = `/partners/${partner.id}/services`;
  const [one, two] = [await insertService(service, 'One'), await insertService(service, 'Two')];
  const readable = async (id: string) =>
    (await service.v1(key.key, 'GET', `/partners/services/${id}`)).status === 200;
  assert.deepEqual([await readable(one), await readable(two)], [true, true]);
  await service.operator('PUT', path, { restricted: true, services: [{ serviceId: one, price: null }] });
  assert.deepEqual([await readable(one), await readable(two)], [true, false]);
  await service.operator('PUT', path, { restricted: false, services: [{ serviceId: one, price: 1 }] });
  assert.deepEqual([await readable(one), await readable(two)], [true, true]);
});

test('a booking being written and a change of services do not wait for each other in a circle', {
  skip: !onPostgres && 'needs two connections',
}, async (t) => {
  const { service, partner } = await partnerWithKey(t);
  const id = await insertService(service, 'One');
  let put: Promise<Answer> | undefined;
  await service.deps.db.transaction(async (tx) => {
    // As book_appointment does: first the catalogue lock, then a row that refers to the partner.
    await tx.rows({ text: 'select pg_advisory_xact_lock_shared(1, 0)' });
    put = service.operator('PUT', `/partners/${partner.id}/services`, {
      restricted: true,
      services: [{ serviceId: id }],
    });
    await until(async () => {
      const waiting = await tx.first({
        text: `select 1 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      });
      return waiting !== null;
    });
    await tx.rows({
      text: `insert into contacts (partner_id, phone, name, utm_source, created_at)
        values ($1, '+966501234567', 'N', 'u', $2)`,
      values: [partner.id, NOW_TEXT],
    });
  });
  assert.equal((await put!).status, 200);
});
